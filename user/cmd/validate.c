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
 * Where consumers look for it is root's; anybody's verdict is printed, and goes where
 * -o says.
 */
static int keep(const struct validate_run *run, const json_t *verdict, struct pp_error *err)
{
	if (!geteuid() && pp_verdict_write(PP_VERDICT_PATH, verdict, err))
		return -1;
	if (run->args->output && pp_verdict_write(run->args->output, verdict, err))
		return -1;
	return 0;
}

/* What was found before must not outlive a test that finds something else, or no end. */
static void withdraw(const struct validate_args *args)
{
	if (!geteuid())
		unlink(PP_VERDICT_PATH);
	if (args->output)
		unlink(args->output);
}

static int report(const struct validate_run *run, struct pp_error *err)
{
	json_t *verdict = validate_json(run);
	int ret;

	if (!verdict)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	ret = keep(run, verdict, err);
	if (ret)
		json_decref(verdict);
	else if (run->args->json)
		ret = pp_json_print(verdict) ? PP_EXIT_FAILED : 0;
	else
		json_decref(verdict);
	if (ret)
		return ret;
	if (!run->args->json)
		validate_print_text(run);
	return pp_verdict_exit(run->worst.verdict);
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
	withdraw(&args);
	if (validate_tests(&run, err))
		goto out;
	ret = report(&run, err);
out:
	validate_free(&run);
	pp_inventory_free(&inv);
	pp_nl_close(run.nl);
	return ret;
}
