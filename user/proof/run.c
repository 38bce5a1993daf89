// SPDX-License-Identifier: GPL-2.0-only
/* A session from start to end. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "diagnosis.h"
#include "run.h"

/* What a child may take to end after a failure of its own. */
#define END_NS 2000000000ull

/* The child's answer, as far as it makes sense. */
static void take_over(struct pp_test_result *result, const struct pp_test *test)
{
	if (result->magic == PP_TEST_MAGIC && result->id == test->id &&
	    result->outcome < PP_OUTCOMES && result->outcome != PP_OUTCOME_NOT_RUN) {
		result->why[sizeof(result->why) - 1] = '\0';
		return;
	}
	memset(result, 0, sizeof(*result));
	result->outcome = PP_OUTCOME_FAILED;
	result->seen = PP_SEEN_END;
	snprintf(result->why, sizeof(result->why), "the child process sent nonsense");
}

/* Asks one test; false when it was interrupted, and nothing is known about it. */
static bool ask(struct pp_child *child, const struct pp_test *test, uint64_t timeout_ns,
		struct pp_test_result *result)
{
	memset(result, 0, sizeof(*result));
	result->outcome = PP_OUTCOME_FAILED;
	result->seen = PP_SEEN_END;
	if (pp_child_ask(child, test, sizeof(*test)))
		return !pp_child_interrupted();
	switch (pp_child_read(child, result, sizeof(*result), pp_now_ns() + timeout_ns)) {
	case PP_CHILD_RESULT:
		take_over(result, test);
		return true;
	case PP_CHILD_TIMEOUT:
		memset(result, 0, sizeof(*result));
		result->outcome = PP_OUTCOME_HUNG;
		result->seen = PP_SEEN_END;
		return true;
	case PP_CHILD_ENDED:
		memset(result, 0, sizeof(*result));
		result->outcome = PP_OUTCOME_FAILED;
		result->seen = PP_SEEN_END;
		return true;
	default:
		return false;
	}
}

static void note_speed(struct pp_session_result *r, const struct pp_test *test,
		       const struct pp_test_result *result)
{
	if (test->kind == PP_TEST_LATENCY)
		r->latency_ps = result->ns;
	if (test->kind == PP_TEST_SPEED)
		r->speed[test->engine][test->direction][test->both] =
			(struct pp_speed){ .bytes = result->moved, .ns = result->ns };
}

/* Adds a test to its operation. */
static void note(struct pp_session_result *r, const struct pp_test *test,
		 const struct pp_test_result *result, const struct pp_fault_delta *faults,
		 bool first)
{
	enum pp_op number = pp_op_of(test);
	struct pp_op_result *op;

	if (number == PP_OPS) {
		r->open = (enum pp_outcome)result->outcome;
		memcpy(r->why, result->why, sizeof(r->why));
		return;
	}
	op = &r->ops[number];
	op->seen |= result->seen;
	op->words += result->diff.words;
	op->bad += result->diff.bad;
	op->faults += pp_faults_of(faults);
	op->right += result->outcome == PP_OUTCOME_RIGHT;
	op->wrong += result->outcome == PP_OUTCOME_WRONG;
	if (result->outcome == PP_OUTCOME_RIGHT) {
		note_speed(r, test, result);
		return;
	}
	/* The first that is not right is shown; one that is wrong tells more than a failure. */
	if (op->test.magic && (op->result.outcome == PP_OUTCOME_WRONG ||
			       result->outcome != PP_OUTCOME_WRONG))
		return;
	op->first_wrong = first;
	op->test = *test;
	op->result = *result;
	op->test_faults = *faults;
}

/* From what became of its tests. */
static enum pp_outcome worst(const struct pp_op_result *op)
{
	if (op->wrong)
		return PP_OUTCOME_WRONG;
	if (op->test.magic)
		return (enum pp_outcome)op->result.outcome;
	return op->tests && op->right == op->tests ? PP_OUTCOME_RIGHT : PP_OUTCOME_NOT_RUN;
}

static void count_planned(struct pp_session_result *r, const struct pp_test_list *tests)
{
	for (size_t i = 0; i < tests->n; i++) {
		enum pp_op op = pp_op_of(&tests->v[i]);

		if (op < PP_OPS)
			r->ops[op].tests++;
	}
}

/* A copy through the host that fails makes all that follows mean nothing. */
static bool go_on(const struct pp_test *test, const struct pp_test_result *result)
{
	if (result->seen & PP_SEEN_END)
		return false;
	return result->outcome == PP_OUTCOME_RIGHT ||
	       (test->kind != PP_TEST_OPEN && test->kind != PP_TEST_CONTROL);
}

/* A failure without a word: the child's end has to explain it. */
static void explain(const struct pp_session_result *r, char *why, size_t size)
{
	if (r->end.signal)
		snprintf(why, size, "the child process died of signal %d (%s)", r->end.signal,
			 strsignal(r->end.signal));
	else
		snprintf(why, size, "the child process ended with status %d before it answered",
			 r->end.status);
}

