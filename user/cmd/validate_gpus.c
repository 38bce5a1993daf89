// SPDX-License-Identifier: GPL-2.0-only
/* Which GPUs validate is about: those CUDA has, or some of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cuda.h"
#include "lib/devsel.h"
#include "lib/enumerate.h"
#include "validate.h"

static int compare(const void *a, const void *b)
{
	return pp_bdf_compare(((const struct validate_gpu *)a)->bdf,
			      ((const struct validate_gpu *)b)->bdf);
}

/* Asks CUDA in a child process: it could hang, and must not be in our memory. */
static int ask_cuda(struct pp_enum_result *result, uint64_t timeout_s, struct pp_error *err)
{
	uint64_t deadline_ns = pp_now_ns() + timeout_s * 1000000000;
	enum pp_child_event event;
	struct pp_child_end end;
	struct pp_child child;

	if (pp_child_start(&child, pp_enumerate_child, NULL, err))
		return -1;
	event = pp_child_read(&child, result, sizeof(*result), deadline_ns);
	pp_child_finish(&child, event == PP_CHILD_TIMEOUT || event == PP_CHILD_INTERRUPTED ?
				0 : deadline_ns, &end);
	switch (event) {
	case PP_CHILD_INTERRUPTED:
		return pp_error_set(err, "interrupted", PP_EXIT_FAILED,
				    "interrupted by a signal; no verdict");
	case PP_CHILD_TIMEOUT:
		pp_error_set(err, "hang", PP_EXIT_HANG,
			     "CUDA did not say within %d s which GPUs there are%s", (int)timeout_s,
			     end.reaped ? "" : ", and its process cannot be killed");
		return pp_error_hint(err, "look for Xid lines and blocked tasks: dmesg");
	case PP_CHILD_ENDED:
		if (end.signal)
			return pp_error_set(err, "cuda_failed", PP_EXIT_NOT_USABLE,
					    "CUDA's process died of signal %d while it listed GPUs",
					    end.signal);
		return pp_error_set(err, "cuda_failed", PP_EXIT_NOT_USABLE,
				    "CUDA's process ended with status %d while it listed GPUs",
				    end.status);
	default:
		return 0;
	}
}

static int check(const struct pp_enum_result *result, struct pp_error *err)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");

	if (result->magic != PP_ENUM_MAGIC || result->count < 0 || result->count > PP_MAX_GPUS)
		return pp_error_set(err, "cuda_failed", PP_EXIT_NOT_USABLE,
				    "the process that lists GPUs sent nonsense: %.*s",
				    (int)sizeof(result->why) - 1, result->why);
	switch (result->status) {
	case PP_ENUM_NO_LIBRARY:
		pp_error_set(err, "no_cuda", PP_EXIT_NOT_USABLE,
			     "cannot open " PP_CUDA_LIBRARY ": %s", result->why);
		return pp_error_hint(err, "install the driver's user-space part (Debian: "
					  "libcuda1), or set LD_LIBRARY_PATH");
	case PP_ENUM_FAILED:
		pp_error_set(err, "cuda_failed", PP_EXIT_NOT_USABLE, "CUDA does not work here: %s",
			     result->why);
		return pp_error_hint(err, "compare with nvidia-smi; look for Xid lines: dmesg");
	}
	if (result->status == PP_ENUM_OK && result->count > 1)
		return 0;
	pp_error_set(err, result->count == 1 ? "too_few_gpus" : "no_gpu", PP_EXIT_NOT_USABLE,
		     "P2P takes two GPUs, CUDA has %d", result->count);
	return pp_error_hint(err, visible ? "CUDA_VISIBLE_DEVICES=%.64s may hide some" :
					    "compare with nvidia-smi and peerpass status%s",
			     visible ? visible : "");
}

static bool wanted(const struct pp_inventory *inv, char **devices, int device_count,
		   struct pp_bdf bdf)
{
	struct pp_error ignored;

	for (int i = 0; i < device_count; i++) {
		const struct pp_device *dev = pp_devsel(inv, devices[i], &ignored);

		if (dev && pp_bdf_equal(dev->bdf, bdf))
			return true;
	}
	return !device_count;
}

/* Each device named must exist, and CUDA must have it. */
static int check_named(const struct pp_inventory *inv, const struct pp_enum_result *result,
		       char **devices, int device_count, struct pp_error *err)
{
	char known[200] = "";
	size_t used = 0;

	for (int k = 0; k < result->count && used < sizeof(known); k++) {
		char bdf[PP_BDF_LEN];

		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s",
					 k ? ", " : "", pp_bdf_text(result->gpus[k].bdf, bdf));
	}
	for (int i = 0; i < device_count; i++) {
		const struct pp_device *dev = pp_devsel(inv, devices[i], err);
		bool found = false;

		if (!dev)
			return -1;
		for (int k = 0; k < result->count; k++)
			found |= pp_bdf_equal(result->gpus[k].bdf, dev->bdf);
		if (found)
			continue;
		pp_error_set(err, "no_device", PP_EXIT_FAILED, "CUDA does not have %s", devices[i]);
		return pp_error_hint(err, "CUDA has: %s", known);
	}
	return 0;
}

/**
 * validate_enumerate - find the GPUs to test
 * @run: @inv and @timeout_s are set; @gpus, @gpu_count and @driver are filled in,
 *	ordered by address
 * @devices: as the command line names them; all without any
 */
int validate_enumerate(struct validate_run *run, char **devices, int device_count,
		       struct pp_error *err)
{
	static struct pp_enum_result result;

	/* A device that does not exist is an error without CUDA's help. */
	for (int i = 0; i < device_count; i++) {
		if (!pp_devsel(run->inv, devices[i], err))
			return -1;
	}
	if (ask_cuda(&result, run->timeout_s, err) || check(&result, err) ||
	    check_named(run->inv, &result, devices, device_count, err))
		return -1;
	run->driver = result.driver;
	for (int i = 0; i < result.count; i++) {
		struct validate_gpu *gpu = &run->gpus[run->gpu_count];

		if (!wanted(run->inv, devices, device_count, result.gpus[i].bdf))
			continue;
		gpu->bdf = result.gpus[i].bdf;
		gpu->ordinal = i;
		pp_inventory_label(run->inv, gpu->bdf, gpu->label);
		snprintf(gpu->name, sizeof(gpu->name), "%.*s", (int)sizeof(gpu->name) - 1,
			 result.gpus[i].name);
		run->gpu_count++;
	}
	qsort(run->gpus, (size_t)run->gpu_count, sizeof(*run->gpus), compare);
	if (run->gpu_count > 1)
		return 0;
	return pp_error_set(err, "usage", PP_EXIT_USAGE, "P2P takes two devices, only %s is named",
			    run->gpus[0].label);
}
