/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_RESULT_H
#define PEERPASS_RESULT_H

#include <linux/pci.h>

#include "evidence.h"

/**
 * struct pp_result - what became of an order
 * @mode: in force now
 * @reason: why nothing was done; NONE when it was
 * @why: why auto did not choose identity
 * @detail: driver, devices or error that @reason, or @why, speaks of
 * @passing: trying again in a moment may help
 * @final: it has been tried for long enough
 */
struct pp_result {
	enum peerpass_mode mode;
	enum peerpass_reason reason;
	enum peerpass_reason why;
	char detail[PP_DETAIL_LEN];
	bool passing;
	bool final;
};

void pp_result_of(const struct pp_decision *decision,
		  const struct pp_findings *found, struct pp_result *result);
void pp_result_refuse(struct pp_result *result, enum peerpass_reason reason,
		      const char *detail);
bool pp_result_publish(struct pci_dev *pdev, const struct pp_order *order,
		       const struct pp_result *result,
		       const struct pp_findings *found, bool forced);

/* Is the device to be in identity? */
static inline bool pp_result_identity(const struct pp_result *result)
{
	return result->mode == PEERPASS_MODE_IDENTITY && !result->reason;
}

#endif /* PEERPASS_RESULT_H */
