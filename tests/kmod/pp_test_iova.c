// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: DMA mappings of one device, made by nobody's driver. The device's own
 * driver, if it has one, must be idle meanwhile. A job is done by writing its name to
 * the parameter "job", which fails when the job did; each says what came of it in one
 * line of the kernel log.
 *
 *   settings   prints mask, bus limit, and where allocations start
 *   sizes      maps and unmaps every power of two from "size" to a page below
 *              4 GiB
 *   exhaust    "rounds" times: maps all there is below 4 GiB, largest pieces
 *              first, and unmaps it. Nothing may overlap "windows" (start, size,
 *              start, size, ...); these must be mapped to themselves before and
 *              after; and each round must find as much as the first
 *   hold       keeps "size" bytes ending at "last" mapped until the unload
 *   fill       holds like "hold", and all that lies below the window besides
 *   foreign    maps "pages" pages of host memory at each address of "at", past the
 *              DMA API, until the unload; the device's driver must stay for that long
 *   changed    prints how many bytes of them are not what they were at first
 *
 * What is mapped is the GiB in which the device's first BAR lies, over and over:
 * nothing but page tables takes memory, and the device is not told.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/iommu.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <linux/slab.h>

static char *device;
module_param(device, charp, 0);
static unsigned long long last;
module_param(last, ullong, 0600);
static unsigned long long size = SZ_256M;
module_param(size, ullong, 0600);
static unsigned long at[2];
static unsigned int nr_at;
module_param_array(at, ulong, &nr_at, 0600);
static unsigned int pages = 1;
module_param(pages, uint, 0600);
static unsigned int rounds = 4;
module_param(rounds, uint, 0600);
static unsigned long long windows[32];
static unsigned int nr_windows;
module_param_array(windows, ullong, &nr_windows, 0600);

struct piece {
	struct list_head list;
	dma_addr_t iova;
	size_t size;
};

static LIST_HEAD(pieces);
static struct pci_dev *pdev;
static u64 old_mask;

static dma_addr_t base(void)
{
	return ALIGN_DOWN(pci_resource_start(pdev, 0), SZ_1G);
}

static struct piece *map(size_t bytes)
{
	struct piece *piece = kzalloc(sizeof(*piece), GFP_KERNEL);

	if (!piece)
		return NULL;
	piece->size = bytes;
	piece->iova = dma_map_resource(&pdev->dev, base(), bytes,
				       DMA_TO_DEVICE, 0);
	if (dma_mapping_error(&pdev->dev, piece->iova)) {
		kfree(piece);
		return NULL;
	}
	list_add(&piece->list, &pieces);
	return piece;
}

static void unmap(struct piece *piece)
{
	dma_unmap_resource(&pdev->dev, piece->iova, piece->size,
			   DMA_TO_DEVICE, 0);
	list_del(&piece->list);
	kfree(piece);
}

static void unmap_above(u64 addr)
{
	struct piece *piece, *next;

	list_for_each_entry_safe(piece, next, &pieces, list)
		if (piece->iova > addr)
			unmap(piece);
	/* In lazy mode the space comes back later. */
	msleep(50);
}

static u64 map_everything(size_t smallest)
{
	size_t bytes;
	u64 sum = 0;

	for (bytes = SZ_1G; bytes >= smallest; bytes /= 2)
		while (map(bytes)) {
			sum += bytes;
			cond_resched();
		}
	return sum;
}

static int settings(void)
{
	int below = -1;

#ifdef PP_HAVE_32BIT_WORKAROUND
	below = pdev->dev.iommu->pci_32bit_workaround;
#endif
	pci_info(pdev, "pp_test_iova: mask %llx limit %llx below_first %d\n",
		 old_mask, pdev->dev.bus_dma_limit, below);
	return 0;
}

static int every_size(void)
{
	unsigned int ok = 0, failed = 0;
	size_t bytes;

	/* What smaller ones free would help larger ones. */
	for (bytes = size; bytes >= PAGE_SIZE; bytes /= 2) {
		struct piece *piece = map(bytes);

		if (piece && piece->iova + bytes - 1 <= U32_MAX)
			ok++;
		else
			failed++;
		if (piece)
			unmap(piece);
		/* In lazy mode the space comes back later. */
		msleep(20);
	}
	pci_info(pdev, "pp_test_iova: %u sizes mapped, %u failed\n", ok, failed);
	return failed ? -ENOSPC : 0;
}

static unsigned int windows_lost(void)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(&pdev->dev);
	unsigned int i, lost = 0;

	for (i = 0; i + 1 < nr_windows; i += 2)
		lost += iommu_iova_to_phys(domain, windows[i]) != windows[i] ||
			iommu_iova_to_phys(domain, windows[i] + windows[i + 1] - 1) !=
			windows[i] + windows[i + 1] - 1;
	return lost;
}

static unsigned int overlaps(void)
{
	unsigned int i, n = 0;
	struct piece *piece;

	list_for_each_entry(piece, &pieces, list)
		for (i = 0; i + 1 < nr_windows; i += 2)
			n += piece->iova < windows[i] + windows[i + 1] &&
			     windows[i] < piece->iova + piece->size;
	return n;
}

