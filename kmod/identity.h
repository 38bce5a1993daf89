/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_IDENTITY_H
#define PEERPASS_IDENTITY_H

#include <linux/pci.h>

#include "device.h"
#include "group.h"

/**
 * struct pp_outcome - how a switch ended
 * @reason: NONE when it is done
 * @detail: error or domain type
 * @passing: it may be possible in a moment, without an event that tells
 */
struct pp_outcome {
	enum peerpass_reason reason;
	char detail[32];
	bool passing;
};

bool pp_identity_ours(struct pp_group_view *view,
		      enum peerpass_domain_type *original);
void pp_identity_forget(struct pp_group_view *view);
void pp_identity_join(struct pp_group_view *view,
		      enum peerpass_domain_type original);
void pp_identity_switch(struct pci_dev *pdev, struct pp_group *group,
			struct pp_group_view *view, struct pp_outcome *outcome);
int pp_identity_put_back(struct pci_dev *pdev, struct pp_group *group,
			 struct pp_group_view *view,
			 enum peerpass_domain_type original);

#endif /* PEERPASS_IDENTITY_H */
