// SPDX-License-Identifier: GPL-2.0-only
/* What else is known about the host and its devices, before and after the tests. */
#include <string.h>

#include "lib/acs_read.h"
#include "validate.h"

static void look_at_devices(struct validate_run *run, int when)
{
	for (int i = 0; i < run->gpu_count; i++) {
		pp_link_read(run->gpus[i].bdf, &run->gpus[i].link[when]);
		pp_replays_read(run->gpus[i].bdf, &run->gpus[i].replays[when]);
	}
}

/** validate_evidence_start - before the first test */
void validate_evidence_start(struct validate_run *run)
{
	pp_host_facts_read("", &run->host);
	pp_klog_start(&run->log);
	for (int i = 0; i < run->gpu_count; i++)
		pp_acs_read(run->gpus[i].bdf, &run->gpus[i].chain);
	look_at_devices(run, 0);
}

/* Is the host another one than that which the tests began on? */
static bool changed(const struct validate_run *run)
{
	const struct pp_info *then = &run->inv->info, *now = &run->after.info;

	if (!run->nl)
		return false;
	if (then->since_boottime_ns != now->since_boottime_ns ||
	    then->window_generation != now->window_generation)
		return true;
	for (int i = 0; i < run->gpu_count; i++) {
		const struct pp_device *a = pp_inventory_find(run->inv, run->gpus[i].bdf);
		const struct pp_device *b = pp_inventory_find(&run->after, run->gpus[i].bdf);

		if (!a != !b || (a && (a->actual != b->actual || a->mode != b->mode ||
				       strcmp(a->set, b->set) || strcmp(a->driver, b->driver))))
			return true;
	}
	return false;
}

/**
 * validate_evidence_end - after the last one
 *
 * What changed meanwhile makes a good verdict one on nothing.
 *
 * Return: 0, or -1 with @err when the module failed.
 */
int validate_evidence_end(struct validate_run *run, struct pp_error *err)
{
	look_at_devices(run, 1);
	pp_klog_collect(&run->log);
	if (pp_inventory_load(&run->after, run->nl, err))
		return -1;
	if (changed(run) && run->worst.verdict < PP_VERDICT_INCONCLUSIVE)
		validate_distrust(run);
	return 0;
}

/** validate_distance - how far two GPUs are apart, in NCCL's words */
enum pp_distance validate_distance(const struct validate_run *run, int from, int to)
{
	const struct pp_device *a = pp_inventory_find(run->inv, run->gpus[from].bdf);
	const struct pp_device *b = pp_inventory_find(run->inv, run->gpus[to].bdf);

	return pp_distance(&run->gpus[from].chain, &run->gpus[to].chain, a ? a->numa_node : -1,
			   b ? b->numa_node : -1);
}
