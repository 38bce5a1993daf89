/* SPDX-License-Identifier: GPL-2.0-only */
/* Fault counters of some devices at one moment, and what changed since another. */
#ifndef PEERPASS_PROOF_COUNTING_H
#define PEERPASS_PROOF_COUNTING_H

#include "lib/model.h"
#include "ptx/kernels.h"

/**
 * struct pp_watch - whose faults count
 * @nl: NULL without the module: nothing is counted then
 * @devices: addresses of the members
 * @initiators: how many of them, from the first on, initiate transfers
 */
struct pp_watch {
	struct pp_nl *nl;
	struct pp_bdf devices[PP_MAX_RANKS];
	size_t n;
	size_t initiators;
};

/**
 * struct pp_snapshot - counters after a SYNC
 * @counted: the module was asked
 * @drained: all that the hardware had recorded is in them
 * @info: owned
 * @devices: owned, in the order of the watch
 * @pairs: owned
 */
struct pp_snapshot {
	bool counted;
	bool drained;
	struct pp_info info;
	struct pp_device *devices;
	struct pp_pair_list pairs;
};

#define PP_MAX_TARGETS 16

/**
 * struct pp_fault_delta - faults between two snapshots
 * @counted: both were
 * @initiator: by the initiators, all kinds together
 * @target: by the other members, as initiators
 * @unattributed: seen by the module without an initiator
 * @counts: those of @initiator by kind
 * @targets: what the initiators hit; more than fit are counted in @more_targets
 * @inexact: why the numbers are a lower bound, flags of enum peerpass_inexact
 * @drained: both snapshots were
 */
struct pp_fault_delta {
	bool counted;
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

int pp_snapshot_take(struct pp_snapshot *snap, const struct pp_watch *watch,
		     const struct pp_snapshot *before, struct pp_error *err);
void pp_snapshot_free(struct pp_snapshot *snap);
void pp_snapshot_diff(const struct pp_watch *watch, const struct pp_snapshot *before,
		      const struct pp_snapshot *after, struct pp_fault_delta *delta);
uint64_t pp_faults_of(const struct pp_fault_delta *delta);

#endif /* PEERPASS_PROOF_COUNTING_H */
