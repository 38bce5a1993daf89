/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_SYSFS_ATTR_H
#define PEERPASS_SYSFS_ATTR_H

struct kernfs_node;

int pp_sysfs_show(struct kernfs_node *dir, const char *name, char *page);
int pp_sysfs_store(struct kernfs_node *dir, const char *name, const char *val);

#endif /* PEERPASS_SYSFS_ATTR_H */
