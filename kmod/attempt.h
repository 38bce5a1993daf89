/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_ATTEMPT_H
#define PEERPASS_ATTEMPT_H

#include <linux/pci.h>

#include "evidence.h"
#include "group.h"
#include "result.h"

bool pp_attempt_decide(struct pci_dev *pdev, const struct pp_order *order,
		       struct pp_group *group, struct pp_group_view *view,
		       struct pp_findings *found, struct pp_result *result);
void pp_attempt_identity(struct pci_dev *pdev, struct pp_group *group,
			 struct pp_group_view *view,
			 const struct pp_order *order,
			 struct pp_findings *found, struct pp_result *result);

#endif /* PEERPASS_ATTEMPT_H */
