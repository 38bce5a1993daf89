/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_FAULT_TRACE_H
#define PEERPASS_FAULT_TRACE_H

#include <linux/types.h>

int pp_fault_trace_start(void);
void pp_fault_trace_stop(void);
u64 pp_fault_trace_total(void);

#endif /* PEERPASS_FAULT_TRACE_H */
