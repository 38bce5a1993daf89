// SPDX-License-Identifier: GPL-2.0-only
/* peerpass validate: proves every ordered pair of GPUs, by data and by faults. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lib/child.h"
#include "lib/lock.h"
#include "lib/output.h"
#include "lib/verdict_file.h"
#include "validate.h"
#include "validate_file.h"

/*
 * Where verdicts go. Consumers look for root's; anybody's is printed, and goes where -o
 * says. What was found before is taken away, or the test is not begun.
 */
static int prepare_files(struct validate_run *run, struct pp_error *err)
{
	struct pp_error why = { 0 };

	if (run->args->output && pp_verdict_withdraw(run->args->output, err))
		return -1;
	if (geteuid())
		return 0;
	run->keeps = !pp_verdict_withdraw(PP_VERDICT_PATH, &why);
	if (run->keeps)
		return 0;
	if (!access(PP_VERDICT_PATH, F_OK)) {
		*err = why;
		return -1;
	}
	/* A container may have no /run to write to; the test is worth something all the same. */
	fprintf(stderr, "peerpass: %s\n", why.message);
	return 0;
}

static int keep(const struct validate_run *run, const json_t *verdict, struct pp_error *err)
{
	if (run->keeps && pp_verdict_write(PP_VERDICT_PATH, verdict, err))
		return -1;
	if (run->args->output && pp_verdict_write(run->args->output, verdict, err))
		return -1;
	return 0;
}

/* Shown in any case: a full disk must not cost the result of hours. */
static int report(const struct validate_run *run, struct pp_error *err)
{
	int ret = pp_verdict_exit(run->worst.verdict);
	json_t *verdict = validate_json(run);
	struct pp_error why = { 0 };

	if (!verdict)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	if (keep(run, verdict, &why)) {
		pp_error_print(&why, false);
		ret = PP_EXIT_FAILED;
	}
	if (!run->args->json) {
		json_decref(verdict);
		validate_print_text(run);
	} else if (pp_json_print(verdict)) {
		ret = PP_EXIT_FAILED;
	}
	return ret;
}

/* Without the module pairs are tested with --force only, and faults are not counted. */
static int open_module(struct validate_run *run, struct pp_error *err)
{
	run->nl = pp_nl_open(&run->no_module);
	if (run->nl || !strcmp(run->no_module.code, "no_module") ||
	    !strcmp(run->no_module.code, "other_netns"))
		return 0;
	*err = run->no_module;
	return -1;
}

int cmd_validate(int argc, char **argv, struct pp_error *err)
{
	static struct validate_run run;
	struct validate_args args;
	struct pp_inventory inv = { 0 };
	int ret = -1;

	if (validate_reads_file(argc, argv, &ret, err))
		return ret;
	if (validate_parse(argc, argv, &args, err))
		return -1;
	if (args.help) {
		fputs(cmd_validate_usage, stdout);
		return PP_EXIT_OK;
	}
	run.args = &args;
	run.inv = &inv;
	pp_scope_make(&run.scope, args.level, args.max_bytes, args.memory);
	run.scope.speed = args.level != PP_LEVEL_QUICK;
	if (open_module(&run, err))
		return -1;
	if (pp_lock(err) < 0)
		goto out;
	pp_child_signals();
	if (pp_inventory_load(&inv, run.nl, err) || validate_enumerate(&run, err) ||
	    validate_guard(&run, err))
		goto out;
	if (prepare_files(&run, err) || validate_tests(&run, err))
		goto out;
	ret = report(&run, err);
out:
	validate_free(&run);
	pp_inventory_free(&inv);
	pp_nl_close(run.nl);
	return ret;
}
