// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mode "peer": the default domain keeps translating, and gets a window for each
 * memory BAR of each peer, at the BAR's own bus address.
 *
 * A window lives at most from the initiator's BIND_DRIVER to its UNBIND_DRIVER
 * (or DRIVER_NOT_BOUND): only then is the default domain certain to stay, and the
 * pointer that is kept meanwhile is good. On the target's side it needs a driver
 * that is trusted and has finished its probe, which may move BARs; it is closed
 * before another driver's probe runs.
 *
 * Context of everything here but pp_windows_stop(): pp_devices_lock held.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/iommu.h>
#include <linux/moduleparam.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "group.h"
#include "trust.h"
#include "window.h"
#include "window_map.h"
#include "window_range.h"
#include "window_set.h"

static uint window_bars = 0x3f;
module_param(window_bars, uint, 0444);
MODULE_PARM_DESC(window_bars,
		 "bit mask of the BARs that get peer windows (default: all memory BARs)");

/* Once set, no window is opened any more. */
static bool stopping;

/* Is a device what its set expects of it, in either way? */
static bool in_force(const struct pp_device *dev, enum peerpass_mode mode)
{
	return dev->decided && !dev->reason && dev->mode == mode;
}

/*
 * pp_window_may_reach - are there to be windows from one device to another? One in
 * identity needs none, and may be reached through one.
 */
bool pp_window_may_reach(const struct pp_device *initiator,
			 const struct pp_device *target)
{
	return initiator != target &&
	       in_force(initiator, PEERPASS_MODE_PEER) &&
	       (in_force(target, PEERPASS_MODE_PEER) ||
		in_force(target, PEERPASS_MODE_IDENTITY)) &&
	       !strcmp(initiator->order.set, target->order.set) &&
	       !(initiator->order.flags & PEERPASS_RULE_FLAG_TARGET) &&
	       !(target->order.flags & PEERPASS_RULE_FLAG_INITIATOR);
}

static u64 key_of(const struct pp_device *dev)
{
	return pp_key(pci_domain_nr(dev->pdev->bus), pci_dev_id(dev->pdev));
}

/*
 * Devices of one group share a domain. Return: the window of another member that
 * maps the same BAR.
 */
static struct pp_window *mates_window(const struct pp_device *dev,
				      const struct pp_window *like)
{
	struct pp_device *mate;
	unsigned long key;

	xa_for_each(&pp_devices, key, mate) {
		struct pp_window *window;

		if (mate == dev || !mate->domain ||
		    mate->domain != dev->domain)
			continue;
		list_for_each_entry(window, &mate->windows, list)
			if (window->state == PEERPASS_WINDOW_STATE_INSTALLED &&
			    window->start == like->start &&
			    window->size == like->size)
				return window;
	}
	return NULL;
}

static bool beyond_mask(const struct pp_device *dev,
			const struct pp_window *window)
{
	const u64 *mask = dev->pdev->dev.dma_mask;

	/* The driver sets the mask in its probe. */
	return dev->probed && mask && window->start + window->size - 1 > *mask;
}

/**
 * pp_window_open - map a window
 * @dev: the initiator, with a domain
 * @window: to a target that may be reached now; its state is not looked at
 *
 * Return: installed, or why not.
 */
enum peerpass_window_state pp_window_open(const struct pp_device *dev,
					  const struct pp_window *window)
{
	const struct pp_device *target = xa_load(&pp_devices, window->target);

	if (pp_range_needed(dev, target)) {
		enum peerpass_window_state state;

		state = pp_range_state(dev, window->target, window->bar,
				       window->start, window->size);
		if (state != PEERPASS_WINDOW_STATE_INSTALLED)
			return state;
	}
	if (beyond_mask(dev, window))
		return PEERPASS_WINDOW_STATE_DMA_MASK;
	if (mates_window(dev, window))
		return PEERPASS_WINDOW_STATE_INSTALLED;
	return pp_window_map(dev->domain, window->start, window->size);
}

static void add_window(struct pp_device *dev, const struct pp_device *target,
		       int bar, enum peerpass_window_state state)
{
	struct pp_window *window = kzalloc(sizeof(*window), GFP_KERNEL);

	/* Missed by pp_windows_noted(). */
	if (!window)
		return;
	window->target = key_of(target);
	window->bar = bar;
	if (bar >= 0) {
		window->start = pci_resource_start(target->pdev, bar);
		window->size = pci_resource_len(target->pdev, bar);
	}
	pp_windows_change();
	if (state == PEERPASS_WINDOW_STATE_INSTALLED)
		state = pp_window_set_waits(dev) ?
			PEERPASS_WINDOW_STATE_SET_WAITING :
			pp_window_open(dev, window);
	window->state = state;
	list_add_tail(&window->list, &dev->windows);
	pp_devices_generation++;
}

