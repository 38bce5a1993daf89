/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_GROUP_H
#define PEERPASS_GROUP_H

#include <linux/kref.h>
#include <linux/pci.h>

#include "peerpass.h"

/* More members than this are refused as companions; real groups have < 10. */
#define PP_GROUP_MAX	64

struct iommu_domain;
struct iommu_group;
struct kernfs_node;

/**
 * struct pp_group - a hold on an IOMMU group
 *
 * Taken while the device is known to be there; from then on the group and its
 * sysfs directory can be used without the device, which may go at any time.
 *
 * @ref: holders
 * @group: with a reference
 * @dir: the group's directory in sysfs, with a reference
 */
struct pp_group {
	struct kref ref;
	struct iommu_group *group;
	struct kernfs_node *dir;
};

/**
 * struct pp_group_view - members of an IOMMU group at one moment
 * @nr: entries in @members
 * @foreign: a member is no PCI device, or there are more than PP_GROUP_MAX
 * @members: each with a reference
 * @types: type of the domain each was attached to
 */
struct pp_group_view {
	unsigned int nr;
	bool foreign;
	struct pci_dev *members[PP_GROUP_MAX];
	enum peerpass_domain_type types[PP_GROUP_MAX];
};

struct pp_group *pp_group_of(struct pci_dev *pdev);
struct pp_group *pp_group_get(struct pp_group *group);
void pp_group_put(struct pp_group *group);

int pp_group_id(const struct pp_group *group);
int pp_group_write_type(struct pp_group *group, const char *type);
int pp_group_read_type(struct pp_group *group,
		       enum peerpass_domain_type *type);
enum peerpass_domain_type pp_group_member_type(struct pp_group *group,
					       struct pci_dev *pdev);

struct iommu_domain *pp_group_dma_domain(struct pp_group *group,
					 struct pci_dev *pdev);

struct pp_group_view *pp_group_view_get(struct pp_group *group);
void pp_group_view_put(struct pp_group_view *view);
bool pp_group_view_all(const struct pp_group_view *view,
		       enum peerpass_domain_type type);

const char *pp_domain_type_word(enum peerpass_domain_type type);

#endif /* PEERPASS_GROUP_H */
