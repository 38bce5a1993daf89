// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an initiator's domain maps at the BARs of a target: nothing, the BAR itself,
 * or something else, which is then what a transfer to the BAR's address would hit.
 *
 * iommu_iova_to_phys() reads page tables without a lock. It is called only where no
 * table that it may come through can be freed meanwhile:
 *
 * - The domain itself stays: the initiator's driver, which leaves the domain to the
 *   kernel, is bound, and cannot be released before driver_leaving() has had
 *   pp_devices_lock. That does what device_lock() would, and readers do not keep each
 *   other, or somebody who wants to reset the device, from that lock.
 *
 * - Below the initiator's own host bridge the DMA API maps nothing (see window_map.c),
 *   and windows open and close under pp_devices_lock. Tables on the way are shared
 *   with addresses beside the bridge's windows, but are freed only when a range that
 *   is unmapped, or mapped with one large page, covers all that they translate
 *   (VT-d up to 6.18: dma_pte_clear_level() and dma_pte_free_level(); AMD-Vi:
 *   free_clear_pte()), and so the BAR's page, too. Somebody who maps there past the
 *   DMA API, which is what is looked for here, is hoped not to unmap at the same time.
 *
 * - Below another host bridge the driver may be mapping and unmapping at any of the
 *   BAR's addresses. VT-d frees the tables below a range of 2 MiB or more that is
 *   unmapped as a whole, AMD-Vi those below a large page that is mapped anew, and
 *   neither minds readers; since 6.19 the caller has to keep others from the range it
 *   reads (drivers/iommu/generic_pt). So nothing is read there, unless the range is
 *   the initiator's own, for a window.
 *
 * Context of everything here: pp_devices_lock held, which keeps both entries, and with
 * them their devices.
 */
#include <linux/dma-map-ops.h>
#include <linux/iommu.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/sched.h>

#include "group.h"
#include "reach.h"
#include "window.h"
#include "window_map.h"
#include "window_range.h"

/* Pages between two moments at which other tasks may run. */
#define PAGES_A_RESCHED	1024

/* A driver is in its probe or remove, or was when we wanted to look. */
static bool under_way(const struct pp_device *dev)
{
	return dev->driver_unknown || (dev->driver[0] && !dev->probed);
}

static int begin_translated(struct pp_reach *reach)
{
	const struct pp_device *dev = reach->initiator;

	if (under_way(dev))
		return -EBUSY;
	reach->way = PP_REACH_UNKNOWN;
	/* VFIO, for example, may take it out of the domain at any time. */
	if (!dev->driver[0] || dev->manages_dma)
		return 0;
	reach->domain = pp_group_dma_domain(dev->group, dev->pdev);
	if (reach->domain)
		reach->way = pp_range_needed(dev, reach->target) ?
			     PP_REACH_WINDOW : PP_REACH_SCAN;
	return 0;
}

/**
 * pp_reach_begin - begin to look at what one device reaches at another
 * @reach: filled in; good until pp_devices_lock is dropped
 * @initiator: the device whose domain is asked
 * @target: another device
 *
 * May sleep; takes the group's mutex.
 *
 * Return: 0, or -EBUSY while a driver of one of the two is in its probe or remove,
 * where the one's domain is not certain to stay and the other's BARs may move.
 */
int pp_reach_begin(struct pp_reach *reach, const struct pp_device *initiator,
		   const struct pp_device *target)
{
	struct device *dev = &initiator->pdev->dev;

	memset(reach, 0, sizeof(*reach));
	reach->initiator = initiator;
	reach->target = target;
	reach->type = pp_group_member_type(initiator->group, initiator->pdev);
	reach->dma_ops = get_dma_ops(dev);
	if (under_way(target))
		return -EBUSY;
	switch (reach->type) {
	case PEERPASS_DOMAIN_TYPE_NONE:
		/* A group that came late, or a device that is leaving its own. */
		reach->way = initiator->group || dev->iommu_group ?
			     PP_REACH_UNKNOWN : PP_REACH_SELF;
		return 0;
	case PEERPASS_DOMAIN_TYPE_IDENTITY:
		reach->way = PP_REACH_SELF;
		return 0;
	case PEERPASS_DOMAIN_TYPE_BLOCKED:
		reach->way = PP_REACH_NONE;
		return 0;
	case PEERPASS_DOMAIN_TYPE_DMA:
	case PEERPASS_DOMAIN_TYPE_DMA_FQ:
		return begin_translated(reach);
	default:
		reach->way = PP_REACH_UNKNOWN;
		return 0;
	}
}

static u64 scan(struct iommu_domain *domain, phys_addr_t start, u64 size,
		unsigned int *pages, struct pp_reach_bytes *bytes)
{
	u64 done = 0;

	while (done < size && *pages) {
		const phys_addr_t addr = start + done;
		const u64 piece = min_t(u64, size - done,
					PAGE_SIZE - offset_in_page(addr));
		phys_addr_t phys;

		/* Of the last byte: it is 0 for nothing, and for page 0's first. */
		phys = iommu_iova_to_phys(domain, addr | ~PAGE_MASK);
		if (!phys)
			bytes->none += piece;
		else if (phys >> PAGE_SHIFT == addr >> PAGE_SHIFT)
			bytes->self += piece;
		else
			bytes->foreign += piece;
		done += piece;
		if (!(--*pages % PAGES_A_RESCHED))
			cond_resched();
	}
	return done;
}

static bool has_window(const struct pp_reach *reach, unsigned int bar,
		       phys_addr_t start, u64 size)
{
	struct pci_dev *target = reach->target->pdev;
	const u64 key = pp_key(pci_domain_nr(target->bus), pci_dev_id(target));
	const struct pp_window *window;

	list_for_each_entry(window, &reach->initiator->windows, list)
		if (window->target == key && window->bar == bar &&
		    window->state == PEERPASS_WINDOW_STATE_INSTALLED)
			return window->start == start && window->size == size &&
			       pp_window_is_identity(reach->domain, start,
						     size);
	return false;
}

/**
 * pp_reach_look - look at a piece of a BAR
 * @reach: begun
 * @bar: an assigned memory BAR of the target
 * @offset: where the piece begins, bytes
 * @pages: how many pages may be looked at; what is left of them afterwards
 * @bytes: filled in
 *
 * May sleep.
 *
 * Return: bytes looked at, which are all to the BAR's end unless @pages is 0
 * afterwards.
 */
u64 pp_reach_look(const struct pp_reach *reach, unsigned int bar, u64 offset,
		  unsigned int *pages, struct pp_reach_bytes *bytes)
{
	const phys_addr_t start = pci_resource_start(reach->target->pdev, bar);
	const u64 size = pci_resource_len(reach->target->pdev, bar);
	const u64 left = size > offset ? size - offset : 0;

	memset(bytes, 0, sizeof(*bytes));
	switch (reach->way) {
	case PP_REACH_SCAN:
		return scan(reach->domain, start + offset, left, pages, bytes);
	case PP_REACH_WINDOW:
		if (has_window(reach, bar, start, size))
			bytes->self = left;
		else
			bytes->unknown = left;
		break;
	case PP_REACH_NONE:
		bytes->none = left;
		break;
	case PP_REACH_SELF:
		bytes->self = left;
		break;
	case PP_REACH_UNKNOWN:
		bytes->unknown = left;
		break;
	}
	return left;
}
