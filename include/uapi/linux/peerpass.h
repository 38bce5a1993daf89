/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR MIT) */
/*
 * peerpass: generic netlink interface
 *
 * The family is described in include/netlink/specs/peerpass.yaml; this header
 * says the same in C, and a test holds the two together. To change one, change
 * both.
 *
 * Conventions
 * -----------
 * Family name "peerpass", version 1. All operations but set are open to every
 * user of the initial network namespace and change nothing, and no message
 * carries an address.
 *
 * A PCI function is named by two attributes: "domain" (u32, the segment; VMD
 * makes domains above 0xffff) and "rid" (u16, the requester id: bus in the high
 * byte, device and function in the low one).
 *
 * Enumerations travel as u32. A receiver must accept values it does not know:
 * later versions append. Counters are u64, count from the moment in
 * PEERPASS_A_INFO_SINCE_BOOTTIME_NS, never wrap in practice and are never reset
 * while the module is loaded.
 *
 * An absent attribute means "not known" or "not applicable", never zero.
 *
 * Requests are parsed strictly: an unknown attribute, a wrong length or a value
 * out of range is refused with an extended-ack message that names it.
 *
 * PEERPASS_CMD_INFO_GET (do)
 *	No request attribute. Answers with PEERPASS_A_INFO_*.
 *
 * PEERPASS_CMD_DEV_GET (do)
 *	Request: PEERPASS_A_DEV_DOMAIN and PEERPASS_A_DEV_RID, both required.
 *	Answers with PEERPASS_A_DEV_*. Errors: ENODEV, no such device and no
 *	fault from it.
 *
 * PEERPASS_CMD_DEV_GET (dump)
 *	One message for each PCI function that is behind an IOMMU or that a rule
 *	selects, ordered by domain and rid, then one for each other initiator
 *	that caused a fault. NLM_F_DUMP_INTR is set when a device came or went
 *	meanwhile.
 *
 * PEERPASS_CMD_PAIR_GET (dump)
 *	One message for each initiator and target that faulted together.
 *
 * PEERPASS_CMD_SYNC (do)
 *	No request attribute. Counts what the hardware has recorded up to now. It
 *	never waits: a request that sleeps would hold up the requests of every
 *	other family. A record arrives after the transfer that caused it, and
 *	VT-d records are counted only as the driver clears them, so who wants to
 *	trust a difference of counts repeats this, with a pause and within a time
 *	limit, until PEERPASS_A_SYNC_DRAINED is 1 and PEERPASS_A_SYNC_TOTAL stays
 *	the same twice in a row. With the source tracepoint DRAINED is always 0.
 *
 * PEERPASS_CMD_WINDOW_GET (dump)
 *	One message for each memory BAR of each peer of each initiator that has
 *	a driver and is in mode peer, whether the window is installed or not.
 *
 * PEERPASS_CMD_REACH_GET (dump)
 *	What the domain of one device, the initiator, maps at the memory BARs of
 *	another one, the target: what a transfer to a BAR's own bus address would
 *	reach. Request: PEERPASS_A_REACH_INITIATOR_DOMAIN and _RID,
 *	PEERPASS_A_REACH_TARGET_DOMAIN and _RID, all required. One message or more
 *	for each memory BAR, large BARs come in pieces: a reader adds the bytes of
 *	all messages with the same PEERPASS_A_REACH_BAR. Each byte of a BAR counts
 *	for one of four:
 *
 *	none	nothing is mapped there, a transfer faults
 *	self	the BAR itself: the domain is identity, there is no IOMMU, or it
 *		maps the address to itself, as a window does
 *	foreign	it is mapped to something else, host memory most likely: a
 *		transfer to the BAR's address would go there
 *	unknown	it cannot be told
 *
 *	Pages are looked at, all of them, where the domain translates, the target
 *	is below the initiator's own host bridge and the initiator has a driver
 *	that leaves its domain to the kernel. Below another host bridge an
 *	installed window is self, and everything else unknown. Unknown are also
 *	domains that VFIO or somebody else manages, and a translating domain while
 *	the initiator has no driver, or one that may take it out of there. A
 *	target without memory BARs has one message, without
 *	PEERPASS_A_REACH_BAR. NLM_F_DUMP_INTR is set when a device or a driver
 *	came or went, or a window changed, meanwhile; pieces may contradict each
 *	other then. Errors: ENODEV, no such device, or it went meanwhile; EINVAL;
 *	EBUSY, a driver of the target, or of an initiator whose domain translates,
 *	is in its probe or remove: ask again.
 *
 *	The answer holds for the moment. That no window and no domain was changed
 *	by the module since is told by PEERPASS_A_INFO_WINDOW_GENERATION, if that
 *	was asked for before this.
 *
 * PEERPASS_CMD_SET (do)
 *	Request: PEERPASS_A_SET_DOMAIN and _RID, required; _MODE, without which
 *	the policy decides again; _SET and _FLAGS. Waits until it is done, at most
 *	10 seconds. A refusal is an answer, not an error: PEERPASS_A_SET_REASON
 *	and _DETAIL tell it, and nothing was changed. Errors: EPERM, no
 *	CAP_SYS_ADMIN in the initial user namespace; ENODEV; EINVAL; ETIMEDOUT,
 *	it is not known yet what became of it. Each request that is tried is one
 *	line in the kernel log: who, which device, from what, to what.
 *
 * A module that was loaded to do nothing (PEERPASS_A_INFO_STATE) answers the
 * dumps but reach with nothing, and the others but info with EOPNOTSUPP.
 *
 * When is a count exact?
 * ----------------------
 * "Exact" means: equal to what the hardware recorded. The flags of enum
 * peerpass_inexact say why a count is only a lower bound; without a flag it is
 * exact. A flag, once set, stays until the module is loaded again, but for
 * PEERPASS_INEXACT_DEAD_PROBE, which goes when probes fire again unless faults
 * came meanwhile. Probes that were dead for less than a second, between two looks,
 * leave no trace.
 *
 * Faults are counted for the requester id that the IOMMU reports. Behind a bridge
 * from PCI Express to PCI that is the bridge's, or an alias.
 */
