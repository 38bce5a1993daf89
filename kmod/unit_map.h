/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_UNIT_MAP_H
#define PEERPASS_UNIT_MAP_H

#include "unit.h"

struct device;

int pp_amd_unit_map(struct pp_unit *unit, struct device *dev);
void pp_amd_unit_unmap(struct pp_unit *unit);
int pp_vtd_unit_map(struct pp_unit *unit, struct device *dev);
void pp_vtd_unit_unmap(struct pp_unit *unit);

extern const struct pp_unit_ops pp_mmio_ops;

#endif /* PEERPASS_UNIT_MAP_H */
