// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: makes the kernel believe that PCI functions are other ones, from load
 * to unload: their ids and class, and whether they are behind an external-facing
 * port. What a device itself says stays as it is, and no driver is bound anew.
 *
 *	dev=BDF[,BDF...] vendor=ID[,ID...] device=ID[,...] class=24BITS[,...]
 */
#include <linux/module.h>
#include <linux/pci.h>

#define MAX_DEVICES	4

static char *dev[MAX_DEVICES];
static unsigned int nr;
module_param_array(dev, charp, &nr, 0444);
static uint vendor[MAX_DEVICES];
module_param_array(vendor, uint, NULL, 0444);
static uint device[MAX_DEVICES];
module_param_array(device, uint, NULL, 0444);
static uint class[MAX_DEVICES];
module_param_array(class, uint, NULL, 0444);
static bool untrusted;
module_param(untrusted, bool, 0444);

static struct {
	struct pci_dev *pdev;
	unsigned short vendor;
	unsigned short device;
	unsigned int class;
	bool untrusted;
} old[MAX_DEVICES];

static void put_back(void)
{
	unsigned int i;

	for (i = 0; i < nr && old[i].pdev; i++) {
		struct pci_dev *pdev = old[i].pdev;

		pdev->vendor = old[i].vendor;
		pdev->device = old[i].device;
		pdev->class = old[i].class;
		pdev->untrusted = old[i].untrusted;
		pci_dev_put(pdev);
	}
}

static int pretend(unsigned int i)
{
	unsigned int domain, bus, slot, func;
	struct pci_dev *pdev;

	if (sscanf(dev[i], "%x:%x:%x.%x", &domain, &bus, &slot, &func) != 4)
		return -EINVAL;
	pdev = pci_get_domain_bus_and_slot(domain, bus, PCI_DEVFN(slot, func));
	if (!pdev)
		return -ENODEV;
	old[i].pdev = pdev;
	old[i].vendor = pdev->vendor;
	old[i].device = pdev->device;
	old[i].class = pdev->class;
	old[i].untrusted = pdev->untrusted;
	pdev->vendor = vendor[i] ?: pdev->vendor;
	pdev->device = device[i] ?: pdev->device;
	pdev->class = class[i] ?: pdev->class;
	pdev->untrusted |= untrusted;
	return 0;
}

static int __init pp_pretend_init(void)
{
	unsigned int i;
	int ret = nr ? 0 : -EINVAL;

	for (i = 0; i < nr && !ret; i++)
		ret = pretend(i);
	if (ret)
		put_back();
	return ret;
}

static void __exit pp_pretend_exit(void)
{
	put_back();
}

module_init(pp_pretend_init);
module_exit(pp_pretend_exit);
MODULE_DESCRIPTION("Test only: another device than it is");
MODULE_LICENSE("GPL");