#ifndef _UAPI_LINUX_PEERPASS_H
#define _UAPI_LINUX_PEERPASS_H

#define PEERPASS_FAMILY_NAME	"peerpass"
#define PEERPASS_FAMILY_VERSION	1

/* What the loaded module does. */
enum peerpass_run_state {
	/* Policy is applied and faults are counted. */
	PEERPASS_RUN_STATE_ACTIVE,
	/* Loaded with off=1, does nothing. */
	PEERPASS_RUN_STATE_OFF,
	/* A crash kernel is running, does nothing. */
	PEERPASS_RUN_STATE_KDUMP,

	/* private: */
	__PEERPASS_RUN_STATE_MAX,
	PEERPASS_RUN_STATE_MAX = (__PEERPASS_RUN_STATE_MAX - 1),
};

enum peerpass_iommu_kind {
	/* No PCI device is behind an IOMMU. */
	PEERPASS_IOMMU_KIND_NONE,
	PEERPASS_IOMMU_KIND_AMD_VI,
	PEERPASS_IOMMU_KIND_VT_D,
	PEERPASS_IOMMU_KIND_OTHER,

	/* private: */
	__PEERPASS_IOMMU_KIND_MAX,
	PEERPASS_IOMMU_KIND_MAX = (__PEERPASS_IOMMU_KIND_MAX - 1),
};

enum peerpass_tristate {
	PEERPASS_TRISTATE_UNKNOWN,
	PEERPASS_TRISTATE_OFF,
	PEERPASS_TRISTATE_ON,

	/* private: */
	__PEERPASS_TRISTATE_MAX,
	PEERPASS_TRISTATE_MAX = (__PEERPASS_TRISTATE_MAX - 1),
};

/* What a policy rule asks for. */
enum peerpass_mode {
	/* Count faults only; also the mode of a device that no rule selects. */
	PEERPASS_MODE_OBSERVE,
	/* Default domain of the group becomes identity. */
	PEERPASS_MODE_IDENTITY,
	/* Like observe, whatever the mode of unselected devices will be. */
	PEERPASS_MODE_OFF,
	/*
	 * The domain keeps translating and gets windows to the BARs of its
	 * peers.
	 */
	PEERPASS_MODE_PEER,
	/*
	 * Identity where that is safe, peer where it is not; the reason is
	 * told.
	 */
	PEERPASS_MODE_AUTO,

	/* private: */
	__PEERPASS_MODE_MAX,
	PEERPASS_MODE_MAX = (__PEERPASS_MODE_MAX - 1),
};

/*
 * Type of the IOMMU domain a device is attached to, read from the domain
 * itself.
 */
