/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_APPLY_H
#define PEERPASS_APPLY_H

#include <linux/pci.h>

#include "device.h"
#include "group.h"

void pp_apply(struct pci_dev *pdev, struct pp_group *group, bool last);
void pp_apply_newcomer(struct pci_dev *pdev, struct pp_group *group);
bool pp_apply_restore(struct pci_dev *pdev, struct pp_group *group,
		      enum peerpass_domain_type original);

#endif /* PEERPASS_APPLY_H */
