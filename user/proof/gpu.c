// SPDX-License-Identifier: GPL-2.0-only
/* The GPUs of a session. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnosis.h"
#include "gpu.h"
#include "ptx/image.h"

#define THREADS 256
/* Blocks for each multiprocessor that a kernel over much memory gets. */
#define BLOCKS_EACH 8

/** pp_gpu_failed - note which call failed and how; true when it did */
bool pp_gpu_failed(struct pp_session *s, CUresult error, const char *call)
{
	char text[128];

	if (!error)
		return false;
	pp_cuda_error_text(&s->cu, error, text, sizeof(text));
	snprintf(s->result.why, sizeof(s->result.why), "%s: %s", call, text);
	s->result.seen |= PP_SEEN_END;
	return true;
}

static enum pp_outcome no_access(struct pp_session *s, const char *why)
{
	snprintf(s->result.why, sizeof(s->result.why), "%s", why);
	s->result.seen |= PP_SEEN_END;
	return PP_OUTCOME_NO_ACCESS;
}

static bool load_kernels(struct pp_session *s, struct pp_gpu *gpu)
{
	static const char * const names[] = {
#define KERNEL_NAME(name) "pp_" #name,
		PP_KERNELS(KERNEL_NAME)
#undef KERNEL_NAME
	};

	if (PP_FAILS(s, cuModuleLoadData, &gpu->module, pp_ptx_image))
		return true;
	for (unsigned int i = 0; i < PP_KERNEL_COUNT; i++)
		if (PP_FAILS(s, cuModuleGetFunction, &gpu->kernels[i], gpu->module, names[i]))
			return true;
	return false;
}

/* The greatest power of two, up to a GPU's large page, that wastes no more than it keeps. */
static uint64_t alignment(const struct pp_session_plan *plan)
{
	uint64_t align = 4096;

	while (align < (2u << 20) && align < plan->span)
		align *= 2;
	return align;
}

/* Bytes that a session takes of each GPU; it takes max_bytes of the host. */
static size_t memory_of(const struct pp_session_plan *plan)
{
	return alignment(plan) + plan->span + plan->max_bytes + 4 * PP_GUARD +
	       sizeof(struct pp_scratch);
}

static bool allocate(struct pp_session *s, struct pp_gpu *gpu)
{
	const struct pp_session_plan *plan = s->plan;
	uint64_t align = alignment(plan);
	size_t available = 0, total;
	CUresult error;

	if (PP_FAILS(s, cuMemGetInfo_v2, &available, &total))
		return true;
	error = s->cu.cuMemAlloc_v2(&gpu->memory, memory_of(plan));
	if (error == CUDA_ERROR_OUT_OF_MEMORY) {
		snprintf(s->result.why, sizeof(s->result.why),
			 "the test needs %zu bytes of GPU %u's memory, %zu are free: see --memory "
			 "and --size", memory_of(plan), gpu->number, available);
		s->result.seen |= PP_SEEN_END;
		return true;
	}
	if (pp_gpu_failed(s, error, "cuMemAlloc_v2"))
		return true;
	gpu->far = (gpu->memory + PP_GUARD + align - 1) / align * align;
	gpu->near = (gpu->far + plan->span + PP_GUARD + 255) / 256 * 256;
	gpu->scratch = (gpu->near + plan->max_bytes + PP_GUARD + 255) / 256 * 256;
	return false;
}

/*
 * CUDA numbers GPUs anew in each process. One that has gone, or come, since they were
 * listed would put another GPU into its place, of which nothing was asked.
 */
static bool is_another(struct pp_session *s, CUdevice device, struct pp_bdf wanted)
{
	char bus_id[32], text[PP_BDF_LEN];
	struct pp_bdf found;

	if (PP_FAILS(s, cuDeviceGetPCIBusId, bus_id, sizeof(bus_id), device))
		return true;
	if (pp_bdf_parse(bus_id, &found) && pp_bdf_equal(found, wanted))
		return false;
	snprintf(s->result.why, sizeof(s->result.why),
		 "CUDA has %.31s where %s was: a GPU came or went", bus_id,
		 pp_bdf_text(wanted, text));
	s->result.seen |= PP_SEEN_END;
	return true;
}

static bool open_gpu(struct pp_session *s, struct pp_gpu *gpu, int ordinal)
{
	int processors = 0;

	if (PP_FAILS(s, cuDeviceGet, &gpu->device, ordinal) ||
	    is_another(s, gpu->device, s->plan->addresses[gpu->number]) ||
	    PP_FAILS(s, cuDevicePrimaryCtxRetain, &gpu->context, gpu->device) ||
	    PP_FAILS(s, cuCtxSetCurrent, gpu->context) ||
	    PP_FAILS(s, cuDeviceGetAttribute, &processors,
		     CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, gpu->device))
		return true;
	gpu->blocks = (unsigned int)(processors > 0 ? processors : 1) * BLOCKS_EACH;
	return PP_FAILS(s, cuStreamCreate, &gpu->stream, CU_STREAM_NON_BLOCKING) ||
	       load_kernels(s, gpu) || allocate(s, gpu);
}

