// SPDX-License-Identifier: GPL-2.0-only
/* peerpass faults: which device faulted, how, and on what. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd.h"
#include "faults.h"
#include "lib/devsel.h"
#include "lib/options.h"

/* Events follow their transfer by microseconds; a busy log takes longer. */
#define SYNC_TIMEOUT_MS 100

const char cmd_faults_usage[] =
	"Usage: peerpass faults [DEV...] [-m] [-j]\n\n"
	"Faults since the module was loaded, by the device that caused them. DEV is an\n"
	"address (0000:01:00.0 or 01:00.0) or gpuN.\n\n"
	"  -m, --matrix  initiators against what they hit\n"
	"  -j, --json    one JSON object, schema peerpass/faults/1\n"
	"  -h, --help    this text\n";

struct arguments {
	bool matrix;
	bool json;
	bool help;
	char **devices;
	int device_count;
};

static int parse(int argc, char **argv, struct arguments *args, struct pp_error *err)
{
	const struct pp_option options[] = {
		{ "matrix", 'm', PP_OPTION_FLAG, &args->matrix, 0, 0 },
		{ "json", 'j', PP_OPTION_FLAG, &args->json, 0, 0 },
		{ 0 },
	};

	if (pp_options_parse(argc, argv, "faults", options, &args->help, err))
		return -1;
	args->devices = argv + optind;
	args->device_count = argc - optind;
	return pp_devsel_check(args->devices, args->device_count, err);
}

/** faults_pair_shown - is the row's initiator among the chosen devices? */
bool faults_pair_shown(const struct faults_view *view, const struct pp_pair *pair)
{
	const struct pp_device *dev = pp_inventory_find(view->inv, pair->initiator);

	/* Unless devices were named, all: also faults newer than the list of devices. */
	return view->all || (dev && view->shown[dev - view->inv->devices.v]);
}

static int show(struct faults_view *view, const struct arguments *args, struct pp_error *err)
{
	const struct pp_device_list *devices = &view->inv->devices;
	bool *shown = calloc(devices->n + 1, sizeof(*shown));
	int ret = 0;

	if (!shown)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	for (int i = 0; !ret && i < args->device_count; i++) {
		const struct pp_device *dev = pp_devsel(view->inv, args->devices[i], err);

		if (dev)
			shown[dev - devices->v] = true;
		else
			ret = -1;
	}
	for (size_t i = 0; !args->device_count && i < devices->n; i++)
		shown[i] = devices->v[i].total != 0;
	view->shown = shown;
	view->all = !args->device_count;
	view->matrix = args->matrix;
	if (!ret && args->json)
		ret = faults_print_json(view) ? PP_EXIT_FAILED : PP_EXIT_OK;
	else if (!ret)
		faults_print_text(view);
	free(shown);
	return ret;
}

int cmd_faults(int argc, char **argv, struct pp_error *err)
{
	struct arguments args = { 0 };
	struct pp_inventory inv = { 0 };
	struct faults_view view = { .inv = &inv };
	struct pp_nl *nl;
	int ret;

	if (parse(argc, argv, &args, err))
		return -1;
	if (args.help) {
		fputs(cmd_faults_usage, stdout);
		return PP_EXIT_OK;
	}
	nl = pp_nl_open(err);
	if (!nl)
		return -1;
	ret = pp_sync(nl, SYNC_TIMEOUT_MS, &view.sync, err);
	if (!ret)
		ret = pp_inventory_load(&inv, nl, err);
	if (!ret)
		ret = show(&view, &args, err);
	pp_inventory_free(&inv);
	pp_nl_close(nl);
	return ret;
}
