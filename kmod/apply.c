// SPDX-License-Identifier: GPL-2.0-only
/*
 * From what is asked of a device to what is done about it: evidence, decision,
 * switch, and where status finds all of that.
 *
 * Context of everything here: on the switch queue (see work.c), no lock held.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/string.h>

#include "apply.h"
#include "evidence.h"
#include "identity.h"
#include "reason.h"
#include "set.h"
#include "window.h"
#include "work.h"

static void refuse(struct pp_result *result, enum peerpass_reason reason,
		   const char *detail)
{
	result->reason = reason;
	strscpy(result->detail, detail ?: "", sizeof(result->detail));
}

static void tell(struct pci_dev *pdev, const struct pp_result *result)
{
	enum peerpass_reason reason = result->reason ?: result->why;

	const char *what = "not switched to identity";

	if (!result->reason)
		what = "peer windows instead of identity";
	else if (result->mode == PEERPASS_MODE_PEER)
		what = "no peer windows";
	pci_notice(pdev, "peerpass: %s: %s%s%s\n", what,
		   pp_reason_text(reason), result->detail[0] ? ": " : "",
		   result->detail);
}

/* Puts a decision where status finds it; says it in the log when it is news. */
static void publish(struct pci_dev *pdev, const struct pp_result *result,
		    const struct pp_findings *found, bool forced)
{
	struct pp_device *dev;
	bool news = false, better = false, windows;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev) {
		/* Others of the set may have been waiting for this one. */
		better = dev->reason && !result->reason &&
			 dev->order.flags & PEERPASS_RULE_FLAG_ALL;
		news = (result->reason || result->why) && !result->passing &&
		       (dev->reason != result->reason ||
			dev->why != result->why || dev->passing);
		windows = !dev->decided || dev->mode != result->mode ||
			  !dev->reason != !result->reason;
		dev->decided = true;
		dev->mode = result->mode;
		dev->reason = result->reason;
		dev->why = result->why;
		dev->passing = result->passing;
		dev->forced = forced;
		if (found)
			dev->evidence = found->evidence;
		strscpy(dev->detail, result->detail, sizeof(dev->detail));
		if (windows)
			pp_windows_mode_changed(dev);
	}
	mutex_unlock(&pp_devices_lock);
	if (news)
		tell(pdev, result);
	if (better)
		pp_work_reconsider();
}

/* How a decision reads before anything was tried. */
static void result_of(const struct pp_decision *decision,
		      const struct pp_findings *found, struct pp_result *result)
{
	enum peerpass_reason reason = decision->reason ?: decision->why;

	memset(result, 0, sizeof(*result));
	result->mode = decision->mode;
	result->reason = decision->reason;
	result->why = decision->why;
	strscpy(result->detail, pp_findings_detail(found, reason),
		sizeof(result->detail));
}

/* Is this what something that is under way would decide otherwise? */
static bool may_pass(const struct pp_findings *found,
		     const struct pp_result *result)
{
	enum peerpass_reason reason = result->reason ?: result->why;

	return found->passing && (reason == PEERPASS_REASON_DRIVER_BOUND ||
				  reason == PEERPASS_REASON_GROUP_COMPANION);
}

static void not_yet(const struct pp_order *order,
		    const struct pp_findings *found, struct pp_result *result)
{
	result->mode = order->mode;
	result->why = PEERPASS_REASON_NONE;
	result->passing = true;
	if (found->blocked)
		refuse(result, PEERPASS_REASON_KERNEL_REFUSED,
		       "a device is being reset");
	else
		refuse(result, PEERPASS_REASON_DRIVER_BOUND,
		       found->driver[0] ? found->driver : "being bound");
}

/* The switch failed: auto has another way. */
static void take_outcome(const struct pp_order *order,
			 const struct pp_outcome *outcome,
			 struct pp_findings *found, struct pp_result *result)
{
	struct pp_decision decision;

	found->evidence.kernel_said = outcome->reason;
	decision = pp_decide(order->mode, order->flags, &found->evidence);
	result_of(&decision, found, result);
	strscpy(result->detail, outcome->detail, sizeof(result->detail));
	if (outcome->passing) {
		result->mode = order->mode;
		result->why = PEERPASS_REASON_NONE;
		result->reason = outcome->reason;
		result->passing = true;
	}
}

static bool to_identity(const struct pp_result *result)
{
	return result->mode == PEERPASS_MODE_IDENTITY && !result->reason;
}

/*
 * Switches a group for a member that is to be in identity. Nothing is done when
 * @result says why.
 */
static void make_identity(struct pci_dev *pdev, struct pp_group *group,
			  struct pp_group_view *view,
			  const struct pp_order *order,
			  struct pp_findings *found, struct pp_result *result)
{
	enum peerpass_domain_type original;
	struct pp_outcome outcome;

	if (pp_identity_ours(view, &original)) {
		pp_identity_join(view, original);
		return;
	}
	/* By the host's own default (iommu=pt): nothing for us to do or undo. */
	if (found->evidence.identity)
		return;
	if (found->blocked || found->passing) {
		not_yet(order, found, result);
		return;
	}
	pp_identity_switch(pdev, group, view, &outcome);
	if (outcome.reason)
		take_outcome(order, &outcome, found, result);
}

