// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: makes a device's AMD-Vi device table entry illegal (a reserved bit),
 * from load to unload. Each DMA transfer of the device is then answered with an
 * ILLEGAL_DEV_TABLE_ENTRY event, as it is on a host with SEV-SNP whose kernel let
 * an identity domain pass (6.13 to 6.19).
 *
 * QEMU reads the entry of a translated device for each transfer, and that of a
 * device in an identity domain when the driver flushes it: there the bit is set
 * again at each flush, where the kernel has a function that can be probed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/io.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <asm/cpufeature.h>

#include "ivrs.h"

#define DEV_TABLE_BASE	0x0
#define DTE_WORDS	4
#define DTE_RESERVED	BIT_ULL(2)

static char *device = "0000:00:04.0";
module_param(device, charp, 0444);

static u64 *entry;
static unsigned int devid;

static void spoil(void)
{
	WRITE_ONCE(entry[0], entry[0] | DTE_RESERVED);
}

/* iommu_flush_dte(struct amd_iommu *iommu, u16 devid) */
static int flushing(struct kprobe *kp, struct pt_regs *regs)
{
	if ((u16)regs_get_kernel_argument(regs, 1) == devid)
		spoil();
	return 0;
}

static struct kprobe flush_probe = {
	.symbol_name = "iommu_flush_dte",
	.pre_handler = flushing,
};

static bool flush_probed;
module_param(flush_probed, bool, 0444);

static int __init pp_test_dte_init(void)
{
	struct device *dev = bus_find_device_by_name(&pci_bus_type, NULL, device);
	u64 base = pp_test_first_unit(), table;
	void __iomem *regs;

	if (!boot_cpu_has(X86_FEATURE_HYPERVISOR) || !base || !dev) {
		put_device(dev);
		return -ENODEV;
	}
	devid = pci_dev_id(to_pci_dev(dev));
	put_device(dev);
	regs = ioremap(base, PAGE_SIZE);
	if (!regs)
		return -ENOMEM;
	table = readq(regs + DEV_TABLE_BASE) & GENMASK_ULL(51, 12);
	iounmap(regs);
	entry = memremap(table + devid * DTE_WORDS * sizeof(u64),
			 DTE_WORDS * sizeof(u64), MEMREMAP_WB);
	if (!entry)
		return -ENOMEM;
	spoil();
	flush_probed = !register_kprobe(&flush_probe);
	return 0;
}

static void __exit pp_test_dte_exit(void)
{
	if (flush_probed)
		unregister_kprobe(&flush_probe);
	WRITE_ONCE(entry[0], entry[0] & ~DTE_RESERVED);
	memunmap(entry);
}

module_init(pp_test_dte_init);
module_exit(pp_test_dte_exit);
MODULE_DESCRIPTION("Test only: illegal AMD-Vi device table entry");
MODULE_LICENSE("GPL");
