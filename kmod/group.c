// SPDX-License-Identifier: GPL-2.0-only
/*
 * IOMMU groups: their members, and the type of their default domain.
 *
 * The only interface that changes a default domain is the group's sysfs
 * attribute "type" (drivers/iommu/iommu.c:iommu_group_store_type(), static). It
 * is reached through kernfs instead of through a file system, so that it works
 * from an initramfs without /sys and before any process could.
 */
#include <linux/iommu.h>
#include <linux/kernfs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "compat.h"
#include "group.h"
#include "sysfs_attr.h"

/**
 * pp_group_of - take hold of a device's group
 * @pdev: a device that cannot go meanwhile: from its own bus notifier, or under
 *	pci_lock_rescan_remove()
 *
 * Return: to be given back with pp_group_put(); NULL without a group, or without
 * memory although there is one.
 */
struct pp_group *pp_group_of(struct pci_dev *pdev)
{
	struct kernfs_node *link;
	struct pp_group *group;

	/* "iommu_group" in a device's directory links to the group's. */
	link = sysfs_get_dirent(pdev->dev.kobj.sd, "iommu_group");
	if (!link)
		return NULL;
	group = kzalloc(sizeof(*group), GFP_KERNEL);
	if (group)
		group->group = iommu_group_get(&pdev->dev);
	if (group && group->group) {
		kref_init(&group->ref);
		group->dir = link->symlink.target_kn;
		kernfs_get(group->dir);
	} else {
		kfree(group);
		group = NULL;
	}
	kernfs_put(link);
	return group;
}

struct pp_group *pp_group_get(struct pp_group *group)
{
	if (group)
		kref_get(&group->ref);
	return group;
}

static void group_release(struct kref *ref)
{
	struct pp_group *group = container_of(ref, struct pp_group, ref);

	kernfs_put(group->dir);
	iommu_group_put(group->group);
	kfree(group);
}

void pp_group_put(struct pp_group *group)
{
	if (group)
		kref_put(&group->ref, group_release);
}

/* pp_group_id - number of a group */
int pp_group_id(const struct pp_group *group)
{
	return iommu_group_id(group->group);
}

/**
 * pp_group_write_type - set the type of a group's default domain
 * @group: the group
 * @type: "identity", "DMA" or "DMA-FQ"
 *
 * The kernel checks the capabilities of the current task, so this runs on a
 * kernel thread. May sleep; takes the group's mutex and, up to 6.3,
 * device_lock() of the group's only device, so no lock of ours may be held.
 *
 * Return: 0 when the kernel says it did it, which is no proof (6.1 reports
 * success while falling back); the kernel's error.
 */
int pp_group_write_type(struct pp_group *group, const char *type)
{
	return pp_sysfs_store(group->dir, "type", type);
}

/**
 * pp_group_read_type - type of a group's default domain
 * @group: the group
 * @type: filled in
 *
 * That is what the group returns to when VFIO lets go of it, whatever domain is
 * attached now.
 *
 * Return: 0, or -EINVAL for a word that is not known; other errors.
 */
int pp_group_read_type(struct pp_group *group, enum peerpass_domain_type *type)
{
	char *page = (char *)get_zeroed_page(GFP_KERNEL);
	unsigned int i;
	int ret;

	if (!page)
		return -ENOMEM;
	ret = pp_sysfs_show(group->dir, "type", page);
	if (ret >= 0) {
		ret = -EINVAL;
		for (i = 0; i <= PEERPASS_DOMAIN_TYPE_MAX; i++) {
			const char *word = pp_domain_type_word(i);

			if (word && !strcmp(page, word)) {
				*type = i;
				ret = 0;
			}
		}
	}
	free_page((unsigned long)page);
	return ret;
}

/* Context: the group's mutex is held, which keeps the domain. */
static enum peerpass_domain_type domain_type(struct device *dev)
{
	struct iommu_domain *domain = pp_domain_of_member(dev);

	if (!domain)
		return PEERPASS_DOMAIN_TYPE_NONE;
	switch (domain->type) {
	case IOMMU_DOMAIN_DMA:
		return PEERPASS_DOMAIN_TYPE_DMA;
	case IOMMU_DOMAIN_DMA_FQ:
		return PEERPASS_DOMAIN_TYPE_DMA_FQ;
	case IOMMU_DOMAIN_IDENTITY:
		return PEERPASS_DOMAIN_TYPE_IDENTITY;
	case IOMMU_DOMAIN_UNMANAGED:
		return PEERPASS_DOMAIN_TYPE_UNMANAGED;
	case IOMMU_DOMAIN_BLOCKED:
		return PEERPASS_DOMAIN_TYPE_BLOCKED;
	default:
		return PEERPASS_DOMAIN_TYPE_OTHER;
	}
}

