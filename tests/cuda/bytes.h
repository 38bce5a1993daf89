/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies as a bus does: in aligned units of 8 or 4 bytes, each of them at once, and
 * in their order. What a kernel on the other side sees half of is never a part of one.
 */
#ifndef TEST_CUDA_BYTES_H
#define TEST_CUDA_BYTES_H

#include <stddef.h>
#include <stdint.h>

#define BYTES_COPY_IN(type) \
	for (; len - done >= sizeof(type); done += sizeof(type)) \
		__atomic_store_n((type *)((uint8_t *)to + done), \
				 __atomic_load_n((const type *)((const uint8_t *)from + done), \
						 __ATOMIC_ACQUIRE), __ATOMIC_RELEASE)

static inline void bytes_copy(void *to, const void *from, size_t len)
{
	uintptr_t both = (uintptr_t)to | (uintptr_t)from;
	size_t done = 0;

	if (!(both % 8))
		BYTES_COPY_IN(uint64_t);
	if (!(both % 4))
		BYTES_COPY_IN(uint32_t);
	BYTES_COPY_IN(uint8_t);
}

#undef BYTES_COPY_IN

#endif /* TEST_CUDA_BYTES_H */
