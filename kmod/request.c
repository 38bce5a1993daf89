// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request to give a device another order: all is done, or nothing. With +group,
 * an order that ends identity is for all that hold the group in it.
 *
 * Context: on the switch queue (see work.c), no lock held.
 */
#include <linux/string.h>

#include "attempt.h"
#include "identity.h"
#include "request.h"
#include "set.h"

/* Is a member, but @pdev, in identity because its own order wants it? */
static bool holds(struct pci_dev *member, struct pci_dev *pdev)
{
	struct pp_device *dev;
	bool does;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(member);
	does = dev && member != pdev && pp_order_selects(&dev->order) &&
	       dev->decided && !dev->reason &&
	       dev->mode == PEERPASS_MODE_IDENTITY;
	mutex_unlock(&pp_devices_lock);
	return does;
}

/* Refuses for the members that want to stay in identity. Return: there is one. */
static bool held(struct pci_dev *pdev, struct pp_group_view *view,
		 struct pp_result *result)
{
	char list[PP_DETAIL_LEN] = "";
	unsigned int i;

	for (i = 0; i < view->nr; i++) {
		size_t len = strlen(list);

		if (holds(view->members[i], pdev))
			snprintf(list + len, sizeof(list) - len, "%s%s",
				 len ? ", " : "", pci_name(view->members[i]));
	}
	if (list[0])
		pp_result_refuse(result, PEERPASS_REASON_GROUP_COMPANION, list);
	return list[0];
}

/* Makes a group that is ours translate again. */
static void make_translate(struct pci_dev *pdev, struct pp_group *group,
			   struct pp_group_view *view,
			   const struct pp_order *order,
			   const struct pp_findings *found,
			   struct pp_result *result)
{
	enum peerpass_domain_type original;
	char detail[32];
	int ret;

	if (!pp_identity_ours(view, &original))
		return;
	if (!(order->flags & PEERPASS_RULE_FLAG_GROUP) &&
	    held(pdev, view, result))
		return;
	if (found->evidence.driver_bound) {
		pp_result_refuse(result, PEERPASS_REASON_DRIVER_BOUND,
				 found->driver);
		result->passing = found->passing;
		return;
	}
	ret = pp_identity_put_back(pdev, group, view, original);
	if (!ret)
		return;
	/* Nothing was changed, and nothing is left to be done. */
	pp_identity_join(view, original);
	snprintf(detail, sizeof(detail), "error %d", ret);
	pp_result_refuse(result, PEERPASS_REASON_KERNEL_REFUSED, detail);
	result->passing = ret == -EBUSY || ret == -EPERM;
}

static bool other_windows(const struct pp_order *a, const struct pp_order *b)
{
	const unsigned int ways = PEERPASS_RULE_FLAG_INITIATOR |
				  PEERPASS_RULE_FLAG_TARGET |
				  PEERPASS_RULE_FLAG_ALL;

	return strcmp(a->set, b->set) || (a->flags ^ b->flags) & ways;
}

static bool install(struct pci_dev *pdev, const struct pp_order *order)
{
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev) {
		/* Makes pp_result_publish() open the windows anew. */
		if (other_windows(&dev->order, order))
			dev->decided = false;
		dev->order = *order;
		pp_devices_generation++;
	}
	mutex_unlock(&pp_devices_lock);
	return dev;
}

/* The order was for the whole group: those that held it get it too. */
static void install_on_holders(struct pci_dev *pdev, struct pp_group_view *view,
			       const struct pp_order *order,
			       const struct pp_result *result,
			       const struct pp_findings *found)
{
	unsigned int i;

	for (i = 0; i < view->nr; i++)
		if (holds(view->members[i], pdev) &&
		    install(view->members[i], order))
			pp_result_publish(view->members[i], result, found,
					  false);
}

/**
 * pp_request_do - give a device another order
 * @pdev: the device
 * @group: its group, or NULL
 * @order: what is asked
 * @result: filled in; with a reason nothing was changed
 *
 * Return: 0, -ENODEV when the device went, -ENOMEM.
 */
int pp_request_do(struct pci_dev *pdev, struct pp_group *group,
		  const struct pp_order *order, struct pp_result *result)
{
	struct pp_group_view *view = NULL;
	struct pp_findings found;
	bool forced;
	int ret = 0;

	if (group) {
		view = pp_group_view_get(group);
		if (!view)
			return -ENOMEM;
	}
	forced = pp_attempt_decide(pdev, order, group, view, &found, result);
	if (pp_result_identity(result) && order->flags & PEERPASS_RULE_FLAG_ALL)
		pp_set_check(pdev, order, result);
	if (pp_result_identity(result))
		pp_attempt_identity(pdev, group, view, order, &found, result);
	if (!result->reason && !pp_result_identity(result) && view)
		make_translate(pdev, group, view, order, &found, result);
	if (!result->reason) {
		if (view && !pp_result_identity(result) &&
		    order->flags & PEERPASS_RULE_FLAG_GROUP)
			install_on_holders(pdev, view, order, result, &found);
		if (install(pdev, order))
			pp_result_publish(pdev, result, &found,
					  forced && pp_result_identity(result));
		else
			ret = -ENODEV;
	}
	if (view)
		pp_group_view_put(view);
	return ret;
}
