// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules with +all: the devices of a set are switched to identity all, or none.
 * (Windows of such a set: see window.c.)
 *
 * Context of everything here: on the switch queue, no lock held.
 */
#include <linux/string.h>

#include "apply.h"
#include "evidence.h"
#include "reason.h"
#include "set.h"

static bool in_set(const struct pp_device *dev, const struct pp_order *order)
{
	return pp_order_wants_identity(&dev->order) &&
	       dev->order.flags & PEERPASS_RULE_FLAG_ALL &&
	       !strcmp(dev->order.set, order->set);
}

/* The next device of the set from @from on but @pdev, with references, or NULL. */
static struct pci_dev *next_of(const struct pp_order *order,
			       struct pci_dev *pdev, unsigned long *from,
			       struct pp_group **group,
			       enum peerpass_reason *reason)
{
	struct pci_dev *next = NULL;
	struct pp_device *dev;
	unsigned long key;

	mutex_lock(&pp_devices_lock);
	xa_for_each_start(&pp_devices, key, dev, *from) {
		if (dev->pdev == pdev || !in_set(dev, order))
			continue;
		next = pci_dev_get(dev->pdev);
		*group = pp_group_get(dev->group);
		*reason = dev->passing ? PEERPASS_REASON_NONE : dev->reason;
		*from = key + 1;
		break;
	}
	mutex_unlock(&pp_devices_lock);
	return next;
}

/* What evidence alone does not tell. */
static bool kernel_said(enum peerpass_reason reason)
{
	return reason == PEERPASS_REASON_KERNEL_REFUSED ||
	       reason == PEERPASS_REASON_NOT_EFFECTIVE;
}

/* Fills in @result when something speaks against @pdev. */
static void check_one(struct pci_dev *pdev, struct pp_group *group,
		      enum peerpass_reason last, struct pp_result *result)
{
	struct pp_group_view *view = group ? pp_group_view_get(group) : NULL;
	struct pp_decision decision;
	struct pp_findings found;
	struct pp_order order;

	if (pp_device_order(pdev, &order) && (view || !group)) {
		pp_findings_collect(pdev, &order, view, &found);
		decision = pp_decide(order.mode, order.flags, &found.evidence);
		if (!decision.reason && kernel_said(last))
			decision.reason = last;
		if (decision.reason) {
			result->reason = PEERPASS_REASON_SET_INCOMPLETE;
			result->passing = found.passing;
			snprintf(result->detail, sizeof(result->detail),
				 "%s: %s", pci_name(pdev),
				 pp_reason_text(decision.reason));
		}
	}
	if (view)
		pp_group_view_put(view);
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
	enum peerpass_reason reason;
	struct pp_group *group;
	unsigned long from = 0;
	struct pci_dev *other;

	while (!result->reason &&
	       (other = next_of(order, pdev, &from, &group, &reason))) {
		check_one(other, group, reason, result);
		pp_group_put(group);
		pci_dev_put(other);
	}
}

/**
 * pp_set_undo - the kernel refused one device: the others go back
 * @pdev: the device that was refused; status says so by now
 * @order: what is asked of it, with +all
 *
 * One whose driver has bound meanwhile stays, and the module with it.
 */
void pp_set_undo(struct pci_dev *pdev, const struct pp_order *order)
{
	enum peerpass_domain_type original;
	enum peerpass_reason reason;
	struct pp_group *group;
	unsigned long from = 0;
	struct pci_dev *other;

	while ((other = next_of(order, pdev, &from, &group, &reason))) {
		if (pp_device_switched(other, &original) &&
		    pp_apply_restore(other, group, original))
			pp_apply(other, group);
		pp_group_put(group);
		pci_dev_put(other);
	}
}
