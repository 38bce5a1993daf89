// SPDX-License-Identifier: GPL-2.0-only
/*
 * Doing what is asked of a device, and undoing it.
 *
 * Context of everything here: on the switch queue (see work.c), no lock held.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/string.h>

#include "apply.h"
#include "attempt.h"
#include "evidence.h"
#include "identity.h"
#include "set.h"

/*
 * The last look at something that keeps passing: auto takes the way that is open,
 * and what is in the way is told. It is decided again when an event tells more.
 */
static void settle(const struct pp_order *order, struct pp_findings *found,
		   struct pp_result *result)
{
	if (!result->passing)
		return;
	result->final = true;
	if (order->mode == PEERPASS_MODE_AUTO) {
		result->mode = PEERPASS_MODE_PEER;
		result->why = result->reason;
		result->reason = PEERPASS_REASON_NONE;
	}
}

static void decide_and_do(struct pci_dev *pdev, struct pp_group *group,
			  struct pp_group_view *view,
			  const struct pp_order *order, bool last)
{
	const bool all = order->flags & PEERPASS_RULE_FLAG_ALL;
	enum peerpass_domain_type original;
	struct pp_findings found;
	struct pp_result result;
	bool forced;

	forced = pp_attempt_decide(pdev, order, group, view, &found, &result);
	if (pp_result_identity(&result) && all)
		pp_set_check(pdev, order, &result);
	if (pp_result_identity(&result))
		pp_attempt_identity(pdev, group, view, order, &found, &result);
	if (last)
		settle(order, &found, &result);
	/*
	 * Of all that want the group in identity, none can have it then: a
	 * companion came since, say.
	 */
	if (view && !pp_result_identity(&result) && !result.passing &&
	    pp_order_selects(order) && found.evidence.ours &&
	    !(all && pp_set_held_by_other(view, order)) &&
	    pp_identity_ours(view, &original))
		pp_identity_put_back(pdev, group, view, original);
	pp_result_publish(pdev, NULL, &result, &found,
			  forced && pp_result_identity(&result));
	if (all && found.evidence.kernel_said &&
	    (!result.passing || result.final))
		pp_set_undo(pdev, order);
}

/*
 * Nothing asks for this device to be in identity, and it is by our hand: it came
 * along with a member that is still there, or it has to leave.
 */
static void leave(struct pci_dev *pdev, struct pp_group *group)
{
	enum peerpass_domain_type original;
	struct pp_group_view *view;

	if (!group || !pp_device_switched(pdev, &original))
		return;
	view = pp_group_view_get(group);
	/* No memory at this moment: it is still ours to put back. */
	if (!view)
		return;
	if (!pp_sponsored(view, NULL, pdev, false))
		pp_identity_put_back(pdev, group, view, original);
	pp_group_view_put(view);
}

/**
 * pp_apply - do what is asked of a device, or find out why not
 * @pdev: the device
 * @group: its group, or NULL
 * @last: what keeps passing is not waited for any longer
 */
void pp_apply(struct pci_dev *pdev, struct pp_group *group, bool last)
{
	struct pp_group_view *view = NULL;
	struct pp_order order;

	if (!pp_device_order(pdev, &order))
		return;
	if (!pp_order_acts(&order)) {
		leave(pdev, group);
		return;
	}
	if (group)
		view = pp_group_view_get(group);
	if (group && !view) {
		struct pp_result result = {
			.mode = order.mode,
			.passing = true,
		};

		pp_result_refuse(&result, PEERPASS_REASON_KERNEL_REFUSED,
				 "out of memory");
		pp_result_publish(pdev, NULL, &result, NULL, false);
		return;
	}
	decide_and_do(pdev, group, view, &order, last);
	if (!pp_order_selects(&order) && pp_order_wants_identity(&order))
		leave(pdev, group);
	if (view)
		pp_group_view_put(view);
}

/**
 * pp_apply_restore - put a device's group back, if it is in identity by our hand
 * @pdev: the device
 * @group: its group, or NULL
 * @original: the type before
 *
 * Return: false when that is not possible now.
 */
bool pp_apply_restore(struct pci_dev *pdev, struct pp_group *group,
		      enum peerpass_domain_type original)
{
	struct pp_group_view *view;
	int ret;

	if (!group)
		return true;
	view = pp_group_view_get(group);
	if (!view)
		return false;
	ret = pp_identity_put_back(pdev, group, view, original);
	pp_group_view_put(view);
	return !ret;
}

/* Can those that want the group in identity have it with @pdev in it? */
static bool welcome(struct pci_dev *pdev, struct pp_group *group,
		    struct pp_group_view *view)
{
	unsigned int i;

	for (i = 0; i < view->nr; i++) {
		struct pci_dev *member = view->members[i];
		struct pp_findings found;
		struct pp_order order;

		if (member == pdev || !pp_device_order(member, &order) ||
		    !pp_order_selects(&order))
			continue;
		pp_findings_collect(member, &order, group, view, &found);
		return found.evidence.companions != PEERPASS_COMPANIONS_REFUSED;
	}
	return false;
}

/**
 * pp_apply_newcomer - a device joined a group, and took its type
 * @pdev: the device
 * @group: its group
 *
 * If the group was switched and the device may not be: nobody stays switched. No
 * driver of the group is bound yet when this happens at hot-plug; when one is, the
 * kernel refuses, and it is tried again when that driver leaves.
 */
void pp_apply_newcomer(struct pci_dev *pdev, struct pp_group *group)
{
	struct pp_group_view *view = pp_group_view_get(group);
	enum peerpass_domain_type original;
	unsigned int i;
	int ret;

	if (!view)
		return;
	if (!pp_identity_ours(view, &original)) {
		pp_group_view_put(view);
		return;
	}
	/* The newcomer as well: it may be the last that is left of it. */
	pp_identity_join(view, original);
	if (welcome(pdev, group, view)) {
		pp_group_view_put(view);
		return;
	}
	ret = pp_identity_put_back(pdev, group, view, original);
	if (ret)
		pci_warn(pdev, "peerpass: joined a group that was switched to identity and cannot be put back, error %d\n",
			 ret);
	for (i = 0; i < view->nr; i++)
		if (view->members[i] != pdev)
			pp_apply(view->members[i], group, false);
	pp_group_view_put(view);
}