static void finish(struct pp_session_result *r)
{
	if (r->open == PP_OUTCOME_FAILED && !r->why[0])
		explain(r, r->why, sizeof(r->why));
	for (unsigned int i = 0; i < PP_OPS; i++) {
		struct pp_op_result *op = &r->ops[i];

		op->outcome = worst(op);
		if (op->test.magic && op->result.outcome == PP_OUTCOME_FAILED &&
		    !op->result.why[0])
			explain(r, op->result.why, sizeof(op->result.why));
	}
}

/*
 * Where nothing arrives a flag is waited for in vain, both ways at once add nothing,
 * and speed means nothing.
 */
static bool pointless(const struct pp_session_result *r, const struct pp_test *test)
{
	bool read = test->direction == PP_DIRECTION_READ;

	if (test->kind == PP_TEST_ORDER)
		return r->ops[read ? PP_OP_SM_READ : PP_OP_SM_WRITE].wrong;
	if (!test->both && test->kind != PP_TEST_SPEED && test->kind != PP_TEST_LATENCY)
		return false;
	for (unsigned int op = PP_OP_CE_WRITE; op <= PP_OP_ORDER_READ; op++)
		if (r->ops[op].wrong)
			return true;
	return false;
}

/*
 * All tests, with the counters read after each. @all: none is missing. @hung: the
 * last one had no end.
 */
static int run_tests(const struct pp_run *run, struct pp_child *child,
		     struct pp_session_result *r, struct pp_snapshot *last, bool *all, bool *hung,
		     struct pp_error *err)
{
	bool transferred = false;

	for (size_t i = 0; i < run->tests->n; i++) {
		const struct pp_test *test = &run->tests->v[i];
		struct pp_test_result result;
		struct pp_fault_delta faults;
		struct pp_snapshot now;
		int ret;

		if (pointless(r, test))
			continue;
		if (run->progress)
			run->progress(run->arg, test, i, run->tests->n);
		if (!ask(child, test, test->kind == PP_TEST_OPEN ? run->open_timeout_ns :
								   run->timeout_ns, &result))
			return 0;
		ret = pp_snapshot_take(&now, &run->watch, last, err);
		if (!ret)
			pp_snapshot_diff(&run->watch, last, &now, &faults);
		pp_snapshot_free(last);
		*last = now;
		if (ret)
			return -1;
		note(r, test, &result, &faults, test->kind == PP_TEST_COPY && !transferred);
		transferred |= test->kind == PP_TEST_COPY;
		*hung = result.outcome == PP_OUTCOME_HUNG;
		if (!go_on(test, &result))
			return 0;
	}
	*all = true;
	return 0;
}

/**
 * pp_session_run - run the tests of a session in a child process
 * @result: all zero
 *
 * Return: 0 with @result filled in; with pp_child_interrupted() it is not complete.
 * -1 with @err filled in when the module or the system failed.
 */
int pp_session_run(const struct pp_run *run, struct pp_session_result *result,
		   struct pp_error *err)
{
	struct pp_snapshot before = { 0 }, last = { 0 };
	struct pp_session_plan plan = run->plan;
	bool all = false, hung = false;
	struct pp_child child;
	uint64_t start = pp_now_ns(), deadline;
	int ret;

	count_planned(result, run->tests);
	ret = pp_snapshot_take(&before, &run->watch, NULL, err);
	if (!ret)
		ret = pp_snapshot_take(&last, &run->watch, &before, err);
	if (!ret)
		ret = pp_child_start(&child, pp_session_child, &plan, err);
	if (ret)
		goto out;
	ret = run_tests(run, &child, result, &last, &all, &hung, err);
	deadline = all ? pp_now_ns() + run->timeout_ns : pp_now_ns() + END_NS;
	/* It has failed or is about to end: let it, or its end explains nothing. */
	pp_child_finish(&child, ret || hung || pp_child_interrupted() ? 0 : deadline,
			&result->end);
	result->elapsed_ns = pp_now_ns() - start;
	result->no_end = all && !result->end.in_time;
	finish(result);
	if (!ret && !pp_child_interrupted()) {
		pp_snapshot_free(&last);
		ret = pp_snapshot_take(&last, &run->watch, NULL, err);
		if (!ret)
			pp_snapshot_diff(&run->watch, &before, &last, &result->faults);
	}
out:
	pp_snapshot_free(&before);
	pp_snapshot_free(&last);
	return ret;
}

/**
 * pp_run_evidence - what a session says for its verdict
 * @e: @way, @forced and @lost are left as they are
 */
void pp_run_evidence(const struct pp_session_result *result, struct pp_evidence *e)
{
	e->open = result->open;
	e->no_end = result->no_end;
	e->faults = pp_faults_of(&result->faults);
	for (unsigned int i = 0; i < PP_OPS; i++) {
		const struct pp_op_result *op = &result->ops[i];

		e->ops[i] = (struct pp_op_evidence){
			.planned = op->tests, .outcome = op->outcome, .seen = op->seen,
			.kind = pp_segment_kind(&op->result.diff), .wrong = op->wrong,
			.bad_words = op->result.diff.bad + op->result.order.bad,
			.words = op->result.diff.words, .first_wrong = op->first_wrong,
		};
	}
}