/* pp_domain_type_word - what the type attribute calls it, or NULL */
const char *pp_domain_type_word(enum peerpass_domain_type type)
{
	switch (type) {
	case PEERPASS_DOMAIN_TYPE_DMA:
		return "DMA";
	case PEERPASS_DOMAIN_TYPE_DMA_FQ:
		return "DMA-FQ";
	case PEERPASS_DOMAIN_TYPE_IDENTITY:
		return "identity";
	default:
		return NULL;
	}
}

struct member_query {
	struct device *dev;
	enum peerpass_domain_type type;
};

static int ask_member(struct device *dev, void *data)
{
	struct member_query *query = data;

	if (dev == query->dev)
		query->type = domain_type(dev);
	return 0;
}

/**
 * pp_group_member_type - type of the domain a member is attached to now
 * @group: may be NULL
 * @pdev: the member
 *
 * Asked of the domain itself, each time: the attribute names the default
 * domain, which need not be the one in use, and a remembered domain may be gone.
 * May sleep; takes the group's mutex.
 */
enum peerpass_domain_type pp_group_member_type(struct pp_group *group,
					       struct pci_dev *pdev)
{
	struct member_query query = {
		.dev = &pdev->dev,
		.type = PEERPASS_DOMAIN_TYPE_NONE,
	};

	if (group)
		iommu_group_for_each_dev(group->group, &query, ask_member);
	return query.type;
}

struct domain_query {
	struct device *dev;
	struct iommu_domain *domain;
};

static int ask_domain(struct device *dev, void *data)
{
	struct domain_query *query = data;
	enum peerpass_domain_type type = domain_type(dev);

	if (dev == query->dev && (type == PEERPASS_DOMAIN_TYPE_DMA ||
				  type == PEERPASS_DOMAIN_TYPE_DMA_FQ))
		query->domain = pp_domain_of_member(dev);
	return 0;
}

/**
 * pp_group_dma_domain - the translating default domain a member is attached to
 * @group: may be NULL
 * @pdev: the member
 *
 * May sleep; takes the group's mutex. The domain stays for as long as a driver is
 * bound that leaves the domain to the kernel: between BIND_DRIVER and
 * UNBIND_DRIVER or DRIVER_NOT_BOUND (the bus's dma_configure() and dma_cleanup()
 * lie outside of these). The caller makes sure of that.
 *
 * Return: NULL when it is attached to another domain.
 */
struct iommu_domain *pp_group_dma_domain(struct pp_group *group,
					 struct pci_dev *pdev)
{
	struct domain_query query = { .dev = &pdev->dev };

	if (group)
		iommu_group_for_each_dev(group->group, &query, ask_domain);
	return query.domain;
}

static int collect_member(struct device *dev, void *data)
{
	struct pp_group_view *view = data;

	if (!dev_is_pci(dev) || view->nr == PP_GROUP_MAX) {
		view->foreign = true;
		return 0;
	}
	view->types[view->nr] = domain_type(dev);
	view->members[view->nr++] = pci_dev_get(to_pci_dev(dev));
	return 0;
}

/**
 * pp_group_view_get - members of a group
 * @group: the group
 *
 * May sleep; takes the group's mutex.
 *
 * Return: to be given back with pp_group_view_put(); NULL without memory.
 */
struct pp_group_view *pp_group_view_get(struct pp_group *group)
{
	struct pp_group_view *view = kzalloc(sizeof(*view), GFP_KERNEL);

	if (view)
		iommu_group_for_each_dev(group->group, view, collect_member);
	return view;
}

void pp_group_view_put(struct pp_group_view *view)
{
	while (view->nr)
		pci_dev_put(view->members[--view->nr]);
	kfree(view);
}

/* pp_group_view_all - are all members attached to a domain of this type? */
bool pp_group_view_all(const struct pp_group_view *view,
		       enum peerpass_domain_type type)
{
	unsigned int i;

	for (i = 0; i < view->nr; i++)
		if (view->types[i] != type)
			return false;
	return true;
}