/**
 * pp_gpu_enable - let one GPU reach another one's memory
 *
 * Without it the driver would silently copy through the host. May be repeated.
 */
enum pp_outcome pp_gpu_enable(struct pp_session *s, struct pp_gpu *from, struct pp_gpu *to)
{
	CUresult error;
	int can = 0;

	/* A test may have one GPU only, which plays both. */
	if (from->device == to->device)
		return PP_OUTCOME_RIGHT;
	if (PP_FAILS(s, cuDeviceCanAccessPeer, &can, from->device, to->device))
		return PP_OUTCOME_FAILED;
	if (!can)
		return no_access(s, "cuDeviceCanAccessPeer says no");
	if (PP_FAILS(s, cuCtxSetCurrent, from->context))
		return PP_OUTCOME_FAILED;
	error = s->cu.cuCtxEnablePeerAccess(to->context, 0);
	if (error == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)
		return no_access(s, "cuCtxEnablePeerAccess: not supported for this pair");
	if (error != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED &&
	    pp_gpu_failed(s, error, "cuCtxEnablePeerAccess"))
		return PP_OUTCOME_FAILED;
	return PP_OUTCOME_RIGHT;
}

/** pp_gpus_open - everything up to the first transfer */
enum pp_outcome pp_gpus_open(struct pp_session *s)
{
	enum pp_outcome outcome = PP_OUTCOME_RIGHT;
	void *shared;

	s->staging = malloc(s->plan->max_bytes);
	if (!s->staging) {
		snprintf(s->result.why, sizeof(s->result.why), "no host memory for %llu bytes",
			 (unsigned long long)s->plan->max_bytes);
		s->result.seen |= PP_SEEN_END;
		return PP_OUTCOME_FAILED;
	}
	if (pp_cuda_open(&s->cu, s->result.why, sizeof(s->result.why))) {
		s->result.seen |= PP_SEEN_END;
		return PP_OUTCOME_FAILED;
	}
	if (PP_FAILS(s, cuInit, 0))
		return PP_OUTCOME_FAILED;
	for (unsigned int i = 0; i < s->plan->gpus; i++) {
		s->gpus[i].number = i;
		if (open_gpu(s, &s->gpus[i], s->plan->ordinals[i]))
			return PP_OUTCOME_FAILED;
	}
	if (PP_FAILS(s, cuMemHostAlloc, &shared, 4096,
		     PP_CU_MEMHOSTALLOC_PORTABLE | PP_CU_MEMHOSTALLOC_DEVICEMAP) ||
	    PP_FAILS(s, cuMemHostGetDevicePointer_v2, &s->shared_gpu, shared, 0))
		return PP_OUTCOME_FAILED;
	s->shared = shared;
	for (unsigned int i = 0; i < s->plan->gpus; i++) {
		for (unsigned int j = 0; outcome == PP_OUTCOME_RIGHT && j < s->plan->gpus; j++)
			if (s->plan->all_ways ? i != j : i < j)
				outcome = pp_gpu_enable(s, &s->gpus[i], &s->gpus[j]);
	}
	return outcome;
}

/** pp_gpus_close - best effort: the driver cleans up after a process anyway */
void pp_gpus_close(struct pp_session *s)
{
	for (unsigned int i = 0; i < s->plan->gpus; i++) {
		struct pp_gpu *gpu = &s->gpus[i];

		s->cu.cuCtxSetCurrent(gpu->context);
		s->cu.cuStreamDestroy_v2(gpu->stream);
		s->cu.cuModuleUnload(gpu->module);
		s->cu.cuMemFree_v2(gpu->memory);
		if (!i)
			s->cu.cuMemFreeHost((void *)s->shared);
	}
	for (unsigned int i = 0; i < s->plan->gpus; i++)
		s->cu.cuDevicePrimaryCtxRelease_v2(s->gpus[i].device);
	free(s->staging);
}

/**
 * pp_gpu_launch - enqueue a kernel in the GPU's stream
 * @args: its struct of kernels.h; copied before this returns
 */
bool pp_gpu_launch(struct pp_session *s, struct pp_gpu *gpu, enum pp_kernel kernel, void *args,
		   unsigned int blocks, unsigned int threads)
{
	void *params[] = { args };

	return PP_FAILS(s, cuCtxSetCurrent, gpu->context) ||
	       PP_FAILS(s, cuLaunchKernel, gpu->kernels[kernel], blocks, 1, 1, threads, 1, 1, 0,
			gpu->stream, params, NULL);
}

