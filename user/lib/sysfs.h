/* SPDX-License-Identifier: GPL-2.0-only */
/* Small files and links of the kernel's. */
#ifndef PEERPASS_SYSFS_H
#define PEERPASS_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

#define PP_SYSFS_DEVICES "/sys/bus/pci/devices"
#define PP_SYSFS_DRIVERS "/sys/bus/pci/drivers"

bool pp_sysfs_line(const char *path, char *buf, size_t size);
bool pp_sysfs_link(const char *path, char *buf, size_t size);
const char *pp_sysfs_last_part(const char *path);

#endif /* PEERPASS_SYSFS_H */
