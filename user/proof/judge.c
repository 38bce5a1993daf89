// SPDX-License-Identifier: GPL-2.0-only
/* What the evidence comes to. */
#include "judge.h"

/* Operations of @ops that ended so. */
static uint32_t ended(const struct pp_evidence *e, uint32_t ops, enum pp_outcome outcome)
{
	uint32_t found = 0;

	for (unsigned int op = 0; op < PP_OPS; op++)
		if ((ops & PP_OP_BIT(op)) && e->ops[op].planned && e->ops[op].outcome == outcome)
			found |= PP_OP_BIT(op);
	return found;
}

static uint32_t planned(const struct pp_evidence *e, uint32_t ops)
{
	uint32_t found = 0;

	for (unsigned int op = 0; op < PP_OPS; op++)
		if ((ops & PP_OP_BIT(op)) && e->ops[op].planned)
			found |= PP_OP_BIT(op);
	return found;
}

/* Was it wrong only because somebody waited in vain? */
static bool only_waited(const struct pp_op_evidence *op)
{
	return !op->bad_words && (op->seen & PP_SEEN_NO_FLAG);
}

/* Those of @wrong whose data is wrong. */
static uint32_t wrong_data(const struct pp_evidence *e, uint32_t wrong)
{
	for (unsigned int op = 0; op < PP_OPS; op++)
		if ((wrong & PP_OP_BIT(op)) && only_waited(&e->ops[op]))
			wrong &= ~PP_OP_BIT(op);
	return wrong;
}

static bool all_seen(const struct pp_evidence *e, uint32_t ops, uint32_t flag)
{
	for (unsigned int op = 0; op < PP_OPS; op++)
		if ((ops & PP_OP_BIT(op)) && !(e->ops[op].seen & flag))
			return false;
	return ops;
}

static bool any_seen(const struct pp_evidence *e, uint32_t ops, uint32_t flag)
{
	for (unsigned int op = 0; op < PP_OPS; op++)
		if ((ops & PP_OP_BIT(op)) && (e->ops[op].seen & flag))
			return true;
	return false;
}

/* The lowest of them: operations are in the order of their tests. */
static const struct pp_op_evidence *first_of(const struct pp_evidence *e, uint32_t ops)
{
	unsigned int op = 0;

	while (!(ops & PP_OP_BIT(op)))
		op++;
	return &e->ops[op];
}

/* Nothing arrived: which way, and by which engine? */
static enum pp_cause dropped(const struct pp_evidence *e, uint32_t wrong)
{
	const uint32_t copies = PP_OPS_DATA & ~(PP_OPS_BOTH | PP_OPS_ORDER);
	const uint32_t ce = PP_OP_BIT(PP_OP_CE_WRITE) | PP_OP_BIT(PP_OP_CE_READ);
	const uint32_t right = ended(e, copies, PP_OUTCOME_RIGHT);

	wrong &= copies;
	if (!(wrong & PP_OPS_READ) && (right & PP_OPS_READ))
		return PP_CAUSE_WRITES_DROPPED;
	if (!(wrong & PP_OPS_WRITE) && (right & PP_OPS_WRITE))
		return PP_CAUSE_READS_DROPPED;
	if (!(wrong & ~ce) && (right & ~ce))
		return PP_CAUSE_COPY_ENGINE;
	if (!(wrong & ce) && (right & ce))
		return PP_CAUSE_SM;
	return PP_CAUSE_DROPPED;
}

static enum pp_cause by_kind(const struct pp_evidence *e, uint32_t wrong)
{
	const struct pp_op_evidence *first = first_of(e, wrong);

	switch (first->kind) {
	case PP_WORD_POISON:
		return first->bad_words < first->words ? PP_CAUSE_PARTLY : dropped(e, wrong);
	case PP_WORD_ZEROS:
		return PP_CAUSE_ZEROS;
	case PP_WORD_ONES:
		return PP_CAUSE_ONES;
	case PP_WORD_STALE:
		return PP_CAUSE_STALE;
	case PP_WORD_SHIFTED:
		return PP_CAUSE_MISPLACED;
	case PP_WORD_FOREIGN:
		return PP_CAUSE_FOREIGN_DATA;
	default:
		return PP_CAUSE_DAMAGED;
	}
}

/*
 * Is the very first transfer the only one that is wrong? Both ways at once has a
 * first transfer of its own, that of the way back.
 */
static bool only_first(const struct pp_evidence *e, uint32_t wrong)
{
	const struct pp_op_evidence *first = first_of(e, wrong);

	return first->first_wrong && first->wrong == 1 &&
	       (wrong & ~PP_OPS_BOTH) == PP_OP_BIT(first - e->ops);
}

/* Why data is wrong: the narrowest description of all that is. */
static enum pp_cause wrong_cause(const struct pp_evidence *e, uint32_t wrong)
{
	const struct pp_op_evidence *first = first_of(e, wrong);

