/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A mirror: what an initiator writes to a peer stays on its own side, where its own
 * later reads find it. The peer never sees it.
 */
#ifndef TEST_CUDA_MIRROR_H
#define TEST_CUDA_MIRROR_H

#include "device.h"

CUresult mirror_write(const struct device *by, const struct device *peer, uint64_t offset,
		      const void *from, size_t len);
/* Puts what is in the mirror over what was read. */
void mirror_read(const struct device *by, const struct device *peer, uint64_t offset, uint8_t *to,
		 size_t len);

#endif /* TEST_CUDA_MIRROR_H */
