/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernels as PTX text, ended by a zero byte: see kernels.h. */
#ifndef PEERPASS_PTX_IMAGE_H
#define PEERPASS_PTX_IMAGE_H

extern const char pp_ptx_image[];

#endif /* PEERPASS_PTX_IMAGE_H */
