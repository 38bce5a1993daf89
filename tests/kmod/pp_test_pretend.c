// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: makes the kernel believe that a PCI function is another one, from
 * load to unload: its ids, and whether it is behind an external-facing port. What
 * the device itself says stays as it is, and no driver is bound anew.
 */
#include <linux/module.h>
#include <linux/pci.h>

static char *dev = "";
module_param(dev, charp, 0444);
MODULE_PARM_DESC(dev, "DDDD:BB:DD.F");
static uint vendor;
module_param(vendor, uint, 0444);
static uint device;
module_param(device, uint, 0444);
static bool untrusted;
module_param(untrusted, bool, 0444);

static struct pci_dev *pdev;
static unsigned short old_vendor, old_device;
static bool old_untrusted;

static int __init pp_pretend_init(void)
{
	unsigned int domain, bus, slot, func;

	if (sscanf(dev, "%x:%x:%x.%x", &domain, &bus, &slot, &func) != 4)
		return -EINVAL;
	pdev = pci_get_domain_bus_and_slot(domain, bus, PCI_DEVFN(slot, func));
	if (!pdev)
		return -ENODEV;
	old_vendor = pdev->vendor;
	old_device = pdev->device;
	old_untrusted = pdev->untrusted;
	if (vendor)
		pdev->vendor = vendor;
	if (device)
		pdev->device = device;
	pdev->untrusted |= untrusted;
	return 0;
}

static void __exit pp_pretend_exit(void)
{
	pdev->vendor = old_vendor;
	pdev->device = old_device;
	pdev->untrusted = old_untrusted;
	pci_dev_put(pdev);
}

module_init(pp_pretend_init);
module_exit(pp_pretend_exit);
MODULE_DESCRIPTION("Test only: another device than it is");
MODULE_LICENSE("GPL");
