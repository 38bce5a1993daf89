/* SPDX-License-Identifier: GPL-2.0-only */
/* Device memory: who owns a pointer, and where it is. */
#ifndef TEST_CUDA_MEMORY_H
#define TEST_CUDA_MEMORY_H

#include "device.h"

CUresult memory_alloc(struct device *d, size_t len, CUdeviceptr *address);
CUresult memory_free(CUdeviceptr address);
void memory_free_all(struct device *d);
struct device *memory_owner(CUdeviceptr address, size_t len, uint64_t *offset);

#endif /* TEST_CUDA_MEMORY_H */
