// SPDX-License-Identifier: GPL-2.0-only
/* peerpass validate: proves every ordered pair of GPUs, by data and by faults. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "lib/devsel.h"
#include "lib/lock.h"
#include "lib/options.h"
#include "validate.h"
#include "validate_file.h"

#define DEFAULT_SIZE	(1ull << 20)
#define MAX_SIZE	(1ull << 30)
#define DEFAULT_TIMEOUT	30
#define MAX_TIMEOUT	3600

const char cmd_validate_usage[] =
	"Usage: peerpass validate [DEV...] [--size BYTES] [--timeout SECONDS] [-j]\n"
	"       peerpass validate --check[=FILE] [DEV...] [-j]\n"
	"       peerpass validate --export nccl|sh|sglang|vllm [DEV...] [--check=FILE]\n\n"
	"Tests P2P between every two of the GPUs that CUDA has, or of those named, in both\n"
	"directions: writes and reads a pattern, compares it through the device that owns the\n"
	"memory, and counts the faults meanwhile. DEV is an address (0000:01:00.0 or 01:00.0)\n"
	"or gpuN.\n\n"
	"  --size BYTES       of a transfer: a multiple of 8 up to 1G, with K, M or G; 1M.\n"
	"                     Takes as much memory on each of the two GPUs and on the host\n"
	"  --timeout SECONDS  for a pair, up to 3600; 30\n"
	"  --check[=FILE]     does an earlier verdict still hold? See --check --help\n"
	"  --export FORMAT    an earlier verdict as settings. See --export FORMAT --help\n"
	"  -j, --json         one JSON object, schema peerpass/validate/1\n"
	"  -h, --help         this text\n\n"
	"Exit codes: 0 all right, 1 failed, 2 usage, 10 hang, 11 wrong data with faults, 12 wrong\n"
	"data without faults, 13 right data with faults, 14 inconclusive, 15 not usable here. Of\n"
	"several the worst counts: 12, 11, 10, 14, 13, 15.\n";

struct arguments {
	uint64_t size;
	uint64_t timeout_s;
	bool json;
	bool help;
	char **devices;
	int device_count;
};

static int parse(int argc, char **argv, struct arguments *args, struct pp_error *err)
{
	static const struct option options[] = {
		{ "size", required_argument, NULL, 's' },
		{ "timeout", required_argument, NULL, 't' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, PP_OPT_HELP },
		{ NULL, 0, NULL, 0 },
	};
	int opt;

	while ((opt = getopt_long(argc, argv, ":jh", options, NULL)) != -1) {
		switch (opt) {
		case 's':
			if (pp_options_number("--size", optarg, 8, MAX_SIZE, &args->size, err))
				return -1;
			break;
		case 't':
			if (pp_options_number("--timeout", optarg, 1, MAX_TIMEOUT, &args->timeout_s,
					      err))
				return -1;
			break;
		case 'j':
			args->json = true;
			break;
		case PP_OPT_HELP:
			args->help = true;
			break;
		default:
			return pp_options_error(opt, argv, "validate", err);
		}
	}
	if (args->size % 8)
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "--size: %llu is not a multiple of 8",
				    (unsigned long long)args->size);
	args->devices = argv + optind;
	args->device_count = argc - optind;
	if (pp_devsel_check(args->devices, args->device_count, err))
		return -1;
	if (args->device_count == 1)
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "P2P takes two devices, only %s is named", args->devices[0]);
	return 0;
}

static int interrupted(const struct validate_run *run, int done, struct pp_error *err)
{
	return pp_error_set(err, "interrupted", PP_EXIT_FAILED,
			    "interrupted by a signal after %d of %d pairs; no verdict", done,
			    run->pair_count);
}

static void progress(const struct validate_run *run, int done, const struct pp_pair_result *pair)
{
	char from[PP_BDF_LEN], to[PP_BDF_LEN];

	if (!isatty(STDERR_FILENO))
		return;
	if (pair)
		fprintf(stderr, "\rpair %d of %d: %s -> %s\033[K", done + 1, run->pair_count,
			pp_inventory_label(run->inv, pair->initiator, from),
			pp_inventory_label(run->inv, pair->target, to));
	else
		fputs("\r\033[K", stderr);
}

static int run_pairs(struct validate_run *run, struct pp_nl *nl, struct pp_error *err)
{
	int done = 0, ret = 0;

	run->pair_count = run->gpu_count * (run->gpu_count - 1);
	run->pairs = calloc((size_t)run->pair_count, sizeof(*run->pairs));
	if (!run->pairs)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	for (int i = 0; !ret && i < run->gpu_count; i++) {
		for (int j = 0; !ret && j < run->gpu_count; j++) {
			struct pp_pair_result *pair = &run->pairs[done];
			struct pp_pair_plan plan = {
				.initiator = run->gpus[i].ordinal,
				.target = run->gpus[j].ordinal,
				.size = run->size,
			};

			if (i == j)
				continue;
			pair->initiator = run->gpus[i].bdf;
			pair->target = run->gpus[j].bdf;
			progress(run, done, pair);
			ret = pp_pair_run(pair, &plan, nl, run->timeout_s * 1000000000, err);
			if (!ret && pp_child_interrupted())
				ret = interrupted(run, done, err);
			done++;
		}
	}
	progress(run, done, NULL);
	return ret;
}

static int validate(struct validate_run *run, struct pp_nl *nl, const struct arguments *args,
		    struct pp_error *err)
{
	struct timespec ts;

	if (validate_enumerate(run, args->devices, args->device_count, err))
		return -1;
	clock_gettime(CLOCK_REALTIME, &ts);
	run->started_ns = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	if (run_pairs(run, nl, err))
		return -1;
	validate_summarize(run);
	if (args->json && validate_print_json(run))
		return PP_EXIT_FAILED;
	if (!args->json)
		validate_print_text(run);
	return pp_verdict_exit(run->worst);
}

int cmd_validate(int argc, char **argv, struct pp_error *err)
{
	static struct validate_run run;
	struct arguments args = { .size = DEFAULT_SIZE, .timeout_s = DEFAULT_TIMEOUT };
	struct pp_inventory inv = { 0 };
	struct pp_nl *nl;
	int ret = -1;

	if (validate_reads_file(argc, argv, &ret, err))
		return ret;
	if (parse(argc, argv, &args, err))
		return -1;
	if (args.help) {
		fputs(cmd_validate_usage, stdout);
		return PP_EXIT_OK;
	}
	nl = pp_nl_open(err);
	if (!nl)
		return -1;
	if (pp_lock(err) < 0)
		goto out;
	pp_child_signals();
	if (pp_inventory_load(&inv, nl, err))
		goto out;
	run.inv = &inv;
	run.size = args.size;
	run.timeout_s = args.timeout_s;
	ret = validate(&run, nl, &args, err);
out:
	free(run.pairs);
	pp_inventory_free(&inv);
	pp_nl_close(nl);
	return ret;
}
