// SPDX-License-Identifier: GPL-2.0-only
/*
 * What lies at a bus address: a device's BAR, host RAM, an interrupt window.
 *
 * A sorted array, replaced as a whole under RCU, so that the fault path can look
 * an address up in any context in a few steps. On x86 the bus address of a BAR
 * is its CPU address.
 */
#include <linux/ioport.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "address_map.h"

struct span {
	u64 start;
	u64 end;
	u64 key;
	u8 class;
	u8 bar;
};

struct address_map {
	struct rcu_head rcu;
	unsigned int nr;
	unsigned int max;
	struct span ranges[];
};

static struct address_map __rcu *current_map;
/* Writers of current_map. */
static DEFINE_MUTEX(map_lock);

static const struct span interrupt_windows[] = {
	{ PP_MSI_START, PP_MSI_END, 0, PEERPASS_TARGET_CLASS_INTERRUPT },
	/* With AMD-Vi only; on other machines RAM may be there. */
	{ PP_HT_INT_START, PP_HT_INT_END, 0, PEERPASS_TARGET_CLASS_INTERRUPT },
};

static unsigned int nr_interrupt_windows;

static void add(struct address_map *map, const struct span *range)
{
	/* One too many only says that the array was too small. */
	if (map->nr < map->max)
		map->ranges[map->nr] = *range;
	map->nr++;
}

static int add_ram(struct resource *res, void *data)
{
	const struct span range = {
		.start = res->start,
		.end = res->end,
		.class = PEERPASS_TARGET_CLASS_HOST_RAM,
	};

	add(data, &range);
	return 0;
}

static void add_bars(struct address_map *map, struct pci_dev *pdev)
{
	unsigned int bar;

	for (bar = 0; bar < PCI_STD_NUM_BARS; bar++) {
		const struct resource *res = &pdev->resource[bar];
		const struct span range = {
			.start = res->start,
			.end = res->end,
			.key = pp_key(pci_domain_nr(pdev->bus),
				      pci_dev_id(pdev)),
			.class = PEERPASS_TARGET_CLASS_BAR,
			.bar = bar,
		};

		if (!(res->flags & IORESOURCE_MEM) || !res->start ||
		    res->flags & IORESOURCE_UNSET)
			continue;
		add(map, &range);
	}
}

static void collect(struct address_map *map)
{
	struct pci_dev *pdev = NULL;
	unsigned int i;

	map->nr = 0;
	for (i = 0; i < nr_interrupt_windows; i++)
		add(map, &interrupt_windows[i]);
	walk_iomem_res_desc(IORES_DESC_NONE,
			    IORESOURCE_SYSTEM_RAM | IORESOURCE_BUSY,
			    0, -1, map, add_ram);
	for_each_pci_dev(pdev)
		add_bars(map, pdev);
}

static int by_start(const void *a, const void *b)
{
	const struct span *ra = a, *rb = b;

	return ra->start < rb->start ? -1 : ra->start > rb->start;
}

static struct address_map *build(void)
{
	struct address_map *map;
	unsigned int max = 64;

	for (;;) {
		map = kvzalloc(struct_size(map, ranges, max), GFP_KERNEL);
		if (!map)
			return NULL;
		map->max = max;
		collect(map);
		if (map->nr <= max)
			break;
		/* Devices may come meanwhile: some room to spare. */
		max = map->nr + 64;
		kvfree(map);
	}
	sort(map->ranges, map->nr, sizeof(map->ranges[0]), by_start, NULL);
	return map;
}

static void refresh(struct work_struct *work);
static DECLARE_DELAYED_WORK(refresh_work, refresh);
/* When the map became stale last, and whether that was looked at late as well. */
static unsigned long stale_since;
static bool late_done;

static void refresh(struct work_struct *work)
{
	struct address_map *map, *old;

	mutex_lock(&map_lock);
	map = build();
	/* Without memory the old map stays: attribution ages, counts do not. */
	old = map ? rcu_replace_pointer(current_map, map,
					lockdep_is_held(&map_lock)) : NULL;
	mutex_unlock(&map_lock);
	if (old)
		kvfree_rcu(old, rcu);
	/*
	 * A hot-plugged device without a driver has no event after its BARs are
	 * final: once more, a second after the last event.
	 */
	if (READ_ONCE(late_done))
		return;
	if (time_after_eq(jiffies, READ_ONCE(stale_since) + HZ))
		WRITE_ONCE(late_done, true);
	else
		schedule_delayed_work(&refresh_work, HZ);
}

/**
 * pp_address_map_lookup - what lies at an address
 * @addr: bus address
 * @target: filled in; class unassigned when nothing is known
 *
 * Context: any, including interrupts off under a raw spinlock.
 */
void pp_address_map_lookup(u64 addr, struct pp_target *target)
{
	const struct address_map *map;
	unsigned int low = 0, high;

	memset(target, 0, sizeof(*target));
	rcu_read_lock();
	map = rcu_dereference(current_map);
	high = map ? map->nr : 0;
	/* The last range that starts at or before the address. */
	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (map->ranges[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (low && addr <= map->ranges[low - 1].end) {
		const struct span *range = &map->ranges[low - 1];

		target->class = range->class;
		target->key = range->key;
		target->bar = range->bar;
		target->offset = addr - range->start;
	}
	rcu_read_unlock();
}

/**
 * pp_address_map_stale - a device came, went, or may have moved its BARs
 *
 * Does not sleep. The map is new a moment later; BARs of a hot-plugged device
 * are not assigned yet when it is announced.
 */
void pp_address_map_stale(void)
{
	WRITE_ONCE(stale_since, jiffies);
	WRITE_ONCE(late_done, false);
	cancel_delayed_work(&refresh_work);
	schedule_delayed_work(&refresh_work, msecs_to_jiffies(20));
}

/**
 * pp_address_map_init - make the first map
 * @kind: which IOMMU reports the addresses
 */
int pp_address_map_init(enum peerpass_iommu_kind kind)
{
	struct address_map *map;

	nr_interrupt_windows = kind == PEERPASS_IOMMU_KIND_AMD_VI ? 2 : 1;
	map = build();
	if (!map)
		return -ENOMEM;
	rcu_assign_pointer(current_map, map);
	return 0;
}

/* pp_address_map_exit - after every caller of stale() and lookup() is gone */
void pp_address_map_exit(void)
{
	cancel_delayed_work_sync(&refresh_work);
	kvfree(rcu_dereference_protected(current_map, true));
	RCU_INIT_POINTER(current_map, NULL);
}
