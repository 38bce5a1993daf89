/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The transfers of one ordered pair, in a child process, and the messages it
 * sends to its parent. All phases run with the initiator's context issuing the
 * copy, and are checked through the context of the device that owns the
 * destination: a writer can read its own data back through a mirror while the
 * owner sees nothing of it.
 */
#ifndef PEERPASS_PAIRTEST_H
#define PEERPASS_PAIRTEST_H

#include "pattern.h"
#include "verdict.h"

enum pp_phase {
	/* Initiator's memory to host, host to target's memory. */
	PP_PHASE_CONTROL,
	/* The initiator copies its own memory to the target's. */
	PP_PHASE_WRITE,
	/* The initiator copies the target's memory to its own. */
	PP_PHASE_READ,
	PP_PHASES,
};

/**
 * struct pp_pair_plan - what the child is to do
 * @initiator: CUDA ordinal, as @target
 * @size: bytes of a transfer, a multiple of 8
 * @nonces: one for each phase
 */
struct pp_pair_plan {
	int initiator;
	int target;
	size_t size;
	uint64_t nonces[PP_PHASES];
};

#define PP_PHASE_MAGIC 0x70706861u

/**
 * struct pp_phase_result - the child's message after each phase
 * @magic: PP_PHASE_MAGIC
 * @phase: enum pp_phase
 * @outcome: enum pp_outcome
 * @why: what failed; empty unless @outcome is failed or no_access
 */
struct pp_phase_result {
	uint32_t magic;
	uint32_t phase;
	uint32_t outcome;
	uint32_t unused;
	char why[192];
	struct pp_diff diff;
};

int pp_pairtest_child(int result_fd, int go_fd, void *plan);
const char *pp_phase_name(enum pp_phase phase);

#endif /* PEERPASS_PAIRTEST_H */
