// SPDX-License-Identifier: GPL-2.0-only
/*
 * check-gpu ORDINAL: what one GPU can show of validate. It plays two, four and
 * eight: its kernels have to fill, copy, compare, keep the order of data and flags, and
 * add up, with the same code and in the same process as between real peers. Then how
 * fast a comparison is, beside a copy. Prints PASS, FAIL and INFO lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "lib/child.h"
#include "lib/enumerate.h"
#include "proof/diagnosis.h"
#include "proof/flow.h"
#include "proof/run.h"

#define SPEED_BYTES	(512ull << 20)
#define SPEED_SAMPLES	9
#define TEST_TIMEOUT_NS	60000000000ull

static int failures;
static struct pp_bdf address;

static void report(bool good, const char *what, const char *why)
{
	if (good)
		printf("PASS %s\n", what);
	else
		printf("FAIL %s: %s\n", what, why[0] ? why : "no reason given");
	fflush(stdout);
	failures += !good;
}

static uint64_t random_key(void)
{
	uint64_t key = 0;

	if (getrandom(&key, sizeof(key), 0) != sizeof(key))
		abort();
	return key;
}

/* What was not right in a session. */
static void explain(const struct pp_session_result *r, char *why, size_t size)
{
	size_t used = (size_t)snprintf(why, size, "%s", r->why);

	for (unsigned int op = 0; op < PP_OPS && used < size; op++) {
		const struct pp_op_result *o = &r->ops[op];

		if (!o->tests || o->outcome == PP_OUTCOME_RIGHT)
			continue;
		used += (size_t)snprintf(why + used, size - used, " %s %s %u of %u %s", pp_op_name(op),
					 pp_outcome_name(o->outcome), o->wrong, o->tests,
					 o->result.why);
	}
}

static void session(int ordinal, unsigned int gpus, enum pp_level level, const char *what)
{
	static struct pp_session_result result;
	struct pp_test_list tests = { 0 };
	struct pp_scope scope = { .speed = gpus == 2 };
	struct pp_run run = { .tests = &tests, .timeout_ns = TEST_TIMEOUT_NS,
			      .open_timeout_ns = TEST_TIMEOUT_NS };
	struct pp_error err = { 0 };
	char why[512] = "";

	memset(&result, 0, sizeof(result));
	pp_scope_make(&scope, level, 0, 0);
	run.plan = (struct pp_session_plan){
		.gpus = gpus, .all_ways = true, .key = random_key(), .max_bytes = scope.max_bytes,
		.span = scope.span, .limit_ns = 2000000000,
	};
	for (unsigned int i = 0; i < gpus; i++) {
		run.plan.ordinals[i] = ordinal;
		run.plan.addresses[i] = address;
	}
	if (gpus == 2 ? pp_plan_pair(&tests, &scope, true, 1) : pp_plan_set(&tests, &scope, gpus, 1))
		snprintf(why, sizeof(why), "out of memory");
	else if (pp_session_run(&run, &result, &err))
		snprintf(why, sizeof(why), "%s", err.message);
	else
		explain(&result, why, sizeof(why));
	report(!why[0] && result.open == PP_OUTCOME_RIGHT && !result.no_end, what, why);
	if (gpus == 2)
		printf("INFO within the GPU, GB/s: copy engine %.1f, SM %.1f; one read %.0f ns\n",
		       (double)result.speed[0][0][0].bytes / (double)(result.speed[0][0][0].ns ?: 1),
		       (double)result.speed[1][0][0].bytes / (double)(result.speed[1][0][0].ns ?: 1),
		       (double)result.latency_ps / 1000);
	pp_plan_free(&tests);
}

/* The child: a comparison, and copies, of the same bytes; nanoseconds, medians. */
struct speeds {
	uint64_t check_ns;
	uint64_t engine_ns;
	uint64_t sm_ns;
	char why[192];
};

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool timed(struct pp_session *s, struct pp_gpu *gpu, CUevent events[2], uint64_t *ns,
		  bool (*enqueue)(struct pp_session *s))
{
	uint64_t samples[SPEED_SAMPLES];
	float ms;

	/* Once to warm up. */
	if (enqueue(s) || pp_gpu_wait(s, gpu))
		return true;
	for (int i = 0; i < SPEED_SAMPLES; i++) {
		if (PP_FAILS(s, cuEventRecord, events[0], gpu->stream) || enqueue(s) ||
		    PP_FAILS(s, cuEventRecord, events[1], gpu->stream) || pp_gpu_wait(s, gpu) ||
		    PP_FAILS(s, cuEventElapsedTime, &ms, events[0], events[1]))
			return true;
		samples[i] = (uint64_t)(ms * 1e6f);
	}
	qsort(samples, SPEED_SAMPLES, sizeof(samples[0]), compare);
	*ns = samples[SPEED_SAMPLES / 2];
	return false;
}

static const struct pp_test speed_test = {
	.kind = PP_TEST_COPY, .target = 1, .bytes = SPEED_BYTES, .count = 1,
};

static bool check(struct pp_session *s)
{
	struct pp_flow flow;
	struct pp_check args;

	pp_flow_make(s, &speed_test, false, &flow);
	args = (struct pp_check){ .at = flow.source, .stamp = flow.stamp,
				  .bad = s->gpus[0].scratch };
	return pp_gpu_launch_wide(s, &s->gpus[0], PP_KERNEL_check, &args, SPEED_BYTES / 8);
}

