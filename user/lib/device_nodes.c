// SPDX-License-Identifier: GPL-2.0-only
/* The device nodes, and what else of the system, that belong to a PCI device. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "device_nodes.h"
#include "sysfs.h"

/* Depth below the device's folder: block/nvme0n1/nvme0n1p1 and some more. */
#define MAX_DEPTH 6
#define NVIDIA_MAJOR 195

static void add_node(struct pp_nodes *nodes, uint32_t major, uint32_t minor, bool block,
		     const char *name)
{
	struct pp_node *node;

	if (nodes->n == PP_NODES_MAX)
		return;
	node = &nodes->v[nodes->n++];
	*node = (struct pp_node){ .major = major, .minor = minor, .block = block };
	snprintf(node->name, sizeof(node->name), "%.63s", name);
}

static void add_use(struct pp_nodes *nodes, const char *before, const char *name,
		    const char *after)
{
	if (nodes->use_count < sizeof(nodes->uses) / sizeof(nodes->uses[0]))
		snprintf(nodes->uses[nodes->use_count++], sizeof(nodes->uses[0]), "%s%.48s%s",
			 before, name, after);
}

/* Mounts of a block device, wherever this process can see them. */
static void add_mounts(struct pp_nodes *nodes, uint32_t major, uint32_t minor)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char line[1024], where[256];
	unsigned int ma, mi;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*u %*u %u:%u %*s %255s", &ma, &mi, where) == 3 &&
		    ma == major && mi == minor)
			add_use(nodes, "mounted on ", where, "");
	}
	if (f)
		fclose(f);
}

static void read_node(struct pp_nodes *nodes, const char *dir)
{
	char path[512], line[32];
	uint32_t major, minor;
	bool block = strstr(dir, "/block/");

	snprintf(path, sizeof(path), "%.500s/dev", dir);
	if (!pp_sysfs_line(path, line, sizeof(line)) ||
	    sscanf(line, "%u:%u", &major, &minor) != 2)
		return;
	add_node(nodes, major, minor, block, pp_sysfs_last_part(dir));
	if (block)
		add_mounts(nodes, major, minor);
}

static void read_interface(struct pp_nodes *nodes, const char *dir)
{
	char path[512], line[32];

	snprintf(path, sizeof(path), "%.500s/flags", dir);
	/* IFF_UP */
	if (pp_sysfs_line(path, line, sizeof(line)) && strtoul(line, NULL, 0) & 1)
		add_use(nodes, "network interface ", pp_sysfs_last_part(dir), " is up");
}

static bool is_directory(const char *path, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return !lstat(path, &st) && S_ISDIR(st.st_mode);
}

/* Links are not followed; other PCI devices below a bridge are not its own. */
static void walk(struct pp_nodes *nodes, const char *dir, unsigned int depth)
{
	const char *last = pp_sysfs_last_part(dir);
	struct dirent *entry;
	DIR *d = opendir(dir);

	while (d && (entry = readdir(d))) {
		char path[512];
		struct pp_bdf bdf;

		if (entry->d_name[0] == '.' || pp_bdf_parse(entry->d_name, &bdf))
			continue;
		snprintf(path, sizeof(path), "%.240s/%.240s", dir, entry->d_name);
		if (!strcmp(entry->d_name, "dev"))
			read_node(nodes, dir);
		else if (!strcmp(last, "holders"))
			add_use(nodes, "disk in use by ", entry->d_name, "");
		else if (depth < MAX_DEPTH && is_directory(path, entry)) {
			if (!strcmp(last, "net"))
				read_interface(nodes, path);
			walk(nodes, path, depth + 1);
		}
	}
	if (d)
		closedir(d);
}

/* By the node if it is there; its numbers are fixed for NVIDIA's. */
static void add_by_path(struct pp_nodes *nodes, const char *path, bool fixed, uint32_t major,
			uint32_t minor)
{
	struct statx st;

	if (!statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE, &st) && S_ISCHR(st.stx_mode))
		add_node(nodes, st.stx_rdev_major, st.stx_rdev_minor, false, path);
	else if (fixed)
		add_node(nodes, major, minor, false, path);
}

static void add_nvidia(struct pp_nodes *nodes, const char *bdf)
{
	char path[96], line[256];
	unsigned int minor;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/driver/nvidia/gpus/%s/information", bdf);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "Device Minor: %u", &minor) != 1)
			continue;
		snprintf(path, sizeof(path), "/dev/nvidia%u", minor);
		add_by_path(nodes, path, true, NVIDIA_MAJOR, minor);
	}
	if (f)
		fclose(f);
}

/**
 * pp_device_nodes - find what belongs to a device
 * @group: number of its IOMMU group for VFIO's node, -1 without
 */
void pp_device_nodes(struct pp_bdf bdf, int group, struct pp_nodes *nodes)
{
	char path[128], text[PP_BDF_LEN];

	memset(nodes, 0, sizeof(*nodes));
	pp_bdf_text(bdf, text);
	snprintf(path, sizeof(path), PP_SYSFS_DEVICES "/%s", text);
	walk(nodes, path, 0);
	add_nvidia(nodes, text);
	if (group >= 0) {
		snprintf(path, sizeof(path), "/dev/vfio/%d", group);
		add_by_path(nodes, path, false, 0, 0);
	}
}

/**
 * pp_node_at - which of the nodes is at this path, or behind this /proc link?
 *
 * By its numbers: in a container it may have any name. Asks no file server.
 */
const struct pp_node *pp_node_at(const struct pp_nodes *nodes, const char *path)
{
	struct statx st;

	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE, &st) ||
	    (!S_ISCHR(st.stx_mode) && !S_ISBLK(st.stx_mode)))
		return NULL;
	for (size_t i = 0; i < nodes->n; i++) {
		const struct pp_node *node = &nodes->v[i];

		if (node->major == st.stx_rdev_major && node->minor == st.stx_rdev_minor &&
		    node->block == !!S_ISBLK(st.stx_mode))
			return node;
	}
	return NULL;
}
