/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel's window to the memory of peers. Stores are combined to transfers, loads
 * read ahead, both up to a chunk: each DMA of QEMU's device takes 100 ms.
 */
#ifndef TEST_CUDA_WINDOW_H
#define TEST_CUDA_WINDOW_H

#include "memory.h"

#define WINDOW_MAX 4096
/* One for each rank of a collective. */
#define WINDOW_LINES 16

struct launch;

/* Bytes of a peer's memory. */
struct line {
	struct device *peer;
	uint64_t offset;
	size_t len;
	_Alignas(8) uint8_t data[WINDOW_MAX];
};

struct window {
	struct line store;
	struct line loads[WINDOW_LINES];
	unsigned int next_load;
};

/* @place: of the peer; @at: address of @len bytes in it, 4 or 8. */
void window_store(struct launch *launch, const struct place *place, uint64_t at, const void *from,
		  size_t len);
void window_load(struct launch *launch, const struct place *place, uint64_t at, void *to,
		 size_t len);
/* A flag: for itself, and after all that was stored. */
void window_poke(struct launch *launch, const struct place *place, uint64_t at, uint32_t value);
uint32_t window_peek(struct launch *launch, const struct place *place, uint64_t at);
/* Sends what was stored. */
void window_flush(struct launch *launch);
/* What was loaded is loaded anew. */
void window_forget(struct launch *launch);

#endif /* TEST_CUDA_WINDOW_H */
