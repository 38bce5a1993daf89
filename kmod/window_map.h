/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_WINDOW_MAP_H
#define PEERPASS_WINDOW_MAP_H

#include "peerpass.h"

struct iommu_domain;

enum peerpass_window_state pp_window_check(struct iommu_domain *domain,
					   phys_addr_t start, size_t size);
bool pp_window_is_identity(struct iommu_domain *domain, phys_addr_t start,
			   size_t size);
enum peerpass_window_state pp_window_map(struct iommu_domain *domain,
					 phys_addr_t start, size_t size);
void pp_window_unmap(struct iommu_domain *domain, phys_addr_t start,
		     size_t size);

#endif /* PEERPASS_WINDOW_MAP_H */
