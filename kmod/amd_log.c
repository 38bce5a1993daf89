// SPDX-License-Identifier: GPL-2.0-only
/*
 * The AMD-Vi event log: a ring that the hardware fills at its tail and the
 * driver drains at its head, read beside the driver and never written.
 *
 * Formats: AMD I/O Virtualization Technology specification, section 2.5 (event
 * logging); what the driver does with an entry: drivers/iommu/amd/iommu.c,
 * iommu_poll_events() and iommu_print_event().
 */
#include <linux/compiler.h>
#include <linux/ktime.h>

#include "address_map.h"
#include "amd_log.h"
#include "fault_table.h"

/* Bits of the 12-bit flags field of an entry's second word. */
#define FLAG_INTERRUPT	0x008
#define FLAG_WRITE	0x020

/* Entries read at one look; the rest waits for the next one. */
#define MAX_ENTRIES	1024

/**
 * pp_amd_event_kind - what an entry says happened
 * @entry: its four words
 */
enum peerpass_fault_kind pp_amd_event_kind(const u32 entry[4])
{
	static const u8 by_code[16] = {
		[0x0] = PEERPASS_FAULT_KIND_OTHER,
		[0x1] = PEERPASS_FAULT_KIND_ILLEGAL_DEV_TABLE_ENTRY,
		[0x3] = PEERPASS_FAULT_KIND_DEV_TAB_HARDWARE_ERROR,
		[0x4] = PEERPASS_FAULT_KIND_PAGE_TAB_HARDWARE_ERROR,
		[0x5] = PEERPASS_FAULT_KIND_ILLEGAL_COMMAND_ERROR,
		[0x6] = PEERPASS_FAULT_KIND_COMMAND_HARDWARE_ERROR,
		[0x7] = PEERPASS_FAULT_KIND_IOTLB_INV_TIMEOUT,
		[0x8] = PEERPASS_FAULT_KIND_INVALID_DEVICE_REQUEST,
		[0x9] = PEERPASS_FAULT_KIND_INVALID_PPR_REQUEST,
		[0xa] = PEERPASS_FAULT_KIND_EVENT_COUNTER_ZERO,
		[0xb] = PEERPASS_FAULT_KIND_GUEST_EVENT_FAULT,
		[0xc] = PEERPASS_FAULT_KIND_VIOMMU_HARDWARE_ERROR,
		[0xd] = PEERPASS_FAULT_KIND_RMP_PAGE_FAULT,
		[0xe] = PEERPASS_FAULT_KIND_RMP_HARDWARE_ERROR,
		[0xf] = PEERPASS_FAULT_KIND_OTHER,
	};
	const u32 code = entry[1] >> 28, flags = entry[1] >> 16 & 0xfff;
	const u64 addr = (u64)entry[3] << 32 | entry[2];

	if (code != 0x2)
		return by_code[code];
	/*
	 * The interrupt bit alone is not enough: QEMU's amd-iommu sets it for
	 * every fault.
	 */
	if (flags & FLAG_INTERRUPT && pp_interrupt_address(addr))
		return PEERPASS_FAULT_KIND_INTERRUPT;
	return flags & FLAG_WRITE ? PEERPASS_FAULT_KIND_WRITE :
				    PEERPASS_FAULT_KIND_READ;
}

static void count_entry(struct pp_unit *unit, const u32 entry[4])
{
	struct pp_fault fault = {
		.kind = pp_amd_event_kind(entry),
		.addr = (u64)entry[3] << 32 | entry[2],
		.key = pp_key(unit->segment, entry[0] & 0xffff),
	};

	/* These two speak of the IOMMU's own command buffer. */
	if (fault.kind == PEERPASS_FAULT_KIND_ILLEGAL_COMMAND_ERROR ||
	    fault.kind == PEERPASS_FAULT_KIND_COMMAND_HARDWARE_ERROR)
		fault.key = unit->self;
	pp_fault_record(&fault);
	unit->total++;
}

