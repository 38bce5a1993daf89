/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Streams: a queue each, and a thread that carries it out without being asked.
 *
 * Work that finds its stream idle starts after a short delay, unless somebody waits
 * for the stream: CUDA promises nobody else that it is done, so a caller that does
 * not wait is found out.
 */
#ifndef TEST_CUDA_STREAM_H
#define TEST_CUDA_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "result.h"

/**
 * struct work - what waits in a stream; the first member of something larger
 * @run: carries it out, without the lock
 * @free: frees it, carried out or not, with the lock held
 */
struct work {
	CUresult (*run)(struct work *work, CUcontext context);
	void (*free)(struct work *work);
	uint64_t not_before_ns;
	struct work *next;
};

/* A stream, and of each context its default stream. */
struct CUstream_st {
	CUcontext context;
	struct work *first;
	unsigned int waiting;
	/* It has a thread; the thread frees a stream that nobody holds any more. */
	bool thread, orphan;
	struct CUstream_st *next;
};

/* All with the lock held. */
CUresult stream_create(CUcontext context, CUstream *stream);
void stream_destroy(CUstream stream);
CUresult stream_add(CUstream stream, struct work *work);
CUresult stream_wait(CUstream stream);
void streams_stop(CUcontext context);

#endif /* TEST_CUDA_STREAM_H */
