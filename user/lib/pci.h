/* SPDX-License-Identifier: GPL-2.0-only */
/* PCI functions as sysfs and the PCI id database describe them. */
#ifndef PEERPASS_PCI_H
#define PEERPASS_PCI_H

#include "model.h"

int pp_pci_scan(struct pp_device_list *list, struct pp_error *err);
void pp_pci_names(struct pp_device_list *list);
void pp_pci_short_name(const struct pp_device *dev, char *buf, size_t size);
bool pp_pci_is_accelerator(const struct pp_device *dev);

#endif /* PEERPASS_PCI_H */
