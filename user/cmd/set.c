// SPDX-License-Identifier: GPL-2.0-only
/* peerpass set: another mode for devices, at once; all of them or none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lib/devsel.h"
#include "lib/options.h"
#include "set.h"

#define DEFAULT_TIMEOUT_S 10

const char cmd_set_usage[] =
	"Usage: peerpass set DEV... MODE[:SET][+FLAG...] [--rebind] [--timeout SECONDS] [-j]\n\n"
	"Gives devices another mode until they go, the module is unloaded, or it is set\n"
	"again: all of them, or none. DEV is an address (0000:01:00.0 or 01:00.0) or gpuN.\n"
	"MODE is observe, identity, off, peer, auto, or policy (what the module's policy\n"
	"says). FLAG is class, group, force, all, initiator or target. Needs root.\n\n"
	"      --rebind    unbind the devices' own drivers first and bind them again after;\n"
	"                  refused while a process uses one of them\n"
	"      --timeout SECONDS\n"
	"                  for each unbinding or binding; 1 to 600, 10 when not given\n"
	"  -j, --json      one JSON object, schema peerpass/set/1\n"
	"  -h, --help      this text\n";

struct arguments {
	bool rebind;
	bool json;
	bool help;
	unsigned int timeout_s;
	struct pp_set_request wanted;
	char **devices;
	int device_count;
};

static int parse_operands(int argc, char **argv, struct arguments *args, struct pp_error *err)
{
	args->devices = argv + optind;
	args->device_count = argc - optind - 1;
	if (args->device_count < 1) {
		pp_error_set(err, "usage", PP_EXIT_USAGE, "%s", argc == optind ?
			     "a device and a mode are needed" :
			     "a device and, last, a mode are needed");
		return pp_error_hint(err, "see: peerpass set --help");
	}
	if (pp_devsel_check(args->devices, args->device_count, err))
		return -1;
	return pp_mode_parse(argv[argc - 1], &args->wanted, err);
}

static int parse(int argc, char **argv, struct arguments *args, struct pp_error *err)
{
	uint64_t seconds = DEFAULT_TIMEOUT_S;
	const struct pp_option options[] = {
		{ "rebind", 0, PP_OPTION_FLAG, &args->rebind, 0, 0 },
		{ "timeout", 0, PP_OPTION_NUMBER, &seconds, 1, 600 },
		{ "json", 'j', PP_OPTION_FLAG, &args->json, 0, 0 },
		{ 0 },
	};

	if (pp_options_parse(argc, argv, "set", options, &args->help, err))
		return -1;
	args->timeout_s = (unsigned int)seconds;
	return args->help ? 0 : parse_operands(argc, argv, args, err);
}

/* What was done before one was not all right is taken back. */
static void take_back(struct set_run *run)
{
	for (size_t i = run->n; i-- > 0;) {
		struct set_item *item = &run->items[i];

		if (!item->changed)
			continue;
		if (item->outcome == SET_DONE)
			item->outcome = SET_UNDONE;
		if (set_item_take_back(run, item)) {
			item->put_back = SET_PUT_BACK;
			continue;
		}
		item->put_back = SET_NOT_PUT_BACK;
		if (item->outcome == SET_UNDONE)
			set_item_note(item, SET_UNDONE, "not_put_back",
				      "its mode could not be put back");
	}
}

static int apply(struct set_run *run, struct pp_error *err)
{
	for (size_t i = 0; i < run->n; i++) {
		int ret = set_item_apply(run, &run->items[i], err);

		if (!ret)
			continue;
		/* There is nothing to take back: an error like any other. */
		if (ret < 0 && !i)
			return -1;
		if (ret < 0)
			set_item_note(&run->items[i], SET_FAILED, err->code, "%s", err->message);
		take_back(run);
		break;
	}
	return 0;
}

/* Said before anything is looked at; without --rebind the module itself judges. */
static int need_root(struct pp_error *err)
{
	if (!geteuid())
		return 0;
	pp_error_set(err, "no_permission", PP_EXIT_FAILED,
		     "unbinding a driver, and seeing who uses a device, needs root");
	return pp_error_hint(err, "run it as root");
}

static int run_set(struct set_run *run, const struct arguments *args, struct pp_error *err)
{
	int ret = 0;

	for (int i = 0; !ret && i < args->device_count; i++) {
		const struct pp_device *dev = pp_devsel(run->inv, args->devices[i], err);

		ret = dev ? set_run_add(run, dev, &args->wanted, err) : -1;
	}
	if (ret)
		return ret;
	if (args->rebind)
		set_rebind(run);
	else if (apply(run, err))
		return -1;
	return set_run_report(run, args->json);
}

int cmd_set(int argc, char **argv, struct pp_error *err)
{
	struct arguments args = { 0 };
	struct pp_inventory inv = { 0 };
	struct set_run run = { .schema = "peerpass/set/1", .inv = &inv };
	int ret;

	if (parse(argc, argv, &args, err))
		return -1;
	if (args.help) {
		fputs(cmd_set_usage, stdout);
		return PP_EXIT_OK;
	}
	if (args.rebind && need_root(err))
		return -1;
	run.timeout_s = args.timeout_s;
	run.nl = pp_nl_open(err);
	if (!run.nl)
		return -1;
	ret = pp_inventory_load(&inv, run.nl, err);
	if (!ret)
		ret = run_set(&run, &args, err);
	set_run_free(&run);
	pp_inventory_free(&inv);
	pp_nl_close(run.nl);
	return ret;
}
