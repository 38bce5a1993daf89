// SPDX-License-Identifier: GPL-2.0-only
/* The words for the enumerations of include/uapi/linux/peerpass.h. */
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "uapi/linux/peerpass.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const char * const run_states[] = {
	[PEERPASS_RUN_STATE_ACTIVE] = "active",
	[PEERPASS_RUN_STATE_OFF] = "off",
	[PEERPASS_RUN_STATE_KDUMP] = "kdump",
};

static const char * const iommu_kinds[] = {
	[PEERPASS_IOMMU_KIND_NONE] = "none",
	[PEERPASS_IOMMU_KIND_AMD_VI] = "amd-vi",
	[PEERPASS_IOMMU_KIND_VT_D] = "vt-d",
	[PEERPASS_IOMMU_KIND_OTHER] = "other",
};

static const char * const tristates[] = {
	[PEERPASS_TRISTATE_UNKNOWN] = "unknown",
	[PEERPASS_TRISTATE_OFF] = "off",
	[PEERPASS_TRISTATE_ON] = "on",
};

static const char * const modes[] = {
	[PEERPASS_MODE_OBSERVE] = "observe",
	[PEERPASS_MODE_IDENTITY] = "identity",
	[PEERPASS_MODE_OFF] = "off",
	[PEERPASS_MODE_PEER] = "peer",
	[PEERPASS_MODE_AUTO] = "auto",
};

/* The kernel's own words of /sys/kernel/iommu_groups/N/type where it has one. */
static const char * const domain_types[] = {
	[PEERPASS_DOMAIN_TYPE_NONE] = "none",
	[PEERPASS_DOMAIN_TYPE_DMA] = "DMA",
	[PEERPASS_DOMAIN_TYPE_DMA_FQ] = "DMA-FQ",
	[PEERPASS_DOMAIN_TYPE_IDENTITY] = "identity",
	[PEERPASS_DOMAIN_TYPE_UNMANAGED] = "unmanaged",
	[PEERPASS_DOMAIN_TYPE_BLOCKED] = "blocked",
	[PEERPASS_DOMAIN_TYPE_OTHER] = "other",
};

static const char * const reasons[] = {
	[PEERPASS_REASON_NONE] = "none",
	[PEERPASS_REASON_NO_GROUP] = "no_group",
	[PEERPASS_REASON_ID_MISMATCH] = "id_mismatch",
	[PEERPASS_REASON_CLASS_NOT_ALLOWED] = "class_not_allowed",
	[PEERPASS_REASON_DRIVER_BOUND] = "driver_bound",
	[PEERPASS_REASON_DRIVER_OVERRIDE] = "driver_override",
	[PEERPASS_REASON_GROUP_COMPANION] = "group_companion",
	[PEERPASS_REASON_SNP] = "snp",
	[PEERPASS_REASON_UNTRUSTED] = "untrusted",
	[PEERPASS_REASON_KERNEL_LIMIT] = "kernel_limit",
	[PEERPASS_REASON_KERNEL_REFUSED] = "kernel_refused",
	[PEERPASS_REASON_NOT_EFFECTIVE] = "not_effective",
	[PEERPASS_REASON_ILLEGAL_DTE] = "illegal_dte",
	[PEERPASS_REASON_CHANGED_BY_OTHER] = "changed_by_other",
	[PEERPASS_REASON_IN_USE] = "in_use",
	[PEERPASS_REASON_PEERS_MISSING] = "peers_missing",
	[PEERPASS_REASON_MEMORY_ENCRYPTION] = "memory_encryption",
	[PEERPASS_REASON_FIRMWARE] = "firmware",
	[PEERPASS_REASON_SET_INCOMPLETE] = "set_incomplete",
};

