/* SPDX-License-Identifier: GPL-2.0-only */
/* Device memory: who owns a pointer, and where it is. All with the lock held. */
#ifndef TEST_CUDA_MEMORY_H
#define TEST_CUDA_MEMORY_H

#include "device.h"

/* Bytes of a device's memory, at most. */
#define MEMORY_MAX (1ULL << 36)

/**
 * struct place - an allocation
 * @start: its address for CUDA
 * @device: whose memory it is; NULL for the host's
 * @offset: in the device's memory
 * @view: its address in this process, the owner's view
 */
struct place {
	CUdeviceptr start;
	uint64_t len;
	struct device *device;
	uint64_t offset;
	uint8_t *view;
};

CUresult memory_alloc(struct device *d, size_t len, CUdeviceptr *address);
CUresult memory_free(CUdeviceptr address);
void memory_free_all(struct device *d);
uint64_t memory_free_bytes(const struct device *d);
bool memory_find(CUdeviceptr address, struct place *place);
struct device *memory_owner(CUdeviceptr address, size_t len, uint64_t *offset);

#endif /* TEST_CUDA_MEMORY_H */
