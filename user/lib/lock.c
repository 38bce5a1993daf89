// SPDX-License-Identifier: GPL-2.0-only
/*
 * One validate at a time.
 *
 * The lock is the name of a socket in the abstract namespace: it needs no file,
 * goes with the process whatever ends it, is seen by all who share the network
 * namespace, as the module's own interface is, and tells who holds it.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lock.h"

static const char name[] = "\0peerpass-validate";

/* Who listens there, 0 when it cannot be told. */
static pid_t holder(const struct sockaddr_un *addr, socklen_t len)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct ucred peer = { 0 };
	socklen_t size = sizeof(peer);

	if (fd < 0)
		return 0;
	if (connect(fd, (const struct sockaddr *)addr, len) ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		peer.pid = 0;
	close(fd);
	return peer.pid;
}

/**
 * pp_lock - take the lock until the process ends
 *
 * Return: a file descriptor; -1 with @err filled in, which then names the
 * holder.
 */
int pp_lock(struct pp_error *err)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	socklen_t len = offsetof(struct sockaddr_un, sun_path) + sizeof(name) - 1;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(addr.sun_path, name, sizeof(name) - 1);
	if (fd >= 0 && !bind(fd, (struct sockaddr *)&addr, len) && !listen(fd, SOMAXCONN))
		return fd;
	if (errno == EADDRINUSE) {
		pid_t pid = holder(&addr, len);

		pp_error_set(err, "busy", PP_EXIT_FAILED,
			     "another peerpass validate is running (process %d)", (int)pid);
		pp_error_hint(err, "wait for it: two would count each other's faults");
	} else {
		pp_error_set(err, "system", PP_EXIT_FAILED, "cannot take the lock of validate: %s",
			     strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	return -1;
}
