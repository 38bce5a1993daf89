/* SPDX-License-Identifier: GPL-2.0-only */
/* Fault counters of two devices at one moment, and what changed since another. */
#ifndef PEERPASS_SNAPSHOT_H
#define PEERPASS_SNAPSHOT_H

#include "model.h"

/**
 * struct pp_snapshot - counters after a SYNC
 * @drained: all that the hardware had recorded is in them
 * @info: owned
 * @pairs: owned
 */
struct pp_snapshot {
	bool drained;
	struct pp_info info;
	struct pp_device initiator;
	struct pp_device target;
	struct pp_pair_list pairs;
};

#define PP_MAX_TARGETS 16

/**
 * struct pp_fault_delta - faults between two snapshots
 * @initiator: by the initiator, all kinds together
 * @target: by the other device of the pair, as initiator
 * @unattributed: seen by the module without an initiator
 * @counts: those of @initiator by kind
 * @targets: what the initiator hit; more than fit are counted in @more_targets
 * @inexact: why the numbers are a lower bound, flags of enum peerpass_inexact
 * @drained: both snapshots were
 */
struct pp_fault_delta {
	uint64_t initiator;
	uint64_t target;
	uint64_t unattributed;
	struct pp_count counts[PP_MAX_KINDS];
	size_t count_len;
	struct pp_pair targets[PP_MAX_TARGETS];
	size_t target_len;
	size_t more_targets;
	uint32_t inexact;
	bool drained;
};

int pp_snapshot_take(struct pp_snapshot *snap, struct pp_nl *nl, struct pp_bdf initiator,
		     struct pp_bdf target, struct pp_error *err);
void pp_snapshot_free(struct pp_snapshot *snap);
void pp_snapshot_diff(const struct pp_snapshot *before, const struct pp_snapshot *after,
		      struct pp_fault_delta *delta);

#endif /* PEERPASS_SNAPSHOT_H */
