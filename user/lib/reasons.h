/* SPDX-License-Identifier: GPL-2.0-only */
/* What a reason means, and what to do about it, in words. */
#ifndef PEERPASS_REASONS_H
#define PEERPASS_REASONS_H

#include <stddef.h>

#include "model.h"

bool pp_reason_given(const struct pp_device *dev);
void pp_reason_words(uint32_t reason, const char *detail, char *buf, size_t size);
void pp_reason_text(const struct pp_device *dev, char *buf, size_t size);
void pp_reason_advice(const struct pp_device *dev, char *buf, size_t size);

#endif /* PEERPASS_REASONS_H */
