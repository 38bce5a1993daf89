// SPDX-License-Identifier: GPL-2.0-only
/* peerpass status: devices, groups, wanted and actual domain, faults. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lib/devsel.h"
#include "lib/options.h"
#include "lib/output.h"
#include "status.h"

const char cmd_status_usage[] =
	"Usage: peerpass [status] [DEV...] [-a] [-e] [-j]\n\n"
	"Says whether P2P works now, then lists the devices that a rule selects, display\n"
	"controllers, accelerators, and every device that caused a fault. DEV is an address\n"
	"(0000:01:00.0 or 01:00.0) or gpuN.\n\n"
	"  -a, --all       list every PCI function, the evidence, and the way of each pair\n"
	"  -e, --evidence  what each device's mode was decided from\n"
	"  -j, --json      one JSON object, schema peerpass/status/1\n"
	"  -h, --help      this text\n";

struct arguments {
	bool all;
	bool evidence;
	bool json;
	bool help;
	char **devices;
	int device_count;
};

static int parse(int argc, char **argv, struct arguments *args, struct pp_error *err)
{
	const struct pp_option options[] = {
		{ "all", 'a', PP_OPTION_FLAG, &args->all, 0, 0 },
		{ "evidence", 'e', PP_OPTION_FLAG, &args->evidence, 0, 0 },
		{ "json", 'j', PP_OPTION_FLAG, &args->json, 0, 0 },
		{ 0 },
	};

	if (pp_options_parse(argc, argv, "status", options, &args->help, err))
		return -1;
	args->devices = argv + optind;
	args->device_count = argc - optind;
	return pp_devsel_check(args->devices, args->device_count, err);
}

static int choose(const struct pp_inventory *inv, const struct arguments *args, bool *shown,
		  struct pp_error *err)
{
	for (int i = 0; i < args->device_count; i++) {
		const struct pp_device *dev = pp_devsel(inv, args->devices[i], err);

		if (!dev)
			return -1;
		shown[dev - inv->devices.v] = true;
	}
	for (size_t i = 0; !args->device_count && i < inv->devices.n; i++) {
		const struct pp_device *dev = &inv->devices.v[i];

		shown[i] = args->all || dev->gpu >= 0 || dev->total;
	}
	return 0;
}

static int show(const struct pp_inventory *inv, const struct arguments *args,
		struct pp_error *err)
{
	bool *shown = calloc(inv->devices.n + 1, sizeof(*shown));
	struct status_view view = {
		.inv = inv,
		.shown = shown,
		.evidence = args->evidence || args->all,
		.ways = args->all,
	};
	int ret;

	if (!shown)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	ret = choose(inv, args, shown, err);
	if (!ret)
		ret = pp_peer_sets(inv, &view.sets, err);
	if (!ret) {
		pp_summarize(inv, &view.summary);
		if (args->json)
			ret = status_print_json(&view) ? PP_EXIT_FAILED : PP_EXIT_OK;
		else
			status_print_text(&view);
	}
	pp_peer_sets_free(&view.sets);
	free(shown);
	return ret;
}

int cmd_status(int argc, char **argv, struct pp_error *err)
{
	struct arguments args = { 0 };
	struct pp_inventory inv;
	struct pp_error why = { 0 };
	struct pp_nl *nl;
	int ret;

	if (parse(argc, argv, &args, err))
		return -1;
	if (args.help) {
		fputs(cmd_status_usage, stdout);
		return PP_EXIT_OK;
	}
	nl = pp_nl_open(&why);
	if (!nl && args.json) {
		*err = why;
		return -1;
	}
	/* Without the module the devices are still worth seeing: say it, go on. */
	if (!nl)
		pp_error_print(&why, false);
	ret = pp_inventory_load(&inv, nl, err);
	if (!ret)
		ret = show(&inv, &args, err);
	pp_inventory_free(&inv);
	pp_nl_close(nl);
	if (!ret && !nl)
		ret = why.exit_code;
	return ret;
}
