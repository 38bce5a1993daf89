/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The GPUs of a session: contexts, memory and kernels. Only in the child process
 * that runs it.
 *
 * Every function that calls CUDA returns true when a call failed, which is then in
 * @why of the session's result; nothing more may be done after that.
 */
#ifndef PEERPASS_PROOF_GPU_H
#define PEERPASS_PROOF_GPU_H

#include "lib/cuda.h"
#include "session.h"

/* Segments that a diagnosis is divided into, so that many threads take part. */
#define PP_SEGMENTS 256
/* Blocks of a collective. */
#define PP_COLLECTIVE_BLOCKS 4
/* Flags of PP_TEST_ORDER. */
#define PP_ORDER_ROUNDS 512
/* Beside every destination: what is written here was not meant to be. */
#define PP_GUARD 4096

enum pp_kernel {
#define PP_KERNEL_NUMBER(name) PP_KERNEL_##name,
	PP_KERNELS(PP_KERNEL_NUMBER)
#undef PP_KERNEL_NUMBER
	PP_KERNEL_COUNT,
};

/* A GPU's scratch memory, cleared before each test. */
struct pp_scratch {
	pp_u64 bad;
	pp_u64 beside;
	pp_u64 late;
	pp_u64 end;
	struct pp_order_report order;
	pp_u32 flags[PP_COLLECTIVE_FLAGS(PP_COLLECTIVE_BLOCKS)];
	struct pp_segment segments[PP_SEGMENTS];
};

_Static_assert(PP_ORDER_ROUNDS <= PP_COLLECTIVE_FLAGS(PP_COLLECTIVE_BLOCKS), "flags");

/**
 * struct pp_gpu - one GPU
 * @number: within the session; also the source of its pattern
 * @stream: what the GPU does as an initiator
 * @memory: all of it; the following are parts of it, with a guard on either side
 * @far: what the others reach; a multiple of the session's alignment
 * @near: what the GPU copies to and from there
 * @scratch: struct pp_scratch
 * @blocks: that keep all its multiprocessors busy
 */
struct pp_gpu {
	CUdevice device;
	unsigned int number;
	CUcontext context;
	CUmodule module;
	CUfunction kernels[PP_KERNEL_COUNT];
	CUstream stream;
	CUdeviceptr memory;
	CUdeviceptr far;
	CUdeviceptr near;
	CUdeviceptr scratch;
	unsigned int blocks;
};

/**
 * struct pp_session - all of them
 * @shared: memory of the host that every GPU reaches, as @shared_gpu
 * @staging: memory of the host, @plan->max_bytes, for what goes through it
 * @explained: operations whose wrong data has been looked at again
 */
struct pp_session {
	struct pp_cuda cu;
	const struct pp_session_plan *plan;
	struct pp_gpu gpus[PP_MAX_RANKS];
	volatile pp_u32 *shared;
	CUdeviceptr shared_gpu;
	uint64_t *staging;
	uint32_t explained;
	struct pp_test_result result;
};

/* Runs a CUDA function; true when it failed, which is then noted. */
#define PP_FAILS(s, name, ...) pp_gpu_failed(s, (s)->cu.name(__VA_ARGS__), #name)

bool pp_gpu_failed(struct pp_session *s, CUresult error, const char *call);
enum pp_outcome pp_gpu_enable(struct pp_session *s, struct pp_gpu *from, struct pp_gpu *to);
enum pp_outcome pp_gpus_open(struct pp_session *s);
void pp_gpus_close(struct pp_session *s);
bool pp_gpu_launch(struct pp_session *s, struct pp_gpu *gpu, enum pp_kernel kernel, void *args,
		   unsigned int blocks, unsigned int threads);
bool pp_gpu_launch_wide(struct pp_session *s, struct pp_gpu *gpu, enum pp_kernel kernel,
			void *args, uint64_t units);
bool pp_gpu_wait(struct pp_session *s, struct pp_gpu *gpu);
bool pp_gpu_clear(struct pp_session *s, struct pp_gpu *gpu);
bool pp_gpu_look(struct pp_session *s, struct pp_gpu *gpu, size_t offset, void *to, size_t size);
bool pp_gpu_fill(struct pp_session *s, struct pp_gpu *gpu, struct pp_pieces to,
		 struct pp_stamp stamp);
bool pp_gpu_count_bad(struct pp_session *s, struct pp_gpu *by, struct pp_pieces at,
		      struct pp_stamp stamp, uint64_t *bad);
bool pp_gpu_diagnose(struct pp_session *s, struct pp_gpu *by, struct pp_pieces at,
		     struct pp_stamp stamp, struct pp_segment *diff);

#endif /* PEERPASS_PROOF_GPU_H */
