/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices as the command line names them: an address, or gpuN. */
#ifndef PEERPASS_DEVSEL_H
#define PEERPASS_DEVSEL_H

#include "inventory.h"

int pp_devsel_check(char **texts, int count, struct pp_error *err);
struct pp_device *pp_devsel(const struct pp_inventory *inv, const char *text,
			    struct pp_error *err);

#endif /* PEERPASS_DEVSEL_H */
