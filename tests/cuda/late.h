/* SPDX-License-Identifier: GPL-2.0-only */
/* What arrives later than was said. A thread of its own delivers it, in the order of time. */
#ifndef TEST_CUDA_LATE_H
#define TEST_CUDA_LATE_H

#include "device.h"

/* How late data is that a flag overtakes: longer than a waiting thread is held up. */
#define FLAG_FIRST_NS 100000000ULL

/* @owner: for late_wait(). Without the lock. */
CUresult late_write(struct device *by, struct device *peer, uint64_t offset, const void *from,
		    size_t len, uint64_t late_ns, const void *owner);
CUresult late_read(void *to, const void *from, size_t len, uint64_t late_ns);
void late_wait(const void *owner);

#endif /* TEST_CUDA_LATE_H */
