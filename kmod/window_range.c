// SPDX-License-Identifier: GPL-2.0-only
/*
 * Windows to BARs below another host bridge need an IOVA range of their own: the
 * kernel has kept only the initiator's own bridge out of its IOVA allocator.
 *
 * A range is taken at the initiator's BIND_DRIVER, when no driver code runs, and
 * given back when that driver leaves. In between, windows are opened and closed in
 * it like any other. It is closed whenever no window is open in it, although the
 * DMA API, which it was taken from, believes it to be mapped all the time.
 *
 * Context of everything here: pp_devices_lock held.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/iommu.h>
#include <linux/list_sort.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "iova_take.h"
#include "scratch_map.h"
#include "trust.h"
#include "window.h"
#include "window_map.h"
#include "window_range.h"

/*
 * The allocator keeps ranges of up to this size in caches, and gives out whatever is
 * there (drivers/iommu/iova.c:IOVA_RANGE_CACHE_MAX_SIZE).
 */
#define LARGEST_CACHED	SZ_128K

/* pp_range_needed - do windows from one device to another need ranges? */
bool pp_range_needed(const struct pp_device *initiator,
		     const struct pp_device *target)
{
	return pci_find_host_bridge(initiator->pdev->bus) !=
	       pci_find_host_bridge(target->pdev->bus);
}

/* The range of another device that shares the domain. */
static struct pp_range *mates_range(const struct pp_device *initiator,
				    const struct pp_range *like)
{
	struct pp_device *mate;
	struct pp_range *range;
	unsigned long key;

	xa_for_each(&pp_devices, key, mate) {
		if (mate == initiator || !mate->domain ||
		    mate->domain != initiator->domain)
			continue;
		list_for_each_entry(range, &mate->ranges, list)
			if (range->state == PEERPASS_WINDOW_STATE_INSTALLED &&
			    range->start == like->start &&
			    range->size == like->size)
				return range;
	}
	return NULL;
}

static enum peerpass_window_state check(const struct pp_device *initiator,
					const struct pp_range *range)
{
	const u64 limit = initiator->pdev->dev.bus_dma_limit;

	if (range->size <= LARGEST_CACHED)
		return PEERPASS_WINDOW_STATE_BAR_TOO_SMALL;
	/* The driver sets its mask later; this limit is the bus's. */
	if (limit && range->start + range->size - 1 > limit)
		return PEERPASS_WINDOW_STATE_DMA_MASK;
	return pp_window_check(initiator->domain, range->start, range->size);
}

/**
 * pp_range_add - note a BAR that pp_ranges_take() is to take the range of
 * @initiator: the device
 * @target: its peer
 * @bar: an assigned memory BAR of @target
 */
void pp_range_add(struct pp_device *initiator, const struct pp_device *target,
		  unsigned int bar)
{
	struct pp_range *range = kzalloc(sizeof(*range), GFP_KERNEL);

	/* Its windows will say that the initiator must be bound again. */
	if (!range)
		return;
	range->target = pp_key(pci_domain_nr(target->pdev->bus),
			       pci_dev_id(target->pdev));
	range->bar = bar;
	range->start = pci_resource_start(target->pdev, bar);
	range->size = pci_resource_len(target->pdev, bar);
	if (mates_range(initiator, range)) {
		/* DMA debugging knows one owner, who must be the one to unmap. */
		range->state = IS_ENABLED(CONFIG_DMA_API_DEBUG) ?
			       PEERPASS_WINDOW_STATE_IOVA_TAKEN :
			       PEERPASS_WINDOW_STATE_INSTALLED;
	} else {
		range->state = check(initiator, range);
		range->wanted = range->state == PEERPASS_WINDOW_STATE_INSTALLED;
	}
	list_add(&range->list, &initiator->ranges);
}

static int descending(void *priv, const struct list_head *a,
		      const struct list_head *b)
{
	const struct pp_range *x = list_entry(a, struct pp_range, list);
	const struct pp_range *y = list_entry(b, struct pp_range, list);

	return x->start < y->start;
}

/**
 * pp_ranges_take - take the ranges that were added
 * @initiator: the device
 *
 * Context: BIND_DRIVER of @initiator, under device_lock(). May sleep.
 */
void pp_ranges_take(struct pp_device *initiator)
{
	struct pp_range *range;
	bool any = false;

	list_for_each_entry(range, &initiator->ranges, list)
		any |= range->wanted;
	if (!any)
		return;
	list_sort(NULL, &initiator->ranges, descending);
	pp_iova_take(&initiator->pdev->dev, initiator->domain,
		     &initiator->ranges);
	list_for_each_entry(range, &initiator->ranges, list)
		if (range->owned)
			pp_window_unmap(initiator->domain, range->start,
					range->size);
}

/* May what the range was taken for be open to the initiator for a moment? */
static bool harmless(const struct pp_device *initiator,
		     const struct pp_range *range)
{
	const struct pp_device *target = xa_load(&pp_devices, range->target);

	if (!target || target->driver_unknown ||
	    !pp_window_may_reach(initiator, target) ||
	    pci_resource_start(target->pdev, range->bar) != range->start ||
	    pci_resource_len(target->pdev, range->bar) != range->size)
		return false;
	/* A probe that runs may be moving BARs. */
	return !target->driver[0] ||
	       (target->probed && pp_driver_trusted(target->driver));
}

/* The DMA API warns of a range that is not mapped in full. */
static void give_back(struct pp_device *initiator, struct pp_range *range)
{
	struct iommu_domain *domain = initiator->domain;
	struct page *scratch = NULL;
	unsigned int order;

	if (!harmless(initiator, range) ||
	    pp_window_map(domain, range->start, range->size) !=
	    PEERPASS_WINDOW_STATE_INSTALLED) {
		scratch = pp_scratch_map(domain, range->start, range->size,
					 &order);
		if (!scratch) {
			pci_warn(initiator->pdev,
				 "peerpass: no memory to give %zu bytes of IOVA space back\n",
				 range->size);
			return;
		}
	}
	pp_iova_give_back(&initiator->pdev->dev, domain, range->start,
			  range->size);
	if (scratch)
		__free_pages(scratch, order);
}

/**
 * pp_ranges_release - give all ranges back, or to a device that shares the domain
 * @initiator: the device; none of its windows is open any more
 *
 * Context: the domain is still held by the driver. May sleep.
 */
void pp_ranges_release(struct pp_device *initiator)
{
	struct pp_range *range, *next, *heir;

	list_for_each_entry_safe(range, next, &initiator->ranges, list) {
		list_del(&range->list);
		if (range->owned) {
			heir = mates_range(initiator, range);
			if (heir)
				heir->owned = true;
			else
				give_back(initiator, range);
		}
		kfree(range);
	}
}

/**
 * pp_range_state - can a window to a BAR be opened?
 * @initiator: the device
 * @target: pp_key() of its peer
 * @bar: the peer's BAR
 * @start: its address
 * @size: its size
 *
 * Return: installed, or why not.
 */
enum peerpass_window_state pp_range_state(const struct pp_device *initiator,
					  u64 target, int bar,
					  phys_addr_t start, size_t size)
{
	const struct pp_range *range;

	list_for_each_entry(range, &initiator->ranges, list)
		if (range->target == target && range->bar == bar &&
		    range->start == start && range->size == size)
			return range->state;
	return PEERPASS_WINDOW_STATE_NEEDS_REBIND;
}
