// SPDX-License-Identifier: GPL-2.0-only
/* The files "bind" and "unbind" of the made-up /sys, see fakenl_bind.h. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fakenl_bind.h"

static int bind_fd = -1;
static bool unbind;
static char driver[64];

/** fake_bind_opened - remember it if it is one of a driver's two files */
void fake_bind_opened(int fd, const char *path)
{
	const char *root = getenv("FAKE_SYSFS"), *p;
	char file[16];

	if (fd < 0 || !root || strncmp(path, root, strlen(root)))
		return;
	p = strstr(path, "/drivers/");
	if (!p || sscanf(p, "/drivers/%63[^/]/%15s", driver, file) != 2)
		return;
	unbind = !strcmp(file, "unbind");
	bind_fd = fd;
}

/* How this write goes: "hang", "errno-5"; empty for well. */
static void how(const char *bdf, char *buf, size_t size)
{
	const char *list = getenv(unbind ? "FAKE_UNBIND" : "FAKE_BIND"), *p;
	char key[40];

	buf[0] = '\0';
	snprintf(key, sizeof(key), "%s=", bdf);
	p = list ? strstr(list, key) : NULL;
	if (p)
		snprintf(buf, size, "%.*s", (int)strcspn(p + strlen(key), " "), p + strlen(key));
}

static void pause_ms(long ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* True the first time only, over all processes of a test. */
static bool first_time(const char *link)
{
	char mark[600];
	FILE *f;

	snprintf(mark, sizeof(mark), "%s.once", link);
	if (!access(mark, F_OK))
		return false;
	f = fopen(mark, "we");
	if (f)
		fclose(f);
	return true;
}

/** fake_bind_written - an errno, 0 when it went well, -1 when it is another file */
int fake_bind_written(int fd, const char *data, size_t len)
{
	char bdf[32], link[512], target[512], mode[32];

	if (fd < 0 || fd != bind_fd)
		return -1;
	bind_fd = -1;
	snprintf(bdf, sizeof(bdf), "%.*s", (int)len, data);
	snprintf(link, sizeof(link), "%s/sys/bus/pci/devices/%s/driver", getenv("FAKE_SYSFS"), bdf);
	how(bdf, mode, sizeof(mode));
	if (!strncmp(mode, "errno-", 6))
		return atoi(mode + 6);
	if (!strncmp(mode, "once-", 5) && first_time(link))
		return atoi(mode + 5);
	if (!strcmp(mode, "hang")) {
		pause_ms(30000);
		return EIO;
	}
	if (!strncmp(mode, "slow-", 5))
		pause_ms(atol(mode + 5));
	if (unbind)
		return unlink(link) ? ENODEV : 0;
	snprintf(target, sizeof(target), "../../drivers/%s", driver);
	return symlink(target, link) ? EBUSY : 0;
}
