// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mapping a peer's BAR at its own bus address in an initiator's domain.
 *
 * No mapping of the initiator's driver may ever come to lie there. For a peer below
 * the initiator's own host bridge the kernel has seen to that: it has taken the
 * bridge's address windows out of the domain's IOVA allocator
 * (drivers/iommu/dma-iommu.c:iova_reserve_pci_windows()). For others, see
 * window_range.c.
 */
#include <linux/iommu.h>
#include <linux/mem_encrypt.h>
#include <linux/mm.h>

#include "compat.h"
#include "window_map.h"

/* The first, a middle and the last page. */
static phys_addr_t probe_addr(phys_addr_t start, size_t size, unsigned int i)
{
	const phys_addr_t offsets[] = { 0, size / 2, size - 1 };

	return (start + offsets[i]) & PAGE_MASK;
}

/* Kernels up to 6.18 do not refuse a mapping over another one. */
static bool is_free(struct iommu_domain *domain, phys_addr_t start, size_t size)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (iommu_iova_to_phys(domain, probe_addr(start, size, i)))
			return false;
	return true;
}

/* pp_window_is_identity - does the domain map a range to itself? */
bool pp_window_is_identity(struct iommu_domain *domain, phys_addr_t start,
			   size_t size)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		phys_addr_t addr = probe_addr(start, size, i);

		if (iommu_iova_to_phys(domain, addr) != addr)
			return false;
	}
	return true;
}

/**
 * pp_window_check - would a window be possible?
 * @domain: as for pp_window_map()
 * @start: bus address of the BAR
 * @size: bytes
 *
 * Return: installed, or why not.
 */
enum peerpass_window_state pp_window_check(struct iommu_domain *domain,
					   phys_addr_t start, size_t size)
{
	/* AMD's driver up to 6.18 puts the bit into MMIO entries as well. */
	if (sme_me_mask)
		return PEERPASS_WINDOW_STATE_MEMORY_ENCRYPTION;
	/* A whole page would open what lies beside the BAR. */
	if (!PAGE_ALIGNED(start) || !PAGE_ALIGNED(size))
		return PEERPASS_WINDOW_STATE_BAR_TOO_SMALL;
	if (start < domain->geometry.aperture_start ||
	    start + size - 1 > domain->geometry.aperture_end)
		return PEERPASS_WINDOW_STATE_APERTURE;
	if (!is_free(domain, start, size))
		return PEERPASS_WINDOW_STATE_CONFLICT;
	return PEERPASS_WINDOW_STATE_INSTALLED;
}

/**
 * pp_window_map - open a window
 * @domain: default domain of an initiator whose driver is bound or being bound,
 *	which keeps the domain
 * @start: bus address of the BAR
 * @size: bytes
 *
 * May sleep.
 *
 * Return: installed, or why not; then nothing is mapped.
 */
enum peerpass_window_state pp_window_map(struct iommu_domain *domain,
					 phys_addr_t start, size_t size)
{
	enum peerpass_window_state state;
	int ret;

	state = pp_window_check(domain, start, size);
	if (state != PEERPASS_WINDOW_STATE_INSTALLED)
		return state;
	ret = pp_iommu_map(domain, start, start, size,
			   IOMMU_READ | IOMMU_WRITE | IOMMU_MMIO);
	if (ret == -ENOMEM)
		return PEERPASS_WINDOW_STATE_NO_MEMORY;
	if (ret == -EADDRINUSE)
		return PEERPASS_WINDOW_STATE_CONFLICT;
	if (ret)
		return PEERPASS_WINDOW_STATE_MAP_FAILED;
	if (pp_window_is_identity(domain, start, size))
		return PEERPASS_WINDOW_STATE_INSTALLED;
	pp_window_unmap(domain, start, size);
	return PEERPASS_WINDOW_STATE_MAP_FAILED;
}

/**
 * pp_window_unmap - close a window; no transfer passes any more on return
 * @domain: as for pp_window_map()
 * @start: bus address of the BAR
 * @size: bytes
 *
 * May sleep.
 */
void pp_window_unmap(struct iommu_domain *domain, phys_addr_t start,
		     size_t size)
{
	size_t done = iommu_unmap(domain, start, size);

	WARN_ONCE(done != size, "unmapped %zu bytes of %zu\n", done, size);
	/* Lazy mode leaves the translation in the IOTLB for a while. */
	iommu_flush_iotlb_all(domain);
}
