// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: a driver that takes an ivshmem and is on nobody's list of trusted
 * drivers. It binds only when it is told to (sysfs "bind" after new_id).
 */
#include <linux/module.h>
#include <linux/pci.h>

static int pp_untrusted_probe(struct pci_dev *pdev,
			      const struct pci_device_id *id)
{
	return pci_enable_device_mem(pdev);
}

static void pp_untrusted_remove(struct pci_dev *pdev)
{
	pci_disable_device(pdev);
}

static struct pci_driver pp_untrusted_driver = {
	.name = KBUILD_MODNAME,
	/* No table: new_id and driver_override only. */
	.probe = pp_untrusted_probe,
	.remove = pp_untrusted_remove,
};
module_pci_driver(pp_untrusted_driver);

MODULE_DESCRIPTION("Test only: a driver that is not trusted");
MODULE_LICENSE("GPL");
