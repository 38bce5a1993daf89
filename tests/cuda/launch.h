/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel that runs, on the CPU: user/ptx/kernels.c, compiled with machine.h. Each
 * block is one thread of one, and they run one after the other. Kernels of several
 * streams run at once.
 */
#ifndef TEST_CUDA_LAUNCH_H
#define TEST_CUDA_LAUNCH_H

#include <setjmp.h>

#include "memory.h"
#include "window.h"

/* Allocations that a kernel remembers; a collective knows some for each rank. */
#define LAUNCH_PLACES 64

/**
 * struct launch - a kernel that runs
 * @block: which one of @blocks
 * @places: allocations that it has reached, @place_count of them; @last: of the access
 *	before
 * @window: to the memory of peers
 * @collective: an all-reduce that has not been spoilt yet
 * @spun_at: address of the last flag that it looked at, to see that it waits
 * @timed: it has looked at the clock, and nothing else since
 * @end: where it goes when it cannot go on, with @result
 */
struct launch {
	CUcontext context;
	uint64_t block, blocks;
	struct place places[LAUNCH_PLACES];
	unsigned int place_count, next_place;
	const struct place *last;
	struct window window;
	bool collective;
	uint64_t spun_at;
	bool timed;
	jmp_buf end;
	CUresult result;
};

/* Of this thread. */
extern _Thread_local struct launch *launch_now;

/* @size: of its argument */
struct kernel {
	const char *name;
	size_t size;
	void (*run)(const void *arguments);
};

/* By its symbol, "pp_fill" for example; NULL for no kernel of ours. */
const struct kernel *kernel_find(const char *symbol);

/* With the lock held. */
CUresult launch_add(CUstream stream, const struct kernel *kernel, const void *arguments,
		    uint64_t blocks);

/* True once for each run of a collective. */
bool launch_spoils_collective(struct launch *launch);

/* Ends the kernel: does not return. */
_Noreturn void launch_fail(struct launch *launch, CUresult error);

#endif /* TEST_CUDA_LAUNCH_H */
