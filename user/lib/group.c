// SPDX-License-Identifier: GPL-2.0-only
/* An IOMMU group's devices and their drivers, as sysfs shows them now. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "sysfs.h"

/** pp_driver_of - the driver bound to a device; false, and "", without one */
bool pp_driver_of(struct pp_bdf bdf, char *buf, size_t size)
{
	char path[128], target[512], text[PP_BDF_LEN];

	buf[0] = '\0';
	snprintf(path, sizeof(path), PP_SYSFS_DEVICES "/%s/driver", pp_bdf_text(bdf, text));
	if (!pp_sysfs_link(path, target, sizeof(target)))
		return false;
	snprintf(buf, size, "%.*s", (int)size - 1, pp_sysfs_last_part(target));
	return true;
}

/* Class 0604: pcieport does no DMA, and the kernel lets it share its group. */
static bool is_bridge(struct pp_bdf bdf)
{
	char path[128], line[32], text[PP_BDF_LEN];

	snprintf(path, sizeof(path), PP_SYSFS_DEVICES "/%s/class", pp_bdf_text(bdf, text));
	return pp_sysfs_line(path, line, sizeof(line)) && strtoul(line, NULL, 0) >> 8 == 0x0604;
}

static void add(struct pp_group *group, struct pp_bdf bdf)
{
	struct pp_member *member;

	if (group->n == PP_GROUP_MAX)
		return;
	member = &group->members[group->n++];
	member->bdf = bdf;
	member->bridge = is_bridge(bdf);
	pp_driver_of(bdf, member->driver, sizeof(member->driver));
}

static int compare(const void *a, const void *b)
{
	return pp_bdf_compare(((const struct pp_member *)a)->bdf,
			      ((const struct pp_member *)b)->bdf);
}

/** pp_group_load - all devices of the group of @bdf, ordered, itself among them */
void pp_group_load(struct pp_bdf bdf, struct pp_group *group)
{
	char path[128], target[512], text[PP_BDF_LEN];
	struct dirent *entry;
	DIR *dir = NULL;

	memset(group, 0, sizeof(*group));
	group->number = -1;
	snprintf(path, sizeof(path), PP_SYSFS_DEVICES "/%s/iommu_group", pp_bdf_text(bdf, text));
	if (pp_sysfs_link(path, target, sizeof(target))) {
		group->number = atoi(pp_sysfs_last_part(target));
		snprintf(path, sizeof(path), "/sys/kernel/iommu_groups/%d/devices", group->number);
		dir = opendir(path);
	}
	while (dir && (entry = readdir(dir))) {
		struct pp_bdf member;

		if (pp_bdf_parse(entry->d_name, &member))
			add(group, member);
	}
	if (dir)
		closedir(dir);
	if (!group->n)
		add(group, bdf);
	qsort(group->members, group->n, sizeof(group->members[0]), compare);
}
