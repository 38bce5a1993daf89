// SPDX-License-Identifier: GPL-2.0-only
/* Which GPUs validate is about: those CUDA has, or some of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/child.h"
#include "lib/cuda.h"
#include "lib/devsel.h"
#include "lib/enumerate.h"
#include "validate.h"

/* Devices that the command line names. */
struct named {
	struct pp_bdf v[PP_MAX_GPUS];
	/* As a member of a set, which may be a NIC or a drive. */
	bool of_set[PP_MAX_GPUS];
	int n;
};

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

static int add_named(struct named *named, struct pp_bdf bdf, bool of_set, struct pp_error *err)
{
	for (int i = 0; i < named->n; i++) {
		if (!pp_bdf_equal(named->v[i], bdf))
			continue;
		named->of_set[i] &= of_set;
		return 0;
	}
	if (named->n == PP_MAX_GPUS)
		return pp_error_set(err, "usage", PP_EXIT_USAGE, "more than %d devices are named",
				    PP_MAX_GPUS);
	named->of_set[named->n] = of_set;
	named->v[named->n++] = bdf;
	return 0;
}

/* The members of a set of peers; 1 when there is no set of that name. */
static int add_set(const struct pp_inventory *inv, const char *name, struct named *named,
		   struct pp_error *err)
{
	int ret = 1;

	for (size_t i = 0; i < inv->devices.n; i++) {
		const struct pp_device *dev = &inv->devices.v[i];

		if (!name[0] || strcmp(dev->set, name))
			continue;
		ret = 0;
		if (add_named(named, dev->bdf, true, err))
			return -1;
	}
	return ret;
}

/* An address, gpuN, or the name of a set. */
static int add_word(const struct pp_inventory *inv, const char *word, struct named *named,
		    struct pp_error *err)
{
	const struct pp_device *dev;
	int ret = add_set(inv, word, named, err);

	if (ret <= 0)
		return ret;
	dev = pp_devsel(inv, word, err);
	return dev ? add_named(named, dev->bdf, false, err) : -1;
}

/* "0,1,gpu2,tp0": N is gpuN. */
static int add_list(const struct pp_inventory *inv, const char *list, struct named *named,
		    struct pp_error *err)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		char word[64];

		if (!len || len >= sizeof(word) - 3)
			return pp_error_set(err, "usage", PP_EXIT_USAGE,
					    "--set: \"%.64s\" is not a list of devices", list);
		snprintf(word, sizeof(word), "%s%.*s",
			 strspn(list, "0123456789") >= len ? "gpu" : "", (int)len, list);
		if (add_word(inv, word, named, err))
			return -1;
		list += len;
		if (*list == ',' && !*++list)
			return pp_error_set(err, "usage", PP_EXIT_USAGE,
					    "--set: there is nothing after the last comma");
	}
	return 0;
}

static int find_named(const struct validate_run *run, struct named *named, struct pp_error *err)
{
	const struct validate_args *args = run->args;

	for (int i = 0; i < args->device_count; i++)
		if (add_word(run->inv, args->devices[i], named, err))
			return -1;
	if (args->set && add_list(run->inv, args->set, named, err))
		return -1;
	if ((args->device_count || args->set) && named->n < 2)
		return pp_error_set(err, "usage", PP_EXIT_USAGE,
				    "P2P takes two devices, only %s is named",
				    args->device_count ? args->devices[0] : args->set);
	return 0;
}

/* Each device named must be one that CUDA has; members of a set need not. */
static int check_named(const struct validate_run *run, const struct pp_enum_result *result,
		       const struct named *named, struct pp_error *err)
{
	char known[200] = "";
	size_t used = 0;

	for (int k = 0; k < result->count && used < sizeof(known); k++) {
		char bdf[PP_BDF_LEN];

		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s",
					 k ? ", " : "", pp_bdf_text(result->gpus[k].bdf, bdf));
	}
	for (int i = 0; i < named->n; i++) {
		char label[PP_BDF_LEN];
		bool found = false;

		for (int k = 0; k < result->count; k++)
			found |= pp_bdf_equal(result->gpus[k].bdf, named->v[i]);
		if (found || named->of_set[i])
			continue;
		pp_inventory_label(run->inv, named->v[i], label);
		pp_error_set(err, "no_device", PP_EXIT_FAILED, "CUDA does not have %s", label);
		return pp_error_hint(err, "CUDA has: %s", known);
	}
	return 0;
}

static bool wanted(const struct named *named, struct pp_bdf bdf)
{
	for (int i = 0; i < named->n; i++)
		if (pp_bdf_equal(named->v[i], bdf))
			return true;
	return !named->n;
}

/**
 * validate_enumerate - find the GPUs to test
 * @run: @inv and @args are set; @gpus, @gpu_count and @driver are filled in, ordered
 *	by address
 *
 * Return: 0, or -1 with @err filled in.
 */
int validate_enumerate(struct validate_run *run, struct pp_error *err)
{
	static struct pp_enum_result result;
	struct named named = { 0 };

	/* A device that does not exist is an error without CUDA's help. */
	if (find_named(run, &named, err) || ask_cuda(&result, run->args->open_timeout_s, err) ||
	    check(&result, err) || check_named(run, &result, &named, err))
		return -1;
	run->driver = result.driver;
	for (int i = 0; i < result.count; i++) {
		struct validate_gpu *gpu = &run->gpus[run->gpu_count];

		if (!wanted(&named, result.gpus[i].bdf))
			continue;
		gpu->bdf = result.gpus[i].bdf;
		gpu->ordinal = i;
		pp_inventory_label(run->inv, gpu->bdf, gpu->label);
		snprintf(gpu->name, sizeof(gpu->name), "%.*s", (int)sizeof(gpu->name) - 1,
			 result.gpus[i].name);
		run->gpu_count++;
	}
	qsort(run->gpus, (size_t)run->gpu_count, sizeof(*run->gpus), compare);
	if (run->gpu_count < 2) {
		pp_error_set(err, "too_few_gpus", PP_EXIT_NOT_USABLE,
			     "P2P takes two GPUs, CUDA has %d of those that are named",
			     run->gpu_count);
		return pp_error_hint(err, "a set may have members that are no GPUs: peerpass "
					  "status");
	}
	if (run->gpu_count <= PP_MAX_RANKS)
		return 0;
	pp_error_set(err, "usage", PP_EXIT_USAGE, "%d GPUs are too many to be tested together",
		     run->gpu_count);
	return pp_error_hint(err, "name those of one set, %d at most", PP_MAX_RANKS);
}