/** pp_gpu_launch_wide - the same, with as many threads as @units keep busy */
bool pp_gpu_launch_wide(struct pp_session *s, struct pp_gpu *gpu, enum pp_kernel kernel,
			void *args, uint64_t units)
{
	uint64_t blocks = (units + THREADS - 1) / THREADS;

	blocks = blocks < gpu->blocks ? blocks : gpu->blocks;
	return pp_gpu_launch(s, gpu, kernel, args, (unsigned int)(blocks ? blocks : 1), THREADS);
}

/** pp_gpu_wait - wait for all that is in the GPU's stream */
bool pp_gpu_wait(struct pp_session *s, struct pp_gpu *gpu)
{
	return PP_FAILS(s, cuCtxSetCurrent, gpu->context) ||
	       PP_FAILS(s, cuStreamSynchronize, gpu->stream);
}

/** pp_gpu_clear - clear the GPU's scratch memory */
bool pp_gpu_clear(struct pp_session *s, struct pp_gpu *gpu)
{
	static const struct pp_scratch clear = { .order.first_bad = UINT64_MAX };

	return PP_FAILS(s, cuCtxSetCurrent, gpu->context) ||
	       PP_FAILS(s, cuMemcpyHtoD_v2, gpu->scratch, &clear, sizeof(clear)) ||
	       PP_FAILS(s, cuStreamSynchronize, NULL);
}

/** pp_gpu_look - read from the GPU's scratch memory, through its own context */
bool pp_gpu_look(struct pp_session *s, struct pp_gpu *gpu, size_t offset, void *to, size_t size)
{
	return PP_FAILS(s, cuCtxSetCurrent, gpu->context) ||
	       PP_FAILS(s, cuMemcpyDtoH_v2, to, gpu->scratch + offset, size);
}

static uint64_t words(struct pp_pieces p)
{
	return (p.len + 7) / 8 * p.count;
}

/** pp_gpu_fill - the GPU writes a pattern to its own memory; waits for it */
bool pp_gpu_fill(struct pp_session *s, struct pp_gpu *gpu, struct pp_pieces to,
		 struct pp_stamp stamp)
{
	struct pp_fill args = { .to = to, .stamp = stamp };

	return pp_gpu_launch_wide(s, gpu, PP_KERNEL_fill, &args, words(to)) || pp_gpu_wait(s, gpu);
}

/**
 * pp_gpu_count_bad - the GPU compares memory with a pattern
 * @at: its own memory, or a peer's that it reaches
 * @bad: words that differ
 */
bool pp_gpu_count_bad(struct pp_session *s, struct pp_gpu *by, struct pp_pieces at,
		      struct pp_stamp stamp, uint64_t *bad)
{
	struct pp_check args = { .at = at, .stamp = stamp, .bad = by->scratch };

	_Static_assert(offsetof(struct pp_scratch, bad) == 0, "bad comes first");
	return PP_FAILS(s, cuCtxSetCurrent, by->context) ||
	       PP_FAILS(s, cuMemsetD8_v2, by->scratch, 0, sizeof(*bad)) ||
	       PP_FAILS(s, cuStreamSynchronize, NULL) ||
	       pp_gpu_launch_wide(s, by, PP_KERNEL_check, &args, words(at)) ||
	       pp_gpu_wait(s, by) || pp_gpu_look(s, by, 0, bad, sizeof(*bad));
}

/** pp_gpu_diagnose - the GPU describes how its memory differs from a pattern */
bool pp_gpu_diagnose(struct pp_session *s, struct pp_gpu *by, struct pp_pieces at,
		     struct pp_stamp stamp, struct pp_segment *diff)
{
	static struct pp_segment segments[PP_SEGMENTS];
	const size_t offset = offsetof(struct pp_scratch, segments);
	struct pp_diagnose args = {
		.at = at, .stamp = stamp, .out = by->scratch + offset,
		.segment_words = (words(at) + PP_SEGMENTS - 1) / PP_SEGMENTS,
		.sources = s->plan->gpus,
	};
	size_t n = (words(at) + args.segment_words - 1) / args.segment_words;

	/* One thread for each segment, on as many processors as possible. */
	if (pp_gpu_launch(s, by, PP_KERNEL_diagnose, &args, PP_SEGMENTS / 32, 32) ||
	    pp_gpu_wait(s, by) || pp_gpu_look(s, by, offset, segments, n * sizeof(segments[0])))
		return true;
	memset(diff, 0, sizeof(*diff));
	for (size_t i = 0; i < n; i++)
		pp_segment_append(diff, &segments[i]);
	return false;
}
