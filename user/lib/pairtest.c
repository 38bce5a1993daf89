// SPDX-License-Identifier: GPL-2.0-only
/* The transfers of one ordered pair, in a child process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "cuda.h"
#include "pairtest.h"

/* One of the two devices. */
struct side {
	CUdevice device;
	CUcontext context;
	CUdeviceptr memory;
};

struct test {
	struct pp_cuda cu;
	const struct pp_pair_plan *plan;
	struct side initiator;
	struct side target;
	/* Of the initiator's context. */
	CUstream stream;
	uint64_t *host;
	struct pp_phase_result result;
};

/* Notes which call failed and how; true when it did. */
static bool failed(struct test *t, CUresult error, const char *call)
{
	char text[128];

	if (!error)
		return false;
	pp_cuda_error_text(&t->cu, error, text, sizeof(text));
	snprintf(t->result.why, sizeof(t->result.why), "%s: %s", call, text);
	return true;
}

/* Runs a CUDA function; true when it failed, which is then noted. */
#define FAILS(t, name, ...) failed(t, (t)->cu.name(__VA_ARGS__), #name)

static enum pp_outcome no_access(struct test *t, const char *why)
{
	snprintf(t->result.why, sizeof(t->result.why), "%s", why);
	return PP_OUTCOME_NO_ACCESS;
}

static bool open_side(struct test *t, struct side *side, int ordinal)
{
	return FAILS(t, cuDeviceGet, &side->device, ordinal) ||
	       FAILS(t, cuDevicePrimaryCtxRetain, &side->context, side->device) ||
	       FAILS(t, cuCtxSetCurrent, side->context) ||
	       FAILS(t, cuMemAlloc_v2, &side->memory, t->plan->size);
}

/* Everything up to the first transfer. */
static enum pp_outcome set_up(struct test *t)
{
	CUresult error;
	int can = 0;

	t->host = malloc(t->plan->size);
	if (!t->host) {
		snprintf(t->result.why, sizeof(t->result.why), "no host memory for %zu bytes",
			 t->plan->size);
		return PP_OUTCOME_FAILED;
	}
	if (pp_cuda_open(&t->cu, t->result.why, sizeof(t->result.why)) ||
	    FAILS(t, cuInit, 0) || open_side(t, &t->target, t->plan->target) ||
	    open_side(t, &t->initiator, t->plan->initiator) ||
	    FAILS(t, cuDeviceCanAccessPeer, &can, t->initiator.device, t->target.device))
		return PP_OUTCOME_FAILED;
	if (!can)
		return no_access(t, "cuDeviceCanAccessPeer says no");
	/* Without peer access the driver would silently copy through the host. */
	error = t->cu.cuCtxEnablePeerAccess(t->target.context, 0);
	if (error == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)
		return no_access(t, "cuCtxEnablePeerAccess: not supported for this pair");
	if (error != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED &&
	    failed(t, error, "cuCtxEnablePeerAccess"))
		return PP_OUTCOME_FAILED;
	return FAILS(t, cuStreamCreate, &t->stream, CU_STREAM_NON_BLOCKING) ? PP_OUTCOME_FAILED :
									      PP_OUTCOME_RIGHT;
}

/*
 * Host buffer to the device, through its own context. A copy from pageable
 * memory and a memset may return before they are done: wait for the context's
 * own stream, since the initiator's does not wait for it.
 */
static bool upload(struct test *t, const struct side *side)
{
	return FAILS(t, cuCtxSetCurrent, side->context) ||
	       FAILS(t, cuMemcpyHtoD_v2, side->memory, t->host, t->plan->size) ||
	       FAILS(t, cuStreamSynchronize, NULL);
}

static bool download(struct test *t, const struct side *side)
{
	return FAILS(t, cuCtxSetCurrent, side->context) ||
	       FAILS(t, cuMemcpyDtoH_v2, t->host, side->memory, t->plan->size);
}

/* The owner fills its memory with poison and sees it there. */
static bool poison(struct test *t, const struct side *side)
{
	size_t words = t->plan->size / sizeof(uint64_t), kept;

	if (FAILS(t, cuCtxSetCurrent, side->context) ||
	    FAILS(t, cuMemsetD8_v2, side->memory, PP_POISON_BYTE, t->plan->size) ||
	    FAILS(t, cuStreamSynchronize, NULL) || download(t, side))
		return true;
	kept = pp_poison_count(t->host, words);
	if (kept == words)
		return false;
	snprintf(t->result.why, sizeof(t->result.why),
		 "the owner wrote poison to its memory and read back only %zu of %zu words", kept,
		 words);
	return true;
}

