// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filling an IOVA range with memory that holds nothing, readable only.
 */
#include <linux/iommu.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "compat.h"
#include "scratch_map.h"

/* The page that both kinds of IOMMU have above 4 KiB; 1 GiB cannot be had. */
#define LARGE_ORDER	9
/* Some seconds of work, under pp_devices_lock. */
#define MOST_PIECES	(1UL << 20)

static struct page *block_alloc(size_t size, unsigned int *order)
{
	struct page *page;

	*order = min_t(unsigned int, LARGE_ORDER, get_order(size));
	do {
		page = alloc_pages(GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN,
				   *order);
	} while (!page && (*order)--);
	if (page && size >> (PAGE_SHIFT + *order) > MOST_PIECES) {
		__free_pages(page, *order);
		page = NULL;
	}
	return page;
}

/**
 * pp_scratch_map - map one block of memory all over a range
 * @domain: default domain of an initiator
 * @start: IOVA; nothing is mapped there
 * @size: bytes, a power of two
 * @order: of the block, filled in
 *
 * May sleep, and takes 50 ms for 128 GiB.
 *
 * Return: the block, to be freed with __free_pages() once the range is unmapped
 * and flushed; NULL without memory, with nothing mapped.
 */
struct page *pp_scratch_map(struct iommu_domain *domain, phys_addr_t start,
			    size_t size, unsigned int *order)
{
	struct page *block = block_alloc(size, order);
	size_t piece, done;

	if (!block)
		return NULL;
	piece = PAGE_SIZE << *order;
	for (done = 0; done < size; done += piece) {
		if (pp_iommu_map(domain, start + done, page_to_phys(block),
				 piece, IOMMU_READ | IOMMU_CACHE))
			break;
		cond_resched();
	}
	if (done == size)
		return block;
	if (done)
		iommu_unmap(domain, start, done);
	iommu_flush_iotlb_all(domain);
	__free_pages(block, *order);
	return NULL;
}
