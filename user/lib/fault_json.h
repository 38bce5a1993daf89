/* SPDX-License-Identifier: GPL-2.0-only */
/* Fault counts as JSON; the same keys in every verb. */
#ifndef PEERPASS_FAULT_JSON_H
#define PEERPASS_FAULT_JSON_H

#include <jansson.h>

#include "model.h"

json_t *pp_json_device_faults(const struct pp_info *info, const struct pp_device *dev);
json_t *pp_json_fault_totals(const struct pp_info *info);
json_t *pp_json_kinds(const struct pp_count *counts, size_t n);
json_t *pp_json_target(const struct pp_pair *pair);

#endif /* PEERPASS_FAULT_JSON_H */
