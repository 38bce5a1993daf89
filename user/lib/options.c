// SPDX-License-Identifier: GPL-2.0-only
/* What the command lines of all verbs have in common. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

/**
 * pp_options_want_json - is -j or --json somewhere in the command line?
 *
 * Looked for before anything is parsed: a program that asked for JSON must get
 * its error object also for a command line that cannot be parsed.
 */
bool pp_options_want_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "--json") ||
		    (argv[i][0] == '-' && argv[i][1] != '-' && strchr(argv[i] + 1, 'j')))
			return true;
	}
	return false;
}

/* Says what getopt_long() did not like. @opt: what it returned: ':' or '?' */
static int complain(int opt, char **argv, const char *verb, struct pp_error *err)
{
	const char *arg = argv[optind - 1];

	if (opt == ':')
		pp_error_set(err, "usage", PP_EXIT_USAGE, "option %s needs a value", arg);
	else if (!strncmp(arg, "--", 2) && optopt)
		pp_error_set(err, "usage", PP_EXIT_USAGE, "option %.*s takes no value",
			     (int)strcspn(arg, "="), arg);
	else if (!strncmp(arg, "--", 2) || !optopt)
		pp_error_set(err, "usage", PP_EXIT_USAGE, "unknown option %s", arg);
	else
		pp_error_set(err, "usage", PP_EXIT_USAGE, "unknown option -%c", optopt);
	return pp_error_hint(err, "see: peerpass %s --help", verb);
}

/**
 * pp_options_number - the value of an option that takes a whole number
 *
 * Decimal, or hexadecimal with 0x. A letter K, M or G at the end multiplies by
 * 1024, 1024^2 or 1024^3.
 *
 * Return: 0, or -1 with @err filled in when it is no number or not within @min
 * and @max.
 */
int pp_options_number(const char *option, const char *text, uint64_t min, uint64_t max,
		      uint64_t *value, struct pp_error *err)
{
	static const char units[] = "KMG";
	uint64_t unit = 1, n;
	const char *u;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 0);
	u = *end ? strchr(units, *end) : NULL;
	if (u) {
		unit = 1ULL << 10 * (u - units + 1);
		end++;
	}
	if (*text < '0' || *text > '9' || *end)
		return pp_error_set(err, "usage", PP_EXIT_USAGE, "%s: \"%s\" is not a number",
				    option, text);
	if (errno || n > max / unit || n * unit < min)
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "%s: %s is out of range, %" PRIu64 " to %" PRIu64 " is allowed",
				    option, text, min, max);
	*value = n * unit;
	return 0;
}

/* getopt_long()'s value of an option: its number in the table, above any letter. */
#define FIRST 256

static int needs(enum pp_option_kind kind)
{
	return kind == PP_OPTION_FLAG ? no_argument :
	       kind == PP_OPTION_MAY_BE_TEXT ? optional_argument : required_argument;
}

static int take(const struct pp_option *option, struct pp_error *err)
{
	char name[32] = "--";

	switch (option->kind) {
	case PP_OPTION_FLAG:
		*(bool *)option->value = true;
		return 0;
	case PP_OPTION_NUMBER:
		strncat(name, option->name, sizeof(name) - 3);
		return pp_options_number(name, optarg, option->min, option->max, option->value,
					 err);
	default:
		if (optarg)
			*(const char **)option->value = optarg;
		return 0;
	}
}

/**
 * pp_options_parse - the options of a verb
 * @verb: as a message has it
 * @options: all but --help and -h, which each verb has
 * @help: set when it was asked for: nothing after it is looked at
 *
 * What is left, nothing after help, begins at argv[optind] (unistd.h).
 *
 * Return: 0, or -1 with @err filled in.
 */
int pp_options_parse(int argc, char **argv, const char *verb, const struct pp_option *options,
		     bool *help, struct pp_error *err)
{
	struct option longs[PP_OPTIONS_MAX + 2] = { { "help", no_argument, NULL, 'h' } };
	char shorts[2 * PP_OPTIONS_MAX + 3] = ":h";
	size_t used = 2;
	int opt, n = 0;

	for (; options[n].name && n < PP_OPTIONS_MAX; n++) {
		longs[n + 1] = (struct option){ options[n].name, needs(options[n].kind), NULL,
						FIRST + n };
		if (!options[n].letter)
			continue;
		shorts[used++] = options[n].letter;
		if (options[n].kind != PP_OPTION_FLAG)
			shorts[used++] = ':';
	}
	while ((opt = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (opt == ':' || opt == '?')
			return complain(opt, argv, verb, err);
		if (opt == 'h') {
			*help = true;
			optind = argc;
			return 0;
		}
		for (int i = 0; i < n; i++)
			if ((opt == FIRST + i || opt == options[i].letter) && take(&options[i], err))
				return -1;
	}
	return 0;
}
