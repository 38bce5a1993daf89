// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is asked of a device: by the policy's rule, or by a request that came
 * later and counts instead, until the device goes.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "order.h"
#include "policy.h"

/**
 * pp_order_from_policy - what the policy asks of a device
 * @pdev: the device
 * @order: filled in; to observe, when no rule selects the device
 */
void pp_order_from_policy(struct pci_dev *pdev, struct pp_order *order)
{
	const struct pp_rule *rule;

	memset(order, 0, sizeof(*order));
	rule = pp_policy_rule(pdev, &order->rule, &order->id_mismatch);
	if (!rule)
		return;
	order->mode = rule->mode;
	order->flags = rule->flags;
	order->by_address = rule->by_bdf;
	order->class_allowed =
		pp_policy_class_allowed(rule, pdev->class >> 8);
	if (!pp_order_acts(order))
		return;
	if (rule->set[0])
		strscpy(order->set, rule->set, sizeof(order->set));
	else
		snprintf(order->set, sizeof(order->set), "#%u", order->rule);
}

/**
 * pp_order_from_request - what a request asks of a device
 * @pdev: the device
 * @mode: what is asked
 * @flags: PEERPASS_RULE_FLAG_*
 * @set: name of its set of peers; NULL for that of its rule
 * @order: filled in
 *
 * The policy's rule keeps its number. Without @set it also keeps its set, and the
 * ways in it: a device that was not to be reached is not reached by a slip.
 */
void pp_order_from_request(struct pci_dev *pdev, enum peerpass_mode mode,
			   unsigned int flags, const char *set,
			   struct pp_order *order)
{
	const unsigned int one_way = PEERPASS_RULE_FLAG_INITIATOR |
				     PEERPASS_RULE_FLAG_TARGET;
	const struct pp_rule rule = { .by_bdf = true, .flags = flags };

	pp_order_from_policy(pdev, order);
	if (!set && order->set[0] && !(flags & one_way))
		flags |= order->flags & one_way;
	order->mode = mode;
	order->flags = flags;
	order->id_mismatch = false;
	order->class_allowed = pp_policy_class_allowed(&rule, pdev->class >> 8);
	order->by_address = true;
	order->by_request = true;
	if (!pp_order_acts(order))
		order->set[0] = '\0';
	else if (set)
		strscpy(order->set, set, sizeof(order->set));
	else if (!order->set[0])
		strscpy(order->set, "#0", sizeof(order->set));
}

/* pp_order_acts - does it ask for more than to be left alone? */
bool pp_order_acts(const struct pp_order *order)
{
	return order->mode == PEERPASS_MODE_IDENTITY ||
	       order->mode == PEERPASS_MODE_PEER ||
	       order->mode == PEERPASS_MODE_AUTO;
}

/*
 * pp_order_none - was nothing asked of this very device? A rule for a kind of
 * devices that only observes, or that may not switch this class, asks nothing.
 */
bool pp_order_none(const struct pp_order *order)
{
	if (order->by_request)
		return false;
	return !order->rule ||
	       (!order->by_address && (order->mode == PEERPASS_MODE_OBSERVE ||
				       !order->class_allowed));
}

/* pp_order_wants_identity - may the group be switched for it? */
bool pp_order_wants_identity(const struct pp_order *order)
{
	return order->mode == PEERPASS_MODE_IDENTITY ||
	       order->mode == PEERPASS_MODE_AUTO;
}

/* pp_order_selects - does it want identity, and may it? */
bool pp_order_selects(const struct pp_order *order)
{
	return pp_order_wants_identity(order) && !order->id_mismatch &&
	       order->class_allowed;
}