static bool by_engine(struct pp_session *s)
{
	struct pp_flow flow;

	pp_flow_make(s, &speed_test, false, &flow);
	return pp_flow_start(s, &flow, PP_ENGINE_CE);
}

static bool by_sm(struct pp_session *s)
{
	struct pp_flow flow;

	pp_flow_make(s, &speed_test, false, &flow);
	return pp_flow_start(s, &flow, PP_ENGINE_SM);
}

static int measure(int result_fd, int ask_fd, void *plan)
{
	static struct pp_session s;
	struct speeds speeds = { 0 };
	struct pp_flow flow;
	CUevent events[2];
	uint64_t bad = 0;

	(void)ask_fd;
	s.plan = plan;
	if (pp_gpus_open(&s) == PP_OUTCOME_RIGHT &&
	    !PP_FAILS(&s, cuEventCreate, &events[0], 0) &&
	    !PP_FAILS(&s, cuEventCreate, &events[1], 0)) {
		pp_flow_make(&s, &speed_test, false, &flow);
		if (!pp_gpu_fill(&s, &s.gpus[0], flow.source, flow.stamp) &&
		    !pp_gpu_count_bad(&s, &s.gpus[0], flow.source, flow.stamp, &bad) &&
		    !timed(&s, &s.gpus[0], events, &speeds.check_ns, check) &&
		    !timed(&s, &s.gpus[0], events, &speeds.engine_ns, by_engine))
			timed(&s, &s.gpus[0], events, &speeds.sm_ns, by_sm);
		if (bad)
			snprintf(s.result.why, sizeof(s.result.why), "%llu bad words",
				 (unsigned long long)bad);
	}
	memcpy(speeds.why, s.result.why, sizeof(speeds.why));
	return pp_child_send(result_fd, &speeds, sizeof(speeds)) ? 1 : 0;
}

/* Verification at 80 % of the copy's bandwidth or better, or it holds validate up. */
static void speed(int ordinal)
{
	struct pp_session_plan plan = {
		.gpus = 2, .ordinals = { ordinal, ordinal }, .addresses = { address, address }, .key = random_key(),
		.max_bytes = SPEED_BYTES, .span = SPEED_BYTES, .limit_ns = 2000000000,
	};
	struct speeds speeds = { 0 };
	struct pp_child_end end;
	struct pp_child child;
	struct pp_error err;
	double ratio = 0;

	if (pp_child_start(&child, measure, &plan, &err) ||
	    pp_child_read(&child, &speeds, sizeof(speeds), pp_now_ns() + TEST_TIMEOUT_NS) !=
		    PP_CHILD_RESULT)
		snprintf(speeds.why, sizeof(speeds.why), "the measuring process did not answer");
	pp_child_finish(&child, 0, &end);
	if (speeds.check_ns)
		ratio = (double)speeds.engine_ns / (double)speeds.check_ns;
	printf("INFO %llu MiB: compared at %.1f GB/s, copied at %.1f (engine) and %.1f (SM); ratio %.2f\n",
	       SPEED_BYTES >> 20, (double)SPEED_BYTES / (double)(speeds.check_ns ?: 1),
	       (double)SPEED_BYTES / (double)(speeds.engine_ns ?: 1),
	       (double)SPEED_BYTES / (double)(speeds.sm_ns ?: 1), ratio);
	report(!speeds.why[0] && speeds.sm_ns, "comparing and copying are measured", speeds.why);
	/* The stand-in for a GPU computes on the CPU: nothing is to be learnt from it. */
	if (!getenv("PP_TEST_CUDA_DEVICES"))
		report(ratio >= 0.8, "comparing is at 80 % of the copy engine's bandwidth or better",
		       "see INFO");
}

/* The address of the GPU with that number. */
static int find(int ordinal)
{
	static struct pp_enum_result gpus;
	struct pp_child_end end;
	struct pp_child child;
	struct pp_error err;
	bool found = false;

	if (pp_child_start(&child, pp_enumerate_child, NULL, &err))
		return -1;
	if (pp_child_read(&child, &gpus, sizeof(gpus), pp_now_ns() + TEST_TIMEOUT_NS) ==
	    PP_CHILD_RESULT)
		found = gpus.status == PP_ENUM_OK && ordinal < gpus.count;
	pp_child_finish(&child, 0, &end);
	report(found, "CUDA has the GPU", gpus.why);
	address = gpus.gpus[ordinal].bdf;
	return found ? 0 : -1;
}

int main(int argc, char **argv)
{
	int ordinal = argc > 1 ? atoi(argv[1]) : 0;
	bool small = argc > 2;

	pp_child_signals();
	if (find(ordinal))
		return 1;
	session(ordinal, 2, small ? PP_LEVEL_QUICK : PP_LEVEL_DEFAULT,
		"the kernels, on one GPU that plays two");
	session(ordinal, 4, PP_LEVEL_QUICK, "all-reduce, on one GPU that plays four");
	session(ordinal, 8, PP_LEVEL_QUICK, "all-reduce, on one GPU that plays eight");
	if (!small)
		speed(ordinal);
	return failures != 0;
}