static int exhaust(void)
{
	unsigned int lost = windows_lost(), over = 0, round;
	u64 first = 0, sum = 0, least = U64_MAX;

	for (round = 0; round < rounds; round++) {
		u64 now = map_everything(PAGE_SIZE);

		if (!round)
			first = now;
		least = min(least, now);
		sum += now;
		over += overlaps();
		lost += windows_lost();
		unmap_above(0);
	}
	lost += windows_lost();
	pci_info(pdev,
		 "pp_test_iova: exhausted %u times: %llu MiB handed out, first %llu, least %llu, %u windows, %u overlaps, %u lost\n",
		 rounds, sum >> 20, first >> 20, least >> 20, nr_windows / 2, over, lost);
	return over || lost || least < first || first < SZ_1G ? -EIO : 0;
}

static int hold(void)
{
	u64 limit = pdev->dev.bus_dma_limit;
	struct piece *piece;

	pdev->dev.bus_dma_limit = last;
	piece = map(size);
	pdev->dev.bus_dma_limit = limit;
	if (!piece)
		return -ENOSPC;
	pci_info(pdev, "pp_test_iova: holds %llx\n", (u64)piece->iova);
	return piece->iova + size - 1 == last ? 0 : -EEXIST;
}

static int fill(void)
{
	struct piece *piece, *next;
	int ret = hold();
	u64 sum;

	if (ret || nr_windows != 2)
		return ret ?: -EINVAL;
	sum = map_everything(PAGE_SIZE);
	list_for_each_entry_safe(piece, next, &pieces, list)
		if (piece->iova >= windows[0] && piece->iova + piece->size - 1 != last)
			unmap(piece);
	unmap_above(U64_MAX);
	pci_info(pdev, "pp_test_iova: filled %llu MiB\n", sum >> 20);
	return 0;
}

#define FOREIGN_BYTE 0x5a

struct foreign {
	void *memory;
	size_t size;
	unsigned long at;
};

static struct foreign foreigns[ARRAY_SIZE(at)];

static void foreign_end(void)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(&pdev->dev);
	struct foreign *f;

	for (f = foreigns; f < foreigns + ARRAY_SIZE(foreigns); f++) {
		if (!f->memory)
			continue;
		iommu_unmap(domain, f->at, f->size);
		iommu_flush_iotlb_all(domain);
		free_pages_exact(f->memory, f->size);
		f->memory = NULL;
	}
}

static int foreign_one(struct foreign *f)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(&pdev->dev);
	void *memory = alloc_pages_exact(f->size, GFP_KERNEL);
	int ret;

	if (!memory)
		return -ENOMEM;
	memset(memory, FOREIGN_BYTE, f->size);
#ifdef PP_HAVE_MAP_ATOMIC
	ret = iommu_map(domain, f->at, virt_to_phys(memory), f->size,
			IOMMU_READ | IOMMU_WRITE);
#else
	ret = iommu_map(domain, f->at, virt_to_phys(memory), f->size,
			IOMMU_READ | IOMMU_WRITE, GFP_KERNEL);
#endif
	if (ret)
		free_pages_exact(memory, f->size);
	else
		f->memory = memory;
	return ret;
}

static int foreign(void)
{
	unsigned int i;
	int ret = 0;

	if (foreigns[0].memory)
		return -EBUSY;
	for (i = 0; i < nr_at && !ret; i++) {
		foreigns[i].at = at[i];
		foreigns[i].size = pages * PAGE_SIZE;
		ret = foreign_one(&foreigns[i]);
	}
	if (ret)
		foreign_end();
	return nr_at ? ret : -EINVAL;
}

static int changed(void)
{
	unsigned long n[ARRAY_SIZE(at)] = {};
	unsigned int i;
	size_t k;

	for (i = 0; i < ARRAY_SIZE(at); i++)
		for (k = 0; foreigns[i].memory && k < foreigns[i].size; k++)
			n[i] += ((u8 *)foreigns[i].memory)[k] != FOREIGN_BYTE;
	pci_info(pdev, "pp_test_iova: changed %lu and %lu bytes\n", n[0], n[1]);
	return foreigns[0].memory ? 0 : -EINVAL;
}

static int set_job(const char *name, const struct kernel_param *kp)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} jobs[] = {
		{ "settings", settings },
		{ "sizes", every_size },
		{ "exhaust", exhaust },
		{ "hold", hold },
		{ "fill", fill },
		{ "foreign", foreign },
		{ "changed", changed },
	};
	unsigned int i;
	int ret = -EINVAL;

	if (!pdev)
		return -ENODEV;
	old_mask = *pdev->dev.dma_mask;
	/* Below 4 GiB is where space can run out. */
	*pdev->dev.dma_mask = DMA_BIT_MASK(32);
	for (i = 0; i < ARRAY_SIZE(jobs); i++)
		if (sysfs_streq(name, jobs[i].name))
			ret = jobs[i].run();
	*pdev->dev.dma_mask = old_mask;
	return ret;
}

static const struct kernel_param_ops job_ops = { .set = set_job };
module_param_cb(job, &job_ops, NULL, 0200);

static int __init pp_iova_init(void)
{
	unsigned int domain, bus, slot, fn;

	if (!device || sscanf(device, "%x:%x:%x.%x", &domain, &bus, &slot, &fn) != 4)
		return -EINVAL;
	pdev = pci_get_domain_bus_and_slot(domain, bus, PCI_DEVFN(slot, fn));
	return pdev ? 0 : -ENODEV;
}
module_init(pp_iova_init);

static void __exit pp_iova_exit(void)
{
	foreign_end();
	unmap_above(0);
	pci_dev_put(pdev);
}
module_exit(pp_iova_exit);

MODULE_DESCRIPTION("Test only: fills a device's IOVA space");
MODULE_LICENSE("GPL");