enum peerpass_domain_type {
	/* The device is not behind an IOMMU. */
	PEERPASS_DOMAIN_TYPE_NONE,
	/* Translating, strict invalidation. */
	PEERPASS_DOMAIN_TYPE_DMA,
	/* Translating, deferred invalidation. */
	PEERPASS_DOMAIN_TYPE_DMA_FQ,
	PEERPASS_DOMAIN_TYPE_IDENTITY,
	/* Owned by VFIO or another driver. */
	PEERPASS_DOMAIN_TYPE_UNMANAGED,
	PEERPASS_DOMAIN_TYPE_BLOCKED,
	PEERPASS_DOMAIN_TYPE_OTHER,

	/* private: */
	__PEERPASS_DOMAIN_TYPE_MAX,
	PEERPASS_DOMAIN_TYPE_MAX = (__PEERPASS_DOMAIN_TYPE_MAX - 1),
};

/*
 * Why a device is not what its rule wants, or what is wrong although it is.
 */
enum peerpass_reason {
	/* The device is as wanted. */
	PEERPASS_REASON_NONE,
	/* The device has no IOMMU group. */
	PEERPASS_REASON_NO_GROUP,
	/* The rule names this address but expects another device there. */
	PEERPASS_REASON_ID_MISMATCH,
	/*
	 * Neither display nor processing accelerator, and no rule by address
	 * with +class.
	 */
	PEERPASS_REASON_CLASS_NOT_ALLOWED,
	/* A driver was bound already when the module first saw the device. */
	PEERPASS_REASON_DRIVER_BOUND,
	/* driver_override names a driver, vfio-pci for example. */
	PEERPASS_REASON_DRIVER_OVERRIDE,
	/* The group holds a device that may not come along. */
	PEERPASS_REASON_GROUP_COMPANION,
	/* SEV-SNP is enforced by the IOMMU; identity is illegal there. */
	PEERPASS_REASON_SNP,
	/* The device is behind an external-facing port. */
	PEERPASS_REASON_UNTRUSTED,
	/* This kernel cannot switch this group. */
	PEERPASS_REASON_KERNEL_LIMIT,
	/* The kernel refused the write; detail has the error. */
	PEERPASS_REASON_KERNEL_REFUSED,
	/* The kernel reported success, but the domain is of another type. */
	PEERPASS_REASON_NOT_EFFECTIVE,
	/*
	 * The IOMMU has logged ILLEGAL_DEV_TABLE_ENTRY for the device since
	 * the switch.
	 */
	PEERPASS_REASON_ILLEGAL_DTE,
	/* The type was right once and was changed by somebody else. */
	PEERPASS_REASON_CHANGED_BY_OTHER,
	/*
	 * A driver, VFIO for example, has put the device into a domain of its
	 * own.
	 */
	PEERPASS_REASON_IN_USE,
	/* Not every peer can be reached; the windows say why. */
	PEERPASS_REASON_PEERS_MISSING,
	/*
	 * The host encrypts memory; in identity, addresses would carry the
	 * encryption bit.
	 */
	PEERPASS_REASON_MEMORY_ENCRYPTION,
	/* The device's firmware is known not to start in an identity domain. */
	PEERPASS_REASON_FIRMWARE,
	/* A rule with +all, and another device of its set was refused. */
	PEERPASS_REASON_SET_INCOMPLETE,

	/* private: */
	__PEERPASS_REASON_MAX,
	PEERPASS_REASON_MAX = (__PEERPASS_REASON_MAX - 1),
};

/*
 * What the IOMMU reported. Names other than read, write, interrupt and other
 * are AMD-Vi event names; VT-d faults of the root, context or PASID tables
 * count as illegal-dev-table-entry.
 */
enum peerpass_fault_kind {
	PEERPASS_FAULT_KIND_READ,
	PEERPASS_FAULT_KIND_WRITE,
	PEERPASS_FAULT_KIND_INTERRUPT,
	PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY,
	PEERPASS_FAULT_KIND_DEV_TAB_HARDWARE_ERROR,
	PEERPASS_FAULT_KIND_PAGE_TAB_HARDWARE_ERROR,
	PEERPASS_FAULT_KIND_ILLEGAL_COMMAND_ERROR,
	PEERPASS_FAULT_KIND_COMMAND_HARDWARE_ERROR,
	PEERPASS_FAULT_KIND_IOTLB_INV_TIMEOUT,
	PEERPASS_FAULT_KIND_INVALID_DEVICE_REQUEST,
	PEERPASS_FAULT_KIND_INVALID_PPR_REQUEST,
	PEERPASS_FAULT_KIND_EVENT_COUNTER_ZERO,
	PEERPASS_FAULT_KIND_GUEST_EVENT_FAULT,
	PEERPASS_FAULT_KIND_VIOMMU_HARDWARE_ERROR,
	PEERPASS_FAULT_KIND_RMP_PAGE_FAULT,
	PEERPASS_FAULT_KIND_RMP_HARDWARE_ERROR,
	PEERPASS_FAULT_KIND_OTHER,

