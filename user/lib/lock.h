/* SPDX-License-Identifier: GPL-2.0-only */
/* One validate at a time: two would count each other's faults. */
#ifndef PEERPASS_LOCK_H
#define PEERPASS_LOCK_H

#include "error.h"

int pp_lock(struct pp_error *err);

#endif /* PEERPASS_LOCK_H */
