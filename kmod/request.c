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

/* Is it an order that ends identity for all that hold the group in it? */
static bool for_all(const struct pp_order *order)
{
	return order->flags & PEERPASS_RULE_FLAG_GROUP &&
	       !pp_order_wants_identity(order);
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
	/* Somebody else gave it another type since. */
	if (!found->evidence.ours) {
		pp_identity_forget(view);
		return;
	}
	/* Along with another member, as it would be without any request. */
	if (pp_order_none(order) && pp_sponsored(view, pdev, pdev, false))
		return;
	if (!for_all(order) && held(pdev, view, result))
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

/* The order was to end identity for the whole group: for those that held it, too. */
static void publish_on_holders(struct pci_dev *pdev, struct pp_group *group,
			       struct pp_group_view *view,
			       const struct pp_order *order)
{
	struct pp_findings found;
	struct pp_result result;
	unsigned int i;

	for (i = 0; i < view->nr; i++) {
		struct pci_dev *member = view->members[i];
		struct pp_order own;

		if (!holds(member, pdev))
			continue;
		pp_order_from_request(member, order->mode, order->flags,
				      order->set[0] == '#' ? NULL : order->set,
				      &own);
		pp_attempt_decide(member, &own, group, view, &found, &result);
		pp_result_publish(member, &own, &result, &found, false);
	}
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
	struct pp_order now;
	bool forced;
	int ret = 0;

	if (!pp_device_order(pdev, &now))
		return -ENODEV;
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
	if (result->reason)
		goto out;
	if (!pp_result_publish(pdev, order, result, &found,
			       forced && pp_result_identity(result)))
		ret = -ENODEV;
	else if (view && for_all(order))
		publish_on_holders(pdev, group, view, order);
out:
	if (view)
		pp_group_view_put(view);
	return ret;
}
