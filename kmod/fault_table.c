// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fault counters by initiator, and by initiator and target.
 *
 * Counting happens where the record is read, with interrupts off, into two hash
 * tables of fixed size: no queue that could overflow stands between the hardware
 * and the count. Slots are claimed by cmpxchg and never given back, so that a
 * device's counts outlive the device, and readers need no lock.
 */
#include <linux/hash.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "address_map.h"
#include "fault_table.h"

#define DEVICE_BITS	10
#define PAIR_BITS	12
#define DEVICE_SLOTS	BIT(DEVICE_BITS)
#define PAIR_SLOTS	BIT(PAIR_BITS)
/* Longest walk after a hash collision. */
#define MAX_WALK	64

struct device_slot {
	atomic64_t key;
	atomic64_t count[PP_FAULT_KINDS];
};

enum { PAIR_READ, PAIR_WRITE, PAIR_OTHER, PAIR_COUNTS };

struct pair_slot {
	atomic64_t key;
	atomic64_t count[PAIR_COUNTS];
};

static struct device_slot *devices;
static struct pair_slot *pairs;
static bool full;

/*
 * A pair's key packs two positions in the device table, which never change:
 * bits 0-9 initiator, 10-19 target, 20-22 BAR, 24-25 class, 32 always set (an
 * empty slot has key 0).
 */
#define PAIR_TARGET_SHIFT	10
#define PAIR_BAR_SHIFT		20
#define PAIR_CLASS_SHIFT	24
#define PAIR_USED		BIT_ULL(32)

/* Claims a slot's key or finds it claimed for the same key already. */
static bool claim(atomic64_t *slot, u64 key)
{
	u64 seen = atomic64_read(slot);

	if (!seen)
		seen = atomic64_cmpxchg(slot, 0, key);
	return !seen || seen == key;
}

static int device_slot(u64 key)
{
	/* An empty slot has key 0, and 0000:00:00.0 is a device. */
	const u64 stored = key + 1;
	unsigned int at = hash_64(stored, DEVICE_BITS), i;

	for (i = 0; i < MAX_WALK; i++, at = (at + 1) % DEVICE_SLOTS)
		if (claim(&devices[at].key, stored))
			return at;
	WRITE_ONCE(full, true);
	return -1;
}

static int find_device_slot(u64 key)
{
	const u64 stored = key + 1;
	unsigned int at = hash_64(stored, DEVICE_BITS), i;

	for (i = 0; i < MAX_WALK; i++, at = (at + 1) % DEVICE_SLOTS) {
		u64 seen = atomic64_read(&devices[at].key);

		if (seen == stored)
			return at;
		if (!seen)
			break;
	}
	return -1;
}

static void count_pair(unsigned int initiator, const struct pp_fault *fault)
{
	struct pp_target target;
	unsigned int at, i, which = PAIR_OTHER;
	int target_slot = 0;
	u64 key;

	pp_address_map_lookup(fault->addr, &target);
	if (target.class == PEERPASS_TARGET_CLASS_BAR) {
		target_slot = device_slot(target.key);
		if (target_slot < 0)
			return;
	}
	if (fault->kind == PEERPASS_FAULT_KIND_READ)
		which = PAIR_READ;
	else if (fault->kind == PEERPASS_FAULT_KIND_WRITE)
		which = PAIR_WRITE;
	key = PAIR_USED | initiator |
	      (u64)target_slot << PAIR_TARGET_SHIFT |
	      (u64)target.bar << PAIR_BAR_SHIFT |
	      (u64)target.class << PAIR_CLASS_SHIFT;
	at = hash_64(key, PAIR_BITS);
	for (i = 0; i < MAX_WALK; i++, at = (at + 1) % PAIR_SLOTS) {
		if (!claim(&pairs[at].key, key))
			continue;
		atomic64_inc(&pairs[at].count[which]);
		return;
	}
	WRITE_ONCE(full, true);
}

/**
 * pp_fault_record - count one fault
 * @fault: what the hardware reported
 *
 * Context: any, interrupts may be off; neither sleeps, allocates nor locks.
 */