	/* private: */
	__PEERPASS_FAULT_KIND_MAX,
	PEERPASS_FAULT_KIND_MAX = (__PEERPASS_FAULT_KIND_MAX - 1),
};

/* Where fault counts come from. */
enum peerpass_fault_source {
	PEERPASS_FAULT_SOURCE_NONE,
	/* The AMD-Vi event log, read as the driver handles its interrupt. */
	PEERPASS_FAULT_SOURCE_AMD_EVENT_LOG,
	/*
	 * The VT-d fault recording registers, read before the driver clears
	 * them.
	 */
	PEERPASS_FAULT_SOURCE_VTD_FAULT_RECORDS,
	/* iommu:io_page_fault. */
	PEERPASS_FAULT_SOURCE_TRACEPOINT,

	/* private: */
	__PEERPASS_FAULT_SOURCE_MAX,
	PEERPASS_FAULT_SOURCE_MAX = (__PEERPASS_FAULT_SOURCE_MAX - 1),
};

/* Why a count is a lower bound. No flag means exact. */
enum peerpass_inexact {
	/* The hardware's log overflowed; what it dropped is unknown. */
	PEERPASS_INEXACT_OVERFLOW = 1 << 0,
	/* The kernel skipped a probe hit. */
	PEERPASS_INEXACT_MISSED_PROBE = 1 << 1,
	/* Probes do not fire, kernel.ftrace_enabled=0 for example. */
	PEERPASS_INEXACT_DEAD_PROBE = 1 << 2,
	/*
	 * Only the interrupt thread's entry can be probed; slow draining can
	 * hide entries.
	 */
	PEERPASS_INEXACT_ENTRY_PROBES_ONLY = 1 << 3,
	/* More initiators or pairs than the fixed tables hold. */
	PEERPASS_INEXACT_TABLE_FULL = 1 << 4,
	/* VT-d keeps few records and collapses repeats from one source. */
	PEERPASS_INEXACT_FEW_RECORDS = 1 << 5,
	/* The hardware's records could not be mapped. */
	PEERPASS_INEXACT_NO_HARDWARE_ACCESS = 1 << 6,
	/* The tracepoint reports only part of the faults. */
	PEERPASS_INEXACT_TRACEPOINT_ONLY = 1 << 7,
	/*
	 * Entries were drained before they were seen; counted, but without an
	 * initiator.
	 */
	PEERPASS_INEXACT_UNSEEN = 1 << 8,
};

/* What lies at a faulting address. */
enum peerpass_target_class {
	/* Nothing known, or no address was reported. */
	PEERPASS_TARGET_CLASS_UNASSIGNED,
	/* A memory BAR of a PCI device. */
	PEERPASS_TARGET_CLASS_BAR,
	PEERPASS_TARGET_CLASS_HOST_RAM,
	/* The interrupt address window. */
	PEERPASS_TARGET_CLASS_INTERRUPT,

	/* private: */
	__PEERPASS_TARGET_CLASS_MAX,
	PEERPASS_TARGET_CLASS_MAX = (__PEERPASS_TARGET_CLASS_MAX - 1),
};

/* What a rule permits. */
enum peerpass_rule_flag {
	/* Any class of device, by address only. */
	PEERPASS_RULE_FLAG_CLASS = 1 << 0,
	/* Companions in the IOMMU group come along. */
	PEERPASS_RULE_FLAG_GROUP = 1 << 1,
	/* Against a refusal that is meant for the device's own good. */
	PEERPASS_RULE_FLAG_FORCE = 1 << 2,
	/* All devices of the set, or none. */
	PEERPASS_RULE_FLAG_ALL = 1 << 3,
	/* Reaches the set, is not reached. */
	PEERPASS_RULE_FLAG_INITIATOR = 1 << 4,
	/* Is reached by the set, reaches nothing. */
	PEERPASS_RULE_FLAG_TARGET = 1 << 5,
};

/* What the other devices of an IOMMU group are to a switch. */
enum peerpass_companions {
	PEERPASS_COMPANIONS_NONE,
	/* Their own rules want the same. */
	PEERPASS_COMPANIONS_AGREED,
	/* The rule lets them come along. */
	PEERPASS_COMPANIONS_ALONG,
	/* One of them may not be switched. */
	PEERPASS_COMPANIONS_REFUSED,

