/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_REFUSAL_H
#define PEERPASS_REFUSAL_H

#include <linux/pci.h>

#include "device.h"
#include "group.h"
#include "policy.h"

/**
 * struct pp_refusal - why a device is not switched
 * @reason: PEERPASS_REASON_NONE: nothing speaks against it
 * @detail: driver, device or error that @reason speaks of
 * @passing: it may be gone in a moment, without an event that tells
 */
struct pp_refusal {
	enum peerpass_reason reason;
	char detail[PP_DETAIL_LEN];
	bool passing;
};

const struct pp_rule *pp_identity_rule(struct pci_dev *pdev, bool *mismatch);
bool pp_device_may(struct pci_dev *pdev, struct pp_refusal *why);
bool pp_group_may(struct pci_dev *pdev, struct pp_group_view *view,
		  struct pp_refusal *why);
bool pp_group_unbound(struct pp_group_view *view, struct pp_refusal *why);
bool pp_refuse(struct pp_refusal *why, enum peerpass_reason reason);
const char *pp_reason_text(enum peerpass_reason reason);

#endif /* PEERPASS_REFUSAL_H */