static const char * const window_states[] = {
	[PEERPASS_WINDOW_STATE_INSTALLED] = "installed",
	[PEERPASS_WINDOW_STATE_TARGET_NOT_BOUND] = "target_not_bound",
	[PEERPASS_WINDOW_STATE_UNTRUSTED] = "untrusted",
	[PEERPASS_WINDOW_STATE_NO_BAR] = "no_bar",
	[PEERPASS_WINDOW_STATE_APERTURE] = "aperture",
	[PEERPASS_WINDOW_STATE_DMA_MASK] = "dma_mask",
	[PEERPASS_WINDOW_STATE_CONFLICT] = "conflict",
	[PEERPASS_WINDOW_STATE_BAR_TOO_SMALL] = "bar_too_small",
	[PEERPASS_WINDOW_STATE_NEEDS_REBIND] = "needs_rebind",
	[PEERPASS_WINDOW_STATE_IOVA_TAKEN] = "iova_taken",
	[PEERPASS_WINDOW_STATE_UNMANAGED] = "unmanaged",
	[PEERPASS_WINDOW_STATE_MEMORY_ENCRYPTION] = "memory_encryption",
	[PEERPASS_WINDOW_STATE_NO_MEMORY] = "no_memory",
	[PEERPASS_WINDOW_STATE_MAP_FAILED] = "map_failed",
	[PEERPASS_WINDOW_STATE_SET_WAITING] = "set_waiting",
};

static const char * const companions[] = {
	[PEERPASS_COMPANIONS_NONE] = "none",
	[PEERPASS_COMPANIONS_AGREED] = "agreed",
	[PEERPASS_COMPANIONS_ALONG] = "along",
	[PEERPASS_COMPANIONS_REFUSED] = "refused",
};

static const char * const fault_kinds[] = {
	[PEERPASS_FAULT_KIND_READ] = "read",
	[PEERPASS_FAULT_KIND_WRITE] = "write",
	[PEERPASS_FAULT_KIND_INTERRUPT] = "interrupt",
	[PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY] = "illegal_dev_table_entry",
	[PEERPASS_FAULT_KIND_DEV_TAB_HARDWARE_ERROR] = "dev_tab_hardware_error",
	[PEERPASS_FAULT_KIND_PAGE_TAB_HARDWARE_ERROR] = "page_tab_hardware_error",
	[PEERPASS_FAULT_KIND_ILLEGAL_COMMAND_ERROR] = "illegal_command_error",
	[PEERPASS_FAULT_KIND_COMMAND_HARDWARE_ERROR] = "command_hardware_error",
	[PEERPASS_FAULT_KIND_IOTLB_INV_TIMEOUT] = "iotlb_inv_timeout",
	[PEERPASS_FAULT_KIND_INVALID_DEVICE_REQUEST] = "invalid_device_request",
	[PEERPASS_FAULT_KIND_INVALID_PPR_REQUEST] = "invalid_ppr_request",
	[PEERPASS_FAULT_KIND_EVENT_COUNTER_ZERO] = "event_counter_zero",
	[PEERPASS_FAULT_KIND_GUEST_EVENT_FAULT] = "guest_event_fault",
	[PEERPASS_FAULT_KIND_VIOMMU_HARDWARE_ERROR] = "viommu_hardware_error",
	[PEERPASS_FAULT_KIND_RMP_PAGE_FAULT] = "rmp_page_fault",
	[PEERPASS_FAULT_KIND_RMP_HARDWARE_ERROR] = "rmp_hardware_error",
	[PEERPASS_FAULT_KIND_OTHER] = "other",
};

static const char * const fault_sources[] = {
	[PEERPASS_FAULT_SOURCE_NONE] = "none",
	[PEERPASS_FAULT_SOURCE_AMD_EVENT_LOG] = "amd_event_log",
	[PEERPASS_FAULT_SOURCE_VTD_FAULT_RECORDS] = "vtd_fault_records",
	[PEERPASS_FAULT_SOURCE_TRACEPOINT] = "tracepoint",
};

static const char * const target_classes[] = {
	[PEERPASS_TARGET_CLASS_UNASSIGNED] = "unassigned",
	[PEERPASS_TARGET_CLASS_BAR] = "bar",
	[PEERPASS_TARGET_CLASS_HOST_RAM] = "host_ram",
	[PEERPASS_TARGET_CLASS_INTERRUPT] = "interrupt",
};

struct flag_name {
	uint32_t flag;
	const char *name;
};

