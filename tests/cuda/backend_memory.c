// SPDX-License-Identifier: GPL-2.0-only
/*
 * GPUs of memory only, for tests without a virtual machine: those whose addresses
 * PP_TEST_CUDA_DEVICES lists. Their memory takes up what was written to, no more, so
 * that they may have much of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bytes.h"
#include "device.h"
#include "switches.h"

static CUresult memory_find(void)
{
	const char *list = getenv("PP_TEST_CUDA_DEVICES");

	while (*list) {
		size_t len = strcspn(list, ",");
		struct device *d;

		if (device_count == MAX_DEVICES) {
			fprintf(stderr, "test libcuda: more than %d devices\n", MAX_DEVICES);
			return CUDA_ERROR_INVALID_VALUE;
		}
		d = device_add(&backend_memory);
		snprintf(d->address, sizeof(d->address), "%.*s", (int)len, list);
		snprintf(d->name, sizeof(d->name), "GPU %d of memory only", device_number(d));
		d->len = switches.memory;
		list += len + (list[len] == ',');
	}
	return CUDA_SUCCESS;
}

static CUresult memory_open(struct device *d)
{
	void *p;

	if (d->memory)
		return CUDA_SUCCESS;
	p = mmap(NULL, d->len, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	d->memory = p;
	return CUDA_SUCCESS;
}

static void memory_close(struct device *d)
{
	(void)d;
}

static CUresult memory_write(struct device *d, struct device *peer, uint64_t offset,
			     const void *from, size_t len)
{
	(void)d;
	bytes_copy(peer->memory + offset, from, len);
	return CUDA_SUCCESS;
}

static CUresult memory_read(struct device *d, struct device *peer, uint64_t offset, void *to,
			    size_t len)
{
	(void)d;
	bytes_copy(to, peer->memory + offset, len);
	return CUDA_SUCCESS;
}

const struct backend backend_memory = {
	.find = memory_find,
	.open = memory_open,
	.close = memory_close,
	.write = memory_write,
	.read = memory_read,
};
