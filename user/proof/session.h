/* SPDX-License-Identifier: GPL-2.0-only */
/* The child process that tests: see test.h for what it is asked. */
#ifndef PEERPASS_PROOF_SESSION_H
#define PEERPASS_PROOF_SESSION_H

#include <stddef.h>

#include "lib/bdf.h"
#include "test.h"

/**
 * struct pp_session_plan - what holds for all tests of a session
 * @gpus: 2 to PP_MAX_RANKS
 * @ordinals: CUDA's numbers, which belong to these @addresses: what else they may mean
 *	in this process is not touched
 * @all_ways: each reaches each; otherwise the first reaches the second
 * @key: of the pattern, random
 * @max_bytes: of memory that each GPU uses itself
 * @span: bytes of memory that the others reach
 * @limit_ns: a kernel waits no longer for a flag
 */
struct pp_session_plan {
	unsigned int gpus;
	int ordinals[PP_MAX_RANKS];
	struct pp_bdf addresses[PP_MAX_RANKS];
	bool all_ways;
	uint64_t key;
	uint64_t max_bytes;
	uint64_t span;
	uint64_t limit_ns;
};

int pp_session_child(int result_fd, int ask_fd, void *plan);

#endif /* PEERPASS_PROOF_SESSION_H */
