/* SPDX-License-Identifier: GPL-2.0-only */
/* One ordered pair from start to verdict: the child, the counters, the evidence. */
#ifndef PEERPASS_PAIRRUN_H
#define PEERPASS_PAIRRUN_H

#include "child.h"
#include "pairtest.h"
#include "snapshot.h"

/**
 * struct pp_operation - one phase and what it caused
 * @outcome: how far it came
 * @why: what failed; empty unless it did
 * @faults: from its beginning to its end
 */
struct pp_operation {
	enum pp_outcome outcome;
	char why[192];
	uint64_t nonce;
	struct pp_diff diff;
	struct pp_fault_delta faults;
};

/**
 * struct pp_pair_result - all that is known about one ordered pair
 * @initiator: address, as @target
 * @operations: by enum pp_phase
 * @hung_at_end: all phases were carried out, but the child did not end in time
 * @faults: from before the child started until after it ended
 * @end: how the child ended
 * @elapsed_ns: how long all of it took
 */
struct pp_pair_result {
	struct pp_bdf initiator;
	struct pp_bdf target;
	enum pp_verdict verdict;
	struct pp_operation operations[PP_PHASES];
	bool hung_at_end;
	struct pp_fault_delta faults;
	struct pp_child_end end;
	uint64_t elapsed_ns;
};

uint64_t pp_pair_fault_count(const struct pp_fault_delta *faults);
int pp_pair_run(struct pp_pair_result *result, struct pp_pair_plan *plan, struct pp_nl *nl,
		uint64_t timeout_ns, struct pp_error *err);

#endif /* PEERPASS_PAIRRUN_H */
