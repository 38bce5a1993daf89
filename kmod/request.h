/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_REQUEST_H
#define PEERPASS_REQUEST_H

#include <linux/pci.h>

#include "group.h"
#include "result.h"

int pp_request_do(struct pci_dev *pdev, struct pp_group *group,
		  const struct pp_order *order, struct pp_result *result);

#endif /* PEERPASS_REQUEST_H */
