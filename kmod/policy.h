/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_POLICY_H
#define PEERPASS_POLICY_H

#include <linux/pci.h>

#include "policy_parse.h"

const char *pp_policy_text(void);
const struct pp_rule *pp_policy_rule(struct pci_dev *pdev, unsigned int *index,
				     bool *id_mismatch);

#endif /* PEERPASS_POLICY_H */
