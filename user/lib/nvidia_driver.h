/* SPDX-License-Identifier: GPL-2.0-only */
/* What the NVIDIA kernel driver says about itself. */
#ifndef PEERPASS_NVIDIA_DRIVER_H
#define PEERPASS_NVIDIA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool pp_nvidia_version(const char *root, char *buf, size_t size);
bool pp_nvidia_version_parse(const char *line, char *buf, size_t size);
uint32_t pp_nvidia_dma_remap(const char *root);
bool pp_nvidia_param(const char *line, const char *name, long *value);

#endif /* PEERPASS_NVIDIA_DRIVER_H */
