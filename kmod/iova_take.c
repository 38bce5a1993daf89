// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking chosen ranges out of a device's IOVA allocator.
 *
 * No exported function does that in a default domain, but the DMA API does when
 * it has no choice: with bus_dma_limit at the last byte of the range,
 * dma_map_resource() returns the range itself, provided that the allocator looks
 * there first. What follows from drivers/iommu/iova.c and dma-iommu.c, the same
 * from 6.1 to 7.3:
 *
 *  - It goes down from a remembered node, one for limits up to 4 GiB and one for
 *    those above, and takes the first place that fits, aligned to its size. The
 *    node moves down with what is taken, and up when something above it is freed.
 *    So ranges are taken in descending order, and the node must be above the
 *    first of them.
 *  - Freed pieces of up to 32 pages stay taken, in caches, and hold the node
 *    down. An allocation that fails flushes the caches.
 *  - It remembers the smallest size that did not fit, and refuses that size below
 *    4 GiB until something below 4 GiB is freed.
 *  - Above 4 GiB, it tries below first: always up to 6.3, since then while
 *    pci_32bit_workaround is set. Where there is no such flag, a size that is
 *    being refused below 4 GiB is the way past it.
 *  - In lazy mode nothing is freed at once, but at most 10 ms later.
 *
 * Therefore something larger than the caches take (the "lifter") is mapped above
 * everything before, and unmapped after: that frees something below 4 GiB, and
 * the driver's own addresses begin at the top again, far from other bridges.
 */
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/iommu.h>
#include <linux/mm.h>
#include <linux/sizes.h>

#include "compat.h"
#include "iova_take.h"
#include "window_map.h"
#include "window_range.h"

#define LIFTER_SIZE	SZ_256K
/* Fails for want of room, and no driver maps as much at once. */
#define PURGE_SIZE	SZ_2G
/* The flush queue's timer runs for 10 ms (dma-iommu.c:IOVA_DEFAULT_FQ_TIMEOUT). */
#define LAZY_MS		15
#define PASSES		3

/**
 * struct taker - a device's settings meanwhile
 * @dev: the device
 * @domain: its default domain
 * @lazy: frees late
 * @mask: DMA mask before
 * @limit: bus_dma_limit before
 * @below_first: tried below 4 GiB first before
 * @page: what the lifters map, never written by the device
 * @low: lifter below 4 GiB
 * @high: lifter above 4 GiB
 * @refuses: sizes that drivers map are refused below 4 GiB until @low is freed
 */
struct taker {
	struct device *dev;
	struct iommu_domain *domain;
	bool lazy;
	u64 mask;
	u64 limit;
	bool below_first;
	struct page *page;
	dma_addr_t low;
	dma_addr_t high;
	bool refuses;
};

static bool is_high(const struct pp_range *range)
{
	return range->start > U32_MAX;
}

static u64 last_byte(const struct pp_range *range)
{
	return range->start + range->size - 1;
}

/*
 * Readable is enough to own a range. DMA debugging, besides, warns of what several
 * devices map to be written.
 */
static dma_addr_t map_below(struct taker *t, phys_addr_t addr, size_t size,
			    u64 last)
{
	dma_addr_t iova;

	t->dev->bus_dma_limit = last;
	iova = dma_map_resource(t->dev, addr, size, DMA_TO_DEVICE, 0);
	t->dev->bus_dma_limit = t->limit;
	return dma_mapping_error(t->dev, iova) ? DMA_MAPPING_ERROR : iova;
}

/*
 * Fails: IOVA 0 is never given out. Flushes the allocator's caches, and makes it
 * refuse this and larger sizes below 4 GiB.
 */
static void fail_to_map(struct taker *t, phys_addr_t addr, size_t size)
{
	dma_addr_t iova = map_below(t, addr, size, size - 1);

	if (iova != DMA_MAPPING_ERROR)
		dma_unmap_resource(t->dev, iova, size, DMA_TO_DEVICE, 0);
}

/* Keeps the next allocation of that size from being tried below 4 GiB. */
static void go_high(struct taker *t, phys_addr_t addr, size_t size)
{
	/* Larger ones are refused there anyway. */
	if (!pp_can_start_high() && size < SZ_4G) {
		fail_to_map(t, addr, size);
		t->refuses = true;
	}
}

static void lifter_unmap(struct taker *t, dma_addr_t *lifter)
{
	if (*lifter != DMA_MAPPING_ERROR)
		dma_unmap_page(t->dev, *lifter, LIFTER_SIZE, DMA_TO_DEVICE);
	*lifter = DMA_MAPPING_ERROR;
}

static void lifter_map(struct taker *t, dma_addr_t *lifter, u64 last)
{
	t->dev->bus_dma_limit = last;
	*lifter = dma_map_page(t->dev, t->page, 0, LIFTER_SIZE, DMA_TO_DEVICE);
	t->dev->bus_dma_limit = t->limit;
	if (dma_mapping_error(t->dev, *lifter))
		*lifter = DMA_MAPPING_ERROR;
}

/*
 * Somewhere above the highest range, but not at the end of the aperture: AMD's
 * page table would grow levels for it, and keep them.
 */
static u64 lifter_limit(const struct pp_range *highest)
{
	const u64 last = last_byte(highest);
	u64 limit = (2ULL << fls64(last)) - 1;

	if (limit > DMA_BIT_MASK(48) && last < DMA_BIT_MASK(48) - SZ_4G)
		limit = DMA_BIT_MASK(48);
	return limit;
}

