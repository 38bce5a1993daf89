/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_EVIDENCE_H
#define PEERPASS_EVIDENCE_H

#include <linux/pci.h>

#include "decision.h"
#include "device.h"
#include "group.h"

/**
 * struct pp_findings - evidence, and the words that go with it
 * @evidence: what decides
 * @companions: those that may not come along, with their drivers
 * @driver: the driver that is bound, and to what
 * @override: driver_override
 * @class: the device's class
 * @passing: something that may be gone in a moment, without an event that tells
 * @switched: a member was switched by us, whatever became of it
 * @blocked: a member is in the blocking domain, being reset (7.x)
 */
struct pp_findings {
	struct pp_evidence evidence;
	char companions[PP_DETAIL_LEN];
	char driver[PP_DETAIL_LEN];
	char override[PP_DRIVER_NAME_LEN];
	char class[16];
	bool passing;
	bool switched;
	bool blocked;
};

void pp_findings_collect(struct pci_dev *pdev, const struct pp_order *order,
			 struct pp_group *group, struct pp_group_view *view,
			 struct pp_findings *found);
const char *pp_findings_detail(const struct pp_findings *found,
			       enum peerpass_reason reason);
bool pp_sponsored(struct pp_group_view *view, const struct pci_dev *but,
		  struct pci_dev *companion, bool harm);

#endif /* PEERPASS_EVIDENCE_H */
