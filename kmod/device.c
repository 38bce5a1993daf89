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
#include "group.h"
#include "window.h"
#include "window_set.h"
#include "work.h"

DEFINE_XARRAY(pp_devices);
/* The registry, its entries and the generation; see peerpass.h for the order. */
DEFINE_MUTEX(pp_devices_lock);
unsigned int pp_devices_generation;
unsigned int pp_drivers_generation;
/* Not 0: that reads as absent, and a change from it would go unnoticed. */
atomic64_t pp_windows_generation = ATOMIC64_INIT(1);

static unsigned long key_of(struct pci_dev *pdev)
{
	return pp_key(pci_domain_nr(pdev->bus), pci_dev_id(pdev));
}

/**
 * pp_device_find - entry of a PCI function, or NULL
 * @pdev: the function
 *
 * Context: pp_devices_lock held.
 */
struct pp_device *pp_device_find(struct pci_dev *pdev)
{
	struct pp_device *dev = xa_load(&pp_devices, key_of(pdev));

	lockdep_assert_held(&pp_devices_lock);
	/* Another device may have come to the same address. */
	return dev && dev->pdev == pdev ? dev : NULL;
}

/**
 * pp_device_order - what is asked of a device
 * @pdev: the device
 * @order: filled in
 *
 * Context: takes pp_devices_lock.
 *
 * Return: false when the device is not known; then nothing is asked.
 */
bool pp_device_order(struct pci_dev *pdev, struct pp_order *order)
{
	struct pp_device *dev;

	memset(order, 0, sizeof(*order));
	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev)
		*order = dev->order;
	mutex_unlock(&pp_devices_lock);
	return dev;
}

/**
 * pp_device_switched - is a device's group in identity by our hand?
 * @pdev: the device
 * @original: the type before; filled in when it is, may be NULL
 *
 * Context: takes pp_devices_lock.
 */
bool pp_device_switched(struct pci_dev *pdev,
			enum peerpass_domain_type *original)
{
	struct pp_device *dev;
	bool switched;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	switched = dev && dev->switched;
	if (switched && original)
		*original = dev->original;
	mutex_unlock(&pp_devices_lock);
	return switched;
}

/**
 * pp_device_repin - hold the module while a device needs it, and no longer
 * @dev: the entry
 *
 * The kernel puts a default domain's type back only while no driver is bound:
 * the module must stay until then, or the device would stay in identity with
 * nobody who knows.
 *
 * Context: pp_devices_lock held.
 */
void pp_device_repin(struct pp_device *dev)
{
	/* A port's driver is not in the kernel's way. */
	bool port = dev->manages_dma &&
		    dev->pdev->class >> 8 == PCI_CLASS_BRIDGE_PCI;
	bool needed = dev->switched &&
		      ((dev->driver[0] && !port) || dev->stuck);

	lockdep_assert_held(&pp_devices_lock);
	if (needed && !dev->pinned) {
		dev->pinned = try_module_get(THIS_MODULE);
	} else if (!needed && dev->pinned) {
		dev->pinned = false;
		module_put(THIS_MODULE);
	}
}

static struct pp_device *entry_new(struct pci_dev *pdev)
{
	struct pp_device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);

	if (!dev)
		return NULL;
	dev->group = pp_group_of(pdev);
	/* Has one, and there was no memory to take hold of it. */
	if (!dev->group && pdev->dev.iommu_group) {
		kfree(dev);
		return NULL;
	}
	dev->pdev = pci_dev_get(pdev);
	INIT_LIST_HEAD(&dev->windows);
	INIT_LIST_HEAD(&dev->ranges);
	pp_order_from_policy(pdev, &dev->order);
	dev->mode = dev->order.mode;
	return dev;
}

static void entry_free(struct pp_device *dev)
{
	pp_group_put(dev->group);
	pci_dev_put(dev->pdev);
	kfree(dev);
}

/* Context: pp_devices_lock held. The caller frees the entry. */
static void entry_erase(struct pp_device *dev)
{
	pp_windows_device_gone(dev);
	xa_erase(&pp_devices, key_of(dev->pdev));
	/* Its set may have waited for it. */
	pp_window_set_settle(dev);
	pp_devices_generation++;
	dev->switched = false;
	pp_device_repin(dev);
}

/*
 * Nothing happens to a device that is known already.
 *
 * Context: @pdev cannot go meanwhile: its own notifier, or the rescan lock.
 */
static int registry_add(struct pci_dev *pdev)
{
	struct pp_device *dev = entry_new(pdev), *old;
	int ret = 0;

	if (!dev)
		return -ENOMEM;
	mutex_lock(&pp_devices_lock);
	old = xa_load(&pp_devices, key_of(pdev));
	if (old && old->pdev == pdev) {
		old = dev;
	} else {
		if (old)
			entry_erase(old);
		ret = xa_err(xa_store(&pp_devices, key_of(pdev), dev,
				      GFP_KERNEL));
		pp_devices_generation++;
	}
	mutex_unlock(&pp_devices_lock);
	if (old)
		entry_free(old);
	if (ret)
		entry_free(dev);
	return ret;
}

