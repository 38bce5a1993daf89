/* SPDX-License-Identifier: GPL-2.0-only */
/* Primary contexts, there are no others, and who may call what. */
#ifndef TEST_CUDA_CONTEXT_H
#define TEST_CUDA_CONTEXT_H

#include "stream.h"

/**
 * struct CUctx_st - a device's primary context
 * @peers: a bit for each device that peer access was enabled to
 * @error: what a kernel or a transfer ended with; every later call fails so
 * @stopping: its threads are to end
 * @threads: of its streams
 */
struct CUctx_st {
	struct device *device;
	unsigned int references;
	uint64_t peers;
	CUresult error;
	bool stopping;
	unsigned int threads;
	struct CUstream_st default_stream;
	struct CUstream_st *streams;
	struct CUevent_st *events;
	struct CUmod_st *modules;
};

/* Of this thread. */
extern _Thread_local CUcontext current;

/*
 * Each call begins with one of the first two and ends with leave(); between them
 * the lock is held. enter_context() wants a usable current context.
 */
CUresult enter(void);
CUresult enter_context(void);
CUresult leave(CUresult r);

/* With the lock held. */
bool context_valid(CUcontext context);
CUresult context_open(CUcontext context);
void context_close(CUcontext context);
void context_fail(CUcontext context, CUresult error);
CUstream context_stream(CUstream stream);
CUresult context_wait(CUcontext context);

/* Without: kernels and transfers of it have to end. */
bool context_ends(CUcontext context);
void context_wait_for_end(CUcontext context);

#endif /* TEST_CUDA_CONTEXT_H */
