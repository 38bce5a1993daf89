/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_FAULT_SOURCE_H
#define PEERPASS_FAULT_SOURCE_H

#include <linux/ktime.h>

#include "peerpass.h"
#include "probe.h"
#include "unit.h"

/* struct pp_unit_report - counters of one unit at one moment */
struct pp_unit_report {
	const char *name;
	u32 entries;
	u64 total;
	u64 overflows;
	u64 unseen;
	u32 inexact;
};

int pp_fault_source_start(void);
void pp_fault_source_stop(void);

enum peerpass_fault_source pp_fault_source(void);
u32 pp_fault_inexact(void);
u64 pp_fault_total(void);
void pp_fault_since(u64 *boottime_ns, u64 *realtime_ns);
void pp_unit_report(struct pp_unit *unit, struct pp_unit_report *report);
struct pp_probe *pp_fault_probe(unsigned int index);
unsigned int pp_fault_nr_probes(void);
bool pp_fault_look(void);

#endif /* PEERPASS_FAULT_SOURCE_H */
