/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_WINDOW_H
#define PEERPASS_WINDOW_H

#include <linux/list.h>

#include "device.h"

/**
 * struct pp_window - one memory BAR of a peer, in an initiator's domain
 *
 * On the initiator's list from the moment its driver is about to be probed to the
 * moment that driver leaves, whether the window could be installed or not.
 *
 * @list: pp_device.windows of the initiator
 * @target: pp_key() of the peer
 * @bar: its BAR, negative when it has none
 * @start: bus address, and IOVA
 * @size: bytes
 * @state: installed, or why not
 */
struct pp_window {
	struct list_head list;
	u64 target;
	int bar;
	phys_addr_t start;
	size_t size;
	enum peerpass_window_state state;
};

bool pp_window_may_reach(const struct pp_device *initiator,
			 const struct pp_device *target);
enum peerpass_window_state pp_window_open(const struct pp_device *dev,
					  const struct pp_window *window);
void pp_window_close(const struct pp_device *dev,
		     const struct pp_window *window);
void pp_windows_driver_binding(struct pp_device *dev);
void pp_windows_driver_bound(struct pp_device *dev);
void pp_windows_driver_leaving(struct pp_device *dev);
void pp_windows_device_gone(struct pp_device *dev);
void pp_windows_mode_changed(struct pp_device *dev);
void pp_windows_stop(void);
bool pp_windows_noted(const struct pp_device *dev);
bool pp_windows_complete(const struct pp_device *dev);

#endif /* PEERPASS_WINDOW_H */