static void registry_remove(struct pci_dev *pdev)
{
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev)
		entry_erase(dev);
	mutex_unlock(&pp_devices_lock);
	if (dev)
		entry_free(dev);
}

/* Context: pp_devices_lock held, and device_lock(), so that the name stays. */
static void note_driver(struct pp_device *dev)
{
	struct device_driver *driver = dev->pdev->dev.driver;

	/* A decision that named no driver can name this one. */
	if (dev->passing || dev->driver_unknown)
		pp_work_reconsider();
	/* With virtio-iommu a group may appear only now. */
	if (!dev->group)
		dev->group = pp_group_of(dev->pdev);
	strscpy(dev->driver, driver ? driver->name : "", sizeof(dev->driver));
	/* The driver sets the mask in its probe. */
	dev->evidence.dma_bits = pp_dma_bits(dev->pdev);
	dev->manages_dma = driver && to_pci_driver(driver)->driver_managed_dma;
	dev->driver_unknown = false;
	pp_device_repin(dev);
}

/* Context: device_lock() held, for all of these. */

static void driver_binding(struct pci_dev *pdev)
{
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev) {
		note_driver(dev);
		pp_drivers_generation++;
		pp_windows_driver_binding(dev);
	}
	mutex_unlock(&pp_devices_lock);
}

static void driver_bound(struct pci_dev *pdev)
{
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev) {
		note_driver(dev);
		if (dev->driver[0])
			pp_windows_driver_bound(dev);
	}
	mutex_unlock(&pp_devices_lock);
}

/* Its windows go while it still holds the domain; its name a little later. */
static void driver_leaving(struct pci_dev *pdev)
{
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev) {
		pp_drivers_generation++;
		pp_windows_driver_leaving(dev);
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
		dev->driver_unknown = false;
		pp_device_repin(dev);
	}
	mutex_unlock(&pp_devices_lock);
}

/* Looks only when nobody has the device's lock: it may be held for ever. */
static void learn_driver(struct pci_dev *pdev)
{
	struct pp_device *dev;

	if (device_trylock(&pdev->dev)) {
		driver_bound(pdev);
		device_unlock(&pdev->dev);
		return;
	}
	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev && !dev->driver[0])
		dev->driver_unknown = true;
	mutex_unlock(&pp_devices_lock);
}

/* pp_devices_learn_drivers - look again where the lock was taken before */
void pp_devices_learn_drivers(void)
{
	struct pp_device *dev;
	unsigned long key;

	for (key = 0;; key++) {
		struct pci_dev *pdev = NULL;

		mutex_lock(&pp_devices_lock);
		xa_for_each_start(&pp_devices, key, dev, key) {
			if (!dev->driver_unknown)
				continue;
			pdev = pci_dev_get(dev->pdev);
			break;
		}
		mutex_unlock(&pp_devices_lock);
		if (!pdev)
			break;
		learn_driver(pdev);
		pci_dev_put(pdev);
	}
}

static int pci_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	switch (event) {
	case BUS_NOTIFY_ADD_DEVICE:
		if (registry_add(pdev))
			pci_warn(pdev, "peerpass: out of memory, not watched\n");
		else
			pp_work_device_added(pdev);
		pp_address_map_stale();
		break;
	case BUS_NOTIFY_BIND_DRIVER:
		driver_binding(pdev);
		pp_address_map_stale();
		break;
	case BUS_NOTIFY_BOUND_DRIVER:
		driver_bound(pdev);
		/* The first events at which BARs are final, and may have moved. */
		pp_address_map_stale();
		break;
	case BUS_NOTIFY_UNBIND_DRIVER:
		driver_leaving(pdev);
		break;
	case BUS_NOTIFY_DRIVER_NOT_BOUND:
		driver_leaving(pdev);
		fallthrough;
	case BUS_NOTIFY_UNBOUND_DRIVER:
		driver_unbound(pdev);
		pp_work_reconsider();
		break;
	case BUS_NOTIFY_DEL_DEVICE:
		registry_remove(pdev);
		pp_address_map_stale();
		break;
	case BUS_NOTIFY_REMOVED_DEVICE:
		/* It has left its group by now. */
		pp_work_reconsider();
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block pci_notifier = {
	.notifier_call = pci_event,
	/* After the IOMMU core's own notifier (0), which makes the group. */
	.priority = -10,
};

/**
 * pp_devices_init - watch the PCI bus and take in the devices that are there
 *
 * Return: 0 or a negative error; then nothing is left behind but what a device
 * that came meanwhile needs: pp_work_restore_all().
 */
int pp_devices_init(void)
{
	struct pci_dev *pdev = NULL;
	int ret;

	ret = bus_register_notifier(&pci_bus_type, &pci_notifier);
	if (ret)
		return ret;
	/* No device goes while this is held. */
	pci_lock_rescan_remove();
	for_each_pci_dev(pdev) {
		ret = registry_add(pdev);
		if (ret) {
			pci_dev_put(pdev);
			break;
		}
		learn_driver(pdev);
	}
	pci_unlock_rescan_remove();
	if (ret)
		pp_devices_stop();
	return ret;
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
		entry_erase(dev);
		entry_free(dev);
	}
	mutex_unlock(&pp_devices_lock);
	xa_destroy(&pp_devices);
}
