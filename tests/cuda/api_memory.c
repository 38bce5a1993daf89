// SPDX-License-Identifier: GPL-2.0-only
/* The driver API: memory and what waits for copies to end. */
#include "copy.h"
#include "host_memory.h"
#include "memory.h"

CUresult cuMemGetInfo_v2(size_t *free, size_t *total)
{
	CUresult r = enter_context();

	if (!r && (!free || !total))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r) {
		*free = memory_free_bytes(current->device);
		*total = current->device->len;
	}
	return leave(r);
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
	CUresult r = enter_context();

	if (!r && (!address || !bytes))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = memory_alloc(current->device, bytes, address);
	return leave(r);
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
	CUresult r = enter_context();

	if (!r)
		r = memory_free(address);
	return leave(r);
}

#define HOST_FLAGS 7	/* portable, mapped, write-combined: all the same here */

CUresult cuMemHostAlloc(void **host, size_t bytes, unsigned int flags)
{
	CUresult r = enter_context();

	if (!r && (!host || !bytes || flags & ~HOST_FLAGS))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = host_memory_alloc(bytes, host);
	return leave(r);
}

CUresult cuMemFreeHost(void *host)
{
	CUresult r = enter_context();

	if (!r)
		r = context_wait(current);
	if (!r && !host_memory_free(host))
		r = CUDA_ERROR_INVALID_VALUE;
	return leave(r);
}

/* One address space for all, as the attribute says. */
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *host, unsigned int flags)
{
	CUresult r = enter_context();
	CUdeviceptr start;
	uint64_t len;

	if (!r && (!address || flags ||
		   !host_memory_find((CUdeviceptr)(uintptr_t)host, &start, &len)))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*address = (CUdeviceptr)(uintptr_t)host;
	return leave(r);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
	CUresult r = enter_context();

	if (!r && !from)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = copy_to_device(to, from, bytes);
	return leave(r);
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
	CUresult r = enter_context();

	if (!r && !to)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = copy_to_host(to, from, bytes);
	return leave(r);
}

CUresult cuMemsetD8_v2(CUdeviceptr address, unsigned char value, size_t bytes)
{
	CUresult r = enter_context();

	if (!r)
		r = copy_fill(address, value, bytes);
	return leave(r);
}
