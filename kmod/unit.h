/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One IOMMU and its fault records.
 */
#ifndef PEERPASS_UNIT_H
#define PEERPASS_UNIT_H

#include <linux/hrtimer.h>
#include <linux/spinlock.h>

#include "peerpass.h"

struct pci_dev;
struct pp_unit;

/**
 * struct pp_unit_ops - how a unit's registers are read; a test replaces it
 *
 * Context: @lock of the unit held, interrupts off.
 */
struct pp_unit_ops {
	u32 (*read32)(const struct pp_unit *unit, unsigned int offset);
	u64 (*read64)(const struct pp_unit *unit, unsigned int offset);
};

/**
 * struct pp_unit - one IOMMU
 * @kind: amd-vi or vt-d
 * @name: of its device below /sys/class/iommu
 * @segment: PCI segment of the devices behind it
 * @self: pp_key() of the IOMMU's own PCI function, for events without a device
 * @handle: address of the struct iommu_device inside the driver's own object
 * @regs: its registers; only ever read
 * @lock: everything below, and the order of register reads
 * @log: AMD-Vi: the event log, mapped read-only
 * @size: AMD-Vi: bytes of @log
 * @head: AMD-Vi: number of the entry that the driver drains next, as of the last
 *	look; entry n is in slot n modulo the log's size
 * @cursor: AMD-Vi: number of the first entry that is not counted yet
 * @records: VT-d: offset of the first fault recording register
 * @nr_records: VT-d: their number
 * @overflowing: the overflow bit was set at the last look
 * @restart_seen: overflows are counted where the driver restarts the log, which
 *	it does once for each; otherwise by the rising overflow bit
 * @last_look: when the log was read last, ktime in nanoseconds
 * @counting: AMD-Vi: the probes are in place, and @head and @cursor mean something
 * @round_due: AMD-Vi: the interrupt thread began, and no round of draining since
 * @total: events counted
 * @unseen: of these, drained by the driver before they were seen, without an
 *	initiator
 * @overflows: times the hardware dropped events
 * @inexact: enum peerpass_inexact
 * @follower: reads the log while the driver drains it
 * @following: @follower is armed
 * @idle_ticks: of @follower that found the log empty
 */
struct pp_unit {
	enum peerpass_iommu_kind kind;
	char name[16];
	u32 segment;
	u64 self;
	unsigned long handle;
	const struct pp_unit_ops *ops;
	void __iomem *regs;

	raw_spinlock_t lock;
	const u32 *log;
	u32 size;
	u64 head;
	u64 cursor;
	u32 records;
	u32 nr_records;
	bool overflowing;
	bool restart_seen;
	u64 last_look;
	bool counting;
	bool round_due;
	u64 total;
	u64 unseen;
	u64 overflows;
	u32 inexact;
	struct hrtimer follower;
	bool following;
	unsigned int idle_ticks;
};

#define PP_MAX_UNITS	64

extern struct pp_unit *pp_units[PP_MAX_UNITS];
extern unsigned int pp_nr_units;

int pp_units_init(void);
void pp_units_exit(void);
struct pp_unit *pp_unit_of(unsigned long object);
struct pp_unit *pp_unit_of_device(struct pci_dev *pdev);
enum peerpass_iommu_kind pp_units_kind(void);

#endif /* PEERPASS_UNIT_H */