void pp_fault_record(const struct pp_fault *fault)
{
	int slot = device_slot(fault->key);

	if (slot < 0)
		return;
	atomic64_inc(&devices[slot].count[fault->kind]);
	count_pair(slot, fault);
}

/* pp_fault_table_full - was a fault counted in its IOMMU's total only? */
bool pp_fault_table_full(void)
{
	return READ_ONCE(full);
}

/* pp_fault_count - faults of one kind that a device caused */
u64 pp_fault_count(struct pci_dev *pdev, enum peerpass_fault_kind kind)
{
	int slot = find_device_slot(pp_key(pci_domain_nr(pdev->bus),
					   pci_dev_id(pdev)));

	return slot < 0 ? 0 : atomic64_read(&devices[slot].count[kind]);
}

static void read_counts(unsigned int slot, struct pp_fault_counts *counts)
{
	unsigned int kind;

	counts->total = 0;
	for (kind = 0; kind < PP_FAULT_KINDS; kind++) {
		counts->by_kind[kind] =
			atomic64_read(&devices[slot].count[kind]);
		counts->total += counts->by_kind[kind];
	}
}

/* pp_fault_counts - faults that an initiator caused; all 0 when none */
void pp_fault_counts(u64 key, struct pp_fault_counts *counts)
{
	int slot = find_device_slot(key);

	memset(counts, 0, sizeof(*counts));
	if (slot >= 0)
		read_counts(slot, counts);
}

/**
 * pp_fault_next_initiator - walk the initiators that caused a fault
 * @pos: 0 to begin; advanced
 * @key: the initiator
 * @counts: its faults, at least one
 *
 * Return: false at the end.
 */
bool pp_fault_next_initiator(unsigned int *pos, u64 *key,
			     struct pp_fault_counts *counts)
{
	for (; *pos < DEVICE_SLOTS; (*pos)++) {
		u64 stored = atomic64_read(&devices[*pos].key);

		if (!stored)
			continue;
		/* A target is in the table as well, without faults of its own. */
		read_counts(*pos, counts);
		if (!counts->total)
			continue;
		*key = stored - 1;
		(*pos)++;
		return true;
	}
	return false;
}

static u64 slot_key(unsigned int slot)
{
	return atomic64_read(&devices[slot].key) - 1;
}

/**
 * pp_fault_next_pair - walk the pairs that faulted
 * @pos: 0 to begin; advanced
 * @pair: the next one
 *
 * Return: false at the end.
 */
bool pp_fault_next_pair(unsigned int *pos, struct pp_fault_pair *pair)
{
	for (; *pos < PAIR_SLOTS; (*pos)++) {
		const struct pair_slot *slot = &pairs[*pos];
		u64 key = atomic64_read(&slot->key);

		if (!key)
			continue;
		pair->class = key >> PAIR_CLASS_SHIFT & 3;
		pair->bar = key >> PAIR_BAR_SHIFT & 7;
		pair->initiator = slot_key(key & (DEVICE_SLOTS - 1));
		pair->target = slot_key(key >> PAIR_TARGET_SHIFT &
					(DEVICE_SLOTS - 1));
		pair->read = atomic64_read(&slot->count[PAIR_READ]);
		pair->write = atomic64_read(&slot->count[PAIR_WRITE]);
		pair->other = atomic64_read(&slot->count[PAIR_OTHER]);
		(*pos)++;
		return true;
	}
	return false;
}

int pp_fault_table_init(void)
{
	devices = kvcalloc(DEVICE_SLOTS, sizeof(*devices), GFP_KERNEL);
	pairs = kvcalloc(PAIR_SLOTS, sizeof(*pairs), GFP_KERNEL);
	if (!devices || !pairs) {
		pp_fault_table_exit();
		return -ENOMEM;
	}
	return 0;
}

/* pp_fault_table_exit - after every fault source is stopped */
void pp_fault_table_exit(void)
{
	kvfree(devices);
	kvfree(pairs);
	devices = NULL;
	pairs = NULL;
}
