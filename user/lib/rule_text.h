/* SPDX-License-Identifier: GPL-2.0-only */
/* One rule of a policy, as it was written. */
#ifndef PEERPASS_RULE_TEXT_H
#define PEERPASS_RULE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool pp_rule_text(const char *policy, uint32_t number, char *buf, size_t size);

#endif /* PEERPASS_RULE_TEXT_H */
