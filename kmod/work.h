/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_WORK_H
#define PEERPASS_WORK_H

#include <linux/pci.h>

#include "result.h"

int pp_work_init(void);
void pp_work_apply_all(void);
void pp_work_device_added(struct pci_dev *pdev);
void pp_work_reconsider(void);
int pp_work_request(struct pci_dev *pdev, const struct pp_order *order,
		    struct pp_result *result);
void pp_work_restore_all(void);
void pp_work_exit(void);

#endif /* PEERPASS_WORK_H */
