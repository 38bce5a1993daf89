/* SPDX-License-Identifier: GPL-2.0-only */
/* The bridges above a device and their ACS bits, read and never written. */
#ifndef PEERPASS_ACS_READ_H
#define PEERPASS_ACS_READ_H

#include "acs_path.h"

void pp_acs_read(struct pp_bdf device, struct pp_chain *chain);

#endif /* PEERPASS_ACS_READ_H */
