// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes of sysfs, used without a file system.
 *
 * This bypasses kernfs' own active references: whoever calls holds the object
 * that the directory belongs to. An attribute of a directory that was removed is
 * not found.
 */
#include <linux/kernfs.h>
#include <linux/kobject.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "sysfs_attr.h"

/*
 * Files of a named attribute group lie in a directory of their own, which stands
 * for the same object.
 */
static const struct sysfs_ops *operations(struct kernfs_node *dir,
					  struct kobject **kobj)
{
	*kobj = dir->priv;
	return (*kobj)->ktype->sysfs_ops;
}

/**
 * pp_sysfs_show - read an attribute
 * @dir: directory of the attribute
 * @name: its name
 * @page: a whole page, as show methods require; ends without newline
 *
 * May sleep, and takes what locks the attribute takes.
 *
 * Return: length, or a negative error; -ENOENT when there is none.
 */
int pp_sysfs_show(struct kernfs_node *dir, const char *name, char *page)
{
	struct kernfs_node *attr = kernfs_find_and_get(dir, name);
	struct kobject *kobj;
	ssize_t len;

	if (!attr)
		return -ENOENT;
	len = operations(dir, &kobj)->show(kobj, attr->priv, page);
	kernfs_put(attr);
	if (len < 0)
		return len;
	if (len && page[len - 1] == '\n')
		len--;
	page[len] = '\0';
	return len;
}

/**
 * pp_sysfs_store - write an attribute
 * @dir: directory of the attribute
 * @name: its name
 * @val: what to write
 *
 * May sleep, and takes what locks the attribute takes.
 *
 * Return: 0, or a negative error; -ENOENT when there is none.
 */
int pp_sysfs_store(struct kernfs_node *dir, const char *name, const char *val)
{
	struct kernfs_node *attr = kernfs_find_and_get(dir, name);
	struct kobject *kobj;
	ssize_t ret;

	if (!attr)
		return -ENOENT;
	ret = operations(dir, &kobj)->store(kobj, attr->priv, val, strlen(val));
	kernfs_put(attr);
	return ret < 0 ? ret : 0;
}