/* Copies the entry at the cursor. Return: false when it is not written yet. */
static bool read_entry(struct pp_unit *unit, u32 entry[4])
{
	const u32 *at = unit->log + unit->cursor / sizeof(u32);

	/*
	 * The word with the code first: a code of 0 behind the tail has been
	 * seen in hardware (erratum 732) and means "not written yet".
	 */
	entry[1] = READ_ONCE(at[1]);
	if (!(entry[1] >> 28))
		return false;
	/* Pairs with the hardware writing the entry before its tail pointer. */
	smp_rmb();
	entry[0] = READ_ONCE(at[0]);
	entry[2] = READ_ONCE(at[2]);
	entry[3] = READ_ONCE(at[3]);
	return true;
}

static void advance(struct pp_unit *unit)
{
	unit->cursor = (unit->cursor + PP_AMD_ENTRY_SIZE) % unit->size;
}

static u32 distance(const struct pp_unit *unit, u32 from, u32 to)
{
	return (to + unit->size - from) % unit->size;
}

static u32 pointer(const struct pp_unit *unit, unsigned int reg)
{
	return unit->ops->read32(unit, reg) % unit->size &
	       ~(PP_AMD_ENTRY_SIZE - 1);
}

/*
 * A tail that was read later than a head the driver has moved meanwhile could
 * appear to be a whole lap off.
 */
static void read_pointers(struct pp_unit *unit, u32 *head, u32 *tail)
{
	unsigned int tries = 4;

	do {
		*head = pointer(unit, PP_AMD_EVT_HEAD);
		*tail = pointer(unit, PP_AMD_EVT_TAIL);
	} while (*head != pointer(unit, PP_AMD_EVT_HEAD) && --tries);
}

/*
 * The driver passed the cursor. What it drained lies between the cursor and the
 * head, outside of what the hardware may fill meanwhile, so it can still be read
 * unless the driver cleared it (it clears all but IO_PAGE_FAULT).
 */
static void recover(struct pp_unit *unit, u32 head)
{
	while (unit->cursor != head) {
		u32 entry[4];

		if (read_entry(unit, entry)) {
			count_entry(unit, entry);
		} else {
			unit->total++;
			unit->unseen++;
			unit->inexact |= PEERPASS_INEXACT_UNSEEN;
		}
		advance(unit);
	}
}

static void look_at_overflow(struct pp_unit *unit)
{
	bool set = unit->ops->read32(unit, PP_AMD_STATUS) &
		   PP_AMD_STATUS_OVERFLOW;

	if (set && !unit->overflowing) {
		unit->overflows += !unit->restart_seen;
		unit->inexact |= PEERPASS_INEXACT_OVERFLOW;
	}
	unit->overflowing = set;
}

/**
 * pp_amd_log_poll - count the entries that are new
 * @unit: the IOMMU
 *
 * Context: @unit->lock held. Bounded: at most MAX_ENTRIES new ones, and once
 * around the ring for those that the driver was quicker with.
 *
 * Return: true when entries are left.
 */
bool pp_amd_log_poll(struct pp_unit *unit)
{
	unsigned int budget = MAX_ENTRIES;
	u32 head, tail;

	read_pointers(unit, &head, &tail);
	look_at_overflow(unit);
	if (distance(unit, head, unit->cursor) > distance(unit, head, tail))
		recover(unit, head);
	while (unit->cursor != tail && budget--) {
		u32 entry[4];

		if (!read_entry(unit, entry))
			break;
		count_entry(unit, entry);
		advance(unit);
	}
	unit->last_look = ktime_get_mono_fast_ns();
	return unit->cursor != tail;
}

/**
 * pp_amd_log_empty - has the driver drained all there is?
 * @unit: the IOMMU
 *
 * Context: @unit->lock held.
 */
bool pp_amd_log_empty(struct pp_unit *unit)
{
	return pointer(unit, PP_AMD_EVT_HEAD) == pointer(unit, PP_AMD_EVT_TAIL);
}

/**
 * pp_amd_log_resync - forget what is in the ring
 * @unit: the IOMMU
 *
 * For the start, and for resume, where the driver sets both pointers to 0.
 *
 * Context: @unit->lock held.
 */
void pp_amd_log_resync(struct pp_unit *unit)
{
	unit->cursor = pointer(unit, PP_AMD_EVT_TAIL);
	unit->overflowing = unit->ops->read32(unit, PP_AMD_STATUS) &
			    PP_AMD_STATUS_OVERFLOW;
	unit->last_look = ktime_get_mono_fast_ns();
}
