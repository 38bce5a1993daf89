// SPDX-License-Identifier: GPL-2.0-only
/* Copies between two GPUs, and the copy through the host that they are held against. */
#include <stdio.h>
#include <string.h>

#include "flow.h"
#include "tests.h"

/** pp_test_copy - between the two, one way or both ways at once */
enum pp_outcome pp_test_copy(struct pp_session *s, const struct pp_test *t)
{
	struct pp_flow flows[2];
	enum pp_outcome outcome;
	unsigned int n = t->both ? 2 : 1;

	for (unsigned int i = 0; i < n; i++)
		pp_flow_make(s, t, i, &flows[i]);
	if (t->both) {
		outcome = pp_gpu_enable(s, &s->gpus[t->target], &s->gpus[t->initiator]);
		if (outcome != PP_OUTCOME_RIGHT)
			return outcome;
	}
	for (unsigned int i = 0; i < n; i++)
		if (pp_flow_prepare(s, &flows[i]))
			return PP_OUTCOME_FAILED;
	for (unsigned int i = 0; i < n; i++)
		if (pp_flow_start(s, &flows[i], (enum pp_engine)t->engine))
			return PP_OUTCOME_FAILED;
	for (unsigned int i = 0; i < n; i++)
		if (pp_gpu_wait(s, flows[i].by))
			return PP_OUTCOME_FAILED;
	for (unsigned int i = 0; i < n; i++) {
		outcome = pp_flow_judge(s, &flows[i], pp_op_of(t));
		if (outcome == PP_OUTCOME_WRONG && i)
			s->result.seen |= PP_SEEN_WAY_BACK;
		if (outcome != PP_OUTCOME_RIGHT)
			return outcome;
	}
	return PP_OUTCOME_RIGHT;
}

/* Did the kernels that judge say the same as the host does? */
static enum pp_outcome compare_on_host(struct pp_session *s, const struct pp_flow *flow)
{
	size_t words = flow->destination.len / 8;

	for (size_t i = 0; i < words; i++) {
		if (s->staging[i] == pp_word(&flow->stamp, i))
			continue;
		snprintf(s->result.why, sizeof(s->result.why),
			 "the host reads another word %zu than the GPU's own check", i);
		return PP_OUTCOME_WRONG;
	}
	return PP_OUTCOME_RIGHT;
}

/**
 * pp_test_control - through the host: is everything right but for P2P?
 *
 * Shows that both GPUs' memories, the kernels that write and compare, and the
 * GPUs' DMA with the host are all right.
 */
enum pp_outcome pp_test_control(struct pp_session *s, const struct pp_test *t)
{
	enum pp_outcome outcome;
	struct pp_flow flow;

	pp_flow_make(s, t, false, &flow);
	if (pp_flow_prepare(s, &flow))
		return PP_OUTCOME_FAILED;
	memset(s->staging, 0, t->bytes);
	if (PP_FAILS(s, cuCtxSetCurrent, flow.from->context) ||
	    PP_FAILS(s, cuMemcpyDtoH_v2, s->staging, flow.source.at, t->bytes) ||
	    PP_FAILS(s, cuCtxSetCurrent, flow.to->context) ||
	    PP_FAILS(s, cuMemcpyHtoD_v2, flow.destination.at, s->staging, t->bytes) ||
	    PP_FAILS(s, cuStreamSynchronize, NULL))
		return PP_OUTCOME_FAILED;
	outcome = pp_flow_judge(s, &flow, pp_op_of(t));
	if (outcome != PP_OUTCOME_RIGHT)
		return outcome;
	memset(s->staging, 0, t->bytes);
	if (PP_FAILS(s, cuMemcpyDtoH_v2, s->staging, flow.destination.at, t->bytes))
		return PP_OUTCOME_FAILED;
	return compare_on_host(s, &flow);
}
