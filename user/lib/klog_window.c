// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel logged about GPUs, links and the IOMMU between two moments. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "klog_window.h"
#include "output.h"

/* The longest record: a message of 1 KiB, each byte escaped, and its properties. */
#define RECORD_SIZE	8192
/* More than the largest usual log holds: who logs faster than this reads is left. */
#define MAX_RECORDS	(1u << 20)

static void cannot_read(struct pp_klog_window *window, int error)
{
	switch (error) {
	case EPERM:
		snprintf(window->why, sizeof(window->why),
			 "kernel.dmesg_restrict is set and this process has no CAP_SYSLOG");
		break;
	case EACCES:
		snprintf(window->why, sizeof(window->why),
			 "/dev/kmsg may not be opened: %s", strerror(error));
		break;
	case ENOENT:
	case ENXIO:
		snprintf(window->why, sizeof(window->why),
			 "there is no /dev/kmsg, as in most containers");
		break;
	default:
		snprintf(window->why, sizeof(window->why), "/dev/kmsg: %s", strerror(error));
	}
}

/**
 * pp_klog_start - the window begins now: what was logged before is left out
 * @window: to be ended with pp_klog_end()
 *
 * Return: false when the log cannot be read; @why then says why, and the other
 * functions do nothing.
 */
bool pp_klog_start(struct pp_klog_window *window)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	memset(window, 0, sizeof(*window));
	window->fd = -1;
	if (fd >= 0 && lseek(fd, 0, SEEK_END) >= 0) {
		window->fd = fd;
		return true;
	}
	cannot_read(window, errno);
	if (fd >= 0)
		close(fd);
	return false;
}

/** pp_klog_start_at - as pp_klog_start(), from where @fd stands; it is taken over */
void pp_klog_start_at(struct pp_klog_window *window, int fd)
{
	memset(window, 0, sizeof(*window));
	window->fd = fd;
}

static void keep(struct pp_klog_window *window, const struct pp_klog_line *line)
{
	if (line->kind == PP_KLOG_NONE)
		return;
	if (window->n < PP_KLOG_LINES)
		window->lines[window->n++] = *line;
	else
		window->more++;
}

/**
 * pp_klog_collect - take what has been logged since the start or the last collection
 *
 * Never waits. Each read gives one record; EPIPE means that the next ones were
 * overwritten, and the read after it goes on with the oldest that is left.
 */
void pp_klog_collect(struct pp_klog_window *window)
{
	static char record[RECORD_SIZE];
	struct pp_klog_line line;

	for (unsigned int i = 0; window->fd >= 0 && i < MAX_RECORDS; i++) {
		ssize_t len = read(window->fd, record, sizeof(record));

		if (len > 0) {
			if (pp_klog_record(record, (size_t)len, &line))
				keep(window, &line);
		} else if (len < 0 && errno == EPIPE) {
			window->overwritten = true;
		} else if (len == 0 || errno == EAGAIN) {
			return;
		} else if (errno != EINTR && errno != EINVAL) {
			/* EINVAL: one record that is too long; it has been passed over. */
			cannot_read(window, errno);
			pp_klog_end(window);
		}
	}
}

/** pp_klog_end - close the log; what was collected stays */
void pp_klog_end(struct pp_klog_window *window)
{
	if (window->fd >= 0)
		close(window->fd);
	window->fd = -1;
}

static json_t *line_json(const struct pp_klog_line *line)
{
	char bdf[PP_BDF_LEN];

	return json_pack("{s:s, s:o, s:o, s:o, s:s}", "kind", pp_klog_kind_name(line->kind),
			 "bdf", line->has_bdf ? json_string(pp_bdf_text(line->bdf, bdf)) :
						json_null(),
			 "xid", line->kind == PP_KLOG_XID ? json_integer(line->xid) : json_null(),
			 "time_us", pp_json_u64(line->time_us), "text", line->text);
}

/** pp_json_klog - the key "log" of a verdict */
json_t *pp_json_klog(const struct pp_klog_window *window)
{
	json_t *lines = json_array();

	for (size_t i = 0; i < window->n; i++)
		json_array_append_new(lines, line_json(&window->lines[i]));
	return json_pack("{s:b, s:o, s:b, s:o, s:o}", "readable", !window->why[0],
			 "why", pp_json_string_or_null(window->why),
			 "overwritten", window->overwritten,
			 "more", pp_json_u64(window->more), "lines", lines);
}