	/* private: */
	__PEERPASS_COMPANIONS_MAX,
	PEERPASS_COMPANIONS_MAX = (__PEERPASS_COMPANIONS_MAX - 1),
};

/*
 * Whether one device can reach one BAR of another through a peer window, and
 * why not.
 */
enum peerpass_window_state {
	PEERPASS_WINDOW_STATE_INSTALLED,
	/* The target has no driver; its BARs may still move. */
	PEERPASS_WINDOW_STATE_TARGET_NOT_BOUND,
	/* The target's or the initiator's driver is not in trusted_drivers. */
	PEERPASS_WINDOW_STATE_UNTRUSTED,
	/* The target has no assigned memory BAR. */
	PEERPASS_WINDOW_STATE_NO_BAR,
	/* The BAR is above what the initiator's domain can translate. */
	PEERPASS_WINDOW_STATE_APERTURE,
	/* The BAR is above the initiator's DMA mask. */
	PEERPASS_WINDOW_STATE_DMA_MASK,
	/* The initiator's domain maps something there already. */
	PEERPASS_WINDOW_STATE_CONFLICT,
	/*
	 * The BAR is smaller than a page, or is below another host bridge and
	 * has no more than 128 KiB.
	 */
	PEERPASS_WINDOW_STATE_BAR_TOO_SMALL,
	/*
	 * The BAR is below another host bridge; the window waits for the
	 * initiator's driver to be bound again.
	 */
	PEERPASS_WINDOW_STATE_NEEDS_REBIND,
	/*
	 * The BAR is below another host bridge, and the kernel did not give its
	 * address range to the initiator.
	 */
	PEERPASS_WINDOW_STATE_IOVA_TAKEN,
	/*
	 * The initiator is not attached to its default domain, or has a driver
	 * (VFIO) that may take it out of there at any time.
	 */
	PEERPASS_WINDOW_STATE_UNMANAGED,
	/* This IOMMU driver would put the encryption bit into the address. */
	PEERPASS_WINDOW_STATE_MEMORY_ENCRYPTION,
	PEERPASS_WINDOW_STATE_NO_MEMORY,
	/* The kernel refused the mapping, or it is not what was asked for. */
	PEERPASS_WINDOW_STATE_MAP_FAILED,
	/*
	 * A rule with +all, and another window of the set cannot be opened.
	 */
	PEERPASS_WINDOW_STATE_SET_WAITING,

	/* private: */
	__PEERPASS_WINDOW_STATE_MAX,
	PEERPASS_WINDOW_STATE_MAX = (__PEERPASS_WINDOW_STATE_MAX - 1),
};

enum {
	PEERPASS_A_INFO_PAD = 1,
	/* string; Version of the module. */
	PEERPASS_A_INFO_VERSION,
	/* u32, enum peerpass_run_state */
	PEERPASS_A_INFO_STATE,
	/* string; Policy text in force, as given. */
	PEERPASS_A_INFO_POLICY,
	/* u32, enum peerpass_iommu_kind */
	PEERPASS_A_INFO_IOMMU_KIND,
	/*
	 * u32, enum peerpass_tristate; Whether the IOMMU driver runs with SEV-
	 * SNP enforced (its own flag).
	 */
	PEERPASS_A_INFO_SNP,
	/* u32, enum peerpass_fault_source */
	PEERPASS_A_INFO_SOURCE,
	/* u32, enum peerpass_inexact */
	PEERPASS_A_INFO_INEXACT,
	/* u64; Faults seen since counting started, whatever their initiator. */
	PEERPASS_A_INFO_TOTAL,
	/* u64; Times the hardware's log was seen to overflow. */
	PEERPASS_A_INFO_OVERFLOWS,
	/* u64; Entries drained before they were seen; part of total. */
	PEERPASS_A_INFO_UNSEEN,
	/* u64; CLOCK_BOOTTIME when counting started, in nanoseconds. */
	PEERPASS_A_INFO_SINCE_BOOTTIME_NS,
	/* u64; CLOCK_REALTIME when counting started, in nanoseconds. */
	PEERPASS_A_INFO_SINCE_REALTIME_NS,
	/* nest of PEERPASS_A_UNIT_*, repeated */
	PEERPASS_A_INFO_UNIT,
	/* nest of PEERPASS_A_PROBE_*, repeated */
	PEERPASS_A_INFO_PROBE,
	/*
	 * u64; Rises before a window opens, closes or gets another state, and
	 * when the module changes a device's mode or domain.
	 */
	PEERPASS_A_INFO_WINDOW_GENERATION,