static enum pp_outcome compare(struct test *t, uint64_t nonce)
{
	pp_pattern_diff(t->host, t->plan->size / sizeof(uint64_t), nonce, &t->result.diff);
	return t->result.diff.bad ? PP_OUTCOME_WRONG : PP_OUTCOME_RIGHT;
}

/* Without P2P: are the two devices and their own memory all right? */
static enum pp_outcome control(struct test *t)
{
	uint64_t nonce = t->plan->nonces[PP_PHASE_CONTROL];
	enum pp_outcome outcome = set_up(t);

	if (outcome != PP_OUTCOME_RIGHT)
		return outcome;
	pp_pattern_fill(t->host, t->plan->size / sizeof(uint64_t), nonce);
	if (upload(t, &t->initiator))
		return PP_OUTCOME_FAILED;
	memset(t->host, 0, t->plan->size);
	if (download(t, &t->initiator))
		return PP_OUTCOME_FAILED;
	if (compare(t, nonce) != PP_OUTCOME_RIGHT)
		return PP_OUTCOME_WRONG;
	if (upload(t, &t->target))
		return PP_OUTCOME_FAILED;
	memset(t->host, 0, t->plan->size);
	if (download(t, &t->target))
		return PP_OUTCOME_FAILED;
	return compare(t, nonce);
}

/* The initiator copies @from to @to; one of the two is its own. */
static enum pp_outcome transfer(struct test *t, const struct side *from, const struct side *to,
				uint64_t nonce)
{
	if (poison(t, to))
		return PP_OUTCOME_FAILED;
	pp_pattern_fill(t->host, t->plan->size / sizeof(uint64_t), nonce);
	if (upload(t, from))
		return PP_OUTCOME_FAILED;
	memset(t->host, 0, t->plan->size);
	if (FAILS(t, cuCtxSetCurrent, t->initiator.context) ||
	    FAILS(t, cuMemcpyDtoDAsync_v2, to->memory, from->memory, t->plan->size, t->stream) ||
	    FAILS(t, cuStreamSynchronize, t->stream) || download(t, to))
		return PP_OUTCOME_FAILED;
	return compare(t, nonce);
}

static enum pp_outcome run_phase(struct test *t, enum pp_phase phase)
{
	switch (phase) {
	case PP_PHASE_CONTROL:
		return control(t);
	case PP_PHASE_WRITE:
		return transfer(t, &t->initiator, &t->target, t->plan->nonces[phase]);
	default:
		return transfer(t, &t->target, &t->initiator, t->plan->nonces[phase]);
	}
}

static void close_side(struct test *t, const struct side *side)
{
	t->cu.cuCtxSetCurrent(side->context);
	t->cu.cuMemFree_v2(side->memory);
	t->cu.cuDevicePrimaryCtxRelease_v2(side->device);
}

/* Best effort: the driver cleans up after a process anyway. */
static void tear_down(struct test *t)
{
	t->cu.cuCtxSetCurrent(t->initiator.context);
	t->cu.cuStreamDestroy_v2(t->stream);
	close_side(t, &t->initiator);
	close_side(t, &t->target);
}

/**
 * pp_pairtest_child - run the three phases of a pair
 * @result_fd: takes a struct pp_phase_result after each phase
 * @go_fd: a byte is awaited from it before each phase but the first, so that
 *	the parent can read the fault counters in between
 * @plan: struct pp_pair_plan
 *
 * Return: 0 when all phases were carried out, otherwise 1.
 */
int pp_pairtest_child(int result_fd, int go_fd, void *plan)
{
	struct test t = { .plan = plan };
	bool good = true;
	char go;

	for (unsigned int phase = 0; good && phase < PP_PHASES; phase++) {
		if (phase && read(go_fd, &go, 1) != 1)
			return 1;
		memset(&t.result, 0, sizeof(t.result));
		t.result.magic = PP_PHASE_MAGIC;
		t.result.phase = phase;
		t.result.outcome = run_phase(&t, phase);
		good = t.result.outcome == PP_OUTCOME_RIGHT ||
		       (phase && t.result.outcome == PP_OUTCOME_WRONG);
		if (pp_child_send(result_fd, &t.result, sizeof(t.result)))
			return 1;
	}
	/* After a failed call CUDA may block for ever: leave it to the kernel. */
	if (!good)
		return 1;
	tear_down(&t);
	return 0;
}

/** pp_phase_name - the word for a phase, in JSON and text */
const char *pp_phase_name(enum pp_phase phase)
{
	return phase == PP_PHASE_CONTROL ? "control" : phase == PP_PHASE_WRITE ? "write" : "read";
}
