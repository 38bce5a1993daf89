/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_SET_H
#define PEERPASS_SET_H

#include <linux/pci.h>

#include "result.h"

void pp_set_check(struct pci_dev *pdev, const struct pp_order *order,
		  struct pp_result *result);
bool pp_set_held_by_other(struct pp_group_view *view,
			  const struct pp_order *set);
void pp_set_undo(struct pci_dev *pdev, const struct pp_order *order);

#endif /* PEERPASS_SET_H */
