/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_REACH_H
#define PEERPASS_REACH_H

#include "device.h"

/* How it is found out what a domain maps at the target's BARs. */
enum pp_reach_way {
	/* The same for all of them, without a look. */
	PP_REACH_NONE,
	PP_REACH_SELF,
	PP_REACH_UNKNOWN,
	/* Page by page. */
	PP_REACH_SCAN,
	/* A window, or it cannot be told. */
	PP_REACH_WINDOW,
};

/**
 * struct pp_reach - a look at what one device reaches at another
 * @initiator: the device whose domain is asked
 * @target: the device whose BARs are looked for
 * @type: of the initiator's domain
 * @dma_ops: the initiator has dma_ops of its own
 * @way: how the domain is asked
 * @domain: the one to ask, with PP_REACH_SCAN and PP_REACH_WINDOW
 */
struct pp_reach {
	const struct pp_device *initiator;
	const struct pp_device *target;
	enum peerpass_domain_type type;
	bool dma_ops;
	enum pp_reach_way way;
	struct iommu_domain *domain;
};

/**
 * struct pp_reach_bytes - what is mapped at a piece of a BAR, in bytes
 * @none: nothing
 * @self: the BAR itself
 * @foreign: something else
 * @unknown: it cannot be told
 */
struct pp_reach_bytes {
	u64 none;
	u64 self;
	u64 foreign;
	u64 unknown;
};

int pp_reach_begin(struct pp_reach *reach, const struct pp_device *initiator,
		   const struct pp_device *target);
u64 pp_reach_look(const struct pp_reach *reach, unsigned int bar, u64 offset,
		  unsigned int *pages, struct pp_reach_bytes *bytes);

#endif /* PEERPASS_REACH_H */
