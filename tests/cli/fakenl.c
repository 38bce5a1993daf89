// SPDX-License-Identifier: GPL-2.0-only
/*
 * LD_PRELOAD library for tests, never installed: answers the helper's netlink
 * requests from the file that FAKE_WORLD names (world.h), so that truncated,
 * malformed and inconsistent answers can be tried without a kernel module.
 *
 * The netlink socket becomes one end of a socket pair; libmnl itself runs
 * unchanged on top. Faults that the test-only CUDA causes are read from FAKE_FAULTS.
 *
 * Files below /sys, /proc/driver and the device nodes of GPUs and VFIO are looked
 * for below FAKE_SYSFS, if that is set, so that the devices of the machine that
 * runs the tests do not matter. A driver's files "bind" and "unbind" do there what
 * the kernel does: see fakenl_bind.c.
 *
 * FAKE_EUID is who runs the helper, as far as it can tell. What belongs to the user
 * FAKE_OWNER belongs to root, as far as it can tell.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "fakenl_answer.h"
#include "fakenl_bind.h"

static int helper_end = -1, test_end = -1;
static unsigned int lost_packets;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int socket(int domain, int type, int protocol)
{
	int pair[2];

	if (domain != AF_NETLINK) {
		int fd = REAL(socket)(domain, type, protocol);

		/* The helper has closed it: the number is another one's now. */
		if (fd >= 0 && fd == helper_end)
			helper_end = -1;
		return fd;
	}
	if (getenv("FAKE_SOCKET_ERRNO")) {
		errno = atoi(getenv("FAKE_SOCKET_ERRNO"));
		return -1;
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -1;
	helper_end = pair[0];
	test_end = pair[1];
	return helper_end;
}

/*
 * The lock of validate is a name that the whole network namespace shares; with
 * FAKE_LOCK that is put behind it, so that other test runs do not matter.
 */
static socklen_t own_lock(struct sockaddr_un *own, const struct sockaddr *addr, socklen_t len)
{
	const char *mark = getenv("FAKE_LOCK");

	memset(own, 0, sizeof(*own));
	memcpy(own, addr, len < sizeof(*own) ? len : sizeof(*own));
	if (addr->sa_family != AF_UNIX || own->sun_path[0] || !mark)
		return len;
	return len + (socklen_t)snprintf((char *)own + len, sizeof(*own) - len, "-%s", mark);
}

int bind(int fd, const struct sockaddr *addr, socklen_t len)
{
	struct sockaddr_un own;

	if (fd == helper_end)
		return 0;
	len = own_lock(&own, addr, len);
	return REAL(bind)(fd, (struct sockaddr *)&own, len);
}

int connect(int fd, const struct sockaddr *addr, socklen_t len)
{
	struct sockaddr_un own;

	len = own_lock(&own, addr, len);
	return REAL(connect)(fd, (struct sockaddr *)&own, len);
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
	return fd == helper_end ? 0 : REAL(setsockopt)(fd, level, name, value, len);
}

static void kernel_address(struct sockaddr_nl *addr, uint32_t pid)
{
	memset(addr, 0, sizeof(*addr));
	addr->nl_family = AF_NETLINK;
	addr->nl_pid = pid;
}

int getsockname(int fd, struct sockaddr *addr, socklen_t *len)
{
	if (fd != helper_end)
		return REAL(getsockname)(fd, addr, len);
	kernel_address((struct sockaddr_nl *)addr, FAKE_PORT_ID);
	*len = sizeof(struct sockaddr_nl);
	return 0;
}

/* Called by the answers: one packet to the helper. */
void fake_send(const void *packet, size_t len)
{
	if (send(test_end, packet, len, MSG_DONTWAIT) != (ssize_t)len) {
		perror("fakenl: send");
		abort();
	}
}

/* Called by the answers: the next read says that packets were lost. */
void fake_lose(void)
{
	lost_packets++;
	fake_send("lost", 4);
}

ssize_t sendto(int fd, const void *buf, size_t len, int flags, const struct sockaddr *addr,
	       socklen_t addr_len)
{
	if (fd != helper_end)
		return REAL(sendto)(fd, buf, len, flags, addr, addr_len);
	fake_answer(buf);
	return (ssize_t)len;
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	ssize_t len = REAL(recvmsg)(fd, msg, flags);

	if (fd != helper_end || len < 0)
		return len;
	if (lost_packets) {
		lost_packets--;
		errno = ENOBUFS;
		return -1;
	}
	kernel_address(msg->msg_name, 0);
	msg->msg_namelen = sizeof(struct sockaddr_nl);
	return len;
}

/* With FAKE_NO_KILL children cannot be killed, as if a driver held them. */
int kill(pid_t pid, int sig)
{
	return getenv("FAKE_NO_KILL") ? 0 : REAL(kill)(pid, sig);
}

static const char *below_fake_sysfs(const char *path, char *buf, size_t size)
{
	const char *root = getenv("FAKE_SYSFS");

	if (!root || (strncmp(path, "/sys/", 5) && strncmp(path, "/proc/driver/", 13) &&
		      strncmp(path, "/dev/nvidia", 11) && strncmp(path, "/dev/vfio/", 10)))
		return path;
	snprintf(buf, size, "%s%s", root, path);
	return buf;
}

FILE *fopen(const char *path, const char *mode)
{
	char buf[512];

	return REAL(fopen)(below_fake_sysfs(path, buf, sizeof(buf)), mode);
}

DIR *opendir(const char *path)
{
	char buf[512];

	return REAL(opendir)(below_fake_sysfs(path, buf, sizeof(buf)));
}

ssize_t readlink(const char *path, char *target, size_t len)
{
	char buf[512];

	return REAL(readlink)(below_fake_sysfs(path, buf, sizeof(buf)), target, len);
}

int access(const char *path, int mode)
{
	char buf[512];

	return REAL(access)(below_fake_sysfs(path, buf, sizeof(buf)), mode);
}

static int open_below(const char *path, int flags, mode_t mode)
{
	char buf[512];
	int fd;

	path = below_fake_sysfs(path, buf, sizeof(buf));
	fd = REAL(open)(path, flags, mode);
	fake_bind_opened(fd, path);
	return fd;
}

#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		mode_t mode = 0; \
		va_list ap; \
		if (flags & (O_CREAT | O_TMPFILE)) { \
			va_start(ap, flags); \
			mode = va_arg(ap, mode_t); \
			va_end(ap); \
		} \
		return open_below(path, flags, mode); \
	}

OPEN(open)
OPEN(open64)

/* What the two are in a library that was built with _FORTIFY_SOURCE, as libpci is. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);

int __open_2(const char *path, int flags)
{
	return open_below(path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
	return open_below(path, flags, 0);
}

ssize_t write(int fd, const void *data, size_t len)
{
	int error = fake_bind_written(fd, data, len);

	if (error < 0)
		return REAL(write)(fd, data, len);
	errno = error;
	return error ? -1 : (ssize_t)len;
}

int statx(int dir, const char *restrict path, int flags, unsigned int mask,
	  struct statx *restrict st)
{
	char buf[512];

	return REAL(statx)(dir, below_fake_sysfs(path, buf, sizeof(buf)), flags, mask, st);
}

uid_t geteuid(void)
{
	const char *who = getenv("FAKE_EUID");

	return who ? (uid_t)atoi(who) : REAL(geteuid)();
}

int fstat(int fd, struct stat *st)
{
	const char *owner = getenv("FAKE_OWNER");
	int ret = REAL(fstat)(fd, st);

	if (!ret && owner && st->st_uid == (uid_t)atoi(owner))
		st->st_uid = 0;
	return ret;
}
