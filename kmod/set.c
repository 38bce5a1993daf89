// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules with +all: the devices of a set are switched to identity all, or none.
 * (Windows of such a set: see window_set.c.)
 *
 * Context of everything here: on the switch queue, no lock held.
 */
#include <linux/string.h>

#include "apply.h"
#include "attempt.h"
#include "evidence.h"
#include "reason.h"
#include "set.h"

static bool in_set(const struct pp_device *dev, const struct pp_order *order)
{
	return pp_order_selects(&dev->order) &&
	       dev->order.flags & PEERPASS_RULE_FLAG_ALL &&
	       !strcmp(dev->order.set, order->set);
}

/**
 * struct member - a device of the set
 * @pdev: with a reference
 * @group: with a reference, or NULL
 * @failed: the kernel refused it when it was tried last
 */
struct member {
	struct pci_dev *pdev;
	struct pp_group *group;
	bool failed;
};

/* What evidence alone does not tell. */
static bool failed(const struct pp_device *dev)
{
	enum peerpass_reason reason = dev->reason ?: dev->why;

	return reason == PEERPASS_REASON_KERNEL_REFUSED ||
	       reason == PEERPASS_REASON_NOT_EFFECTIVE;
}

/* The next device of the set from @from on but @pdev. */
static bool next_of(const struct pp_order *order, struct pci_dev *pdev,
		    unsigned long *from, struct member *member)
{
	struct pp_device *dev;
	unsigned long key;
	bool found = false;

	mutex_lock(&pp_devices_lock);
	xa_for_each_start(&pp_devices, key, dev, *from) {
		if (dev->pdev == pdev || !in_set(dev, order))
			continue;
		member->pdev = pci_dev_get(dev->pdev);
		member->group = pp_group_get(dev->group);
		member->failed = failed(dev);
		*from = key + 1;
		found = true;
		break;
	}
	mutex_unlock(&pp_devices_lock);
	return found;
}

static void member_put(struct member *member)
{
	pp_group_put(member->group);
	pci_dev_put(member->pdev);
}

/* What speaks against a member in identity; NONE when nothing does. */
static enum peerpass_reason against(const struct member *member, bool *passing)
{
	enum peerpass_reason reason = PEERPASS_REASON_NONE;
	struct pp_group_view *view = NULL;
	struct pp_findings found;
	struct pp_result result;
	struct pp_order order;

	if (member->group)
		view = pp_group_view_get(member->group);
	if (member->group && !view) {
		/* No memory to ask: not now. */
		*passing = true;
		reason = PEERPASS_REASON_KERNEL_REFUSED;
	} else if (pp_device_order(member->pdev, &order)) {
		pp_attempt_decide(member->pdev, &order, member->group, view,
				  &found, &result);
		*passing = result.passing;
		if (!pp_result_identity(&result))
			reason = result.reason ?: result.why;
		else if (member->failed && !found.evidence.identity)
			reason = PEERPASS_REASON_KERNEL_REFUSED;
	}
	if (view)
		pp_group_view_put(view);
	return reason;
}

/**
 * pp_set_check - does nothing speak against any other device of the set?
 * @pdev: the device that is about to be switched
 * @order: what is asked of it, with +all
 * @result: filled in when something does
 */
void pp_set_check(struct pci_dev *pdev, const struct pp_order *order,
		  struct pp_result *result)
{
	enum peerpass_reason reason = PEERPASS_REASON_NONE;
	unsigned long from = 0;
	struct member member;

	while (!reason && next_of(order, pdev, &from, &member)) {
		reason = against(&member, &result->passing);
		if (reason)
			snprintf(result->detail, sizeof(result->detail),
				 "%s: %s", pci_name(member.pdev),
				 pp_reason_text(reason));
		member_put(&member);
	}
	if (!reason)
		return;
	if (order->mode == PEERPASS_MODE_AUTO && !result->passing) {
		result->mode = PEERPASS_MODE_PEER;
		result->why = PEERPASS_REASON_SET_INCOMPLETE;
	} else {
		result->mode = order->mode;
		result->reason = PEERPASS_REASON_SET_INCOMPLETE;
	}
}

/**
 * pp_set_held_by_other - is a group wanted in identity by another set, too?
 * @view: the group
 * @set: order of a member of the set
 */
bool pp_set_held_by_other(struct pp_group_view *view,
			  const struct pp_order *set)
{
	struct pp_order order;
	unsigned int i;

	for (i = 0; i < view->nr; i++)
		if (pp_device_order(view->members[i], &order) &&
		    pp_order_selects(&order) && strcmp(order.set, set->set))
			return true;
	return false;
}

/* Return: the group is as before. */
static bool put_back(const struct member *member, const struct pp_order *order)
{
	enum peerpass_domain_type original;
	struct pp_group_view *view;
	bool held;

	if (!member->group || !pp_device_switched(member->pdev, &original))
		return false;
	view = pp_group_view_get(member->group);
	held = !view || pp_set_held_by_other(view, order);
	if (view)
		pp_group_view_put(view);
	return !held && pp_apply_restore(member->pdev, member->group, original);
}

/**
 * pp_set_undo - the kernel refused one device: the others go back
 * @pdev: the device that was refused; status says so by now
 * @order: what is asked of it, with +all
 *
 * One whose driver has bound meanwhile stays, and the module with it; so does one
 * in a group that another device wants in identity.
 */
void pp_set_undo(struct pci_dev *pdev, const struct pp_order *order)
{
	unsigned long from = 0;
	struct member member;

	while (next_of(order, pdev, &from, &member)) {
		if (put_back(&member, order))
			pp_apply(member.pdev, member.group, false);
		member_put(&member);
	}
}
