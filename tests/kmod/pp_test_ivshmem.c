// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: driver for QEMU's ivshmem-plain, whose BAR 2 stands in for a
 * GPU's memory. It turns memory decoding on and, by being bound, pins the
 * device's default domain.
 *
 * The regions are not claimed: kernels with IO_STRICT_DEVMEM refuse mmap() of
 * a claimed BAR's sysfs file, and that mapping is how a test plays the owner.
 */
#include <linux/module.h>
#include <linux/pci.h>

static int pp_ivshmem_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	return pci_enable_device_mem(pdev);
}

static void pp_ivshmem_remove(struct pci_dev *pdev)
{
	pci_disable_device(pdev);
}

static const struct pci_device_id pp_ivshmem_ids[] = {
	{ PCI_DEVICE(PCI_VENDOR_ID_REDHAT_QUMRANET, 0x1110) },
	{ }
};
MODULE_DEVICE_TABLE(pci, pp_ivshmem_ids);

static struct pci_driver pp_ivshmem_driver = {
	.name = KBUILD_MODNAME,
	.id_table = pp_ivshmem_ids,
	.probe = pp_ivshmem_probe,
	.remove = pp_ivshmem_remove,
};
module_pci_driver(pp_ivshmem_driver);

MODULE_DESCRIPTION("Test only: keeps QEMU's ivshmem bound and decoding");
MODULE_LICENSE("GPL");
