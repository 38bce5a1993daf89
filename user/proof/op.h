/* SPDX-License-Identifier: GPL-2.0-only */
/* What is tested, as it is told: operations, each of one or many tests. */
#ifndef PEERPASS_PROOF_OP_H
#define PEERPASS_PROOF_OP_H

#include "test.h"

enum pp_op {
	PP_OP_CONTROL,
	PP_OP_CE_WRITE,
	PP_OP_CE_READ,
	PP_OP_SM_WRITE,
	PP_OP_SM_READ,
	PP_OP_ORDER_WRITE,
	PP_OP_ORDER_READ,
	PP_OP_CE_BOTH,
	PP_OP_SM_BOTH,
	PP_OP_ONE_SHOT,
	PP_OP_TWO_SHOT,
	PP_OP_RING,
	/* Nothing is compared. */
	PP_OP_CE_SPEED,
	PP_OP_SM_SPEED,
	PP_OP_LATENCY,
	PP_OPS,
};

/* Bits of a set of operations. */
#define PP_OP_BIT(op) (1u << (op))
/* Those that compare data that went straight from one to the other. */
#define PP_OPS_DATA (PP_OP_BIT(PP_OP_ONE_SHOT) - PP_OP_BIT(PP_OP_CE_WRITE))
#define PP_OPS_WRITE (PP_OP_BIT(PP_OP_CE_WRITE) | PP_OP_BIT(PP_OP_SM_WRITE) | \
		      PP_OP_BIT(PP_OP_ORDER_WRITE))
#define PP_OPS_READ (PP_OP_BIT(PP_OP_CE_READ) | PP_OP_BIT(PP_OP_SM_READ) | \
		     PP_OP_BIT(PP_OP_ORDER_READ))
#define PP_OPS_BOTH (PP_OP_BIT(PP_OP_CE_BOTH) | PP_OP_BIT(PP_OP_SM_BOTH))
#define PP_OPS_ORDER (PP_OP_BIT(PP_OP_ORDER_WRITE) | PP_OP_BIT(PP_OP_ORDER_READ))
#define PP_OPS_SPEED (PP_OP_BIT(PP_OP_CE_SPEED) | PP_OP_BIT(PP_OP_SM_SPEED) | \
		      PP_OP_BIT(PP_OP_LATENCY))
/* All of an ordered pair. */
#define PP_OPS_PAIR (PP_OPS_DATA | PP_OPS_SPEED)
#define PP_OPS_COLLECTIVE (PP_OP_BIT(PP_OP_ONE_SHOT) | PP_OP_BIT(PP_OP_TWO_SHOT) | \
			   PP_OP_BIT(PP_OP_RING))

enum pp_op pp_op_of(const struct pp_test *test);
const char *pp_op_name(enum pp_op op);
const char *pp_op_text(enum pp_op op);

#endif /* PEERPASS_PROOF_OP_H */