	/* private: */
	__PEERPASS_A_INFO_MAX,
	PEERPASS_A_INFO_MAX = (__PEERPASS_A_INFO_MAX - 1),
};

/* One IOMMU. */
enum {
	PEERPASS_A_UNIT_PAD = 1,
	/* string; Name of its device below /sys/class/iommu. */
	PEERPASS_A_UNIT_NAME,
	/* u32; Entries in its log, or number of its fault recording registers. */
	PEERPASS_A_UNIT_ENTRIES,
	/* u64 */
	PEERPASS_A_UNIT_TOTAL,
	/* u64 */
	PEERPASS_A_UNIT_OVERFLOWS,
	/* u64 */
	PEERPASS_A_UNIT_UNSEEN,
	/* u32, enum peerpass_inexact */
	PEERPASS_A_UNIT_INEXACT,

	/* private: */
	__PEERPASS_A_UNIT_MAX,
	PEERPASS_A_UNIT_MAX = (__PEERPASS_A_UNIT_MAX - 1),
};

/* One kernel function that is observed. */
enum {
	PEERPASS_A_PROBE_PAD = 1,
	/* string */
	PEERPASS_A_PROBE_SYMBOL,
	/* u64 */
	PEERPASS_A_PROBE_HITS,
	/* u64 */
	PEERPASS_A_PROBE_MISSED,

	/* private: */
	__PEERPASS_A_PROBE_MAX,
	PEERPASS_A_PROBE_MAX = (__PEERPASS_A_PROBE_MAX - 1),
};

enum {
	PEERPASS_A_DEV_PAD = 1,
	/* u32; PCI domain (segment). */
	PEERPASS_A_DEV_DOMAIN,
	/* u16; Bus in the high, device and function in the low byte. */
	PEERPASS_A_DEV_RID,
	/*
	 * flag; A device is there; absent for an initiator that is known only
	 * from its faults.
	 */
	PEERPASS_A_DEV_PRESENT,
	/* u16 */
	PEERPASS_A_DEV_VENDOR,
	/* u16 */
	PEERPASS_A_DEV_DEVICE,
	/* u32; Base class, subclass and programming interface, 24 bits. */
	PEERPASS_A_DEV_CLASS,
	/* s32; -1 when unknown. */
	PEERPASS_A_DEV_NUMA_NODE,
	/* string; Absent when no driver is bound. */
	PEERPASS_A_DEV_DRIVER,
	/* u32; IOMMU group number; absent without one. */
	PEERPASS_A_DEV_GROUP,
	/* flag; A rule of the policy matches the device. */
	PEERPASS_A_DEV_SELECTED,
	/* u32; Which rule, counted from 1. */
	PEERPASS_A_DEV_RULE,
	/* u32, enum peerpass_mode */
	PEERPASS_A_DEV_WANTED,
	/* u32, enum peerpass_domain_type */
	PEERPASS_A_DEV_ACTUAL,
	/* u32, enum peerpass_reason */
	PEERPASS_A_DEV_REASON,
	/* string; The driver, device or error that the reason speaks of. */
	PEERPASS_A_DEV_DETAIL,
	/* flag; The module changed this device's domain and will put it back. */
	PEERPASS_A_DEV_SWITCHED,
	/*
	 * u32, enum peerpass_domain_type; The type before the module changed
	 * it.
	 */
	PEERPASS_A_DEV_ORIGINAL,
	/* u64; Faults with this device as initiator. */
	PEERPASS_A_DEV_TOTAL,
	/*
	 * nest of PEERPASS_A_COUNT_*, repeated; One for each kind of fault
	 * that was seen.
	 */
	PEERPASS_A_DEV_COUNT,
	/* u32, enum peerpass_inexact */
	PEERPASS_A_DEV_INEXACT,
	/* string; Name of the set of peers the device belongs to. */
	PEERPASS_A_DEV_SET,
	/*
	 * u32, enum peerpass_mode; The mode in force; with auto, what was
	 * chosen; auto itself before that.
	 */
	PEERPASS_A_DEV_MODE,
	/* u32, enum peerpass_reason; Why auto did not choose identity. */
	PEERPASS_A_DEV_WHY,
	/* flag; Against a refusal, by +force. */
	PEERPASS_A_DEV_FORCED,
	/* u32, enum peerpass_rule_flag */
	PEERPASS_A_DEV_FLAGS,
	/*
	 * flag; The mode was set with the set operation, whatever the policy
	 * says.
	 */
	PEERPASS_A_DEV_SET_BY_REQUEST,
	/*
	 * nest of PEERPASS_A_EVIDENCE_*; What the decision was made from; with
	 * modes identity, peer and auto.
	 */
	PEERPASS_A_DEV_EVIDENCE,

