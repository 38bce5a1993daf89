/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_APPLY_H
#define PEERPASS_APPLY_H

#include <linux/pci.h>

#include "device.h"
#include "group.h"

/**
 * struct pp_result - what became of a request
 * @mode: in force now
 * @reason: why nothing was changed; NONE when it was done
 * @why: why auto did not choose identity
 * @detail: driver, devices or error that @reason, or @why, speaks of
 * @passing: asking again in a moment may help
 */
struct pp_result {
	enum peerpass_mode mode;
	enum peerpass_reason reason;
	enum peerpass_reason why;
	char detail[PP_DETAIL_LEN];
	bool passing;
};

void pp_apply(struct pci_dev *pdev, struct pp_group *group);
void pp_apply_newcomer(struct pci_dev *pdev, struct pp_group *group);
bool pp_apply_restore(struct pci_dev *pdev, struct pp_group *group,
		      enum peerpass_domain_type original);
int pp_apply_request(struct pci_dev *pdev, struct pp_group *group,
		     const struct pp_order *order, struct pp_result *result);

#endif /* PEERPASS_APPLY_H */
