/* SPDX-License-Identifier: GPL-2.0-only */
/* What a fault hit, in a few words. */
#ifndef PEERPASS_TARGET_TEXT_H
#define PEERPASS_TARGET_TEXT_H

#include "inventory.h"

#define PP_TARGET_LEN 48

const char *pp_target_text(const struct pp_inventory *inv, const struct pp_pair *pair,
			   char buf[PP_TARGET_LEN]);

#endif /* PEERPASS_TARGET_TEXT_H */
