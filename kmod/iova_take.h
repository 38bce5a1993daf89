/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_IOVA_TAKE_H
#define PEERPASS_IOVA_TAKE_H

#include <linux/list.h>

struct device;
struct iommu_domain;

void pp_iova_take(struct device *dev, struct iommu_domain *domain,
		  struct list_head *ranges);
void pp_iova_give_back(struct device *dev, struct iommu_domain *domain,
		       phys_addr_t start, size_t size);

#endif /* PEERPASS_IOVA_TAKE_H */
