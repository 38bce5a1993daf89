/* SPDX-License-Identifier: GPL-2.0-only */
/* One transfer from one GPU's memory to another's, and whether it arrived. */
#ifndef PEERPASS_PROOF_FLOW_H
#define PEERPASS_PROOF_FLOW_H

#include "gpu.h"
#include "op.h"

/**
 * struct pp_flow - a transfer
 * @from: GPU whose memory is the source, as @to; one of them is @by
 * @by: GPU that carries it out
 * @stamp: what is transferred
 */
struct pp_flow {
	struct pp_gpu *from;
	struct pp_gpu *to;
	struct pp_gpu *by;
	struct pp_pieces source;
	struct pp_pieces destination;
	struct pp_stamp stamp;
};

void pp_flow_make(struct pp_session *s, const struct pp_test *t, bool back,
		  struct pp_flow *flow);
bool pp_flow_prepare(struct pp_session *s, const struct pp_flow *flow);
bool pp_flow_start(struct pp_session *s, const struct pp_flow *flow, enum pp_engine engine);
enum pp_outcome pp_flow_judge(struct pp_session *s, const struct pp_flow *flow,
			      enum pp_op op);

#endif /* PEERPASS_PROOF_FLOW_H */
