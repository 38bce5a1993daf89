// SPDX-License-Identifier: GPL-2.0-only
/*
 * peerpass validate --export: a verdict as the settings of NCCL and engines.
 *
 * Whatever goes wrong, what is printed or written forbids P2P: a script that does
 * not look at the exit code is safe.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/claim_now.h"
#include "lib/devsel.h"
#include "lib/engine_cache.h"
#include "lib/options.h"
#include "lib/p2p_permit.h"
#include "lib/verdict_file.h"
#include "lib/visible.h"
#include "validate_file.h"

static const char usage[] =
	"Usage: peerpass validate --export nccl|sh [DEV...] [--check=FILE]\n"
	"       peerpass validate --export sglang|vllm [--check=FILE] [--output-dir DIR]\n\n"
	"The settings that follow from a verdict that validate wrote earlier. If it does not hold\n"
	"(see peerpass validate --check --help), is not ok, or is not about these GPUs, P2P is\n"
	"forbidden, the reason is on standard error, and the exit code is not 0.\n\n"
	"  nccl    NCCL_P2P_LEVEL=... or NCCL_P2P_DISABLE=1, one a line\n"
	"  sh      the same for a shell: eval \"$(peerpass validate --export sh)\"\n"
	"  sglang  writes the file in which the engine keeps what it knows of P2P: true only for\n"
	"  vllm    pairs that are proved. Read at tensor parallel size 2 only\n\n"
	"About the GPUs named, or those that CUDA_VISIBLE_DEVICES shows, by number and with\n"
	"CUDA_DEVICE_ORDER=PCI_BUS_ID.\n\n"
	"  --check=FILE      the verdict; " PP_VERDICT_PATH "\n"
	"  --output-dir DIR  for sglang and vllm, instead of the engine's own folder\n"
	"  -h, --help        this text\n";

struct arguments {
	const char *format;
	const char *file;
	const char *output_dir;
	const struct pp_engine *engine;
	bool help;
	char **devices;
	int device_count;
};

/**
 * struct export - all that the settings follow from
 * @gpus: all that CUDA has
 * @permit: off until the end
 */
struct export {
	struct pp_claim claim;
	struct pp_inventory inv;
	struct pp_now now;
	struct pp_stale_list stale;
	struct pp_bdf gpus[PP_CLAIM_DEVICES];
	size_t gpu_count;
	struct pp_visible visible;
	struct pp_permit permit;
};

static int check_format(struct arguments *args, struct pp_error *err)
{
	args->engine = pp_engine_find(args->format);
	if (!args->engine && strcmp(args->format, "nccl") && strcmp(args->format, "sh"))
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "--export: \"%s\" is unknown; nccl, sh, sglang or vllm "
				    "expected", args->format);
	if (!args->engine && args->output_dir)
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "--output-dir: --export %s writes no file", args->format);
	if (args->engine && args->device_count)
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "--export %s takes no devices: its file is about those of "
				    "CUDA_VISIBLE_DEVICES", args->format);
	if (args->device_count > PP_CLAIM_DEVICES)
		return pp_error_set(err, "usage", PP_EXIT_USAGE, "more than %d devices are named",
				    PP_CLAIM_DEVICES);
	return pp_devsel_check(args->devices, args->device_count, err);
}

static int parse(int argc, char **argv, struct arguments *args, struct pp_error *err)
{
	const struct pp_option options[] = {
		{ "export", 0, PP_OPTION_TEXT, &args->format, 0, 0 },
		{ "check", 0, PP_OPTION_MAY_BE_TEXT, &args->file, 0, 0 },
		{ "output-dir", 0, PP_OPTION_TEXT, &args->output_dir, 0, 0 },
		{ 0 },
	};

	if (pp_options_parse(argc, argv, "validate --export", options, &args->help, err))
		return -1;
	args->devices = argv + optind;
	args->device_count = argc - optind;
	return args->help ? 0 : check_format(args, err);
}

/* Which GPUs the engine will use, by local index; of @visible all but @ordered. */
static int find_visible(struct export *e, const struct arguments *args, struct pp_error *err)
{
	const char *order = getenv("CUDA_DEVICE_ORDER");

	e->visible.ordered = args->device_count || (order && !strcmp(order, "PCI_BUS_ID"));
	pp_cuda_gpus(&e->inv, &e->claim, e->gpus, &e->gpu_count);
	if (!args->device_count)
		return pp_visible_parse(getenv("CUDA_VISIBLE_DEVICES"), e->gpus, e->gpu_count,
					&e->visible, err);
	for (int i = 0; i < args->device_count; i++) {
		const struct pp_device *dev = pp_devsel(&e->inv, args->devices[i], err);

		if (!dev)
			return -1;
		e->visible.gpus[e->visible.n++] = dev->bdf;
	}
	return 0;
}

/*
 * CUDA's own order is not known without CUDA. It does not matter when all GPUs
 * are proved; otherwise a number may be any of them.
 */
