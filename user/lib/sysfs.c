// SPDX-License-Identifier: GPL-2.0-only
/* Small files and links of the kernel's. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sysfs.h"

/** pp_sysfs_line - the first line of a file, without its newline; false if unreadable */
bool pp_sysfs_line(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "re");
	bool ok;

	if (!f)
		return false;
	ok = fgets(buf, (int)size, f);
	fclose(f);
	if (ok)
		buf[strcspn(buf, "\n")] = '\0';
	return ok;
}

/** pp_sysfs_link - what a link says; false when there is none */
bool pp_sysfs_link(const char *path, char *buf, size_t size)
{
	ssize_t len = readlink(path, buf, size - 1);

	if (len < 0)
		return false;
	buf[len] = '\0';
	return true;
}

/** pp_sysfs_last_part - what follows the last "/" */
const char *pp_sysfs_last_part(const char *path)
{
	const char *last = strrchr(path, '/');

	return last ? last + 1 : path;
}
