// SPDX-License-Identifier: GPL-2.0-only
/*
 * From an order to a result, as far as identity goes: evidence, decision, switch.
 *
 * Context: on the switch queue (see work.c), no lock held.
 */
#include <linux/string.h>

#include "attempt.h"
#include "identity.h"

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
		pp_result_refuse(result, PEERPASS_REASON_KERNEL_REFUSED,
				 "a device is being reset");
	else
		pp_result_refuse(result, PEERPASS_REASON_DRIVER_BOUND,
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
	pp_result_of(&decision, found, result);
	strscpy(result->detail, outcome->detail, sizeof(result->detail));
	if (outcome->passing) {
		result->mode = order->mode;
		result->why = PEERPASS_REASON_NONE;
		result->reason = outcome->reason;
		result->passing = true;
	}
}

/**
 * pp_attempt_identity - switch a group for a member that is to be in identity
 * @pdev: the member
 * @group: its group
 * @view: the group's members
 * @order: what is asked of @pdev
 * @found: what is known
 * @result: decided to be identity; with a reason, or another mode, afterwards
 *	when the kernel did not do it
 */
void pp_attempt_identity(struct pci_dev *pdev, struct pp_group *group,
			 struct pp_group_view *view,
			 const struct pp_order *order,
			 struct pp_findings *found, struct pp_result *result)
{
	enum peerpass_domain_type original;
	struct pp_outcome outcome;

	if (found->evidence.ours && pp_identity_ours(view, &original)) {
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
	if (found->switched)
		pp_identity_forget(view);
	pp_identity_switch(pdev, group, view, &outcome);
	if (outcome.reason)
		take_outcome(order, &outcome, found, result);
}

/**
 * pp_attempt_decide - decide about a device, from what is known now
 * @pdev: the device
 * @order: what is asked of it
 * @group: its group, or NULL
 * @view: the group's members, or NULL
 * @found: filled in
 * @result: filled in
 *
 * Return: the decision goes against a refusal.
 */
bool pp_attempt_decide(struct pci_dev *pdev, const struct pp_order *order,
		       struct pp_group *group, struct pp_group_view *view,
		       struct pp_findings *found, struct pp_result *result)
{
	struct pp_decision decision;

	pp_findings_collect(pdev, order, group, view, found);
	decision = pp_decide(order->mode, order->flags, &found->evidence);
	pp_result_of(&decision, found, result);
	if (may_pass(found, result))
		not_yet(order, found, result);
	return decision.forced;
}
