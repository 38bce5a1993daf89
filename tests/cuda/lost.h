/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Devices that are lost, as one is that has fallen off the bus: whatever needs its
 * context fails from then on, also in processes started later if PP_TEST_CUDA_STATE
 * names a file. What the driver still knows of it, its name for example, it says.
 */
#ifndef TEST_CUDA_LOST_H
#define TEST_CUDA_LOST_H

#include "device.h"

static inline bool lost_is(const struct device *device)
{
	return __atomic_load_n(&device->lost, __ATOMIC_ACQUIRE);
}

void lost_set(struct device *device);
/* After the devices have been found. */
void lost_recall(void);

#endif /* TEST_CUDA_LOST_H */
