/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel logged about GPUs, links and the IOMMU between two moments. */
#ifndef PEERPASS_KLOG_WINDOW_H
#define PEERPASS_KLOG_WINDOW_H

#include <jansson.h>

#include "klog_line.h"

#define PP_KLOG_LINES 64

/**
 * struct pp_klog_window - from the start mark to the last collection
 * @fd: of /dev/kmsg, -1 when it cannot be read
 * @why: why it cannot be read, empty when it can
 * @overwritten: records went before they were read: the log is smaller than what
 *	was written to it
 * @lines: the first @n of them
 * @more: further ones, which are not kept
 */
struct pp_klog_window {
	int fd;
	char why[160];
	bool overwritten;
	struct pp_klog_line lines[PP_KLOG_LINES];
	size_t n;
	uint64_t more;
};

bool pp_klog_start(struct pp_klog_window *window);
void pp_klog_start_at(struct pp_klog_window *window, int fd);
void pp_klog_collect(struct pp_klog_window *window);
void pp_klog_end(struct pp_klog_window *window);
json_t *pp_json_klog(const struct pp_klog_window *window);

#endif /* PEERPASS_KLOG_WINDOW_H */
