// SPDX-License-Identifier: GPL-2.0-only
/*
 * A request to give a device another order: all is done, or nothing.
 *
 * Context: on the switch queue (see work.c), no lock held.
 */
#include <linux/string.h>

#include "attempt.h"
#include "identity.h"
#include "request.h"

/* Another member that wants the group in identity, or NULL. */
static struct pci_dev *holder(struct pci_dev *pdev, struct pp_group_view *view)
{
	unsigned int i;

	for (i = 0; i < view->nr; i++) {
		struct pp_order order;

		if (view->members[i] != pdev &&
		    pp_device_order(view->members[i], &order) &&
		    pp_order_wants_identity(&order))
			return view->members[i];
	}
	return NULL;
}

/* Makes a group that is ours translate again, for a request. */
static void make_translate(struct pci_dev *pdev, struct pp_group *group,
			   struct pp_group_view *view,
			   const struct pp_findings *found,
			   struct pp_result *result)
{
	struct pci_dev *other = holder(pdev, view);
	enum peerpass_domain_type original;
	char detail[48];
	int ret;

	if (!pp_identity_ours(view, &original))
		return;
	if (other) {
		snprintf(detail, sizeof(detail), "%s stays in identity",
			 pci_name(other));
		pp_result_refuse(result, PEERPASS_REASON_GROUP_COMPANION,
				 detail);
		return;
	}
	if (found->evidence.driver_bound) {
		pp_result_refuse(result, PEERPASS_REASON_DRIVER_BOUND,
				 found->driver);
		result->passing = found->passing;
		return;
	}
	ret = pp_identity_put_back(pdev, group, view, original);
	if (ret) {
		snprintf(detail, sizeof(detail), "error %d", ret);
		pp_result_refuse(result, PEERPASS_REASON_KERNEL_REFUSED, detail);
		result->passing = ret == -EBUSY || ret == -EPERM;
	}
}

static bool install(struct pci_dev *pdev, const struct pp_order *order)
{
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev) {
		dev->order = *order;
		/* Makes pp_result_publish() look at the windows. */
		dev->decided = false;
		pp_devices_generation++;
	}
	mutex_unlock(&pp_devices_lock);
	return dev;
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
	forced = pp_attempt_decide(pdev, order, view, &found, result);
	if (pp_result_identity(result))
		pp_attempt_identity(pdev, group, view, order, &found, result);
	if (!result->reason && !pp_result_identity(result) && view)
		make_translate(pdev, group, view, &found, result);
	if (!result->reason) {
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
