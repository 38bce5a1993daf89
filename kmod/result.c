// SPDX-License-Identifier: GPL-2.0-only
/*
 * What became of an order: how it reads, and where status finds it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/string.h>

#include "reason.h"
#include "result.h"
#include "window.h"
#include "work.h"

/* pp_result_refuse - nothing is done, and why; @detail may be NULL */
void pp_result_refuse(struct pp_result *result, enum peerpass_reason reason,
		      const char *detail)
{
	result->reason = reason;
	strscpy(result->detail, detail ?: "", sizeof(result->detail));
}

static void tell(struct pci_dev *pdev, const struct pp_result *result)
{
	enum peerpass_reason reason = result->reason ?: result->why;
	const char *what = "not switched to identity";

	if (!result->reason && result->mode == PEERPASS_MODE_IDENTITY)
		what = "in identity by the host's default, although";
	else if (!result->reason)
		what = "peer windows instead of identity";
	else if (result->mode == PEERPASS_MODE_PEER)
		what = "no peer windows";
	pci_notice(pdev, "peerpass: %s: %s%s%s\n", what,
		   pp_reason_text(reason), result->detail[0] ? ": " : "",
		   result->detail);
}

static bool other_windows(const struct pp_order *a, const struct pp_order *b)
{
	const unsigned int ways = PEERPASS_RULE_FLAG_INITIATOR |
				  PEERPASS_RULE_FLAG_TARGET |
				  PEERPASS_RULE_FLAG_ALL;

	return strcmp(a->set, b->set) || (a->flags ^ b->flags) & ways;
}

/*
 * Windows in force are not closed for something that may be gone in a moment: the
 * ranges below other bridges could not be had again.
 */
static bool keep(const struct pp_device *dev, const struct pp_result *result)
{
	return result->passing && !result->final && dev->decided &&
	       !dev->reason && dev->mode == PEERPASS_MODE_PEER;
}

/* Return: the windows are to be opened, or closed. */
static bool note(struct pp_device *dev, const struct pp_result *result,
		 const struct pp_findings *found, bool forced)
{
	bool windows = !dev->decided || dev->mode != result->mode ||
		       !dev->reason != !result->reason;

	if (windows)
		pp_windows_change();
	dev->decided = true;
	dev->mode = result->mode;
	dev->reason = result->reason;
	dev->why = result->why;
	dev->passing = result->passing;
	dev->forced = forced;
	if (found)
		dev->evidence = found->evidence;
	strscpy(dev->detail, result->detail, sizeof(dev->detail));
	return windows;
}

/**
 * pp_result_publish - put a result where status finds it
 * @pdev: the device
 * @order: a new order, which is in force from now on; NULL: that which it has
 * @result: what became of the order
 * @found: what that was decided from, or NULL
 * @forced: it goes against a refusal
 *
 * Opens and closes the device's windows accordingly. News go to the kernel log.
 *
 * Context: on the switch queue, no lock held.
 *
 * Return: false when the device is not known any more.
 */
bool pp_result_publish(struct pci_dev *pdev, const struct pp_order *order,
		       const struct pp_result *result,
		       const struct pp_findings *found, bool forced)
{
	bool news = false, better = false;
	struct pp_device *dev;

	mutex_lock(&pp_devices_lock);
	dev = pp_device_find(pdev);
	if (dev && !order && keep(dev, result)) {
		dev->passing = true;
	} else if (dev) {
		/* Others of the set may have been waiting for this one. */
		better = dev->reason && !result->reason && !result->final &&
			 dev->order.flags & PEERPASS_RULE_FLAG_ALL;
		news = (result->reason || result->why) &&
		       (!result->passing || result->final) &&
		       (dev->reason != result->reason ||
			dev->why != result->why || dev->passing);
		if (order && other_windows(&dev->order, order))
			dev->decided = false;
		if (order) {
			pp_windows_change();
			dev->order = *order;
		}
		if (note(dev, result, found, forced))
			pp_windows_mode_changed(dev);
		pp_devices_generation++;
	}
	mutex_unlock(&pp_devices_lock);
	if (news)
		tell(pdev, result);
	if (better)
		pp_work_reconsider();
	return dev;
}

/* pp_result_of - how a decision reads before anything was tried */
void pp_result_of(const struct pp_decision *decision,
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
