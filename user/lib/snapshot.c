// SPDX-License-Identifier: GPL-2.0-only
/* Fault counters of two devices at one moment, and what changed since another. */
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"

/* Longer than for a mere display: a missed fault would make a verdict wrong. */
#define SYNC_TIMEOUT_MS 500

/**
 * pp_snapshot_take - wait for the hardware's log, then read the counters
 * @snap: to be freed, also after -1
 */
int pp_snapshot_take(struct pp_snapshot *snap, struct pp_nl *nl, struct pp_bdf initiator,
		     struct pp_bdf target, struct pp_error *err)
{
	struct pp_sync sync;

	memset(snap, 0, sizeof(*snap));
	if (pp_sync(nl, SYNC_TIMEOUT_MS, &sync, err) || pp_get_info(nl, &snap->info, err) ||
	    pp_get_device(nl, initiator, &snap->initiator, err) ||
	    pp_get_device(nl, target, &snap->target, err) ||
	    pp_get_pairs(nl, &snap->pairs, err))
		return -1;
	snap->drained = sync.drained == 1;
	return 0;
}

/** pp_snapshot_free - free what @snap owns */
void pp_snapshot_free(struct pp_snapshot *snap)
{
	pp_info_free(&snap->info);
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

static void diff_targets(const struct pp_snapshot *before, const struct pp_snapshot *after,
			 struct pp_fault_delta *delta)
{
	for (size_t i = 0; i < after->pairs.n; i++) {
		struct pp_pair row = after->pairs.v[i];
		const struct pp_pair *old = find_pair(&before->pairs, &row);

		if (!pp_bdf_equal(row.initiator, after->initiator.bdf))
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

/**
 * pp_snapshot_diff - what happened between two snapshots of the same devices
 *
 * A pure function.
 */
void pp_snapshot_diff(const struct pp_snapshot *before, const struct pp_snapshot *after,
		      struct pp_fault_delta *delta)
{
	memset(delta, 0, sizeof(*delta));
	delta->initiator = rise(before->initiator.total, after->initiator.total);
	delta->target = rise(before->target.total, after->target.total);
	delta->unattributed = rise(before->info.unseen, after->info.unseen);
	for (size_t i = 0; i < after->initiator.count_len; i++) {
		struct pp_count count = after->initiator.counts[i];

		count.value = rise(pp_device_faults(&before->initiator, count.kind), count.value);
		if (count.value)
			delta->counts[delta->count_len++] = count;
	}
	diff_targets(before, after, delta);
	delta->inexact = pp_device_inexact(&after->info, &after->initiator) |
			 pp_device_inexact(&after->info, &after->target);
	delta->drained = before->drained && after->drained;
}
