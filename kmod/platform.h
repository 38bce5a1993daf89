/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_PLATFORM_H
#define PEERPASS_PLATFORM_H

#include "peerpass.h"

enum peerpass_tristate pp_platform_snp(void);
bool pp_platform_snp_mode0(void);
bool pp_platform_crash_kernel(void);

#endif /* PEERPASS_PLATFORM_H */
