/* SPDX-License-Identifier: GPL-2.0-only */
/* How faults are counted, and how good the counts are, for people. */
#ifndef PEERPASS_COUNTING_TEXT_H
#define PEERPASS_COUNTING_TEXT_H

#include "inventory.h"

void pp_counting_print(const struct pp_info *info);
const char *pp_device_label(const struct pp_device *dev, char buf[2 * PP_BDF_LEN]);

#endif /* PEERPASS_COUNTING_TEXT_H */
