/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the module share.
 *
 * Lock order, outermost first:
 *
 *	device_lock() of a PCI device	taken by the driver core around bind and
 *					unbind notifiers, and by the group type
 *					attribute of kernels up to 6.3
 *	pp_devices_lock (mutex)		the registry and its entries
 *	IOMMU core's group mutex
 *	pp_unit.lock (raw spinlock)	one IOMMU's records, interrupts off
 *
 * The group type attribute is never written under pp_devices_lock: kernels up
 * to 6.3 take device_lock() inside. Writers are serialised by the ordered
 * workqueue of work.c instead.
 */
#ifndef PEERPASS_H
#define PEERPASS_H

#include <linux/types.h>

#include "uapi/linux/peerpass.h"

#define PP_VERSION	"0.1.0"

#if !defined(CONFIG_64BIT) || !defined(CONFIG_PCI) || !defined(CONFIG_ACPI) || \
	!defined(CONFIG_IOMMU_API) || !defined(CONFIG_SYSFS)
#error "needs CONFIG_64BIT, CONFIG_PCI, CONFIG_ACPI, CONFIG_IOMMU_API, CONFIG_SYSFS"
#endif

/*
 * Key of a PCI function: domain (32 bits) and requester id (16 bits). Sorts by
 * address.
 */
static inline u64 pp_key(u32 domain, u16 rid)
{
	return (u64)domain << 16 | rid;
}

static inline u32 pp_key_domain(u64 key)
{
	return key >> 16;
}

static inline u16 pp_key_rid(u64 key)
{
	return key & 0xffff;
}

extern enum peerpass_run_state pp_run_state;

#endif /* PEERPASS_H */