static bool memory_bar(struct pci_dev *pdev, unsigned int bar)
{
	return window_bars & BIT(bar) && pp_bar_assigned(pdev, bar);
}

static void open_to(struct pp_device *dev, const struct pp_device *target)
{
	enum peerpass_window_state state = PEERPASS_WINDOW_STATE_INSTALLED;
	unsigned int bar;
	bool any = false;

	if (!target->driver[0] || !target->probed)
		state = PEERPASS_WINDOW_STATE_TARGET_NOT_BOUND;
	else if (!pp_driver_trusted(target->driver) ||
		 !pp_driver_trusted(dev->driver))
		state = PEERPASS_WINDOW_STATE_UNTRUSTED;
	else if (!dev->domain)
		state = PEERPASS_WINDOW_STATE_UNMANAGED;
	for (bar = 0; bar < PCI_STD_NUM_BARS; bar++) {
		if (!memory_bar(target->pdev, bar))
			continue;
		any = true;
		add_window(dev, target, bar, state);
	}
	if (!any && state == PEERPASS_WINDOW_STATE_INSTALLED)
		state = PEERPASS_WINDOW_STATE_NO_BAR;
	if (!any)
		add_window(dev, target, -1, state);
}

/**
 * pp_window_close - no transfer passes any more on return
 * @dev: the initiator
 * @window: one that is installed; its state stays as it is
 */
void pp_window_close(const struct pp_device *dev,
		     const struct pp_window *window)
{
	if (!mates_window(dev, window))
		pp_window_unmap(dev->domain, window->start, window->size);
}

static void drop_window(struct pp_device *dev, struct pp_window *window)
{
	list_del(&window->list);
	pp_devices_generation++;
	pp_windows_change();
	if (window->state == PEERPASS_WINDOW_STATE_INSTALLED)
		pp_window_close(dev, window);
	kfree(window);
}

static void close_to(struct pp_device *dev, const struct pp_device *target)
{
	const u64 key = key_of(target);
	struct pp_window *window, *next;

	list_for_each_entry_safe(window, next, &dev->windows, list)
		if (window->target == key)
			drop_window(dev, window);
}

/* The target changed: its windows are made anew in every live initiator. */
static void renew_target(struct pp_device *target)
{
	struct pp_device *dev;
	unsigned long key;

	xa_for_each(&pp_devices, key, dev) {
		/* Also those that may not be open any more. */
		close_to(dev, target);
		if (dev->live && pp_window_may_reach(dev, target))
			open_to(dev, target);
	}
}

static void drop_windows(struct pp_device *dev)
{
	struct pp_window *window, *next;

	list_for_each_entry_safe(window, next, &dev->windows, list)
		drop_window(dev, window);
	dev->live = false;
}

static void stop_initiator(struct pp_device *dev)
{
	drop_windows(dev);
	pp_ranges_release(dev);
	dev->domain = NULL;
}

/*
 * Also for peers that have no driver yet: with two devices that reach each other,
 * one is bound first. What a driver that is not trusted has taken is not opened,
 * not even for a moment.
 */
static void take_ranges(struct pp_device *dev)
{
	struct pp_device *target;
	unsigned long key;
	unsigned int bar;

	if (!dev->domain || !pp_driver_trusted(dev->driver))
		return;
	xa_for_each(&pp_devices, key, target) {
		if (!pp_window_may_reach(dev, target) ||
		    !pp_range_needed(dev, target))
			continue;
		if (target->driver_unknown || (target->driver[0] &&
		    !pp_driver_trusted(target->driver)))
			continue;
		for (bar = 0; bar < PCI_STD_NUM_BARS; bar++)
			if (memory_bar(target->pdev, bar))
				pp_range_add(dev, target, bar);
	}
	pp_ranges_take(dev);
}

/*
 * @binding: no code of the driver runs yet. Later it may be mapping: the ranges
 * that were taken are what there is, until it leaves.
 */
static void start_initiator(struct pp_device *dev, bool binding)
{
	struct pp_device *target;
	unsigned long key;

	if (binding)
		stop_initiator(dev);
	else
		drop_windows(dev);
	if (stopping || !in_force(dev, PEERPASS_MODE_PEER))
		return;
	/* In identity no window is needed, elsewhere none is possible. */
	if (pp_group_member_type(dev->group, dev->pdev) ==
	    PEERPASS_DOMAIN_TYPE_IDENTITY)
		return;
	dev->live = true;
	/* The domain could go under an open window (vfio-pci, if trusted). */
	if (!dev->manages_dma)
		dev->domain = pp_group_dma_domain(dev->group,
						  dev->pdev);
	if (binding)
		take_ranges(dev);
	xa_for_each(&pp_devices, key, target)
		if (pp_window_may_reach(dev, target))
			open_to(dev, target);
}

