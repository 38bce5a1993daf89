/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a child process is asked to test, and what it answers. It is asked one test
 * at a time, so that the parent can read the fault counters in between, and is
 * killed when it does not answer in time.
 */
#ifndef PEERPASS_PROOF_TEST_H
#define PEERPASS_PROOF_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/kernels.h"

enum pp_test_kind {
	/* Opens the GPUs. Comes first, and once. */
	PP_TEST_OPEN,
	/* Through the host: initiator's memory, host, target's memory. */
	PP_TEST_CONTROL,
	/* Between the two, compared by the owner of the destination. */
	PP_TEST_COPY,
	/* Data, then a flag, while the reader waits for the flag. */
	PP_TEST_ORDER,
	/* All GPUs of the session add their inputs up. */
	PP_TEST_COLLECTIVE,
	/* How fast; nothing is compared. */
	PP_TEST_SPEED,
	/* How long one read of the peer's memory takes. */
	PP_TEST_LATENCY,
	PP_TEST_KINDS,
};

enum pp_engine {
	/* The copy engine: cuMemcpyDtoDAsync(). */
	PP_ENGINE_CE,
	/* A kernel's loads and stores. */
	PP_ENGINE_SM,
	PP_ENGINES,
};

enum pp_direction {
	/* The initiator writes to the target's memory. */
	PP_DIRECTION_WRITE,
	/* The initiator reads the target's memory. */
	PP_DIRECTION_READ,
	PP_DIRECTIONS,
};

enum pp_algorithm {
	PP_ALGORITHM_ONE_SHOT,
	PP_ALGORITHM_TWO_SHOT,
	PP_ALGORITHM_RING,
	PP_ALGORITHMS,
};

/* How far one test came. */
enum pp_outcome {
	/* Not started. */
	PP_OUTCOME_NOT_RUN,
	/* Carried out, data compared and right. */
	PP_OUTCOME_RIGHT,
	/* Carried out, data compared and wrong. */
	PP_OUTCOME_WRONG,
	/* A call failed, or the process ended: no data was compared. */
	PP_OUTCOME_FAILED,
	/* Killed at the time limit. */
	PP_OUTCOME_HUNG,
	/* CUDA says that the pair cannot do it. With PP_TEST_OPEN only. */
	PP_OUTCOME_NO_ACCESS,
	PP_OUTCOMES,
};

#define PP_TEST_MAGIC 0x70707473u

/* 64-bit words of each round of PP_TEST_ORDER. */
#define PP_ORDER_WORDS 64
/* How often PP_TEST_ORDER is done until its reader has waited for a flag. */
#define PP_ORDER_ATTEMPTS 3

/**
 * struct pp_test - one test
 * @id: comes back with the answer
 * @kind: enum pp_test_kind
 * @engine: enum pp_engine
 * @direction: enum pp_direction
 * @algorithm: enum pp_algorithm
 * @both: each of the two does the same to the other at the same time
 * @initiator: number of the GPU within the session, as @target
 * @round: of the pattern; later tests have greater ones. PP_TEST_ORDER and the way
 *	back of @both use the following ones as well: see pp_test_rounds()
 * @rounds: of PP_TEST_ORDER; samples of PP_TEST_SPEED
 * @bytes: of one piece, a multiple of 4
 * @offset: in the memory that the initiator reaches across the bus; what it has at
 *	its own side is dense and begins at 0
 * @stride: from piece to piece, there
 * @count: pieces
 */
struct pp_test {
	uint32_t magic;
	uint32_t id;
	uint32_t kind;
	uint32_t engine;
	uint32_t direction;
	uint32_t algorithm;
	uint32_t both;
	uint32_t initiator;
	uint32_t target;
	uint32_t round;
	uint32_t rounds;
	uint32_t unused;
	uint64_t bytes;
	uint64_t offset;
	uint64_t stride;
	uint64_t count;
};

/* Observations besides the outcome. */
/* What was wrong at first was right a moment later. */
#define PP_SEEN_LATE		(1u << 0)
/* The initiator reads its own data back, the owner does not have it. */
#define PP_SEEN_MIRROR		(1u << 1)
/* Something was written beside the destination. */
#define PP_SEEN_BESIDE		(1u << 2)
/* Of PP_TEST_ORDER: a flag never came. */
#define PP_SEEN_NO_FLAG		(1u << 3)
/* The way back of @both was the wrong one. */
#define PP_SEEN_WAY_BACK	(1u << 4)
/* No further test can be asked: CUDA is in an unknown state. */
#define PP_SEEN_END		(1u << 5)

/**
 * struct pp_test_result - the answer
 * @outcome: enum pp_outcome
 * @seen: flags above
 * @why: what failed; empty otherwise
 * @diff: of the words that were compared; of the first wrong flow
 * @ns: what was measured; PP_TEST_SPEED: the median sample, for @moved bytes.
 *	PP_TEST_LATENCY: of one read, in picoseconds
 * @moved: bytes of a sample
 * @order: PP_TEST_ORDER: what the reader saw
 * @late_ranks: PP_TEST_COLLECTIVE: bit N for a rank that did not show up in time
 */
struct pp_test_result {
	uint32_t magic;
	uint32_t id;
	uint32_t outcome;
	uint32_t seen;
	char why[192];
	struct pp_segment diff;
	uint64_t ns;
	uint64_t moved;
	struct pp_order_report order;
	uint64_t late_ranks;
};

uint32_t pp_test_rounds(const struct pp_test *test);
void pp_test_text(const struct pp_test *test, char *buf, size_t size);

#endif /* PEERPASS_PROOF_TEST_H */