	if (!(wrong & ~PP_OPS_COLLECTIVE))
		return PP_CAUSE_COLLECTIVE;
	if (!(wrong & ~PP_OPS_ORDER))
		return PP_CAUSE_ORDER;
	if (!(wrong & ~PP_OPS_BOTH))
		return PP_CAUSE_BOTH_WAYS;
	if (all_seen(e, wrong & ~PP_OPS_ORDER, PP_SEEN_LATE))
		return PP_CAUSE_LATE;
	if (any_seen(e, wrong, PP_SEEN_MIRROR))
		return PP_CAUSE_MIRROR;
	if (only_first(e, wrong))
		return PP_CAUSE_FIRST_TRANSFER;
	if (!first->bad_words && any_seen(e, wrong, PP_SEEN_BESIDE))
		return PP_CAUSE_BESIDE;
	return by_kind(e, wrong);
}

static struct pp_judgement is(enum pp_verdict verdict, enum pp_cause cause)
{
	return (struct pp_judgement){ .verdict = verdict, .cause = cause };
}

/* Before any data was compared; verdict ok lets the judgement go on. */
static struct pp_judgement judge_begin(const struct pp_evidence *e)
{
	static const enum pp_cause unsafe[] = {
		[PP_WAY_FOREIGN] = PP_CAUSE_FOREIGN_MAPPING,
		[PP_WAY_UNKNOWN] = PP_CAUSE_MAPPING_UNKNOWN,
		[PP_WAY_NO_MODULE] = PP_CAUSE_NO_MODULE,
	};
	const struct pp_op_evidence *control = &e->ops[PP_OP_CONTROL];

	if (e->way != PP_WAY_SAFE && !e->forced)
		return is(PP_VERDICT_NOT_SAFE, unsafe[e->way]);
	if (e->open == PP_OUTCOME_NO_ACCESS)
		return is(PP_VERDICT_NO_ACCESS, PP_CAUSE_NO_PEER_ACCESS);
	if (e->open == PP_OUTCOME_HUNG || (control->planned && control->outcome == PP_OUTCOME_HUNG))
		return is(PP_VERDICT_HANG, PP_CAUSE_NO_ANSWER);
	if (e->open != PP_OUTCOME_RIGHT)
		return is(PP_VERDICT_INCONCLUSIVE, e->lost ? PP_CAUSE_DEVICE_LOST :
							     PP_CAUSE_CALL_FAILED);
	if (control->planned && control->outcome != PP_OUTCOME_RIGHT)
		return is(PP_VERDICT_INCONCLUSIVE, e->lost ? PP_CAUSE_DEVICE_LOST :
							     PP_CAUSE_CONTROL_FAILED);
	return is(PP_VERDICT_OK, PP_CAUSE_NONE);
}

/**
 * pp_judge - the verdict on an ordered pair, one of its directions, or a set
 * @ops: operations that count
 *
 * Wrong data says nothing about P2P when the copy through the host failed too. Zero
 * faults never makes data right, and without right data nothing is ever ok.
 */
struct pp_judgement pp_judge(const struct pp_evidence *e, uint32_t ops)
{
	struct pp_judgement begin = judge_begin(e);
	uint32_t wrong, data;

	ops &= PP_OPS_PAIR | PP_OPS_COLLECTIVE;
	if (begin.verdict != PP_VERDICT_OK)
		return begin;
	wrong = ended(e, ops, PP_OUTCOME_WRONG);
	data = wrong_data(e, wrong);
	if (data)
		return is(e->faults ? PP_VERDICT_CORRUPT_WITH_FAULTS :
				      PP_VERDICT_CORRUPT_WITHOUT_FAULTS, wrong_cause(e, data));
	if (ended(e, ops, PP_OUTCOME_HUNG))
		return is(PP_VERDICT_HANG, PP_CAUSE_NO_ANSWER);
	if (wrong)
		return is(PP_VERDICT_HANG, wrong & PP_OPS_COLLECTIVE ? PP_CAUSE_RANK_STUCK :
								       PP_CAUSE_FLAG_LOST);
	if (ended(e, ops, PP_OUTCOME_FAILED))
		return is(PP_VERDICT_INCONCLUSIVE, e->lost ? PP_CAUSE_DEVICE_LOST :
							     PP_CAUSE_CALL_FAILED);
	if (e->no_end)
		return is(PP_VERDICT_HANG, PP_CAUSE_NO_END);
	if (!planned(e, ops & ~PP_OPS_SPEED) ||
	    planned(e, ops) != ended(e, ops, PP_OUTCOME_RIGHT))
		return is(PP_VERDICT_INCONCLUSIVE, PP_CAUSE_NOT_ALL_RUN);
	if (e->lost)
		return is(PP_VERDICT_INCONCLUSIVE, PP_CAUSE_DEVICE_LOST);
	if (e->faults)
		return is(PP_VERDICT_OK_WITH_FAULTS, PP_CAUSE_FAULTS);
	return is(PP_VERDICT_OK, PP_CAUSE_NONE);
}

/** pp_judge_worse - the more severe of two; the first one of two alike */
struct pp_judgement pp_judge_worse(struct pp_judgement a, struct pp_judgement b)
{
	return b.verdict > a.verdict ? b : a;
}
