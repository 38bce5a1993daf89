/* SPDX-License-Identifier: GPL-2.0-only */
/* Which GPUs CUDA will show an engine, and in which order, without asking CUDA. */
#ifndef PEERPASS_VISIBLE_H
#define PEERPASS_VISIBLE_H

#include "claim.h"
#include "inventory.h"

/**
 * struct pp_visible - GPUs by their local index
 * @name: what the engines call the set: the value of CUDA_VISIBLE_DEVICES as it
 *	is, or "0,1,...,n-1"
 * @ordered: CUDA_DEVICE_ORDER is PCI_BUS_ID; otherwise CUDA orders by speed, and
 *	which index is which GPU is not known without it
 */
struct pp_visible {
	struct pp_bdf gpus[PP_CLAIM_DEVICES];
	size_t n;
	char name[256];
	bool ordered;
};

void pp_cuda_gpus(const struct pp_inventory *inv, const struct pp_claim *claim,
		  struct pp_bdf gpus[PP_CLAIM_DEVICES], size_t *count);
int pp_visible_parse(const char *text, const struct pp_bdf *gpus, size_t count,
		     struct pp_visible *visible, struct pp_error *err);

#endif /* PEERPASS_VISIBLE_H */
