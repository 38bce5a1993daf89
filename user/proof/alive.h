/* SPDX-License-Identifier: GPL-2.0-only */
/* Does a GPU still answer? */
#ifndef PEERPASS_PROOF_ALIVE_H
#define PEERPASS_PROOF_ALIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/bdf.h"

bool pp_gpu_alive(int ordinal, struct pp_bdf bdf, uint64_t timeout_s);

#endif /* PEERPASS_PROOF_ALIVE_H */
