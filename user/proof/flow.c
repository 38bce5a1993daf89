// SPDX-License-Identifier: GPL-2.0-only
/* One transfer from one GPU's memory to another's, and whether it arrived. */
#include <stdio.h>
#include <time.h>

#include "flow.h"

/* How long wrong data may take to become right, to be called late. */
#define LATE_NS 100000000

/**
 * pp_flow_make - the flow of a test
 * @back: the other one of a test of both ways
 */
void pp_flow_make(struct pp_session *s, const struct pp_test *t, bool back,
		  struct pp_flow *flow)
{
	struct pp_gpu *by = &s->gpus[back ? t->target : t->initiator];
	struct pp_gpu *other = &s->gpus[back ? t->initiator : t->target];
	bool writes = t->direction == PP_DIRECTION_WRITE;
	const struct pp_pieces near = { .at = by->near, .len = t->bytes, .stride = t->bytes,
					.count = t->count };
	const struct pp_pieces far = { .at = other->far + t->offset, .len = t->bytes,
				       .stride = t->stride, .count = t->count };

	flow->by = by;
	flow->from = writes ? by : other;
	flow->to = writes ? other : by;
	flow->source = writes ? near : far;
	flow->destination = writes ? far : near;
	flow->stamp = (struct pp_stamp){ .key = s->plan->key, .source = flow->from->number,
					 .round = t->round + back };
}

static const struct pp_stamp poison = { .source = PP_SOURCE_POISON };

/*
 * What lies between the pieces of a destination and beside them, as far as the
 * guard reaches; false when there is no such part. Lengths are multiples of 4.
 */
static bool beside(const struct pp_flow *flow, unsigned int i, struct pp_pieces *part)
{
	const struct pp_pieces *d = &flow->destination;
	uint64_t last = d->at + (d->count - 1) * d->stride + d->len;

	switch (i) {
	case 0:
		*part = (struct pp_pieces){ .at = d->at - PP_GUARD, .len = PP_GUARD, .count = 1 };
		return true;
	case 1:
		*part = (struct pp_pieces){ .at = last, .len = PP_GUARD, .count = 1 };
		return true;
	case 2:
		/* Only next to the pieces: the space between them may be large. */
		if (d->count < 2 || d->stride - d->len < 4)
			return false;
		*part = (struct pp_pieces){ .at = d->at + d->len, .stride = d->stride,
					    .count = d->count - 1 };
		part->len = d->stride - d->len < PP_GUARD ? d->stride - d->len : PP_GUARD;
		return true;
	default:
		return false;
	}
}

#define PARTS 3

/* The owner's memory has to keep what the owner writes there. */
static bool owner_wrote(struct pp_session *s, struct pp_gpu *owner, struct pp_pieces at,
			struct pp_stamp stamp, const char *what)
{
	uint64_t bad;

	if (pp_gpu_fill(s, owner, at, stamp) || pp_gpu_count_bad(s, owner, at, stamp, &bad))
		return true;
	if (!bad)
		return false;
	snprintf(s->result.why, sizeof(s->result.why),
		 "GPU %u wrote %s to its own memory and reads %llu bad words back",
		 owner->number, what, (unsigned long long)bad);
	return true;
}

/**
 * pp_flow_prepare - each owner writes: the source's the pattern, the destination's poison
 *
 * Return: true when that failed; @why is set.
 */
bool pp_flow_prepare(struct pp_session *s, const struct pp_flow *flow)
{
	struct pp_pieces part;

	for (unsigned int i = 0; i < PARTS; i++)
		if (beside(flow, i, &part) && owner_wrote(s, flow->to, part, poison, "poison"))
			return true;
	return owner_wrote(s, flow->to, flow->destination, poison, "poison") ||
	       owner_wrote(s, flow->from, flow->source, flow->stamp, "the pattern");
}

/** pp_flow_start - enqueue the transfer in the stream of the GPU that does it */
bool pp_flow_start(struct pp_session *s, const struct pp_flow *flow, enum pp_engine engine)
{
	struct pp_copy args = { .to = flow->destination, .from = flow->source };

	if (engine == PP_ENGINE_SM)
		return pp_gpu_launch_wide(s, flow->by, PP_KERNEL_copy, &args,
					  (args.to.len + 15) / 16 * args.to.count);
	if (PP_FAILS(s, cuCtxSetCurrent, flow->by->context))
		return true;
	for (uint64_t i = 0; i < args.to.count; i++)
		if (PP_FAILS(s, cuMemcpyDtoDAsync_v2, args.to.at + i * args.to.stride,
			     args.from.at + i * args.from.stride, args.to.len, flow->by->stream))
			return true;
	return false;
}

/* Wrong data: is it only late, or somewhere that only the writer sees? */
static bool look_again(struct pp_session *s, const struct pp_flow *flow)
{
	const struct timespec late = { .tv_nsec = LATE_NS };
	uint64_t bad;

	if (flow->by != flow->to) {
		if (pp_gpu_count_bad(s, flow->by, flow->destination, flow->stamp, &bad))
			return true;
		if (!bad)
			s->result.seen |= PP_SEEN_MIRROR;
	}
	nanosleep(&late, NULL);
	if (pp_gpu_count_bad(s, flow->to, flow->destination, flow->stamp, &bad))
		return true;
	if (!bad) {
		s->result.seen |= PP_SEEN_LATE;
		s->result.seen &= ~PP_SEEN_MIRROR;
	}
	return false;
}

/**
 * pp_flow_judge - the destination's owner compares
 * @op: the first wrong data of each is looked at again, which takes a while
 *
 * Return: right, wrong (then the result says how), or failed.
 */
enum pp_outcome pp_flow_judge(struct pp_session *s, const struct pp_flow *flow, enum pp_op op)
{
	enum pp_outcome outcome = PP_OUTCOME_RIGHT;
	struct pp_pieces part;
	uint64_t bad;

	if (pp_gpu_count_bad(s, flow->to, flow->destination, flow->stamp, &bad))
		return PP_OUTCOME_FAILED;
	s->result.diff.words += (flow->destination.len + 7) / 8 * flow->destination.count;
	if (bad) {
		outcome = PP_OUTCOME_WRONG;
		if (pp_gpu_diagnose(s, flow->to, flow->destination, flow->stamp,
				    &s->result.diff))
			return PP_OUTCOME_FAILED;
		if (!(s->explained & PP_OP_BIT(op)) && look_again(s, flow))
			return PP_OUTCOME_FAILED;
		s->explained |= PP_OP_BIT(op);
	}
	for (unsigned int i = 0; i < PARTS; i++) {
		if (!beside(flow, i, &part))
			continue;
		if (pp_gpu_count_bad(s, flow->to, part, poison, &bad))
			return PP_OUTCOME_FAILED;
		if (bad) {
			outcome = PP_OUTCOME_WRONG;
			s->result.seen |= PP_SEEN_BESIDE;
		}
	}
	return outcome;
}
