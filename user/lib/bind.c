// SPDX-License-Identifier: GPL-2.0-only
/* Unbinding and binding a driver, within a time limit. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bind.h"
#include "child.h"
#include "sysfs.h"

struct order {
	char path[160];
	char bdf[PP_BDF_LEN];
};

/* The child. Its exit status is the errno. */
static int write_order(int result_fd, int go_fd, void *arg)
{
	const struct order *order = arg;
	int fd;

	(void)result_fd;
	(void)go_fd;
	/*
	 * If it hangs, then with the device's lock held: it is left alone, also
	 * when the parent ends, and must not keep open what the parent writes to.
	 */
	prctl(PR_SET_PDEATHSIG, 0);
	dup2(STDIN_FILENO, STDOUT_FILENO);
	dup2(STDIN_FILENO, STDERR_FILENO);
	fd = open(order->path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, order->bdf, strlen(order->bdf)) < 0)
		return errno;
	return 0;
}

static char state_of(pid_t pid)
{
	char path[32], line[512];
	const char *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (!pp_sysfs_line(path, line, sizeof(line)))
		return '?';
	/* "PID (COMMAND) STATE", and the command may have any character. */
	end = strrchr(line, ')');
	return end && end[1] == ' ' && end[2] ? end[2] : '?';
}

static void carry_out(struct pp_bdf bdf, const char *driver, const char *file,
		      unsigned int timeout_s, struct pp_bind_result *result)
{
	struct pp_child_end end;
	struct pp_child child;
	struct pp_error err;
	struct order order;

	*result = (struct pp_bind_result){ .how = PP_BIND_FAILED, .error = EAGAIN };
	snprintf(order.path, sizeof(order.path), PP_SYSFS_DRIVERS "/%s/%s", driver, file);
	pp_bdf_text(bdf, order.bdf);
	if (pp_child_start(&child, write_order, &order, &err))
		return;
	if (!pp_child_wait(&child, pp_now_ns() + timeout_s * 1000000000ull)) {
		result->how = PP_BIND_STUCK;
		result->pid = child.pid;
		result->state = state_of(child.pid);
		pp_child_leave(&child);
		return;
	}
	pp_child_finish(&child, 0, &end);
	result->error = end.signal ? EINTR : end.status;
	if (!result->error)
		result->how = PP_BIND_DONE;
}

/**
 * pp_driver_unbind - take the driver off a device
 * @timeout_s: returns after it at the latest
 *
 * pp_child_signals() was called before: no signal comes in between.
 */
void pp_driver_unbind(struct pp_bdf bdf, const char *driver, unsigned int timeout_s,
		      struct pp_bind_result *result)
{
	carry_out(bdf, driver, "unbind", timeout_s, result);
}

/** pp_driver_bind - give a device to a driver; otherwise like pp_driver_unbind() */
void pp_driver_bind(struct pp_bdf bdf, const char *driver, unsigned int timeout_s,
		    struct pp_bind_result *result)
{
	carry_out(bdf, driver, "bind", timeout_s, result);
}
