// SPDX-License-Identifier: GPL-2.0-only
/* All-reduce, as tensor parallelism does it, over all GPUs of the session. */
#include <stdio.h>
#include <string.h>

#include "tests.h"

#define THREADS 128

/* The result and the work area lie one after the other. */
static void addresses(struct pp_session *s, const struct pp_test *t, struct pp_collective *c)
{
	memset(c, 0, sizeof(*c));
	for (unsigned int i = 0; i < s->plan->gpus; i++) {
		const struct pp_gpu *gpu = &s->gpus[i];

		c->in[i] = gpu->near;
		c->work[i] = gpu->far + t->bytes;
		c->flags[i] = gpu->scratch + offsetof(struct pp_scratch, flags);
	}
	c->words = t->bytes / 8;
	c->limit_ns = s->plan->limit_ns;
	c->ranks = s->plan->gpus;
	c->blocks = PP_COLLECTIVE_BLOCKS;
}

/* Inputs of each rank; poison in results and work areas. */
static bool prepare(struct pp_session *s, const struct pp_test *t)
{
	for (unsigned int i = 0; i < s->plan->gpus; i++) {
		struct pp_gpu *gpu = &s->gpus[i];
		struct pp_pieces in = { .at = gpu->near, .len = t->bytes, .count = 1 };
		struct pp_pieces out = { .at = gpu->far, .len = 3 * t->bytes, .count = 1 };
		struct pp_stamp stamp = { .key = s->plan->key, .source = i, .round = t->round };

		if (pp_gpu_clear(s, gpu) || pp_gpu_fill(s, gpu, in, stamp) ||
		    pp_gpu_fill(s, gpu, out, (struct pp_stamp){ .source = PP_SOURCE_POISON }))
			return true;
	}
	return false;
}

static bool start(struct pp_session *s, const struct pp_test *t)
{
	static const enum pp_kernel kernels[] = {
		[PP_ALGORITHM_ONE_SHOT] = PP_KERNEL_one_shot,
		[PP_ALGORITHM_TWO_SHOT] = PP_KERNEL_two_shot,
		[PP_ALGORITHM_RING] = PP_KERNEL_ring,
	};
	struct pp_collective c;

	addresses(s, t, &c);
	for (unsigned int i = 0; i < s->plan->gpus; i++) {
		struct pp_gpu *gpu = &s->gpus[i];

		c.rank = i;
		c.out = gpu->far;
		c.late = gpu->scratch + offsetof(struct pp_scratch, late);
		if (pp_gpu_launch(s, gpu, kernels[t->algorithm], &c, c.blocks, THREADS))
			return true;
	}
	for (unsigned int i = 0; i < s->plan->gpus; i++)
		if (pp_gpu_wait(s, &s->gpus[i]))
			return true;
	return false;
}

/** pp_test_collective - all add up the same inputs, and each compares its own result */
enum pp_outcome pp_test_collective(struct pp_session *s, const struct pp_test *t)
{
	struct pp_stamp sum = { .key = s->plan->key, .source = PP_SOURCE_SUM, .round = t->round,
				.ranks = s->plan->gpus };
	enum pp_outcome outcome = PP_OUTCOME_RIGHT;

	if (prepare(s, t) || start(s, t))
		return PP_OUTCOME_FAILED;
	for (unsigned int i = 0; i < s->plan->gpus; i++) {
		struct pp_pieces out = { .at = s->gpus[i].far, .len = t->bytes, .count = 1 };
		uint64_t bad, late;

		if (pp_gpu_look(s, &s->gpus[i], offsetof(struct pp_scratch, late), &late,
				sizeof(late)) ||
		    pp_gpu_count_bad(s, &s->gpus[i], out, sum, &bad))
			return PP_OUTCOME_FAILED;
		/* Who did not wait to the end cannot have the right sum. */
		s->result.late_ranks |= late;
		if (!bad || s->result.diff.bad || s->result.late_ranks)
			continue;
		outcome = PP_OUTCOME_WRONG;
		if (pp_gpu_diagnose(s, &s->gpus[i], out, sum, &s->result.diff))
			return PP_OUTCOME_FAILED;
		snprintf(s->result.why, sizeof(s->result.why), "on rank %u", i);
	}
	if (s->result.late_ranks) {
		s->result.seen |= PP_SEEN_NO_FLAG;
		memset(&s->result.diff, 0, sizeof(s->result.diff));
		return PP_OUTCOME_WRONG;
	}
	s->result.diff.words += s->result.diff.bad ? 0 : t->bytes / 8 * s->plan->gpus;
	return outcome;
}
