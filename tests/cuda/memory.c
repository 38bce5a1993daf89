// SPDX-License-Identifier: GPL-2.0-only
/*
 * Device memory. Allocations are this process's own business: two processes
 * that use the same device at once overwrite each other.
 */
#include <stdlib.h>

#include "memory.h"

/* A device pointer: this, the device's number in bits 32 and up, the offset. */
#define POINTER_BASE	0x7e0000000000ULL
#define ALIGNMENT	512

static CUdeviceptr pointer(const struct device *d, uint64_t offset)
{
	return POINTER_BASE + ((uint64_t)(d - devices) << 32) + offset;
}

/* First fit. */
CUresult memory_alloc(struct device *d, size_t len, CUdeviceptr *address)
{
	struct allocation **p = &d->allocations, *a;
	uint64_t offset = 0;

	if (len > d->len)
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (; *p && (*p)->offset - offset < len; p = &(*p)->next)
		offset = ((*p)->offset + (*p)->len + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (offset > d->len || d->len - offset < len)
		return CUDA_ERROR_OUT_OF_MEMORY;
	a = malloc(sizeof(*a));
	if (!a)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*a = (struct allocation){ .offset = offset, .len = len, .next = *p };
	*p = a;
	*address = pointer(d, offset);
	return CUDA_SUCCESS;
}

CUresult memory_free(CUdeviceptr address)
{
	for (int i = 0; i < device_count; i++) {
		for (struct allocation **p = &devices[i].allocations; *p; p = &(*p)->next) {
			struct allocation *a = *p;

			if (pointer(&devices[i], a->offset) != address)
				continue;
			*p = a->next;
			free(a);
			return CUDA_SUCCESS;
		}
	}
	return CUDA_ERROR_INVALID_VALUE;
}

void memory_free_all(struct device *d)
{
	while (d->allocations) {
		struct allocation *a = d->allocations;

		d->allocations = a->next;
		free(a);
	}
}

/* The device whose allocation holds all @len bytes at @address, or NULL. */
struct device *memory_owner(CUdeviceptr address, size_t len, uint64_t *offset)
{
	for (int i = 0; i < device_count; i++) {
		for (struct allocation *a = devices[i].allocations; a; a = a->next) {
			CUdeviceptr start = pointer(&devices[i], a->offset);

			if (address < start || address - start > a->len ||
			    len > a->len - (address - start))
				continue;
			*offset = a->offset + (address - start);
			return &devices[i];
		}
	}
	return NULL;
}
