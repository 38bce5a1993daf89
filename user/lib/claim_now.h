/* SPDX-License-Identifier: GPL-2.0-only */
/* The present, as far as a verdict is compared with it. */
#ifndef PEERPASS_CLAIM_NOW_H
#define PEERPASS_CLAIM_NOW_H

#include "claim_holds.h"

int pp_claim_now(const struct pp_claim *claim, struct pp_inventory *inv, struct pp_now *now,
		 struct pp_error *err);

#endif /* PEERPASS_CLAIM_NOW_H */
