/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_WINDOW_RANGE_H
#define PEERPASS_WINDOW_RANGE_H

#include "device.h"

/**
 * struct pp_range - IOVA range for one BAR below another host bridge
 *
 * On the initiator's list from its BIND_DRIVER, at which alone it can be taken, to
 * the moment its driver leaves.
 *
 * @list: pp_device.ranges of the initiator, in descending order
 * @target: pp_key() of the peer
 * @bar: its BAR
 * @start: bus address, and IOVA
 * @size: bytes
 * @wanted: is to be taken
 * @owned: was taken through the initiator: no other mapping can come to lie there
 * @state: installed when @owned, or when a device that shares the domain owns it;
 *	otherwise why windows are not possible
 */
struct pp_range {
	struct list_head list;
	u64 target;
	unsigned int bar;
	phys_addr_t start;
	size_t size;
	bool wanted;
	bool owned;
	enum peerpass_window_state state;
};

bool pp_range_needed(const struct pp_device *initiator,
		     const struct pp_device *target);
void pp_range_add(struct pp_device *initiator, const struct pp_device *target,
		  unsigned int bar);
void pp_ranges_take(struct pp_device *initiator);
void pp_ranges_release(struct pp_device *initiator);
enum peerpass_window_state pp_range_state(const struct pp_device *initiator,
					  u64 target, int bar,
					  phys_addr_t start, size_t size);

#endif /* PEERPASS_WINDOW_RANGE_H */