static const struct flag_name inexact_flags[] = {
	{ PEERPASS_INEXACT_OVERFLOW, "overflow" },
	{ PEERPASS_INEXACT_MISSED_PROBE, "missed_probe" },
	{ PEERPASS_INEXACT_DEAD_PROBE, "dead_probe" },
	{ PEERPASS_INEXACT_ENTRY_PROBES_ONLY, "entry_probes_only" },
	{ PEERPASS_INEXACT_TABLE_FULL, "table_full" },
	{ PEERPASS_INEXACT_FEW_RECORDS, "few_records" },
	{ PEERPASS_INEXACT_NO_HARDWARE_ACCESS, "no_hardware_access" },
	{ PEERPASS_INEXACT_TRACEPOINT_ONLY, "tracepoint_only" },
	{ PEERPASS_INEXACT_UNSEEN, "unseen" },
};

/* As the policy writes them. */
static const struct flag_name rule_flags[] = {
	{ PEERPASS_RULE_FLAG_CLASS, "class" },
	{ PEERPASS_RULE_FLAG_GROUP, "group" },
	{ PEERPASS_RULE_FLAG_FORCE, "force" },
	{ PEERPASS_RULE_FLAG_ALL, "all" },
	{ PEERPASS_RULE_FLAG_INITIATOR, "initiator" },
	{ PEERPASS_RULE_FLAG_TARGET, "target" },
};

static const char *unknown(uint32_t value)
{
	static char texts[8][24];
	static unsigned int next;
	char *text = texts[next++ % ARRAY_SIZE(texts)];

	snprintf(text, sizeof(texts[0]), "unknown(%u)", value);
	return text;
}

static const char *look_up_flag(const struct flag_name *table, size_t size, uint32_t flag)
{
	for (size_t i = 0; i < size; i++) {
		if (table[i].flag == flag)
			return table[i].name;
	}
	return unknown(flag);
}

static const char *look_up(const char * const *table, size_t size, uint32_t value)
{
	return value < size && table[value] ? table[value] : unknown(value);
}

const char *pp_name_run_state(uint32_t value)
{
	return look_up(run_states, ARRAY_SIZE(run_states), value);
}

const char *pp_name_iommu_kind(uint32_t value)
{
	return look_up(iommu_kinds, ARRAY_SIZE(iommu_kinds), value);
}

const char *pp_name_tristate(uint32_t value)
{
	return look_up(tristates, ARRAY_SIZE(tristates), value);
}

const char *pp_name_mode(uint32_t value)
{
	return look_up(modes, ARRAY_SIZE(modes), value);
}

const char *pp_name_domain_type(uint32_t value)
{
	return look_up(domain_types, ARRAY_SIZE(domain_types), value);
}

const char *pp_name_reason(uint32_t value)
{
	return look_up(reasons, ARRAY_SIZE(reasons), value);
}

const char *pp_name_window_state(uint32_t value)
{
	return look_up(window_states, ARRAY_SIZE(window_states), value);
}

const char *pp_name_companions(uint32_t value)
{
	return look_up(companions, ARRAY_SIZE(companions), value);
}

const char *pp_name_fault_kind(uint32_t value)
{
	return look_up(fault_kinds, ARRAY_SIZE(fault_kinds), value);
}

const char *pp_name_fault_source(uint32_t value)
{
	return look_up(fault_sources, ARRAY_SIZE(fault_sources), value);
}

const char *pp_name_target_class(uint32_t value)
{
	return look_up(target_classes, ARRAY_SIZE(target_classes), value);
}

/** pp_name_inexact - the word for one flag of enum peerpass_inexact */
const char *pp_name_inexact(uint32_t flag)
{
	return look_up_flag(inexact_flags, ARRAY_SIZE(inexact_flags), flag);
}

/** pp_name_rule_flag - the word for one flag of enum peerpass_rule_flag */
const char *pp_name_rule_flag(uint32_t flag)
{
	return look_up_flag(rule_flags, ARRAY_SIZE(rule_flags), flag);
}

/**
 * pp_domain_type_from_sysfs - enum peerpass_domain_type for the text in
 * /sys/kernel/iommu_groups/N/type, other for a text that is not known
 */
uint32_t pp_domain_type_from_sysfs(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(domain_types); i++) {
		if (!strcmp(domain_types[i], text))
			return (uint32_t)i;
	}
	return PEERPASS_DOMAIN_TYPE_OTHER;
}
