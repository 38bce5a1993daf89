// SPDX-License-Identifier: GPL-2.0-only
/* One ordered pair from start to verdict. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "pairrun.h"

/* What a child may take to end after a failure of its own. */
#define END_NS 2000000000ull

/** pp_pair_fault_count - the faults that count against the pair */
uint64_t pp_pair_fault_count(const struct pp_fault_delta *faults)
{
	return faults->initiator + faults->target + faults->unattributed;
}

static int draw_nonces(struct pp_pair_plan *plan, struct pp_error *err)
{
	if (getrandom(plan->nonces, sizeof(plan->nonces), 0) == (ssize_t)sizeof(plan->nonces))
		return 0;
	return pp_error_set(err, "system", PP_EXIT_FAILED, "cannot draw random numbers: %s",
			    strerror(errno));
}

/* Takes the child's message over, as far as it makes sense. */
static void take_over(struct pp_operation *op, const struct pp_phase_result *message,
		      unsigned int phase)
{
	if (message->magic != PP_PHASE_MAGIC || message->phase != phase ||
	    message->outcome > PP_OUTCOME_NO_ACCESS) {
		op->outcome = PP_OUTCOME_FAILED;
		snprintf(op->why, sizeof(op->why), "the child process sent nonsense");
		return;
	}
	op->outcome = (enum pp_outcome)message->outcome;
	snprintf(op->why, sizeof(op->why), "%.*s", (int)sizeof(op->why) - 1, message->why);
	op->diff = message->diff;
}

/* Runs one phase: true when the next one may follow. */
static bool run_phase(struct pp_child *child, struct pp_operation *op, unsigned int phase,
		      uint64_t deadline_ns)
{
	struct pp_phase_result message;

	if (phase && pp_child_go(child)) {
		op->outcome = PP_OUTCOME_FAILED;
		return false;
	}
	switch (pp_child_read(child, &message, sizeof(message), deadline_ns)) {
	case PP_CHILD_RESULT:
		take_over(op, &message, phase);
		return op->outcome == PP_OUTCOME_RIGHT ||
		       (phase && op->outcome == PP_OUTCOME_WRONG);
	case PP_CHILD_TIMEOUT:
		op->outcome = PP_OUTCOME_HUNG;
		return false;
	case PP_CHILD_ENDED:
		op->outcome = PP_OUTCOME_FAILED;
		return false;
	default:
		/* Interrupted: nothing is known about this phase. */
		return false;
	}
}

/* An operation that failed without a word: the child's end has to explain it. */
static void explain(struct pp_pair_result *r)
{
	for (unsigned int phase = 0; phase < PP_PHASES; phase++) {
		struct pp_operation *op = &r->operations[phase];

		if (op->outcome != PP_OUTCOME_FAILED || op->why[0])
			continue;
		if (r->end.signal)
			snprintf(op->why, sizeof(op->why),
				 "the child process died of signal %d (%s)", r->end.signal,
				 strsignal(r->end.signal));
		else
			snprintf(op->why, sizeof(op->why),
				 "the child process ended with status %d before it reported",
				 r->end.status);
	}
}

static void judge(struct pp_pair_result *r)
{
	const struct pp_evidence evidence = {
		.control = r->operations[PP_PHASE_CONTROL].outcome,
		.write = r->operations[PP_PHASE_WRITE].outcome,
		.read = r->operations[PP_PHASE_READ].outcome,
		.hung_at_end = r->hung_at_end,
		.faults = pp_pair_fault_count(&r->faults),
	};

	r->verdict = pp_verdict(&evidence);
}

/* Counters before the child started, after each phase, and after its end. */
enum { MARK_BEFORE, MARK_PHASE, MARK_END = MARK_PHASE + PP_PHASES, MARKS };

static int mark(struct pp_snapshot *snap, struct pp_nl *nl, const struct pp_pair_result *r,
		struct pp_error *err)
{
	return pp_snapshot_take(snap, nl, r->initiator, r->target, err);
}

/* The phases, with the counters read after each. @all_run: none is missing. */
static int run_phases(struct pp_pair_result *r, struct pp_child *child, struct pp_nl *nl,
		      struct pp_snapshot *marks, uint64_t deadline_ns, bool *all_run,
		      struct pp_error *err)
{
	bool go_on = true;

	for (unsigned int phase = 0; go_on && phase < PP_PHASES; phase++) {
		struct pp_operation *op = &r->operations[phase];
		struct pp_snapshot *after = &marks[MARK_PHASE + phase];

		go_on = run_phase(child, op, phase, deadline_ns);
		if (pp_child_interrupted())
			return 0;
		if (mark(after, nl, r, err))
			return -1;
		pp_snapshot_diff(after - 1, after, &op->faults);
	}
	*all_run = go_on;
	return 0;
}

/* Until when the child may end by itself, once nothing more is asked of it. */
static uint64_t end_deadline(const struct pp_pair_result *r, bool all_run, uint64_t deadline_ns)
{
	if (all_run)
		return deadline_ns;
	for (unsigned int phase = 0; phase < PP_PHASES; phase++) {
		if (r->operations[phase].outcome == PP_OUTCOME_HUNG)
			return 0;
	}
	/* It has failed or is about to end: let it, or its end explains nothing. */
	return pp_child_interrupted() ? 0 : pp_now_ns() + END_NS;
}

/**
 * pp_pair_run - test one ordered pair
 * @result: @initiator and @target are set by the caller
 * @plan: its nonces are drawn here
 * @timeout_ns: for all that the child does
 *
 * Return: 0 with @result filled in; with pp_child_interrupted() it is not
 * complete. -1 with @err filled in when the module or the system failed.
 */
int pp_pair_run(struct pp_pair_result *result, struct pp_pair_plan *plan, struct pp_nl *nl,
		uint64_t timeout_ns, struct pp_error *err)
{
	struct pp_snapshot marks[MARKS] = { 0 };
	struct pp_child child;
	bool all_run = false;
	uint64_t start;
	int ret;

	if (draw_nonces(plan, err))
		return -1;
	for (unsigned int phase = 0; phase < PP_PHASES; phase++)
		result->operations[phase].nonce = plan->nonces[phase];
	ret = mark(&marks[MARK_BEFORE], nl, result, err);
	start = pp_now_ns();
	if (!ret)
		ret = pp_child_start(&child, pp_pairtest_child, plan, err);
	if (ret)
		goto out;
	ret = run_phases(result, &child, nl, marks, start + timeout_ns, &all_run, err);
	pp_child_finish(&child, ret ? 0 : end_deadline(result, all_run, start + timeout_ns),
			&result->end);
	result->elapsed_ns = pp_now_ns() - start;
	result->hung_at_end = all_run && !result->end.in_time;
	explain(result);
	if (!ret)
		ret = mark(&marks[MARK_END], nl, result, err);
	if (!ret) {
		pp_snapshot_diff(&marks[MARK_BEFORE], &marks[MARK_END], &result->faults);
		judge(result);
	}
out:
	for (unsigned int i = 0; i < MARKS; i++)
		pp_snapshot_free(&marks[i]);
	return ret;
}
