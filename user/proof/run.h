/* SPDX-License-Identifier: GPL-2.0-only */
/* A session from start to end: the child, its tests, the counters around each. */
#ifndef PEERPASS_PROOF_RUN_H
#define PEERPASS_PROOF_RUN_H

#include "counting.h"
#include "judge.h"
#include "lib/child.h"
#include "plan.h"
#include "session.h"

/**
 * struct pp_op_result - what is known about one operation
 * @outcome: the worst of its tests; not_run if one was not
 * @tests: how many were planned, @right and @wrong of them
 * @words: that were compared, @bad of them wrong
 * @seen: of all tests
 * @faults: of all tests, see pp_faults_of()
 * @first_wrong: the first test that was wrong is the first transfer of the session
 * @test: the first that was not right, as the following
 */
struct pp_op_result {
	enum pp_outcome outcome;
	uint32_t tests;
	uint32_t right;
	uint32_t wrong;
	uint64_t words;
	uint64_t bad;
	uint32_t seen;
	uint64_t faults;
	bool first_wrong;
	struct pp_test test;
	struct pp_test_result result;
	struct pp_fault_delta test_faults;
};

/** struct pp_speed - @bytes moved in @ns; no bytes: not measured */
struct pp_speed {
	uint64_t bytes;
	uint64_t ns;
};

/**
 * struct pp_session_result - all that is known about one session
 * @open: how far opening the GPUs came, @why what failed
 * @speed: by engine, direction, and both ways at once or not
 * @latency_ps: picoseconds of one read; 0 when not measured
 * @no_end: all was carried out, but the child did not end in time
 * @faults: from before the child started until after it ended
 * @end: how the child ended
 */
struct pp_session_result {
	enum pp_outcome open;
	char why[192];
	struct pp_op_result ops[PP_OPS];
	struct pp_speed speed[PP_ENGINES][PP_DIRECTIONS][2];
	uint64_t latency_ps;
	bool no_end;
	struct pp_fault_delta faults;
	struct pp_child_end end;
	uint64_t elapsed_ns;
};

/**
 * struct pp_run - how to run a session
 * @plan: of the child
 * @tests: begin with PP_TEST_OPEN
 * @watch: whose faults count
 * @timeout_ns: of one test
 * @open_timeout_ns: of opening the GPUs, which may have to start their firmware
 * @progress: called before each test, may be NULL
 */
struct pp_run {
	struct pp_session_plan plan;
	const struct pp_test_list *tests;
	struct pp_watch watch;
	uint64_t timeout_ns;
	uint64_t open_timeout_ns;
	void (*progress)(void *arg, const struct pp_test *test, size_t i, size_t n);
	void *arg;
};

int pp_session_run(const struct pp_run *run, struct pp_session_result *result,
		   struct pp_error *err);
void pp_run_evidence(const struct pp_session_result *result, struct pp_evidence *e);

#endif /* PEERPASS_PROOF_RUN_H */