static bool take_one(struct taker *t, struct pp_range *range)
{
	dma_addr_t iova;

	iova = map_below(t, range->start, range->size, last_byte(range));
	if (iova == DMA_MAPPING_ERROR) {
		/* No room up to there at all, or no memory. */
		range->state = PEERPASS_WINDOW_STATE_MAP_FAILED;
		t->refuses = true;
		return false;
	}
	if (iova != range->start) {
		range->state = PEERPASS_WINDOW_STATE_IOVA_TAKEN;
		pp_iova_give_back(t->dev, t->domain, iova, range->size);
		return false;
	}
	if (!pp_window_is_identity(t->domain, range->start, range->size)) {
		range->state = PEERPASS_WINDOW_STATE_MAP_FAILED;
		pp_iova_give_back(t->dev, t->domain, iova, range->size);
		return false;
	}
	range->state = PEERPASS_WINDOW_STATE_INSTALLED;
	range->owned = true;
	return true;
}

/* Return: all of this space were taken, so far as they are wanted. */
static bool take_space(struct taker *t, struct list_head *ranges, bool high)
{
	struct pp_range *range;
	bool first = true, all = true;

	list_for_each_entry(range, ranges, list) {
		if (!range->wanted || is_high(range) != high)
			continue;
		if (first && high) {
			go_high(t, range->start, LIFTER_SIZE);
			lifter_map(t, &t->high, lifter_limit(range));
		}
		first = false;
		if (high)
			go_high(t, range->start, range->size);
		if (take_one(t, range))
			continue;
		all = false;
		/* What failed below 4 GiB is not to fail the next one. */
		if (!high) {
			lifter_unmap(t, &t->low);
			lifter_map(t, &t->low, U32_MAX);
		}
	}
	return all;
}

static bool take_all(struct taker *t, struct list_head *ranges)
{
	phys_addr_t any = list_first_entry(ranges, struct pp_range, list)->start;
	bool all;

	fail_to_map(t, any, PURGE_SIZE);
	lifter_map(t, &t->low, U32_MAX);
	/* In this order: going high makes what is below be refused. */
	all = take_space(t, ranges, false);
	all &= take_space(t, ranges, true);
	lifter_unmap(t, &t->high);
	lifter_unmap(t, &t->low);
	return all;
}

static void give_all_back(struct taker *t, struct list_head *ranges)
{
	struct pp_range *range;

	list_for_each_entry(range, ranges, list) {
		if (!range->owned)
			continue;
		pp_iova_give_back(t->dev, t->domain, range->start, range->size);
		range->owned = false;
	}
}

static int taker_init(struct taker *t)
{
	t->page = alloc_pages(GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN,
			      get_order(LIFTER_SIZE));
	if (!t->page)
		return -ENOMEM;
	t->lazy = t->domain->type == IOMMU_DOMAIN_DMA_FQ;
	t->low = DMA_MAPPING_ERROR;
	t->high = DMA_MAPPING_ERROR;
	t->limit = t->dev->bus_dma_limit;
	t->mask = dma_get_mask(t->dev);
	if (dma_set_mask(t->dev, DMA_BIT_MASK(64))) {
		__free_pages(t->page, get_order(LIFTER_SIZE));
		return -EIO;
	}
	t->below_first = pp_start_high(t->dev, true);
	return 0;
}

static void taker_exit(struct taker *t)
{
	pp_start_high(t->dev, !t->below_first);
	if (dma_set_mask(t->dev, t->mask))
		*t->dev->dma_mask = t->mask;
	/* In lazy mode the IOTLB may still lead to the page. */
	iommu_flush_iotlb_all(t->domain);
	__free_pages(t->page, get_order(LIFTER_SIZE));
	/* The driver is not to meet a refusal that is not its own. */
	if (t->lazy && t->refuses)
		msleep(LAZY_MS);
}

/**
 * pp_iova_take - take ranges out of a device's IOVA allocator
 * @dev: a device no driver code of which runs: its DMA mask, its bus_dma_limit
 *	and where its allocations start are changed meanwhile
 * @domain: its default domain
 * @ranges: struct pp_range in descending order; those @wanted are taken
 *
 * Other devices of the group may map and unmap meanwhile; a range may be missed
 * for that, and mappings of theirs below 4 GiB that are as large as a range may
 * be refused for a moment.
 *
 * What was taken is @owned, and mapped to itself; @state says what became of the
 * others.
 *
 * Context: BIND_DRIVER of @dev, under device_lock(). May sleep.
 */
void pp_iova_take(struct device *dev, struct iommu_domain *domain,
		  struct list_head *ranges)
{
	struct taker t = { .dev = dev, .domain = domain };
	struct pp_range *range;
	unsigned int pass;

	if (taker_init(&t)) {
		list_for_each_entry(range, ranges, list)
			if (range->wanted)
				range->state = PEERPASS_WINDOW_STATE_NO_MEMORY;
		return;
	}
	for (pass = 1; !take_all(&t, ranges); pass++) {
		/* What was freed a moment ago may be in the way. */
		if (!t.lazy || pass == PASSES)
			break;
		give_all_back(&t, ranges);
		msleep(LAZY_MS);
	}
	taker_exit(&t);
}

/**
 * pp_iova_give_back - give a range back that pp_iova_take() took
 * @dev: the device
 * @domain: its default domain
 * @start: IOVA
 * @size: bytes, all of which must be mapped
 *
 * A driver may be bound and running. May sleep.
 */
void pp_iova_give_back(struct device *dev, struct iommu_domain *domain,
		       phys_addr_t start, size_t size)
{
	dma_unmap_resource(dev, start, size, DMA_TO_DEVICE, 0);
	/* Lazy mode leaves the translation in the IOTLB for a while. */
	iommu_flush_iotlb_all(domain);
}
