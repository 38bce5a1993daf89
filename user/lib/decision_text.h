/* SPDX-License-Identifier: GPL-2.0-only */
/* Which mode a device is in, why, and from what evidence: in words. */
#ifndef PEERPASS_DECISION_TEXT_H
#define PEERPASS_DECISION_TEXT_H

#include "model.h"

bool pp_decision_notable(const struct pp_device *dev);
void pp_decision_text(const struct pp_device *dev, char *buf, size_t size);
void pp_why_text(const struct pp_device *dev, char *buf, size_t size);
void pp_forced_text(const struct pp_device *dev, char *buf, size_t size);
void pp_evidence_text(const struct pp_known *known, char *buf, size_t size);

#endif /* PEERPASS_DECISION_TEXT_H */
