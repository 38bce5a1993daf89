// SPDX-License-Identifier: GPL-2.0-only
/* Host memory that devices reach. */
#include <stdlib.h>
#include <sys/mman.h>

#include "host_memory.h"

static struct block {
	void *host;
	size_t len;
	struct block *next;
} *blocks;

CUresult host_memory_alloc(size_t len, void **host)
{
	struct block *b = malloc(sizeof(*b));

	if (!b)
		return CUDA_ERROR_OUT_OF_MEMORY;
	b->host = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (b->host == MAP_FAILED) {
		free(b);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	b->len = len;
	b->next = blocks;
	blocks = b;
	*host = b->host;
	return CUDA_SUCCESS;
}

/* It stays mapped: a kernel of another context may still look at a flag there. */
bool host_memory_free(void *host)
{
	for (struct block **p = &blocks; *p; p = &(*p)->next) {
		struct block *b = *p;

		if (b->host != host)
			continue;
		*p = b->next;
		madvise(b->host, b->len, MADV_DONTNEED);
		free(b);
		return true;
	}
	return false;
}

/* The view of the block that holds @address, with what else is known of it, or NULL. */
uint8_t *host_memory_find(CUdeviceptr address, CUdeviceptr *start, uint64_t *len)
{
	for (const struct block *b = blocks; b; b = b->next) {
		*start = (CUdeviceptr)(uintptr_t)b->host;
		*len = b->len;
		if (address >= *start && address - *start < *len)
			return b->host;
	}
	return NULL;
}
