/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_DEVICE_H
#define PEERPASS_DEVICE_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/xarray.h>

#include "decision.h"
#include "order.h"
#include "peerpass.h"

struct pp_group;

#define PP_DRIVER_NAME_LEN	32
#define PP_DETAIL_LEN		160

/**
 * struct pp_device - one PCI function that is there
 *
 * Lives from BUS_NOTIFY_ADD_DEVICE (or module load) to DEL_DEVICE, in
 * pp_devices by pp_key(); all fields are under pp_devices_lock.
 *
 * @pdev: with a reference
 * @group: its IOMMU group, or NULL
 * @order: what is asked of it
 * @mode: the mode in force; that of @order until @decided
 * @reason: why the device is not as wanted
 * @why: why auto did not choose identity
 * @detail: driver, device or error that @reason, or @why, speaks of
 * @forced: @mode goes against a refusal
 * @evidence: what @mode and @reason were decided from
 * @decided: they were
 * @passing: @reason may be gone in a moment, without an event that tells
 * @driver: name of the bound driver, "" for none; kept here because reading
 *	dev->driver needs device_lock(), which a stuck remove may hold for ever
 * @manages_dma: that driver may leave the default domain, and does not hold it
 * @driver_unknown: the lock was taken when we wanted to look
 * @switched: its group is identity by our hand (set before the kernel is asked,
 *	so that a driver that binds meanwhile is not missed)
 * @stuck: it cannot be put back at this time
 * @pinned: the module holds a reference to itself for this device
 * @original: type of the default domain before @switched
 * @dte_base: ILLEGAL_DEV_TABLE_ENTRY events counted before @switched
 * @probed: the bound driver's probe has returned
 * @live: mode peer: has a driver, and a list of windows
 * @domain: its default domain while @live; NULL when it is in another one
 * @windows: struct pp_window
 * @ranges: struct pp_range, of windows to peers below other host bridges
 */
struct pp_device {
	struct pci_dev *pdev;
	struct pp_group *group;
	struct pp_order order;
	enum peerpass_mode mode;
	enum peerpass_reason reason;
	enum peerpass_reason why;
	char detail[PP_DETAIL_LEN];
	bool forced;
	struct pp_evidence evidence;
	bool decided;
	bool passing;
	char driver[PP_DRIVER_NAME_LEN];
	bool manages_dma;
	bool driver_unknown;
	bool switched;
	bool stuck;
	bool pinned;
	enum peerpass_domain_type original;
	u64 dte_base;
	bool probed;
	bool live;
	struct iommu_domain *domain;
	struct list_head windows;
	struct list_head ranges;
};

extern struct xarray pp_devices;
extern struct mutex pp_devices_lock;
/* Rises with each device that comes or goes; under pp_devices_lock. */
extern unsigned int pp_devices_generation;
/* Rises with each driver that comes or goes; under pp_devices_lock. */
extern unsigned int pp_drivers_generation;
/* See pp_windows_change(). */
extern atomic64_t pp_windows_generation;

struct pp_device *pp_device_find(struct pci_dev *pdev);
/* Address bits of the DMA mask; 0 without one. */
static inline unsigned int pp_dma_bits(const struct pci_dev *pdev)
{
	return pdev->dev.dma_mask ? fls64(*pdev->dev.dma_mask) : 0;
}

/* Is it a memory BAR that has an address? */
static inline bool pp_bar_assigned(const struct pci_dev *pdev, unsigned int bar)
{
	const struct resource *res = &pdev->resource[bar];

	return res->flags & IORESOURCE_MEM && !(res->flags & IORESOURCE_UNSET) &&
	       res->start && pci_resource_len(pdev, bar);
}

/*
 * pp_windows_change - what a device reaches is about to change by our hand
 *
 * Before the change, and for windows under pp_devices_lock, which reach takes: who
 * reads the generation, then asks for reach, and later reads the same generation
 * again, has missed nothing. A domain's type, which is not changed under the lock,
 * counts before and after; it is changed only while no driver is bound.
 */
static inline void pp_windows_change(void)
{
	atomic64_inc(&pp_windows_generation);
}

bool pp_device_order(struct pci_dev *pdev, struct pp_order *order);
bool pp_device_switched(struct pci_dev *pdev,
			enum peerpass_domain_type *original);
void pp_device_repin(struct pp_device *dev);
void pp_devices_learn_drivers(void);

int pp_devices_init(void);
void pp_devices_stop(void);
void pp_devices_exit(void);

#endif /* PEERPASS_DEVICE_H */
