// SPDX-License-Identifier: GPL-2.0-only
/* Who uses a device: open device nodes and mapped BARs of all processes. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device_nodes.h"
#include "holders.h"
#include "model_wire.h"
#include "sysfs.h"

/* What a search carries around. */
struct search {
	struct pp_bdf bdf;
	struct pp_nodes nodes;
	/* "/0000:01:00.0/resource": in the path of a BAR's file */
	char resource[PP_BDF_LEN + 16];
	struct pp_holder_list *list;
	struct pp_error *err;
	int ret;
};

/* The process's control group, if its name is one that container engines give. */
static void read_container(const char *pid, char *buf, size_t size)
{
	static const char * const marks[] = {
		"docker", "libpod", "kubepods", "containerd", "crio", "lxc", "machine.slice",
	};
	char path[64], line[512];
	FILE *f;

	buf[0] = '\0';
	snprintf(path, sizeof(path), "/proc/%.16s/cgroup", pid);
	f = fopen(path, "re");
	while (f && !buf[0] && fgets(line, sizeof(line), f)) {
		const char *group = strrchr(line, ':');

		line[strcspn(line, "\n")] = '\0';
		for (size_t i = 0; group && i < sizeof(marks) / sizeof(marks[0]); i++) {
			if (strstr(group, marks[i]))
				snprintf(buf, size, "%.*s", (int)size - 1, group + 1);
		}
	}
	if (f)
		fclose(f);
}

static void add(struct search *s, const char *pid, const char *what)
{
	struct pp_holder_list *list = s->list;
	struct pp_holder *v;
	pid_t number = pid ? atoi(pid) : 0;
	char path[64];

	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].pid == number && pp_bdf_equal(list->v[i].bdf, s->bdf) &&
		    !strcmp(list->v[i].what, what))
			return;
	}
	v = pp_grow(list->v, list->n, sizeof(*v), s->err);
	if (!v) {
		s->ret = -1;
		return;
	}
	list->v = v;
	v = &v[list->n++];
	memset(v, 0, sizeof(*v));
	v->bdf = s->bdf;
	v->pid = number;
	snprintf(v->what, sizeof(v->what), "%.127s", what);
	if (!pid)
		return;
	snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	if (!pp_sysfs_line(path, v->command, sizeof(v->command)))
		v->command[0] = '\0';
	read_container(pid, v->container, sizeof(v->container));
}

/* "resource2" out of a path that has our device's folder in it, or NULL. */
static const char *bar_file(const struct search *s, const char *path)
{
	const char *found = strstr(path, s->resource);

	return found ? strrchr(s->resource, '/') - s->resource + found + 1 : NULL;
}

static void look_at_files(struct search *s, const char *pid)
{
	char dir[64], path[128], target[512], what[128];
	struct dirent *entry;
	DIR *d;

	snprintf(dir, sizeof(dir), "/proc/%.16s/fd", pid);
	d = opendir(dir);
	while (d && (entry = readdir(d))) {
		const struct pp_node *node;
		const char *bar;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%.40s/%.16s", dir, entry->d_name);
		/* Sockets, pipes and the like have no path. */
		if (!pp_sysfs_link(path, target, sizeof(target)) || target[0] != '/')
			continue;
		bar = bar_file(s, target);
		node = bar ? NULL : pp_node_at(&s->nodes, path);
		if (bar)
			snprintf(what, sizeof(what), "%.100s, open", bar);
		else if (node)
			snprintf(what, sizeof(what), "%.63s", node->name);
		if (bar || node)
			add(s, pid, what);
	}
	if (d)
		closedir(d);
}

/* A mapping outlives the file descriptor it was made with. */
static void look_at_maps(struct search *s, const char *pid)
{
	char path[640], line[1024], what[128];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.16s/maps", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		const char *file = strchr(line, '/'), *bar;
		const struct pp_node *node = NULL;

		if (!file)
			continue;
		line[strcspn(line, "\n")] = '\0';
		bar = bar_file(s, file);
		if (!bar && !strncmp(file, "/dev/", 5)) {
			snprintf(path, sizeof(path), "/proc/%.16s/root%.600s", pid, file);
			node = pp_node_at(&s->nodes, path);
		}
		if (bar)
			snprintf(what, sizeof(what), "%.100s, mapped", bar);
		else if (node)
			snprintf(what, sizeof(what), "%.63s", node->name);
		if (bar || node)
			add(s, pid, what);
	}
	if (f)
		fclose(f);
}

static bool is_process(const char *name)
{
	return name[0] && strspn(name, "0123456789") == strlen(name);
}

/**
 * pp_holders - add to @list who uses a device
 * @group: number of its IOMMU group, -1 without
 * @list: free @list->v, also after -1
 *
 * Device nodes are compared by their numbers, so that a container's own /dev does
 * not matter. Without root only the caller's own processes are seen, and what is
 * opened after the look is not.
 */
int pp_holders(struct pp_bdf bdf, int group, struct pp_holder_list *list, struct pp_error *err)
{
	struct search s = { .bdf = bdf, .list = list, .err = err };
	char text[PP_BDF_LEN], own[16];
	struct dirent *entry;
	DIR *proc;

	snprintf(s.resource, sizeof(s.resource), "/%s/resource", pp_bdf_text(bdf, text));
	snprintf(own, sizeof(own), "%d", (int)getpid());
	pp_device_nodes(bdf, group, &s.nodes);
	for (size_t i = 0; i < s.nodes.use_count; i++)
		add(&s, NULL, s.nodes.uses[i]);
	proc = opendir("/proc");
	while (proc && (entry = readdir(proc))) {
		if (!is_process(entry->d_name) || !strcmp(entry->d_name, own))
			continue;
		look_at_files(&s, entry->d_name);
		look_at_maps(&s, entry->d_name);
	}
	if (proc)
		closedir(proc);
	return s.ret;
}
