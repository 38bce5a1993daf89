/* SPDX-License-Identifier: GPL-2.0-only */
/* The policy that would let devices reach each other. */
#ifndef PEERPASS_CURE_H
#define PEERPASS_CURE_H

#include "inventory.h"

bool pp_device_translates(const struct pp_device *dev);
void pp_cure(const struct pp_inventory *inv, const struct pp_bdf *only, size_t count, char *buf,
	     size_t size);

#endif /* PEERPASS_CURE_H */