static void any_order(struct export *e)
{
	struct pp_permit *permit = &e->permit;

	pp_claim_holds(&e->claim, &e->now, e->gpus, e->gpu_count, &e->stale);
	pp_p2p_permit(&e->claim, &e->stale, e->gpus, e->gpu_count, permit);
	if (permit->on && pp_claim_ok(&e->claim))
		return;
	if (permit->on)
		permit->exit_code = e->claim.exit_code;
	permit->on = false;
	snprintf(permit->why + strlen(permit->why), sizeof(permit->why) - strlen(permit->why),
		 "%sCUDA_DEVICE_ORDER is not PCI_BUS_ID, so any of the %zu GPUs may be used",
		 permit->why[0] ? "; " : "", e->gpu_count);
}

/* Of an engine's file the pairs that the verdict is not about are false anyway. */
static void known_order(struct export *e, bool only_covered)
{
	struct pp_bdf asked[PP_CLAIM_DEVICES];
	size_t n = 0;

	for (size_t i = 0; i < e->visible.n; i++) {
		if (!only_covered || pp_claim_device(&e->claim, e->visible.gpus[i]))
			asked[n++] = e->visible.gpus[i];
	}
	pp_claim_holds(&e->claim, &e->now, asked, n, &e->stale);
	pp_p2p_permit(&e->claim, &e->stale, asked, n, &e->permit);
}

/* Return: 0 with @e->permit decided, or -1 with @err filled in; P2P is off then. */
static int decide(struct export *e, const struct arguments *args, struct pp_error *err)
{
	struct pp_error ignored = { 0 };
	bool refused = pp_verdict_read(args->file, 0, &e->claim, err);

	/* Without a verdict the file that forbids P2P still needs its GPUs. */
	if (pp_claim_now(&e->claim, &e->inv, &e->now, refused ? &ignored : err) ||
	    find_visible(e, args, refused ? &ignored : err) || refused)
		return -1;
	if (e->visible.ordered)
		known_order(e, args->engine);
	else
		any_order(e);
	return 0;
}

static void print_settings(const struct pp_permit *permit, bool shell)
{
	const char *level = pp_distance_name(permit->level);

	if (permit->on && shell)
		printf("unset NCCL_P2P_DISABLE\nexport NCCL_P2P_LEVEL='%s'\n", level);
	else if (permit->on)
		printf("NCCL_P2P_LEVEL=%s\n", level);
	else if (shell)
		puts("export NCCL_P2P_DISABLE='1'\nunset NCCL_P2P_LEVEL");
	else
		puts("NCCL_P2P_DISABLE=1");
}

static int write_cache(const struct export *e, const struct arguments *args,
		       struct pp_error *err)
{
	char path[PP_PATH_LEN];

	if (pp_engine_cache_write(args->engine, args->output_dir, &e->visible, &e->claim,
				  e->permit.on, path, err))
		return -1;
	puts(path);
	fprintf(stderr, "peerpass: %s reads it at tensor parallel size 2 only (more with NVLink "
		"between all), and only with %s\n", args->format, args->engine->reads_with);
	return 0;
}

static void say_off(const struct arguments *args, const struct pp_permit *permit)
{
	fprintf(stderr, "peerpass: P2P is off: %s\n", permit->why);
	if (args->engine)
		fprintf(stderr, "peerpass: start %s with --disable-custom-all-reduce and "
			"NCCL_P2P_DISABLE=1\n", args->format);
}

/* What there is to print or write, whether P2P is on or off. */
static int put_out(const struct export *e, const struct arguments *args, struct pp_error *err)
{
	if (!args->engine)
		print_settings(&e->permit, !strcmp(args->format, "sh"));
	else if (e->visible.n)
		return write_cache(e, args, err);
	return 0;
}

/** validate_export - as cmd_validate(), for a command line with --export */
int validate_export(int argc, char **argv, struct pp_error *err)
{
	static struct export e;
	struct arguments args = { .format = "", .file = PP_VERDICT_PATH };
	struct pp_error later = { 0 };
	int ret;

	if (parse(argc, argv, &args, err)) {
		/* A script that takes what is printed, and looks at nothing else. */
		if (!pp_options_want_json(argc, argv) &&
		    (!strcmp(args.format, "sh") || !strcmp(args.format, "nccl")))
			print_settings(&e.permit, !strcmp(args.format, "sh"));
		return -1;
	}
	if (args.help) {
		fputs(usage, stdout);
		return PP_EXIT_OK;
	}
	ret = decide(&e, &args, err);
	if (put_out(&e, &args, ret ? &later : err))
		ret = -1;
	/* An engine's file of earlier may still be there: two things are wrong then. */
	if (later.code)
		pp_error_print(&later, false);
	if (!ret && !e.permit.on) {
		say_off(&args, &e.permit);
		ret = e.permit.exit_code;
	}
	pp_inventory_free(&e.inv);
	pp_claim_free(&e.claim);
	return ret;
}
