/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_REASON_H
#define PEERPASS_REASON_H

#include "peerpass.h"

const char *pp_reason_text(enum peerpass_reason reason);

#endif /* PEERPASS_REASON_H */
