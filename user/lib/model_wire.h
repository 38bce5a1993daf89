/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The attributes of one netlink message into the model. Members whose attribute
 * is absent keep their value, so the caller presets them.
 */
#ifndef PEERPASS_MODEL_WIRE_H
#define PEERPASS_MODEL_WIRE_H

#include "model.h"

int pp_wire_info(const void *attrs, size_t len, struct pp_info *info, struct pp_error *err);
int pp_wire_device(const void *attrs, size_t len, struct pp_device *dev, struct pp_error *err);
int pp_wire_pair(const void *attrs, size_t len, struct pp_pair *pair, struct pp_error *err);
int pp_wire_window(const void *attrs, size_t len, struct pp_window *window, struct pp_error *err);
int pp_wire_set(const void *attrs, size_t len, struct pp_set_reply *reply, struct pp_error *err);
int pp_wire_sync(const void *attrs, size_t len, struct pp_sync *sync, struct pp_error *err);
void *pp_grow(void *array, size_t count, size_t size, struct pp_error *err);

#endif /* PEERPASS_MODEL_WIRE_H */