/**
 * pp_windows_driver_binding - a driver is about to be probed
 * @dev: @dev->driver is its name
 *
 * Context: BIND_DRIVER, under device_lock(): no code of the driver runs yet.
 */
void pp_windows_driver_binding(struct pp_device *dev)
{
	dev->probed = false;
	renew_target(dev);
	start_initiator(dev, true);
	pp_window_set_settle(dev);
}

/**
 * pp_windows_driver_bound - a driver's probe is done: BARs and masks are final
 * @dev: the device
 *
 * Context: under device_lock().
 */
void pp_windows_driver_bound(struct pp_device *dev)
{
	bool first = !dev->probed;

	dev->probed = true;
	if (!dev->live)
		start_initiator(dev, false);
	if (first) {
		struct pp_window *window, *next;

		list_for_each_entry_safe(window, next, &dev->windows, list) {
			if (window->state != PEERPASS_WINDOW_STATE_INSTALLED ||
			    !beyond_mask(dev, window))
				continue;
			pp_windows_change();
			pp_window_close(dev, window);
			window->state = PEERPASS_WINDOW_STATE_DMA_MASK;
			pp_window_set_broken(dev);
		}
		if (!stopping)
			renew_target(dev);
	}
	pp_window_set_settle(dev);
}

/**
 * pp_windows_driver_leaving - a driver leaves
 * @dev: the device
 *
 * Context: UNBIND_DRIVER or DRIVER_NOT_BOUND, under device_lock(), while the
 * domain is still held by the driver.
 */
void pp_windows_driver_leaving(struct pp_device *dev)
{
	dev->probed = false;
	stop_initiator(dev);
	renew_target(dev);
	pp_window_set_settle(dev);
}

/**
 * pp_windows_device_gone - a device is about to be forgotten
 * @dev: the device
 *
 * Context: DEL_DEVICE, its driver has left before; or the end.
 */
void pp_windows_device_gone(struct pp_device *dev)
{
	struct pp_device *initiator;
	unsigned long key;

	stop_initiator(dev);
	xa_for_each(&pp_devices, key, initiator)
		close_to(initiator, dev);
}

/**
 * pp_windows_mode_changed - a device's mode in force, or its set, is another
 * @dev: the device; @dev->driver and @dev->probed tell whether its domain is
 *	certain to stay
 *
 * Context: any in which no driver code of @dev is waited for.
 */
void pp_windows_mode_changed(struct pp_device *dev)
{
	struct pp_device *member;
	unsigned long key;

	/* While its probe runs, BOUND starts it. */
	if (dev->driver[0] && dev->probed)
		start_initiator(dev, false);
	else
		drop_windows(dev);
	renew_target(dev);
	/* Also the set that it may have left. */
	xa_for_each(&pp_devices, key, member)
		pp_window_set_settle(member);
}

/**
 * pp_windows_stop - close all windows, for good
 *
 * Context: takes pp_devices_lock. The notifier still runs, so that a driver that
 * leaves meanwhile waits.
 */
void pp_windows_stop(void)
{
	struct pp_device *dev;
	unsigned long key;

	mutex_lock(&pp_devices_lock);
	stopping = true;
	xa_for_each(&pp_devices, key, dev)
		stop_initiator(dev);
	mutex_unlock(&pp_devices_lock);
}

static bool noted(const struct pp_device *dev, const struct pp_device *target,
		  int bar)
{
	const struct pp_window *window;

	list_for_each_entry(window, &dev->windows, list)
		if (window->target == key_of(target) && window->bar == bar)
			return true;
	return false;
}

/* pp_windows_noted - is there an entry for each window, open or not? */
bool pp_windows_noted(const struct pp_device *dev)
{
	struct pp_device *target;
	unsigned long key;

	xa_for_each(&pp_devices, key, target) {
		bool any = false;
		int bar;

		if (!pp_window_may_reach(dev, target))
			continue;
		for (bar = 0; bar < PCI_STD_NUM_BARS; bar++) {
			if (!memory_bar(target->pdev, bar))
				continue;
			any = true;
			if (!noted(dev, target, bar))
				return false;
		}
		if (!any && !noted(dev, target, -1))
			return false;
	}
	return true;
}

/* pp_windows_complete - has a live initiator its way to every peer? */
bool pp_windows_complete(const struct pp_device *dev)
{
	const struct pp_window *window;

	list_for_each_entry(window, &dev->windows, list)
		if (window->state != PEERPASS_WINDOW_STATE_INSTALLED)
			return false;
	return !dev->live || pp_windows_noted(dev);
}
