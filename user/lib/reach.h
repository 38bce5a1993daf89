/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a device's IOMMU domain maps at the BARs of another one, before anything is
 * written there.
 */
#ifndef PEERPASS_REACH_H
#define PEERPASS_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bdf.h"
#include "error.h"
#include "netlink.h"

#define PP_REACH_BARS 6

/**
 * struct pp_reach_bar - what is mapped at a memory BAR, in bytes
 * @there: the target has this BAR
 * @none: nothing
 * @self: the BAR itself
 * @foreign: something else, host memory most likely
 * @unknown: it cannot be told
 */
struct pp_reach_bar {
	bool there;
	uint64_t none;
	uint64_t self;
	uint64_t foreign;
	uint64_t unknown;
};

/**
 * struct pp_reach - what one device, the initiator, reaches at another, the target
 * @answered: the module said something
 * @domain_type: of the initiator, enum peerpass_domain_type
 * @dma_ops: the initiator has dma_ops of its own (kernels up to 6.11)
 * @bars: by number
 */
struct pp_reach {
	struct pp_bdf initiator;
	struct pp_bdf target;
	bool answered;
	uint32_t domain_type;
	bool dma_ops;
	struct pp_reach_bar bars[PP_REACH_BARS];
};

/* What all BARs together come to. */
enum pp_reach_sum {
	/* Nothing is mapped at any of them, or there is none. */
	PP_REACH_NOTHING,
	/* All of them, from end to end, are mapped to themselves. */
	PP_REACH_ITSELF,
	/* A part is mapped to itself, at the rest there is nothing. */
	PP_REACH_PARTLY,
	/* Something else is mapped at one of them at least. */
	PP_REACH_FOREIGN,
	/* It cannot be told of all. */
	PP_REACH_UNKNOWN,
};

int pp_reach_get(struct pp_nl *nl, struct pp_bdf initiator, struct pp_bdf target,
		 struct pp_reach *reach, struct pp_error *err);
enum pp_reach_sum pp_reach_sum(const struct pp_reach *reach);

void pp_reach_init(struct pp_reach *reach, struct pp_bdf initiator, struct pp_bdf target);
int pp_reach_message(const void *attrs, size_t len, struct pp_reach *reach,
		     struct pp_error *err);

#endif /* PEERPASS_REACH_H */
