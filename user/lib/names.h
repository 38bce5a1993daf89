/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words for the enumerations of the netlink interface, as text output and
 * JSON use them. They are stable. A value that this version does not know is
 * "unknown(N)": a static text that the eighth next call reuses.
 */
#ifndef PEERPASS_NAMES_H
#define PEERPASS_NAMES_H

#include <stdint.h>

const char *pp_name_run_state(uint32_t value);
const char *pp_name_iommu_kind(uint32_t value);
const char *pp_name_tristate(uint32_t value);
const char *pp_name_mode(uint32_t value);
const char *pp_name_domain_type(uint32_t value);
const char *pp_name_reason(uint32_t value);
const char *pp_name_window_state(uint32_t value);
const char *pp_name_companions(uint32_t value);
const char *pp_name_fault_kind(uint32_t value);
const char *pp_name_fault_source(uint32_t value);
const char *pp_name_target_class(uint32_t value);
const char *pp_name_inexact(uint32_t flag);
const char *pp_name_rule_flag(uint32_t flag);
uint32_t pp_domain_type_from_sysfs(const char *text);

#endif /* PEERPASS_NAMES_H */
