// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast, by nvbandwidth's method, so that the numbers compare: copies are
 * enqueued behind a kernel that waits for a word of the host, so that enqueueing is
 * not measured; 4 to warm up, 16 for a sample, the median of the samples.
 */
#include <stdio.h>
#include <stdlib.h>

#include "flow.h"
#include "tests.h"

#define WARM_UP		4
#define COPIES		16
#define MAX_SAMPLES	16
#define CHASE_STEPS	1024

struct stopwatch {
	CUevent start;
	CUevent end;
};

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool hold(struct pp_session *s, struct pp_gpu *gpu)
{
	struct pp_hold args = { .flag = s->shared_gpu, .limit_ns = s->plan->limit_ns };

	return pp_gpu_launch(s, gpu, PP_KERNEL_hold, &args, 1, 1);
}

/* One sample of all flows: the longest of them. */
static bool sample(struct pp_session *s, const struct pp_flow *flows, unsigned int n,
		   enum pp_engine engine, struct stopwatch *watches, uint64_t *ns)
{
	s->shared[0] = 0;
	for (unsigned int i = 0; i < n; i++) {
		if (hold(s, flows[i].by) ||
		    PP_FAILS(s, cuEventRecord, watches[i].start, flows[i].by->stream))
			return true;
		for (unsigned int k = 0; k < COPIES; k++)
			if (pp_flow_start(s, &flows[i], engine))
				return true;
		if (PP_FAILS(s, cuEventRecord, watches[i].end, flows[i].by->stream))
			return true;
	}
	s->shared[0] = 1;
	*ns = 0;
	for (unsigned int i = 0; i < n; i++) {
		float ms;

		if (pp_gpu_wait(s, flows[i].by) ||
		    PP_FAILS(s, cuEventElapsedTime, &ms, watches[i].start, watches[i].end))
			return true;
		if ((uint64_t)(ms * 1e6f) > *ns)
			*ns = (uint64_t)(ms * 1e6f);
	}
	return false;
}

static bool open_watch(struct pp_session *s, const struct pp_flow *flow, struct stopwatch *w)
{
	return PP_FAILS(s, cuCtxSetCurrent, flow->by->context) ||
	       PP_FAILS(s, cuEventCreate, &w->start, 0) || PP_FAILS(s, cuEventCreate, &w->end, 0);
}

static bool close_watch(struct pp_session *s, struct stopwatch *w)
{
	return PP_FAILS(s, cuEventDestroy_v2, w->start) || PP_FAILS(s, cuEventDestroy_v2, w->end);
}

/** pp_test_speed - copies of one size, one way or both ways at once */
enum pp_outcome pp_test_speed(struct pp_session *s, const struct pp_test *t)
{
	unsigned int n = t->both ? 2 : 1, samples = t->rounds;
	uint64_t ns[MAX_SAMPLES];
	struct stopwatch watches[2];
	struct pp_flow flows[2];

	samples = samples < 1 ? 1 : samples > MAX_SAMPLES ? MAX_SAMPLES : samples;
	for (unsigned int i = 0; i < n; i++) {
		pp_flow_make(s, t, i, &flows[i]);
		if (open_watch(s, &flows[i], &watches[i]))
			return PP_OUTCOME_FAILED;
		for (unsigned int k = 0; k < WARM_UP; k++)
			if (pp_flow_start(s, &flows[i], (enum pp_engine)t->engine))
				return PP_OUTCOME_FAILED;
		if (pp_gpu_wait(s, flows[i].by))
			return PP_OUTCOME_FAILED;
	}
	for (unsigned int k = 0; k < samples; k++)
		if (sample(s, flows, n, (enum pp_engine)t->engine, watches, &ns[k]))
			return PP_OUTCOME_FAILED;
	for (unsigned int i = 0; i < n; i++)
		if (close_watch(s, &watches[i]))
			return PP_OUTCOME_FAILED;
	qsort(ns, samples, sizeof(ns[0]), compare);
	s->result.ns = ns[samples / 2];
	s->result.moved = (uint64_t)n * COPIES * t->bytes;
	return PP_OUTCOME_RIGHT;
}

/** pp_test_latency - the initiator follows a chain of pointers in the target's memory */
enum pp_outcome pp_test_latency(struct pp_session *s, const struct pp_test *t)
{
	struct pp_gpu *initiator = &s->gpus[t->initiator], *target = &s->gpus[t->target];
	struct pp_flow flow = { .by = initiator };
	/* Steps of odd length visit all words; far apart, so that no cache line helps. */
	struct pp_hops hops = { .at = target->far, .words = t->bytes / 8, .step = 33 };
	struct pp_chase chase = { .at = target->far, .count = CHASE_STEPS,
				  .out = initiator->scratch };
	struct stopwatch watch;
	float ms;

	if (open_watch(s, &flow, &watch) ||
	    pp_gpu_launch(s, target, PP_KERNEL_hops, &hops, 1, 256) || pp_gpu_wait(s, target) ||
	    /* Once to load the kernel. */
	    pp_gpu_launch(s, initiator, PP_KERNEL_chase, &chase, 1, 1) ||
	    PP_FAILS(s, cuEventRecord, watch.start, initiator->stream) ||
	    pp_gpu_launch(s, initiator, PP_KERNEL_chase, &chase, 1, 1) ||
	    PP_FAILS(s, cuEventRecord, watch.end, initiator->stream) ||
	    pp_gpu_wait(s, initiator) ||
	    PP_FAILS(s, cuEventElapsedTime, &ms, watch.start, watch.end) ||
	    close_watch(s, &watch))
		return PP_OUTCOME_FAILED;
	s->result.ns = (uint64_t)(ms * 1e9f / CHASE_STEPS);
	s->result.moved = 8;
	return PP_OUTCOME_RIGHT;
}
