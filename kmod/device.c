// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registry of PCI functions, kept by the PCI bus's notifier.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "address_map.h"
#include "device.h"
#include "identity.h"
#include "policy.h"

DEFINE_XARRAY(pp_devices);
/* The registry, its entries and the generation; see peerpass.h for the order. */
DEFINE_MUTEX(pp_devices_lock);
unsigned int pp_devices_generation;

/**
 * pp_device_find - entry of a PCI function, or NULL
 * @pdev: the function
 *
 * Context: pp_devices_lock held.
 */
struct pp_device *pp_device_find(struct pci_dev *pdev)
{
	lockdep_assert_held(&pp_devices_lock);
	return xa_load(&pp_devices, pp_key(pci_domain_nr(pdev->bus),
					   pci_dev_id(pdev)));
}

/*
 * The kernel puts a default domain's type back only while no driver is bound:
 * the module must stay until then, or the device would stay in identity with
 * nobody who knows.
 */
void pp_device_pin(struct pp_device *dev)
{
	lockdep_assert_held(&pp_devices_lock);
	if (dev->switched && !dev->pinned && dev->driver[0])
		dev->pinned = try_module_get(THIS_MODULE);
}

void pp_device_unpin(struct pp_device *dev)
{
	lockdep_assert_held(&pp_devices_lock);
	if (dev->pinned)
		module_put(THIS_MODULE);
	dev->pinned = false;
}

static struct pp_device *entry_new(struct pci_dev *pdev)
{
	struct pp_device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	const struct pp_rule *rule;
	bool mismatch;

	if (!dev)
		return NULL;
	dev->pdev = pci_dev_get(pdev);
	rule = pp_policy_rule(pdev, &dev->rule, &mismatch);
	if (rule) {
		dev->wanted = rule->mode;
		if (mismatch)
			dev->reason = PEERPASS_REASON_ID_MISMATCH;
	}
	return dev;
}

static void entry_free(struct pp_device *dev)
{
	pci_dev_put(dev->pdev);
	kfree(dev);
}

/* Nothing happens to a device that is known already. */
static int registry_add(struct pci_dev *pdev)
{
	struct pp_device *dev = entry_new(pdev);
	int ret;

	if (!dev)
		return -ENOMEM;
	mutex_lock(&pp_devices_lock);
	ret = xa_insert(&pp_devices, pp_key(pci_domain_nr(pdev->bus),
					    pci_dev_id(pdev)), dev, GFP_KERNEL);
	if (!ret)
		pp_devices_generation++;
	mutex_unlock(&pp_devices_lock);
	if (ret)
		entry_free(dev);
	return ret == -EBUSY ? 0 : ret;
}

static void registry_remove(struct pci_dev *pdev)
{
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	/* Another device may have come to the same address. */
	if (dev && dev->pdev == pdev) {
		xa_erase(&pp_devices, pp_key(pci_domain_nr(pdev->bus),
					     pci_dev_id(pdev)));
		pp_devices_generation++;
		pp_device_unpin(dev);
	} else {
		dev = NULL;
	}
	mutex_unlock(&pp_devices_lock);
	if (dev)
		entry_free(dev);
}

/* Context: device_lock() held, so that the driver's name stays. */
static void driver_bound(struct pci_dev *pdev)
{
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev && pdev->dev.driver) {
		strscpy(dev->driver, pdev->dev.driver->name,
			sizeof(dev->driver));
		pp_device_pin(dev);
	}
	mutex_unlock(&pp_devices_lock);
}

static void driver_unbound(struct pci_dev *pdev)
{
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev) {
		dev->driver[0] = '\0';
		pp_device_unpin(dev);
	}
	mutex_unlock(&pp_devices_lock);
}

static int pci_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	switch (event) {
	case BUS_NOTIFY_ADD_DEVICE:
		if (registry_add(pdev))
			pci_warn(pdev, "peerpass: out of memory, not watched\n");
		else
			pp_identity_device_added(pdev);
		pp_address_map_stale();
		break;
	case BUS_NOTIFY_BIND_DRIVER:
	case BUS_NOTIFY_BOUND_DRIVER:
		driver_bound(pdev);
		/* The first events at which BARs are final, and may have moved. */
		pp_address_map_stale();
		break;
	case BUS_NOTIFY_DRIVER_NOT_BOUND:
	case BUS_NOTIFY_UNBOUND_DRIVER:
		driver_unbound(pdev);
		pp_identity_reconsider();
		break;
	case BUS_NOTIFY_DEL_DEVICE:
		registry_remove(pdev);
		pp_address_map_stale();
		break;
	case BUS_NOTIFY_REMOVED_DEVICE:
		/* It has left its group by now. */
		pp_identity_reconsider();
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block pci_notifier = {
	.notifier_call = pci_event,
	/* After the IOMMU core's own notifier (0), which makes the group. */
	.priority = -10,
};

/*
 * A device whose lock is taken is being bound or unbound; the notifier tells
 * how that ends.
 */
static void note_present_driver(struct pci_dev *pdev)
{
	if (!device_trylock(&pdev->dev))
		return;
	driver_bound(pdev);
	device_unlock(&pdev->dev);
}

/**
 * pp_devices_init - watch the PCI bus and take in the devices that are there
 *
 * Return: 0 or a negative error; then nothing is left behind.
 */
int pp_devices_init(void)
{
	struct pci_dev *pdev = NULL;
	int ret;

	ret = bus_register_notifier(&pci_bus_type, &pci_notifier);
	if (ret)
		return ret;
	for_each_pci_dev(pdev) {
		ret = registry_add(pdev);
		if (ret) {
			pci_dev_put(pdev);
			pp_devices_stop();
			pp_devices_exit();
			return ret;
		}
		note_present_driver(pdev);
	}
	return 0;
}

/* pp_devices_stop - no event is being handled, and none will be, on return */
void pp_devices_stop(void)
{
	bus_unregister_notifier(&pci_bus_type, &pci_notifier);
}

/* pp_devices_exit - free the registry, after pp_devices_stop() */
void pp_devices_exit(void)
{
	struct pp_device *dev;
	unsigned long key;

	mutex_lock(&pp_devices_lock);
	xa_for_each(&pp_devices, key, dev) {
		xa_erase(&pp_devices, key);
		entry_free(dev);
	}
	mutex_unlock(&pp_devices_lock);
	xa_destroy(&pp_devices);
}
