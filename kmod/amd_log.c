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
#include <linux/math.h>

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

static u32 nr_entries(const struct pp_unit *unit)
{
	return unit->size / PP_AMD_ENTRY_SIZE;
}

/* Copies an entry. Return: false when it is not written, or cleared again. */
static bool read_entry(struct pp_unit *unit, u64 number, u32 entry[4])
{
	const u32 *at = unit->log + number % nr_entries(unit) *
				    (PP_AMD_ENTRY_SIZE / sizeof(u32));

	/*
	 * The word with the code first: a code of 0 behind the tail has been
	 * seen in hardware (erratum 732) and means "not written yet". That can
	 * be told only where the driver cleared the entry before; it leaves
	 * IO_PAGE_FAULT entries as they are, and the last lap's would be
	 * counted instead.
	 */
	entry[1] = READ_ONCE(at[1]);
	if (!(entry[1] >> 28))
		return false;
	/* The rest only after the word that says it is there. */
	dma_rmb();
	entry[0] = READ_ONCE(at[0]);
	entry[2] = READ_ONCE(at[2]);
	entry[3] = READ_ONCE(at[3]);
	return true;
}

/* A pointer register, as the index of an entry. */
static u32 pointer(const struct pp_unit *unit, unsigned int reg)
{
	return unit->ops->read32(unit, reg) % unit->size / PP_AMD_ENTRY_SIZE;
}

/*
 * Both pointers of one moment: the head must not have moved meanwhile. A tail that
 * belongs to a later head would appear to be a lap off.
 *
 * Return: false when the driver was quicker each time; look again later.
 */
static bool read_pointers(struct pp_unit *unit, u32 *head, u32 *tail)
{
	unsigned int tries;

	for (tries = 0; tries < 8; tries++) {
		*head = pointer(unit, PP_AMD_EVT_HEAD);
		*tail = pointer(unit, PP_AMD_EVT_TAIL);
		if (*head == pointer(unit, PP_AMD_EVT_HEAD))
			return true;
	}
	return false;
}

static void count_unseen(struct pp_unit *unit, u64 nr)
{
	unit->total += nr;
	unit->unseen += nr;
	unit->inexact |= PEERPASS_INEXACT_UNSEEN;
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
 * Entries are numbered from the start of counting. The head moves by less than a
 * lap in one round of draining, and by nothing between rounds; so as long as a
 * look is taken at the start of each round, the number of the entry at the head
 * is known for certain, that at the tail too, and nothing is counted twice or
 * not at all, however late a look comes. Where rounds cannot be seen, the caller
 * watches the time between looks.
 *
 * Context: @unit->lock held. Bounded: at most MAX_ENTRIES are read.
 *
 * Return: true when entries are left.
 */
bool pp_amd_log_poll(struct pp_unit *unit)
{
	const u32 nr = nr_entries(unit);
	unsigned int budget = MAX_ENTRIES;
	u32 head, tail;
	u64 end;

	look_at_overflow(unit);
	if (!read_pointers(unit, &head, &tail))
		return true;
	unit->head += (head - unit->head) % nr;
	end = unit->head + (tail - head) % nr;
	/*
	 * The driver drained a lap that no look belongs to: the caller's premise
	 * failed. What is certain is that what was counted was there.
	 */
	if (end < unit->cursor) {
		u64 laps = roundup(unit->cursor - end, nr);

		unit->head += laps;
		end += laps;
		unit->inexact |= PEERPASS_INEXACT_UNSEEN;
	}
	/* The hardware has written over these, or is about to. */
	if (end - unit->cursor >= nr) {
		u64 gone = end - unit->cursor - nr + 1;

		count_unseen(unit, gone);
		unit->cursor += gone;
	}
	for (; unit->cursor < end && budget; budget--, unit->cursor++) {
		u32 entry[4];

		if (read_entry(unit, unit->cursor, entry))
			count_entry(unit, entry);
		else if (unit->cursor < unit->head)
			count_unseen(unit, 1);	/* drained and cleared */
		else
			break;
	}
	unit->last_look = ktime_get_mono_fast_ns();
	return unit->cursor < end;
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
 * pp_amd_log_resync - begin to number at the pointers as they are
 * @unit: the IOMMU
 * @skip: what is in the log now is not ours to count
 *
 * Context: @unit->lock held.
 */
void pp_amd_log_resync(struct pp_unit *unit, bool skip)
{
	u32 head, tail;

	/* The last pair is good enough to begin with: at most one lap is off. */
	if (!read_pointers(unit, &head, &tail))
		unit->inexact |= PEERPASS_INEXACT_UNSEEN;
	unit->head = head;
	unit->cursor = head;
	if (skip)
		unit->cursor += (tail - head) % nr_entries(unit);
	unit->overflowing = unit->ops->read32(unit, PP_AMD_STATUS) &
			    PP_AMD_STATUS_OVERFLOW;
	unit->last_look = ktime_get_mono_fast_ns();
}
