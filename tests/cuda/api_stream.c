// SPDX-License-Identifier: GPL-2.0-only
/* The driver API: streams, events, modules, and what goes into a stream. */
#include "copy.h"
#include "event.h"
#include "module.h"

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
	CUresult r = enter_context();

	if (!r && (!stream || flags & ~(unsigned int)CU_STREAM_NON_BLOCKING))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = stream_create(current, stream);
	return leave(r);
}

/* For calls that name a stream of the current context; *@stream is made that stream. */
static CUresult enter_stream(CUstream *stream)
{
	CUresult r = enter_context();

	if (!r)
		*stream = context_stream(*stream);
	if (!r && !*stream)
		r = CUDA_ERROR_INVALID_HANDLE;
	return r;
}

CUresult cuStreamQuery(CUstream stream)
{
	CUresult r = enter_stream(&stream);

	if (!r && stream->first)
		r = CUDA_ERROR_NOT_READY;
	return leave(r);
}

CUresult cuStreamSynchronize(CUstream stream)
{
	CUresult r = enter_stream(&stream);

	if (!r)
		r = stream_wait(stream);
	return leave(r);
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
	CUresult r = stream ? enter_stream(&stream) : enter_context();

	if (!r && !stream)
		r = CUDA_ERROR_INVALID_HANDLE;
	if (!r)
		stream_destroy(stream);
	return leave(r);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	CUresult r = enter_stream(&stream);

	if (!r)
		r = copy_add(stream, to, from, bytes);
	return leave(r);
}

#define EVENT_FLAGS (1 | CU_EVENT_DISABLE_TIMING)	/* 1: how the host waits */

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
	CUresult r = enter_context();

	if (!r && (!event || flags & ~(unsigned int)EVENT_FLAGS))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = event_create(current, flags, event);
	return leave(r);
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
	CUresult r = enter_stream(&stream);

	if (!r)
		r = event_record(event, stream);
	return leave(r);
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
	CUresult r = enter_context();

	if (!r && !ms)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = event_elapsed(start, end, ms);
	return leave(r);
}

CUresult cuEventDestroy_v2(CUevent event)
{
	CUresult r = enter_context();

	if (!r)
		r = event_destroy(event);
	return leave(r);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	CUresult r = enter_context();

	if (!r && (!module || !image))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = module_load(current, image, module);
	return leave(r);
}

CUresult cuModuleUnload(CUmodule module)
{
	CUresult r = enter_context();

	if (!r)
		r = module_unload(current, module);
	return leave(r);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	CUresult r = enter_context();

	if (!r && (!function || !name))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = module_function(current, module, name, function);
	return leave(r);
}

/* A real GPU's limits. */
static bool fits(unsigned int x, unsigned int y, unsigned int z, unsigned int max_x,
		 unsigned int max_y, unsigned int max_z)
{
	return x && y && z && x <= max_x && y <= max_y && z <= max_z;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
			unsigned int grid_z, unsigned int block_x, unsigned int block_y,
			unsigned int block_z, unsigned int shared_bytes, CUstream stream,
			void **parameters, void **extra)
{
	CUresult r = enter_stream(&stream);
	const struct kernel *kernel;

	if (!r && (!fits(grid_x, grid_y, grid_z, 0x7fffffff, 65535, 65535) ||
		   !fits(block_x, block_y, block_z, 1024, 1024, 64) ||
		   (uint64_t)block_x * block_y * block_z > 1024 || shared_bytes > 48 << 10))
		r = CUDA_ERROR_INVALID_VALUE;
	/* The kernels here are of one dimension and take their argument this way. */
	if (!r && (grid_y > 1 || grid_z > 1 || block_y > 1 || block_z > 1 || !parameters ||
		   !parameters[0] || extra))
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	kernel = module_kernel(current, function);
	if (!kernel)
		return leave(CUDA_ERROR_INVALID_HANDLE);
	return leave(launch_add(stream, kernel, parameters[0], grid_x));
}