	/* private: */
	__PEERPASS_A_DEV_MAX,
	PEERPASS_A_DEV_MAX = (__PEERPASS_A_DEV_MAX - 1),
};

/* What is known about a device, its group and the platform. */
enum {
	/* flag; Behind an external-facing port. */
	PEERPASS_A_EVIDENCE_UNTRUSTED = 1,
	/* flag; Has the PASID capability; AMD's driver then prefers identity. */
	PEERPASS_A_EVIDENCE_PASID,
	/*
	 * string; The family whose firmware does not start in an identity
	 * domain.
	 */
	PEERPASS_A_EVIDENCE_FIRMWARE,
	/* flag; The device, or a companion that is no bridge, had a driver. */
	PEERPASS_A_EVIDENCE_DRIVER_BOUND,
	/* flag */
	PEERPASS_A_EVIDENCE_DRIVER_OVERRIDE,
	/* u32; Address bits of the DMA mask; a driver may change them. */
	PEERPASS_A_EVIDENCE_DMA_BITS,
	/* u32; Devices in the IOMMU group. */
	PEERPASS_A_EVIDENCE_MEMBERS,
	/* u32, enum peerpass_companions */
	PEERPASS_A_EVIDENCE_COMPANIONS,
	/* u32, enum peerpass_tristate */
	PEERPASS_A_EVIDENCE_SNP,
	/* flag; The IOMMU permits identity under SEV-SNP (page mode 0). */
	PEERPASS_A_EVIDENCE_SNP_MODE0,
	/* flag */
	PEERPASS_A_EVIDENCE_MEMORY_ENCRYPTION,
	/* flag; This kernel switches only groups of one device. */
	PEERPASS_A_EVIDENCE_SINGLE_DEVICE_GROUPS,
	/* u32, enum peerpass_reason; How an earlier attempt ended. */
	PEERPASS_A_EVIDENCE_KERNEL_SAID,

	/* private: */
	__PEERPASS_A_EVIDENCE_MAX,
	PEERPASS_A_EVIDENCE_MAX = (__PEERPASS_A_EVIDENCE_MAX - 1),
};

enum {
	/* u32 */
	PEERPASS_A_SET_DOMAIN = 1,
	/* u16 */
	PEERPASS_A_SET_RID,
	/*
	 * u32, enum peerpass_mode; Absent in a request, the policy's rule
	 * decides again. In a reply, the mode in force.
	 */
	PEERPASS_A_SET_MODE,
	/*
	 * string; Name of the set of peers, with peer, identity and auto; the
	 * rule's own when absent.
	 */
	PEERPASS_A_SET_SET,
	/* u32, enum peerpass_rule_flag */
	PEERPASS_A_SET_FLAGS,
	/*
	 * u32, enum peerpass_reason; Why the request was refused and nothing
	 * was changed; none when it was done.
	 */
	PEERPASS_A_SET_REASON,
	/* string; The driver, devices or error that the reason speaks of. */
	PEERPASS_A_SET_DETAIL,
	/* u32, enum peerpass_reason; Why auto did not choose identity. */
	PEERPASS_A_SET_WHY,

	/* private: */
	__PEERPASS_A_SET_MAX,
	PEERPASS_A_SET_MAX = (__PEERPASS_A_SET_MAX - 1),
};

/* The way from one device to one memory BAR of a peer. */
enum {
	PEERPASS_A_WINDOW_PAD = 1,
	/* u32 */
	PEERPASS_A_WINDOW_INITIATOR_DOMAIN,
	/* u16 */
	PEERPASS_A_WINDOW_INITIATOR_RID,
	/* u32 */
	PEERPASS_A_WINDOW_TARGET_DOMAIN,
	/* u16 */
	PEERPASS_A_WINDOW_TARGET_RID,
	/* u32; Absent when the target has none. */
	PEERPASS_A_WINDOW_BAR,
	/* u64; Bytes. */
	PEERPASS_A_WINDOW_SIZE,
	/* u32, enum peerpass_window_state */
	PEERPASS_A_WINDOW_STATE,

	/* private: */
	__PEERPASS_A_WINDOW_MAX,
	PEERPASS_A_WINDOW_MAX = (__PEERPASS_A_WINDOW_MAX - 1),
};

