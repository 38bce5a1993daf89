// SPDX-License-Identifier: GPL-2.0-only
/*
 * IOMMU groups: their members, and the type of their default domain.
 *
 * The only interface that changes a default domain is the group's sysfs
 * attribute "type" (drivers/iommu/iommu.c:iommu_group_store_type(), static). Its
 * store method is reached through kernfs instead of through a file system, so
 * that it works from an initramfs without /sys and before any process could.
 */
#include <linux/iommu.h>
#include <linux/kernfs.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "group.h"

/* Runs under the group's mutex: collect only. */
static int collect_member(struct device *dev, void *data)
{
	struct pp_group_view *view = data;

	if (!dev_is_pci(dev) || view->nr == PP_GROUP_MAX)
		view->foreign = true;
	else
		view->members[view->nr++] = pci_dev_get(to_pci_dev(dev));
	return 0;
}

/**
 * pp_group_view_get - members of a device's group
 * @pdev: the device
 *
 * May sleep; takes the group's mutex. Give back with pp_group_view_put().
 *
 * Return: the view, or an ERR_PTR(): -ENODEV without a group, -ENOMEM.
 */
struct pp_group_view *pp_group_view_get(struct pci_dev *pdev)
{
	struct iommu_group *group = iommu_group_get(&pdev->dev);
	struct pp_group_view *view;

	if (!group)
		return ERR_PTR(-ENODEV);
	view = kzalloc(sizeof(*view), GFP_KERNEL);
	if (view)
		iommu_group_for_each_dev(group, view, collect_member);
	iommu_group_put(group);
	return view ?: ERR_PTR(-ENOMEM);
}

void pp_group_view_put(struct pp_group_view *view)
{
	while (view->nr)
		pci_dev_put(view->members[--view->nr]);
	kfree(view);
}

/* "iommu_group" in a device's directory links to the group's directory. */
static struct kernfs_node *group_attribute(struct device *dev, const char *name,
					   struct kobject **kobj)
{
	struct kernfs_node *link, *attr;

	link = sysfs_get_dirent(dev->kobj.sd, "iommu_group");
	if (!link)
		return NULL;
	*kobj = link->symlink.target_kn->priv;
	attr = kernfs_find_and_get(link->symlink.target_kn, name);
	kernfs_put(link);
	return attr;
}

/**
 * pp_group_write_type - set the default domain's type of a device's group
 * @pdev: the device
 * @type: "identity", "DMA" or "DMA-FQ"
 *
 * The caller holds a reference on @pdev and none of our locks; the kernel checks
 * the capabilities of the current task, so this runs on a kernel thread. May
 * sleep, takes the group's mutex and, up to 6.3, device_lock().
 *
 * Return: 0 when the kernel says it did it, which is no proof (6.1 reports
 * success while falling back); -ENODEV without a group; the kernel's error.
 */
int pp_group_write_type(struct pci_dev *pdev, const char *type)
{
	/* Bypasses kernfs' own active reference: hold the group instead. */
	struct iommu_group *group = iommu_group_get(&pdev->dev);
	struct kernfs_node *attr;
	struct kobject *kobj;
	ssize_t ret = -ENODEV;

	if (!group)
		return -ENODEV;
	attr = group_attribute(&pdev->dev, "type", &kobj);
	if (attr) {
		ret = kobj->ktype->sysfs_ops->store(kobj, attr->priv, type,
						    strlen(type));
		kernfs_put(attr);
	}
	iommu_group_put(group);
	return ret < 0 ? ret : 0;
}

/**
 * pp_sysfs_read - read a device's own attribute without a file system
 * @dev: the device
 * @dir: directory below the device's, or NULL
 * @name: the attribute
 * @buf: a whole page, as show methods require
 *
 * A trailing newline is removed. May sleep.
 *
 * Return: length, or a negative error.
 */
int pp_sysfs_read(struct device *dev, const char *dir, const char *name,
		  char *buf)
{
	struct kernfs_node *sub = NULL, *attr;
	struct kobject *kobj = &dev->kobj;
	ssize_t ret = -ENOENT;

	if (dir) {
		sub = sysfs_get_dirent(kobj->sd, dir);
		if (!sub)
			return -ENOENT;
	}
	attr = kernfs_find_and_get(sub ?: kobj->sd, name);
	kernfs_put(sub);
	if (!attr)
		return -ENOENT;
	ret = kobj->ktype->sysfs_ops->show(kobj, attr->priv, buf);
	kernfs_put(attr);
	if (ret < 0)
		return ret;
	if (ret && buf[ret - 1] == '\n')
		ret--;
	buf[ret] = '\0';
	return ret;
}

/**
 * pp_domain_type - type of the domain a device is attached to now
 * @pdev: the device
 *
 * Asked of the domain itself, each time: the attribute names the default
 * domain, which need not be the one in use, and a remembered domain may be gone.
 */
enum peerpass_domain_type pp_domain_type(struct pci_dev *pdev)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(&pdev->dev);

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

/* pp_group_id - number of a device's group, or -ENODEV */
int pp_group_id(struct pci_dev *pdev)
{
	struct iommu_group *group = iommu_group_get(&pdev->dev);
	int id;

	if (!group)
		return -ENODEV;
	id = iommu_group_id(group);
	iommu_group_put(group);
	return id;
}
