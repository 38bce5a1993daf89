// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: a driver whose probe does what a test wants of it: it fails, takes
 * its time, or moves BAR 2. It binds only what it is told to (driver_override, or
 * new_id).
 *
 * Parameters, all of which may be written at any time:
 *	result		what probe returns
 *	delay_ms	how long it takes
 *	move		probe moves BAR 2 to another address
 *	probes		counts the probes
 *	move_idle	write a BDF: moves BAR 2 of a device that has no driver
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/ioport.h>
#include <linux/module.h>
#include <linux/pci.h>

#define BAR	2

static int result;
module_param(result, int, 0644);
static unsigned int delay_ms;
module_param(delay_ms, uint, 0644);
static bool move;
module_param(move, bool, 0644);
static unsigned int probes;
module_param(probes, uint, 0644);

/* Something else lies at the old address for the time of the search. */
static int move_bar(struct pci_dev *pdev)
{
	struct resource *parent = pdev->resource[BAR].parent;
	struct resource blocker = DEFINE_RES_MEM(pci_resource_start(pdev, BAR),
						 pci_resource_len(pdev, BAR));
	u16 command;
	int ret;

	if (!parent)
		return -ENXIO;
	pci_read_config_word(pdev, PCI_COMMAND, &command);
	pci_write_config_word(pdev, PCI_COMMAND, command & ~PCI_COMMAND_MEMORY);
	pci_release_resource(pdev, BAR);
	ret = request_resource(parent, &blocker);
	if (!ret) {
		ret = pci_assign_resource(pdev, BAR);
		release_resource(&blocker);
	}
	pci_write_config_word(pdev, PCI_COMMAND, command);
	pci_info(pdev, "BAR %d moved from %pa to %pa: %d\n", BAR, &blocker.start,
		 &pdev->resource[BAR].start, ret);
	return ret;
}

static int pp_probe_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	int ret = 0;

	probes++;
	if (move)
		ret = move_bar(pdev);
	msleep(delay_ms);
	return ret ?: result ?: pci_enable_device_mem(pdev);
}

static void pp_probe_remove(struct pci_dev *pdev)
{
	pci_disable_device(pdev);
}

static struct pci_driver pp_probe_driver = {
	.name = KBUILD_MODNAME,
	/* No table: new_id and driver_override only. */
	.probe = pp_probe_probe,
	.remove = pp_probe_remove,
};

static int move_idle_set(const char *val, const struct kernel_param *kp)
{
	unsigned int domain, bus, slot, fn;
	struct pci_dev *pdev;
	int ret = -EBUSY;

	if (sscanf(val, "%x:%x:%x.%x", &domain, &bus, &slot, &fn) != 4)
		return -EINVAL;
	pdev = pci_get_domain_bus_and_slot(domain, bus, PCI_DEVFN(slot, fn));
	if (!pdev)
		return -ENODEV;
	device_lock(&pdev->dev);
	if (!pdev->dev.driver)
		ret = move_bar(pdev);
	device_unlock(&pdev->dev);
	pci_dev_put(pdev);
	return ret;
}

static const struct kernel_param_ops move_idle_ops = {
	.set = move_idle_set,
};
module_param_cb(move_idle, &move_idle_ops, NULL, 0200);

module_pci_driver(pp_probe_driver);

MODULE_DESCRIPTION("Test only: a driver with a probe to a test's wishes");
MODULE_LICENSE("GPL");