static void decide_and_do(struct pci_dev *pdev, struct pp_group *group,
			  struct pp_group_view *view,
			  const struct pp_order *order)
{
	enum peerpass_domain_type original;
	struct pp_decision decision;
	struct pp_findings found;
	struct pp_result result;
	bool forced;

	pp_findings_collect(pdev, order, view, &found);
	decision = pp_decide(order->mode, order->flags, &found.evidence);
	result_of(&decision, &found, &result);
	if (may_pass(&found, &result))
		not_yet(order, &found, &result);
	if (to_identity(&result) && order->flags & PEERPASS_RULE_FLAG_ALL &&
	    !found.evidence.ours)
		pp_set_check(pdev, order, &result);
	if (to_identity(&result)) {
		make_identity(pdev, group, view, order, &found, &result);
	} else if (!result.passing &&
		   found.evidence.companions == PEERPASS_COMPANIONS_REFUSED &&
		   view && pp_identity_ours(view, &original)) {
		/* A companion came since. */
		pp_identity_put_back(pdev, group, view, original);
	}
	forced = decision.forced && to_identity(&result);
	publish(pdev, &result, &found, forced);
	if (found.evidence.kernel_said && !result.passing &&
	    result.mode == PEERPASS_MODE_IDENTITY &&
	    order->flags & PEERPASS_RULE_FLAG_ALL)
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
	bool stays = false;
	unsigned int i;

	if (!group || !pp_device_switched(pdev, &original))
		return;
	view = pp_group_view_get(group);
	/* No memory at this moment: it is still ours to put back. */
	if (!view)
		return;
	for (i = 0; i < view->nr && !stays; i++) {
		struct pp_order order;

		stays = view->members[i] != pdev &&
			pp_device_order(view->members[i], &order) &&
			pp_order_wants_identity(&order) &&
			pp_may_come_along(view->members[i], &order, pdev);
	}
	if (!stays)
		pp_identity_put_back(pdev, group, view, original);
	pp_group_view_put(view);
}

/**
 * pp_apply - do what is asked of a device, or find out why not
 * @pdev: the device
 * @group: its group, or NULL
 */
void pp_apply(struct pci_dev *pdev, struct pp_group *group)
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
		struct pp_result result = { .mode = order.mode, .passing = true };

		refuse(&result, PEERPASS_REASON_KERNEL_REFUSED, "out of memory");
		publish(pdev, &result, NULL, false);
		return;
	}
	decide_and_do(pdev, group, view, &order);
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

/* May @pdev be in the group of those that were switched before it came? */
static bool welcome(struct pci_dev *pdev, struct pp_group_view *view)
{
	unsigned int i;

	for (i = 0; i < view->nr; i++) {
		struct pci_dev *member = view->members[i];
		struct pp_findings found;
		struct pp_order order;

		if (!pp_device_order(member, &order) ||
		    !pp_order_wants_identity(&order))
			continue;
		pp_findings_collect(member, &order, view, &found);
		if (found.evidence.companions != PEERPASS_COMPANIONS_REFUSED ||
		    found.passing)
			return true;
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
	if (!pp_identity_ours(view, &original) || welcome(pdev, view)) {
		pp_group_view_put(view);
		return;
	}
	/* The newcomer as well: it may be the last that is left of it. */
	pp_identity_join(view, original);
	ret = pp_identity_put_back(pdev, group, view, original);
	if (ret)
		pci_warn(pdev, "peerpass: joined a group that was switched to identity and cannot be put back, error %d\n",
			 ret);
	for (i = 0; i < view->nr; i++)
		if (view->members[i] != pdev)
			pp_apply(view->members[i], group);
	pp_group_view_put(view);
}

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
	char detail[32];
	int ret;

	if (!pp_identity_ours(view, &original))
		return;
	if (other) {
		snprintf(detail, sizeof(detail), "%s stays in identity",
			 pci_name(other));
		refuse(result, PEERPASS_REASON_GROUP_COMPANION, detail);
		return;
	}
	if (found->evidence.driver_bound) {
		refuse(result, PEERPASS_REASON_DRIVER_BOUND, found->driver);
		result->passing = found->passing;
		return;
	}
	ret = pp_identity_put_back(pdev, group, view, original);
	if (ret) {
		snprintf(detail, sizeof(detail), "error %d", ret);
		refuse(result, PEERPASS_REASON_KERNEL_REFUSED, detail);
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
		/* Makes publish() look at the windows. */
		dev->decided = false;
		pp_devices_generation++;
	}
	mutex_unlock(&pp_devices_lock);
	return dev;
}

/**
 * pp_apply_request - give a device another order
 * @pdev: the device
 * @group: its group, or NULL
 * @order: what is asked
 * @result: filled in; with a reason nothing was changed
 *
 * Return: 0, -ENODEV when the device went, -ENOMEM.
 */
int pp_apply_request(struct pci_dev *pdev, struct pp_group *group,
		     const struct pp_order *order, struct pp_result *result)
{
	struct pp_group_view *view = NULL;
	struct pp_decision decision;
	struct pp_findings found;
	int ret = 0;

	if (group) {
		view = pp_group_view_get(group);
		if (!view)
			return -ENOMEM;
	}
	pp_findings_collect(pdev, order, view, &found);
	decision = pp_decide(order->mode, order->flags, &found.evidence);
	result_of(&decision, &found, result);
	if (may_pass(&found, result))
		not_yet(order, &found, result);
	if (to_identity(result))
		make_identity(pdev, group, view, order, &found, result);
	if (!result->reason && !to_identity(result) && view)
		make_translate(pdev, group, view, &found, result);
	if (!result->reason) {
		if (install(pdev, order))
			publish(pdev, result, &found,
				decision.forced && to_identity(result));
		else
			ret = -ENODEV;
	}
	if (view)
		pp_group_view_put(view);
	return ret;
}
