/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_IDENTITY_H
#define PEERPASS_IDENTITY_H

#include <linux/pci.h>

int pp_identity_init(void);
void pp_identity_apply_all(void);
void pp_identity_device_added(struct pci_dev *pdev);
void pp_identity_reconsider(void);
void pp_identity_restore_all(void);
void pp_identity_exit(void);

#endif /* PEERPASS_IDENTITY_H */
