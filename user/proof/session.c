// SPDX-License-Identifier: GPL-2.0-only
/* The child process that tests. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/child.h"
#include "tests.h"

/* Whatever is asked, nothing beside the memory that is ours is touched. */
static bool is_within(const struct pp_session_plan *plan, const struct pp_test *t)
{
	uint64_t far = t->bytes, near = t->bytes;

	if (t->kind == PP_TEST_ORDER)
		return t->rounds <= PP_ORDER_ROUNDS &&
		       t->rounds * PP_ORDER_WORDS * 8ull <= plan->span;
	if (t->kind == PP_TEST_COLLECTIVE)
		far = 3 * t->bytes;
	else if (t->count > 1) {
		far = (t->count - 1) * t->stride + t->bytes;
		near = t->count * t->bytes;
	}
	return t->initiator < plan->gpus && t->target < plan->gpus &&
	       near <= plan->max_bytes && t->offset <= plan->span &&
	       far <= plan->span - t->offset;
}

static enum pp_outcome run(struct pp_session *s, const struct pp_test *t)
{
	if (!is_within(s->plan, t)) {
		snprintf(s->result.why, sizeof(s->result.why),
			 "the test is not within the memory that was allocated");
		return PP_OUTCOME_FAILED;
	}
	switch (t->kind) {
	case PP_TEST_OPEN:
		return pp_gpus_open(s);
	case PP_TEST_CONTROL:
		return pp_test_control(s, t);
	case PP_TEST_COPY:
		return pp_test_copy(s, t);
	case PP_TEST_ORDER:
		return pp_test_order(s, t);
	case PP_TEST_COLLECTIVE:
		return pp_test_collective(s, t);
	case PP_TEST_SPEED:
		return pp_test_speed(s, t);
	case PP_TEST_LATENCY:
		return pp_test_latency(s, t);
	}
	snprintf(s->result.why, sizeof(s->result.why), "test of unknown kind %u", t->kind);
	return PP_OUTCOME_FAILED;
}

/* All of it, or false at the end of the questions. */
static bool next(int fd, struct pp_test *t)
{
	size_t have = 0;

	while (have < sizeof(*t)) {
		ssize_t n = read(fd, (char *)t + have, sizeof(*t) - have);

		if (n <= 0)
			return false;
		have += (size_t)n;
	}
	return t->magic == PP_TEST_MAGIC;
}

/**
 * pp_session_child - answer tests until there are no more
 * @result_fd: takes a struct pp_test_result for each
 * @ask_fd: a struct pp_test is read from it for each
 * @plan: struct pp_session_plan
 *
 * Return: 0, or 1 when it had to end before.
 */
int pp_session_child(int result_fd, int ask_fd, void *plan)
{
	static struct pp_session s;
	struct pp_test t;

	s.plan = plan;
	while (next(ask_fd, &t)) {
		memset(&s.result, 0, sizeof(s.result));
		s.result.magic = PP_TEST_MAGIC;
		s.result.id = t.id;
		s.result.outcome = run(&s, &t);
		if (pp_child_send(result_fd, &s.result, sizeof(s.result)))
			return 1;
		/* After a failed call CUDA may block for ever: leave it to the kernel. */
		if (s.result.seen & PP_SEEN_END)
			return 1;
	}
	pp_gpus_close(&s);
	return 0;
}
