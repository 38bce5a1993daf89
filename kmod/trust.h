/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_TRUST_H
#define PEERPASS_TRUST_H

#include <linux/types.h>

bool pp_driver_trusted(const char *driver);

#endif /* PEERPASS_TRUST_H */
