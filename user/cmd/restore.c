// SPDX-License-Identifier: GPL-2.0-only
/* peerpass restore: devices as they were without peerpass. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lib/devsel.h"
#include "lib/options.h"
#include "set.h"
#include "uapi/linux/peerpass.h"

const char cmd_restore_usage[] =
	"Usage: peerpass restore [DEV...] [-j]\n\n"
	"Sets the mode observe: the old type of the domain comes back, windows are closed.\n"
	"Without DEV for every device that a rule or a request has changed or would. Goes on\n"
	"after a refusal. DEV is an address (0000:01:00.0 or 01:00.0) or gpuN. Needs root.\n\n"
	"  -j, --json  one JSON object, schema peerpass/restore/1\n"
	"  -h, --help  this text\n";

struct arguments {
	bool json;
	bool help;
	char **devices;
	int device_count;
};

static int parse(int argc, char **argv, struct arguments *args, struct pp_error *err)
{
	const struct pp_option options[] = {
		{ "json", 'j', PP_OPTION_FLAG, &args->json, 0, 0 },
		{ 0 },
	};

	if (pp_options_parse(argc, argv, "restore", options, &args->help, err))
		return -1;
	args->devices = argv + optind;
	args->device_count = argc - optind;
	return pp_devsel_check(args->devices, args->device_count, err);
}

/* Is there anything about it that is not as without peerpass? */
static bool concerned(const struct pp_device *dev)
{
	bool counts_only = dev->wanted == PP_UNKNOWN || dev->wanted == PEERPASS_MODE_OBSERVE ||
			   dev->wanted == PEERPASS_MODE_OFF;

	/* One that only came along with another goes back with it. */
	return dev->present && !counts_only;
}

static int choose(struct set_run *run, const struct arguments *args, struct pp_error *err)
{
	struct pp_set_request observe = { .mode = PEERPASS_MODE_OBSERVE };

	for (int i = 0; i < args->device_count; i++) {
		const struct pp_device *dev = pp_devsel(run->inv, args->devices[i], err);

		if (!dev || set_run_add(run, dev, &observe, err))
			return -1;
	}
	/* All are meant, so members of a group need not wait for each other. */
	observe.flags = PEERPASS_RULE_FLAG_GROUP;
	for (size_t i = 0; !args->device_count && i < run->inv->devices.n; i++) {
		const struct pp_device *dev = &run->inv->devices.v[i];

		if (concerned(dev) && set_run_add(run, dev, &observe, err))
			return -1;
	}
	return 0;
}

/*
 * One that cannot be restored is no reason to leave the others as they are.
 *
 * Return: how many were restored, or -1 with @err filled in when that would be
 * said of every one of them.
 */
static int restore_all(struct set_run *run, struct pp_error *err)
{
	int done = 0;

	for (size_t i = 0; i < run->n; i++) {
		struct set_item *item = &run->items[i];
		int ret;

		if (item->outcome == SET_DONE)
			continue;
		ret = set_item_apply(run, item, err);
		if (ret < 0 && (run->n == 1 || !strcmp(err->code, "no_permission")))
			return -1;
		if (ret < 0)
			set_item_note(item, SET_FAILED, err->code, "%s", err->message);
		else if (!ret)
			done++;
	}
	return done;
}

static int restore(struct set_run *run, const struct arguments *args, struct pp_error *err)
{
	int done;

	if (choose(run, args, err))
		return -1;
	/* A companion that is restored now may have been in the way before. */
	do {
		done = restore_all(run, err);
		if (done < 0)
			return -1;
	} while (done && done < (int)run->n);
	return set_run_report(run, args->json);
}

int cmd_restore(int argc, char **argv, struct pp_error *err)
{
	struct arguments args = { 0 };
	struct pp_inventory inv = { 0 };
	struct set_run run = { .schema = "peerpass/restore/1", .inv = &inv };
	int ret;

	if (parse(argc, argv, &args, err))
		return -1;
	if (args.help) {
		fputs(cmd_restore_usage, stdout);
		return PP_EXIT_OK;
	}
	run.nl = pp_nl_open(err);
	if (!run.nl)
		return -1;
	ret = pp_inventory_load(&inv, run.nl, err);
	if (!ret)
		ret = restore(&run, &args, err);
	set_run_free(&run);
	pp_inventory_free(&inv);
	pp_nl_close(run.nl);
	return ret;
}
