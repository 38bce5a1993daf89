/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_SCRATCH_MAP_H
#define PEERPASS_SCRATCH_MAP_H

#include <linux/types.h>

struct iommu_domain;
struct page;

struct page *pp_scratch_map(struct iommu_domain *domain, phys_addr_t start,
			    size_t size, unsigned int *order);

#endif /* PEERPASS_SCRATCH_MAP_H */
