/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of the kernel log that tells of a GPU's, a link's or the IOMMU's trouble. */
#ifndef PEERPASS_KLOG_LINE_H
#define PEERPASS_KLOG_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "bdf.h"

enum pp_klog_kind {
	/* About none of these. */
	PP_KLOG_NONE,
	/* NVRM: Xid, an error of the NVIDIA driver or its GPU. */
	PP_KLOG_XID,
	/* PCI Express Advanced Error Reporting. */
	PP_KLOG_AER,
	/* An IOMMU tells of faults, or that it lost some. */
	PP_KLOG_IOMMU,
};

/**
 * struct pp_klog_line - one line
 * @has_bdf: @bdf is the device it is about; of an Xid function 0, which it omits
 * @xid: number of the Xid
 * @sequence: of the record
 * @time_us: when it was logged, since boot, by the clock of the kernel log
 * @text: printable ASCII; cut when longer
 */
struct pp_klog_line {
	enum pp_klog_kind kind;
	bool has_bdf;
	struct pp_bdf bdf;
	uint32_t xid;
	uint64_t sequence;
	uint64_t time_us;
	char text[256];
};

void pp_klog_message(const char *message, size_t len, struct pp_klog_line *line);
bool pp_klog_record(const char *record, size_t len, struct pp_klog_line *line);
const char *pp_klog_kind_name(enum pp_klog_kind kind);

#endif /* PEERPASS_KLOG_LINE_H */
