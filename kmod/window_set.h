/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PEERPASS_WINDOW_SET_H
#define PEERPASS_WINDOW_SET_H

#include "window.h"

bool pp_window_set_waits(const struct pp_device *dev);
void pp_window_set_broken(const struct pp_device *dev);
void pp_window_set_settle(const struct pp_device *dev);

#endif /* PEERPASS_WINDOW_SET_H */
