// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets with +all: no window is opened until every window of the set can be, and
 * then all are. Afterwards each one lives by itself: when a member's driver
 * leaves, the others go on, and when it comes back, so do its windows. Only when no
 * window of the set is open any more, it waits again.
 *
 * Context of everything here: pp_devices_lock held.
 */
#include <linux/string.h>

#include "window_set.h"

static bool same_set(const struct pp_device *a, const struct pp_device *b)
{
	return pp_order_acts(&a->order) && pp_order_acts(&b->order) &&
	       !strcmp(a->order.set, b->order.set);
}

static bool all_or_none(const struct pp_device *dev)
{
	struct pp_device *member;
	unsigned long key;

	xa_for_each(&pp_devices, key, member)
		if (same_set(dev, member) &&
		    member->order.flags & PEERPASS_RULE_FLAG_ALL)
			return true;
	return false;
}

static bool any_open(const struct pp_device *dev)
{
	const struct pp_window *window;
	struct pp_device *member;
	unsigned long key;

	xa_for_each(&pp_devices, key, member) {
		if (!same_set(dev, member))
			continue;
		list_for_each_entry(window, &member->windows, list)
			if (window->state == PEERPASS_WINDOW_STATE_INSTALLED)
				return true;
	}
	return false;
}

/* Can every window of this member be opened, and are all of them known? */
static bool ready(const struct pp_device *member)
{
	const struct pp_window *window;

	if (!member->decided || member->reason)
		return false;
	/* What is in identity, or is only reached, needs none. */
	if (member->mode != PEERPASS_MODE_PEER ||
	    member->order.flags & PEERPASS_RULE_FLAG_TARGET)
		return true;
	if (!member->live || !pp_windows_noted(member))
		return false;
	list_for_each_entry(window, &member->windows, list)
		if (window->state != PEERPASS_WINDOW_STATE_SET_WAITING)
			return false;
	return true;
}

static void close_all(const struct pp_device *dev)
{
	struct pp_device *member;
	struct pp_window *window;
	unsigned long key;

	xa_for_each(&pp_devices, key, member) {
		if (!same_set(dev, member))
			continue;
		list_for_each_entry(window, &member->windows, list) {
			if (window->state != PEERPASS_WINDOW_STATE_INSTALLED)
				continue;
			pp_windows_change();
			pp_window_close(member, window);
			window->state = PEERPASS_WINDOW_STATE_SET_WAITING;
		}
	}
}

static bool open_all(const struct pp_device *dev)
{
	struct pp_device *member;
	struct pp_window *window;
	unsigned long key;

	xa_for_each(&pp_devices, key, member) {
		if (!same_set(dev, member))
			continue;
		list_for_each_entry(window, &member->windows, list) {
			pp_windows_change();
			window->state = pp_window_open(member, window);
			if (window->state == PEERPASS_WINDOW_STATE_INSTALLED)
				continue;
			/* There may be more the next time. */
			if (window->state == PEERPASS_WINDOW_STATE_NO_MEMORY)
				window->state =
					PEERPASS_WINDOW_STATE_SET_WAITING;
			return false;
		}
	}
	return true;
}

/* pp_window_set_waits - must a new window of this initiator wait for its set? */
bool pp_window_set_waits(const struct pp_device *dev)
{
	return all_or_none(dev) && !any_open(dev);
}

/* pp_window_set_broken - a window turned out not to be possible: none, then */
void pp_window_set_broken(const struct pp_device *dev)
{
	if (all_or_none(dev))
		close_all(dev);
}

/**
 * pp_window_set_settle - something changed in a set: open it, if it can be now
 * @dev: a member
 */
void pp_window_set_settle(const struct pp_device *dev)
{
	struct pp_device *member;
	unsigned long key;

	if (!pp_order_acts(&dev->order) || !pp_window_set_waits(dev))
		return;
	xa_for_each(&pp_devices, key, member)
		if (same_set(dev, member) && !ready(member))
			return;
	if (!open_all(dev))
		close_all(dev);
	pp_devices_generation++;
}
