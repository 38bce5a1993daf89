/* SPDX-License-Identifier: GPL-2.0-only */
/* Host memory that every device reaches by the host's own addresses. With the lock held. */
#ifndef TEST_CUDA_HOST_MEMORY_H
#define TEST_CUDA_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "result.h"

CUresult host_memory_alloc(size_t len, void **host);
bool host_memory_free(void *host);
uint8_t *host_memory_find(CUdeviceptr address, CUdeviceptr *start, uint64_t *len);

#endif /* TEST_CUDA_HOST_MEMORY_H */
