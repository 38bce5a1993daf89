/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_GROUP_H
#define PEERPASS_GROUP_H

#include <linux/pci.h>

#include "peerpass.h"

/* More members than this are refused as companions; real groups have < 10. */
#define PP_GROUP_MAX	64

/**
 * struct pp_group_view - members of an IOMMU group at one moment
 * @nr: entries in @members
 * @foreign: a member is no PCI device, or there are more than PP_GROUP_MAX
 * @members: each with a reference
 */
struct pp_group_view {
	unsigned int nr;
	bool foreign;
	struct pci_dev *members[PP_GROUP_MAX];
};

struct pp_group_view *pp_group_view_get(struct pci_dev *pdev);
void pp_group_view_put(struct pp_group_view *view);

int pp_group_write_type(struct pci_dev *pdev, const char *type);
int pp_sysfs_read(struct device *dev, const char *dir, const char *name,
		  char *buf);
enum peerpass_domain_type pp_domain_type(struct pci_dev *pdev);
const char *pp_domain_type_word(enum peerpass_domain_type type);
int pp_group_id(struct pci_dev *pdev);

#endif /* PEERPASS_GROUP_H */
