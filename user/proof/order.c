// SPDX-License-Identifier: GPL-2.0-only
/* Does data arrive before the flag that is written after it? */
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "lib/child.h"
#include "tests.h"

/*
 * A writer that is done before the reader has looked once proves nothing. How long one
 * look takes is not known before: later attempts go slower, and so are shorter.
 */
static const struct {
	uint32_t rounds;
	uint64_t pause_ns;
} attempts[PP_ORDER_ATTEMPTS] = {
	{ UINT32_MAX, 20000 }, { 8, 2000000 }, { 4, 200000000 },
};

/* Waits until the reader's kernel runs, or the writer would be done before it. */
static bool reader_is_there(struct pp_session *s)
{
	uint64_t end = pp_now_ns() + s->plan->limit_ns;

	while (!s->shared[0]) {
		if (pp_now_ns() > end) {
			snprintf(s->result.why, sizeof(s->result.why),
				 "the kernel that reads did not start in time");
			s->result.seen |= PP_SEEN_END;
			return false;
		}
		sched_yield();
	}
	return true;
}

static enum pp_outcome judge(struct pp_session *s, uint32_t rounds)
{
	const struct pp_order_report *r = &s->result.order;

	if (r->bad)
		return PP_OUTCOME_WRONG;
	if (r->late) {
		s->result.seen |= PP_SEEN_NO_FLAG;
		return PP_OUTCOME_WRONG;
	}
	if (r->seen >= rounds && r->early < r->seen)
		return PP_OUTCOME_RIGHT;
	/* Who never waits sees data that has been there for long. */
	snprintf(s->result.why, sizeof(s->result.why),
		 "the kernel that reads waited in none of %u rounds, it saw %llu", rounds,
		 (unsigned long long)r->seen);
	return PP_OUTCOME_FAILED;
}

/* One attempt; failed, without a failed call, when it proves nothing. */
static enum pp_outcome attempt(struct pp_session *s, const struct pp_test *t, uint32_t round,
			       uint32_t rounds, uint64_t pause_ns)
{
	struct pp_gpu *initiator = &s->gpus[t->initiator], *target = &s->gpus[t->target];
	bool writes = t->direction == PP_DIRECTION_WRITE;
	struct pp_gpu *writer = writes ? initiator : target;
	struct pp_gpu *reader = writes ? target : initiator;
	struct pp_stamp stamp = { .key = s->plan->key, .source = writer->number,
				  .round = round };
	struct pp_pieces data = { .at = target->far, .len = rounds * PP_ORDER_WORDS * 8,
				  .count = 1 };
	pp_u64 flags = target->scratch + offsetof(struct pp_scratch, flags);
	struct pp_order_read read = {
		.stamp = stamp, .data = data.at, .flags = flags, .words = PP_ORDER_WORDS,
		.here = s->shared_gpu, .limit_ns = s->plan->limit_ns,
		.report = reader->scratch + offsetof(struct pp_scratch, order),
		.rounds = rounds,
	};
	struct pp_order_write write = {
		.stamp = stamp, .data = data.at, .flags = flags, .words = PP_ORDER_WORDS,
		.pause_ns = pause_ns, .rounds = rounds,
	};

	s->shared[0] = 0;
	s->result.diff.words = (uint64_t)rounds * PP_ORDER_WORDS;
	if (pp_gpu_clear(s, initiator) || pp_gpu_clear(s, target) ||
	    pp_gpu_fill(s, target, data, (struct pp_stamp){ .source = PP_SOURCE_POISON }) ||
	    pp_gpu_launch(s, reader, PP_KERNEL_order_read, &read, 1, PP_ORDER_WORDS) ||
	    !reader_is_there(s) ||
	    pp_gpu_launch(s, writer, PP_KERNEL_order_write, &write, 1, PP_ORDER_WORDS) ||
	    pp_gpu_wait(s, writer) || pp_gpu_wait(s, reader) ||
	    pp_gpu_look(s, reader, offsetof(struct pp_scratch, order), &s->result.order,
			sizeof(s->result.order)))
		return PP_OUTCOME_FAILED;
	return judge(s, rounds);
}

/**
 * pp_test_order - kernels on both GPUs at the same time
 *
 * Write: the initiator writes data and flags to the target's memory, where the
 * target waits for them. Read: the target writes to its own memory, where the
 * initiator waits for them, across the bus. Data and flags have a place of their
 * own for each round, so that nothing ever has to go the other way.
 */
enum pp_outcome pp_test_order(struct pp_session *s, const struct pp_test *t)
{
	enum pp_outcome outcome = PP_OUTCOME_FAILED;

	for (uint32_t i = 0; i < PP_ORDER_ATTEMPTS && outcome == PP_OUTCOME_FAILED &&
			     !(s->result.seen & PP_SEEN_END); i++) {
		uint32_t rounds = t->rounds < attempts[i].rounds ? t->rounds : attempts[i].rounds;

		s->result.why[0] = '\0';
		outcome = attempt(s, t, t->round + i * t->rounds, rounds, attempts[i].pause_ns);
	}
	return outcome;
}
