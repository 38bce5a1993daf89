/* SPDX-License-Identifier: GPL-2.0-only */
/* An IOMMU group's devices and their drivers, as sysfs shows them now. */
#ifndef PEERPASS_GROUP_H
#define PEERPASS_GROUP_H

#include <stdbool.h>
#include <stddef.h>

#include "bdf.h"

#define PP_GROUP_MAX 64

/**
 * struct pp_member - a device of a group
 * @driver: empty when none is bound
 * @bridge: its driver, if any, does not use the group's domain
 */
struct pp_member {
	struct pp_bdf bdf;
	char driver[64];
	bool bridge;
};

/**
 * struct pp_group - a group
 * @number: of the group; -1 when the device has none and is listed alone
 */
struct pp_group {
	int number;
	struct pp_member members[PP_GROUP_MAX];
	size_t n;
};

void pp_group_load(struct pp_bdf bdf, struct pp_group *group);
bool pp_driver_of(struct pp_bdf bdf, char *buf, size_t size);

#endif /* PEERPASS_GROUP_H */
