// SPDX-License-Identifier: GPL-2.0-only
/* Fault counters of some devices at one moment, and what changed since another. */
#include <stdlib.h>
#include <string.h>

#include "counting.h"

/* Longer than for a mere display: a missed fault would make a verdict wrong. */
#define SYNC_TIMEOUT_MS 500
/* Where that was not enough once: it will not be enough again. */
#define SYNC_AGAIN_MS 20

/**
 * pp_snapshot_take - wait for the hardware's log, then read the counters
 * @snap: to be freed, also after -1
 * @before: the one before it, or NULL
 */
int pp_snapshot_take(struct pp_snapshot *snap, const struct pp_watch *watch,
		     const struct pp_snapshot *before, struct pp_error *err)
{
	bool in_vain = before && before->counted && !before->drained;
	struct pp_sync sync;

	memset(snap, 0, sizeof(*snap));
	if (!watch->nl)
		return 0;
	snap->devices = calloc(watch->n, sizeof(*snap->devices));
	if (!snap->devices)
		return pp_error_set(err, "system", PP_EXIT_FAILED, "out of memory");
	if (pp_sync(watch->nl, in_vain ? SYNC_AGAIN_MS : SYNC_TIMEOUT_MS, &sync, err) ||
	    pp_get_info(watch->nl, &snap->info, err) ||
	    pp_get_pairs(watch->nl, &snap->pairs, err))
		return -1;
	for (size_t i = 0; i < watch->n; i++)
		if (pp_get_device(watch->nl, watch->devices[i], &snap->devices[i], err))
			return -1;
	snap->counted = true;
	snap->drained = sync.drained == 1;
	return 0;
}

/** pp_snapshot_free - free what @snap owns */
void pp_snapshot_free(struct pp_snapshot *snap)
{
	pp_info_free(&snap->info);
	free(snap->devices);
	free(snap->pairs.v);
	memset(snap, 0, sizeof(*snap));
}

/* Counters only rise, but for a module that was loaded again in between. */
static uint64_t rise(uint64_t before, uint64_t after)
{
	return after > before ? after - before : 0;
}

static const struct pp_pair *find_pair(const struct pp_pair_list *list,
				       const struct pp_pair *wanted)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct pp_pair *p = &list->v[i];

		if (pp_bdf_equal(p->initiator, wanted->initiator) && p->class == wanted->class &&
		    pp_bdf_equal(p->target, wanted->target) && p->bar == wanted->bar)
			return p;
	}
	return NULL;
}

static bool initiates(const struct pp_watch *watch, struct pp_bdf bdf)
{
	for (size_t i = 0; i < watch->initiators; i++)
		if (pp_bdf_equal(watch->devices[i], bdf))
			return true;
	return false;
}

static void diff_targets(const struct pp_watch *watch, const struct pp_snapshot *before,
			 const struct pp_snapshot *after, struct pp_fault_delta *delta)
{
	for (size_t i = 0; i < after->pairs.n; i++) {
		struct pp_pair row = after->pairs.v[i];
		const struct pp_pair *old = find_pair(&before->pairs, &row);

		if (!initiates(watch, row.initiator))
			continue;
		row.read = rise(old ? old->read : 0, row.read);
		row.write = rise(old ? old->write : 0, row.write);
		row.other = rise(old ? old->other : 0, row.other);
		if (!row.read && !row.write && !row.other)
			continue;
		if (delta->target_len < PP_MAX_TARGETS)
			delta->targets[delta->target_len++] = row;
		else
			delta->more_targets++;
	}
}

/* Adds up by kind; more kinds than the module has cannot come. */
static void add_count(struct pp_fault_delta *delta, uint32_t kind, uint64_t value)
{
	size_t i = 0;

	while (i < delta->count_len && delta->counts[i].kind != kind)
		i++;
	if (!value || i == PP_MAX_KINDS)
		return;
	if (i == delta->count_len)
		delta->counts[delta->count_len++] = (struct pp_count){ .kind = kind };
	delta->counts[i].value += value;
}

static void diff_device(const struct pp_device *before, const struct pp_device *after,
			struct pp_fault_delta *delta)
{
	delta->initiator += rise(before->total, after->total);
	for (size_t i = 0; i < after->count_len; i++)
		add_count(delta, after->counts[i].kind,
			  rise(pp_device_faults(before, after->counts[i].kind),
			       after->counts[i].value));
}

/**
 * pp_snapshot_diff - what happened between two snapshots of the same watch
 *
 * A pure function.
 */
void pp_snapshot_diff(const struct pp_watch *watch, const struct pp_snapshot *before,
		      const struct pp_snapshot *after, struct pp_fault_delta *delta)
{
	memset(delta, 0, sizeof(*delta));
	if (!before->counted || !after->counted)
		return;
	/* Another load of the module counts from 0 again. */
	if (before->info.since_boottime_ns != after->info.since_boottime_ns)
		return;
	delta->counted = true;
	for (size_t i = 0; i < watch->n; i++) {
		if (i < watch->initiators)
			diff_device(&before->devices[i], &after->devices[i], delta);
		else
			delta->target += rise(before->devices[i].total, after->devices[i].total);
		delta->inexact |= pp_device_inexact(&after->info, &after->devices[i]);
	}
	delta->unattributed = rise(before->info.unseen, after->info.unseen);
	diff_targets(watch, before, after, delta);
	delta->drained = before->drained && after->drained;
}

/** pp_faults_of - the faults that count against the watched devices */
uint64_t pp_faults_of(const struct pp_fault_delta *delta)
{
	return delta->initiator + delta->target + delta->unattributed;
}
