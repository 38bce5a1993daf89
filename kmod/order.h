/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_ORDER_H
#define PEERPASS_ORDER_H

#include <linux/pci.h>

#include "peerpass.h"
#include "policy_parse.h"

#define PP_SET_LEN	(PP_POLICY_SET_LEN + 1)

/**
 * struct pp_order - what is asked of a device, by a rule or by a request
 * @mode: what is asked
 * @flags: PEERPASS_RULE_FLAG_*
 * @set: name of its set of peers, or "#" and the rule's number, or ""
 * @rule: number of the policy's rule, 0 for none; with a request as well
 * @id_mismatch: the rule expects another device at this address
 * @class_allowed: a device of this class may be switched
 * @by_address: it names this device, and not a kind of devices
 * @by_request: it came by netlink
 */
struct pp_order {
	enum peerpass_mode mode;
	unsigned int flags;
	char set[PP_SET_LEN];
	unsigned int rule;
	bool id_mismatch;
	bool class_allowed;
	bool by_address;
	bool by_request;
};

void pp_order_from_policy(struct pci_dev *pdev, struct pp_order *order);
void pp_order_from_request(struct pci_dev *pdev, enum peerpass_mode mode,
			   unsigned int flags, const char *set,
			   struct pp_order *order);
bool pp_order_none(const struct pp_order *order);
bool pp_order_acts(const struct pp_order *order);
bool pp_order_wants_identity(const struct pp_order *order);
bool pp_order_selects(const struct pp_order *order);

#endif /* PEERPASS_ORDER_H */