/* What an initiator's domain maps at a piece of one memory BAR of a target. */
enum {
	PEERPASS_A_REACH_PAD = 1,
	/* u32 */
	PEERPASS_A_REACH_INITIATOR_DOMAIN,
	/* u16 */
	PEERPASS_A_REACH_INITIATOR_RID,
	/* u32 */
	PEERPASS_A_REACH_TARGET_DOMAIN,
	/* u16 */
	PEERPASS_A_REACH_TARGET_RID,
	/* u32, enum peerpass_domain_type; Of the initiator. */
	PEERPASS_A_REACH_DOMAIN_TYPE,
	/*
	 * flag; The initiator has dma_ops of its own, as translated devices have
	 * up to 6.11: its driver may then ask the DMA API for addresses of peers
	 * and use no bus addresses.
	 */
	PEERPASS_A_REACH_DMA_OPS,
	/* u32; Absent, as are the counts, when the target has none. */
	PEERPASS_A_REACH_BAR,
	/* u64; Bytes of this piece at which nothing is mapped. */
	PEERPASS_A_REACH_NONE,
	/* u64; Bytes that lead to the BAR itself. */
	PEERPASS_A_REACH_SELF,
	/* u64; Bytes that lead to something else. */
	PEERPASS_A_REACH_FOREIGN,
	/* u64; Bytes of which it cannot be told. */
	PEERPASS_A_REACH_UNKNOWN,

	/* private: */
	__PEERPASS_A_REACH_MAX,
	PEERPASS_A_REACH_MAX = (__PEERPASS_A_REACH_MAX - 1),
};

enum {
	PEERPASS_A_COUNT_PAD = 1,
	/* u32, enum peerpass_fault_kind */
	PEERPASS_A_COUNT_KIND,
	/* u64 */
	PEERPASS_A_COUNT_VALUE,

	/* private: */
	__PEERPASS_A_COUNT_MAX,
	PEERPASS_A_COUNT_MAX = (__PEERPASS_A_COUNT_MAX - 1),
};

enum {
	PEERPASS_A_PAIR_PAD = 1,
	/* u32 */
	PEERPASS_A_PAIR_INITIATOR_DOMAIN,
	/* u16 */
	PEERPASS_A_PAIR_INITIATOR_RID,
	/* u32, enum peerpass_target_class */
	PEERPASS_A_PAIR_CLASS,
	/* u32; With class bar only. */
	PEERPASS_A_PAIR_TARGET_DOMAIN,
	/* u16; With class bar only. */
	PEERPASS_A_PAIR_TARGET_RID,
	/* u32; With class bar only. */
	PEERPASS_A_PAIR_TARGET_BAR,
	/* u64 */
	PEERPASS_A_PAIR_READ,
	/* u64 */
	PEERPASS_A_PAIR_WRITE,
	/* u64 */
	PEERPASS_A_PAIR_OTHER,

	/* private: */
	__PEERPASS_A_PAIR_MAX,
	PEERPASS_A_PAIR_MAX = (__PEERPASS_A_PAIR_MAX - 1),
};

enum {
	PEERPASS_A_SYNC_PAD = 1,
	/* u8; 1 when every record that is in the hardware has been counted. */
	PEERPASS_A_SYNC_DRAINED,
	/* u64; As in info, after the look. */
	PEERPASS_A_SYNC_TOTAL,

	/* private: */
	__PEERPASS_A_SYNC_MAX,
	PEERPASS_A_SYNC_MAX = (__PEERPASS_A_SYNC_MAX - 1),
};

enum {
	/* What the module is, what it found, and how good its counts are. */
	PEERPASS_CMD_INFO_GET = 1,
	/* One PCI device by domain and rid, or all of them. */
	PEERPASS_CMD_DEV_GET,
	/* Every initiator and target that faulted together. */
	PEERPASS_CMD_PAIR_GET,
	/*
	 * Count what the hardware has recorded up to now, without waiting for
	 * an interrupt, so that a difference of counts taken before and after
	 * a transfer can be trusted.
	 */
	PEERPASS_CMD_SYNC,
	/* Every window of every initiator that has a driver, installed or not. */
	PEERPASS_CMD_WINDOW_GET,
	/*
	 * Give one device, and with it its IOMMU group, another mode until it
	 * goes, the module is unloaded or this is asked again. All is done, or
	 * nothing. Needs CAP_SYS_ADMIN in the initial user namespace.
	 */
	PEERPASS_CMD_SET,
	/* What one device's domain maps at the memory BARs of another. */
	PEERPASS_CMD_REACH_GET,

	/* private: */
	__PEERPASS_CMD_MAX,
	PEERPASS_CMD_MAX = (__PEERPASS_CMD_MAX - 1),
};

#endif /* _UAPI_LINUX_PEERPASS_H */
