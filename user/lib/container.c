// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is this a container, and of which kind? Only what a container's manager left
 * behind counts as evidence; without any, nothing is said.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "container.h"
#include "sysfs.h"

/* A word of a manager's, as it may stand in JSON and on a terminal. */
static bool take_word(const char *text, size_t len, char buf[PP_CONTAINER_LEN])
{
	size_t n = 0;

	while (n < len && text[n] > ' ' && text[n] < 0x7f && n < PP_CONTAINER_LEN - 1) {
		buf[n] = text[n];
		n++;
	}
	buf[n] = '\0';
	return n;
}

/**
 * pp_container_from_environ - what "container=" says in an environment
 * @env: strings with a NUL after each, as /proc/1/environ has them; any bytes
 *
 * systemd's container interface asks managers to set it for the first process.
 */
bool pp_container_from_environ(const char *env, size_t len, char buf[PP_CONTAINER_LEN])
{
	static const char key[] = "container=";

	for (size_t at = 0; at < len;) {
		size_t n = strnlen(env + at, len - at);

		if (n >= sizeof(key) - 1 && !memcmp(env + at, key, sizeof(key) - 1))
			return take_word(env + at + sizeof(key) - 1, n - (sizeof(key) - 1),
					 buf);
		at += n + 1;
	}
	return false;
}

/**
 * pp_container_from_cgroup - the manager in a line of /proc/self/cgroup
 *
 * Only where the container sees the host's control groups; with a name space of
 * its own the path is "/" and says nothing.
 */
bool pp_container_from_cgroup(const char *line, char buf[PP_CONTAINER_LEN])
{
	/* The parts of paths that managers of containers, and nobody else, make. */
	static const struct {
		const char *part;
		const char *kind;
	} table[] = {
		{ "/kubepods", "kubernetes" }, { "/libpod-", "podman" },
		{ "/docker-", "docker" },      { "/docker/", "docker" },
		{ "/lxc.payload", "lxc" },     { "/lxc/", "lxc" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strstr(line, table[i].part))
			return take_word(table[i].kind, strlen(table[i].kind), buf);
	}
	return false;
}

static bool exists(const char *root, const char *file)
{
	char path[256];

	snprintf(path, sizeof(path), "%s%s", root, file);
	return !access(path, F_OK);
}

static bool from_systemd(const char *root, char buf[PP_CONTAINER_LEN])
{
	char path[256], line[128];

	snprintf(path, sizeof(path), "%s/run/systemd/container", root);
	return pp_sysfs_line(path, line, sizeof(line)) && take_word(line, strlen(line), buf);
}

/* Readable for the owner of the first process only. */
static bool from_first_process(const char *root, char buf[PP_CONTAINER_LEN])
{
	char path[256], env[8192];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%s/proc/1/environ", root);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, env, sizeof(env));
	close(fd);
	return len > 0 && pp_container_from_environ(env, (size_t)len, buf);
}

static bool from_own_cgroup(const char *root, char buf[PP_CONTAINER_LEN])
{
	char path[256], line[1024];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof(line), f))
		found = pp_container_from_cgroup(line, buf);
	if (f)
		fclose(f);
	return found;
}

/**
 * pp_container_kind - the kind of container that this process runs in
 * @root: put before every path; "" but for tests
 * @buf: a word of its manager's: "docker", "podman", "systemd-nspawn", ...
 *
 * Return: false, and "", when nothing shows that it is one.
 */
bool pp_container_kind(const char *root, char buf[PP_CONTAINER_LEN])
{
	buf[0] = '\0';
	if (from_systemd(root, buf) || from_first_process(root, buf))
		return true;
	if (exists(root, "/.dockerenv"))
		return take_word("docker", 6, buf);
	if (exists(root, "/run/.containerenv"))
		return take_word("podman", 6, buf);
	if (from_own_cgroup(root, buf))
		return true;
	buf[0] = '\0';
	return false;
}
