// SPDX-License-Identifier: GPL-2.0-only
/*
 * Device memory. Allocations are this process's own business: two processes
 * that use the same device at once overwrite each other.
 */
#include <stdlib.h>

#include "host_memory.h"
#include "memory.h"

/*
 * A device pointer: this, the device's number in bits 36 and up, the offset. Below
 * where Linux puts a process's own mappings.
 */
#define POINTER_BASE	0x7a0000000000ULL
#define POINTER_BITS	36
#define ALIGNMENT	512

_Static_assert(MEMORY_MAX == 1ULL << POINTER_BITS, "a device's part of the pointers");

static CUdeviceptr pointer(const struct device *d, uint64_t offset)
{
	return POINTER_BASE + ((uint64_t)device_number(d) << POINTER_BITS) + offset;
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

uint64_t memory_free_bytes(const struct device *d)
{
	uint64_t taken = 0;

	for (const struct allocation *a = d->allocations; a; a = a->next)
		taken += a->len;
	return d->len - taken;
}

/* What is at @address, of the device's memory or of the host's; false for nothing. */
bool memory_find(CUdeviceptr address, struct place *place)
{
	*place = (struct place){ };
	place->view = host_memory_find(address, &place->start, &place->len);
	if (place->view)
		return true;
	for (int i = 0; i < device_count; i++) {
		struct device *d = &devices[i];

		for (struct allocation *a = d->allocations; a; a = a->next) {
			CUdeviceptr start = pointer(d, a->offset);

			if (address < start || address - start >= a->len)
				continue;
			*place = (struct place){ .start = start, .len = a->len, .device = d,
						 .offset = a->offset,
						 .view = d->memory + a->offset };
			return true;
		}
	}
	return false;
}

/* The device whose allocation holds all @len bytes at @address, or NULL. */
struct device *memory_owner(CUdeviceptr address, size_t len, uint64_t *offset)
{
	struct place place;

	if (!memory_find(address, &place) || len > place.len - (address - place.start))
		return NULL;
	*offset = place.offset + (address - place.start);
	return place.device;
}
