// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: reports faults by the kernel's report_iommu_fault(), which fires the
 * tracepoint iommu:io_page_fault. They are all reported while the module loads.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/iommu.h>
#include <linux/module.h>
#include <linux/pci.h>

static char *initiator = "0000:00:04.0";
module_param(initiator, charp, 0444);
static char *target = "0000:00:10.0";
module_param(target, charp, 0444);
static unsigned int reads = 1;
module_param(reads, uint, 0444);
static unsigned int writes = 1;
module_param(writes, uint, 0444);

static struct pci_dev *find(const char *name)
{
	struct device *dev = bus_find_device_by_name(&pci_bus_type, NULL, name);

	return dev ? to_pci_dev(dev) : NULL;
}

static int __init pp_test_report_init(void)
{
	/* Without a handler of its own it only fires the tracepoint. */
	static struct iommu_domain domain;
	struct pci_dev *from = find(initiator), *to = find(target);
	int ret = -ENODEV;
	unsigned int i;

	if (from && to) {
		unsigned long addr = pci_resource_start(to, 2);

		for (i = 0; i < reads; i++)
			report_iommu_fault(&domain, &from->dev, addr + i,
					   IOMMU_FAULT_READ);
		for (i = 0; i < writes; i++)
			report_iommu_fault(&domain, &from->dev, addr + i,
					   IOMMU_FAULT_WRITE);
		ret = 0;
	}
	pci_dev_put(from);
	pci_dev_put(to);
	return ret;
}

static void __exit pp_test_report_exit(void)
{
}

module_init(pp_test_report_init);
module_exit(pp_test_report_exit);
MODULE_DESCRIPTION("Test only: reports IOMMU faults");
MODULE_LICENSE("GPL");
