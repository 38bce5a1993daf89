/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_VTD_RECORDS_H
#define PEERPASS_VTD_RECORDS_H

#include "unit.h"

/* Intel VT-d specification, section 11.4 (registers). */
#define PP_VTD_CAP		0x08
#define PP_VTD_FSTS		0x34
#define PP_VTD_FSTS_PFO		0x1
#define PP_VTD_FSTS_PPF		0x2
#define PP_VTD_RECORD_SIZE	16

static inline u32 pp_vtd_cap_records(u64 cap)
{
	return (cap >> 24 & 0x3ff) * 16;
}

static inline u32 pp_vtd_cap_nr_records(u64 cap)
{
	return (cap >> 40 & 0xff) + 1;
}

void pp_vtd_records_read(struct pp_unit *unit);
bool pp_vtd_records_pending(struct pp_unit *unit);
enum peerpass_fault_kind pp_vtd_fault_kind(u32 reason, bool read);

#endif /* PEERPASS_VTD_RECORDS_H */
