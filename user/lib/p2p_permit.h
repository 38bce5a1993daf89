/* SPDX-License-Identifier: GPL-2.0-only */
/* What engines may be allowed to do after a verdict. A pure function. */
#ifndef PEERPASS_P2P_PERMIT_H
#define PEERPASS_P2P_PERMIT_H

#include "claim_holds.h"

/**
 * struct pp_permit - the answer
 * @on: P2P may be used, up to @level
 * @level: the widest distance that is proved
 * @exit_code: 0 when @on; otherwise the verdict's own, PP_EXIT_STALE, or
 *	PP_EXIT_INCONCLUSIVE when less was tested than this takes
 * @why: why it is off, empty when it is on
 */
struct pp_permit {
	bool on;
	enum pp_distance level;
	int exit_code;
	char why[512];
};

void pp_p2p_permit(const struct pp_claim *claim, const struct pp_stale_list *stale,
		   const struct pp_bdf *gpus, size_t count, struct pp_permit *permit);
bool pp_p2p_pair_proved(const struct pp_claim *claim, struct pp_bdf initiator,
			struct pp_bdf target);

#endif /* PEERPASS_P2P_PERMIT_H */
