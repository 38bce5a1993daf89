// SPDX-License-Identifier: GPL-2.0-only
/* What the command lines of all verbs have in common. */
#include <errno.h>
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

/**
 * pp_options_error - say what getopt_long() did not like
 * @opt: what it returned: ':' or '?'
 *
 * Return: -1
 */
int pp_options_error(int opt, char **argv, const char *verb, struct pp_error *err)
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
