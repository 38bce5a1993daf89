// SPDX-License-Identifier: GPL-2.0-only
/* The command: a table of verbs. */
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "lib/options.h"

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv, struct pp_error *err);
	const char *usage;
	const char *description;
} verbs[] = {
	{ "status", cmd_status, cmd_status_usage,
	  "devices, their IOMMU domains and faults; the default" },
	{ "faults", cmd_faults, cmd_faults_usage, "which device faulted, how, and on what" },
	{ "set", cmd_set, cmd_set_usage, "give devices another mode, now" },
	{ "restore", cmd_restore, cmd_restore_usage, "devices as they were without peerpass" },
	{ "validate", cmd_validate, cmd_validate_usage,
	  "prove P2P between every two GPUs, by data and by faults" },
};

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	}
	return NULL;
}

static int unknown_verb(const char *name, struct pp_error *err)
{
	char known[128] = "";

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		strcat(known, verbs[i].name);
		strcat(known, ", ");
	}
	pp_error_set(err, "usage", PP_EXIT_USAGE, "unknown verb \"%s\"", name);
	return pp_error_hint(err, "the verbs are: %shelp; see: peerpass --help", known);
}

static void print_help(void)
{
	puts("Usage: peerpass [VERB] [OPTION]...\n\n"
	     "GPU peer-to-peer DMA under a translating IOMMU.\n");
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		printf("  %-10s %s\n", verbs[i].name, verbs[i].description);
	puts("  help VERB  options of a verb\n\n"
	     "Without a verb: status. -j, --json: output for programs. --version: the helper's\n"
	     "version. Exit codes and JSON keys: man peerpass.");
}

static int help(int argc, char **argv, struct pp_error *err)
{
	const struct verb *verb;

	if (argc < 2) {
		print_help();
		return PP_EXIT_OK;
	}
	verb = find_verb(argv[1]);
	if (!verb)
		return unknown_verb(argv[1], err);
	fputs(verb->usage, stdout);
	return PP_EXIT_OK;
}

static int dispatch(int argc, char **argv, struct pp_error *err)
{
	static char *bare[] = { "status", NULL };
	const struct verb *verb;

	if (argc < 2)
		return cmd_status(1, bare, err);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return help(argc - 1, argv + 1, err);
	if (!strcmp(argv[1], "--version")) {
		puts("peerpass " PEERPASS_VERSION);
		return PP_EXIT_OK;
	}
	/* Options without a verb are those of status. */
	if (argv[1][0] == '-')
		return cmd_status(argc, argv, err);
	verb = find_verb(argv[1]);
	if (!verb)
		return unknown_verb(argv[1], err);
	return verb->run(argc - 1, argv + 1, err);
}

int main(int argc, char **argv)
{
	struct pp_error err = { 0 };
	int ret;

	ret = dispatch(argc, argv, &err);
	if (ret < 0) {
		pp_error_print(&err, pp_options_want_json(argc, argv));
		ret = err.exit_code;
	}
	/* A full disk or a closed pipe must not look like success. */
	if (fflush(stdout) || ferror(stdout)) {
		fputs("peerpass: error: cannot write to standard output\n", stderr);
		return ret ? ret : PP_EXIT_FAILED;
	}
	return ret;
}
