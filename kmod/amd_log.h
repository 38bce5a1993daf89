/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_AMD_LOG_H
#define PEERPASS_AMD_LOG_H

#include "unit.h"

/* AMD I/O Virtualization Technology specification, section 3.4 (registers). */
#define PP_AMD_EVT_BASE		0x0010
#define PP_AMD_EVT_HEAD		0x2010
#define PP_AMD_EVT_TAIL		0x2018
#define PP_AMD_STATUS		0x2020
#define PP_AMD_STATUS_OVERFLOW	0x1
#define PP_AMD_ENTRY_SIZE	16

bool pp_amd_log_poll(struct pp_unit *unit);
bool pp_amd_log_empty(struct pp_unit *unit);
void pp_amd_log_resync(struct pp_unit *unit, bool skip);
enum peerpass_fault_kind pp_amd_event_kind(const u32 entry[4]);

#endif /* PEERPASS_AMD_LOG_H */
