// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: the part of the CUDA driver API that peerpass uses, on top of
 * real DMA by QEMU's edu devices between the BARs of its ivshmem devices. The
 * GPU is not real; transfers, IOMMU faults and their consequences are. It needs
 * the modules pp_test_edu and pp_test_ivshmem, and root.
 *
 * Like the real library it reports success for a copy that the IOMMU dropped,
 * wants one primary context made current, and does not survive a fork().
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copy.h"
#include "memory.h"
#include "switches.h"

/* One big lock: what is tested here is DMA, not this library's concurrency. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t initialised_by;
static _Thread_local CUcontext current;

static bool valid_device(CUdevice device)
{
	return device >= 0 && device < device_count;
}

/* Is it a context that somebody still holds? */
static bool valid_context(CUcontext context)
{
	for (int i = 0; i < device_count; i++)
		if (context == &devices[i].context)
			return context->references > 0;
	return false;
}

/* The stream that a handle names in the current context, or NULL. */
static CUstream find_stream(CUstream stream)
{
	if (!stream)
		return &current->default_stream;
	for (CUstream s = current->streams; s; s = s->next)
		if (s == stream)
			return s;
	return NULL;
}

static CUresult enter(void)
{
	pthread_mutex_lock(&lock);
	return initialised_by == getpid() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

/* For calls that work on the current context. */
static CUresult enter_context(void)
{
	CUresult r = enter();

	if (!r && !valid_context(current))
		r = CUDA_ERROR_INVALID_CONTEXT;
	return r;
}

static CUresult leave(CUresult r)
{
	pthread_mutex_unlock(&lock);
	return r;
}

CUresult cuInit(unsigned int flags)
{
	CUresult r;

	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (!enter())
		return leave(CUDA_SUCCESS);
	/* Initialised by our parent: nothing of that is of use here. */
	if (initialised_by)
		return leave(CUDA_ERROR_NOT_INITIALIZED);
	if (!switches_read())
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (switches.initfail)
		r = CUDA_ERROR_SYSTEM_NOT_READY;
	else if (switches.nodev)
		r = CUDA_ERROR_NO_DEVICE;
	else
		r = devices_find();
	if (!r)
		initialised_by = getpid();
	return leave(r);
}

CUresult cuDriverGetVersion(int *version)
{
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	*version = 12080;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	CUresult r = enter();

	if (!r && !count)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*count = device_count;
	return leave(r);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	CUresult r = enter();

	if (!r && !device)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && !valid_device(ordinal))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r)
		*device = ordinal;
	return leave(r);
}

CUresult cuDeviceGetName(char *name, int len, CUdevice device)
{
	CUresult r = enter();

	if (!r && (!name || len < 1))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && !valid_device(device))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r)
		snprintf(name, (size_t)len, "QEMU edu with ivshmem %s", devices[device].ivshmem);
	return leave(r);
}

/* Upper-case digits, as the real library prints them. */
CUresult cuDeviceGetPCIBusId(char *bus_id, int len, CUdevice device)
{
	unsigned int domain = 0, bus = 0, slot = 0, function = 0;
	CUresult r = enter();

	if (!r && !valid_device(device))
		r = CUDA_ERROR_INVALID_DEVICE;
	/* 0000:00:00.0 and its end. */
	if (!r && (!bus_id || len < 13))
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && sscanf(devices[device].edu, "%x:%x:%x.%x", &domain, &bus, &slot, &function) != 4)
		r = CUDA_ERROR_UNKNOWN;
	if (!r)
		snprintf(bus_id, (size_t)len, "%04X:%02X:%02X.%X", domain, bus, slot, function);
	return leave(r);
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	CUresult r = enter();

	if (!r && !can)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && (!valid_device(device) || !valid_device(peer)))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r)
		*can = device != peer && !switches.noaccess;
	return leave(r);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	CUresult r = enter();

	if (!r && !context)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && !valid_device(device))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r && !devices[device].context.references)
		r = device_open(&devices[device]);
	if (!r) {
		devices[device].context.references++;
		*context = &devices[device].context;
	}
	return leave(r);
}

static void destroy_stream(CUstream stream)
{
	CUstream *p = &stream->context->streams;

	while (*p != stream)
		p = &(*p)->next;
	*p = stream->next;
	copy_forget_all(stream);
	free(stream);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	CUresult r = enter();
	CUcontext context;

	if (!r && !valid_device(device))
		r = CUDA_ERROR_INVALID_DEVICE;
	if (r)
		return leave(r);
	context = &devices[device].context;
	if (!context->references)
		return leave(CUDA_ERROR_INVALID_CONTEXT);
	if (!--context->references) {
		while (context->streams)
			destroy_stream(context->streams);
		copy_forget_all(&context->default_stream);
		context->peers = 0;
		memory_free_all(&devices[device]);
		device_close(&devices[device]);
	}
	return leave(CUDA_SUCCESS);
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	CUresult r = enter();

	if (!r && context && !valid_context(context))
		r = CUDA_ERROR_INVALID_CONTEXT;
	if (!r)
		current = context;
	return leave(r);
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
	CUresult r = enter_context();
	unsigned int bit;

	if (!r && flags)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r && !valid_context(peer))
		r = CUDA_ERROR_INVALID_CONTEXT;
	if (!r && peer == current)
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r && switches.noaccess)
		r = CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
	if (r)
		return leave(r);
	bit = 1U << (peer->device - devices);
	if (current->peers & bit)
		return leave(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
	current->peers |= bit;
	return leave(CUDA_SUCCESS);
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

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
	CUresult r = enter_context();

	if (!r && !from)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = copy_to_device(current, to, from, bytes);
	return leave(r);
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
	CUresult r = enter_context();

	if (!r && !to)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = copy_to_host(current, to, from, bytes);
	return leave(r);
}

CUresult cuMemsetD8_v2(CUdeviceptr address, unsigned char value, size_t bytes)
{
	CUresult r = enter_context();

	if (!r)
		r = copy_fill(current, address, value, bytes);
	return leave(r);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	CUresult r = enter_context();

	if (!r && !find_stream(stream))
		r = CUDA_ERROR_INVALID_HANDLE;
	if (!r)
		r = copy_enqueue(find_stream(stream), to, from, bytes);
	return leave(r);
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
	CUresult r = enter_context();
	CUstream s;

	if (!r && (!stream || flags & ~CU_STREAM_NON_BLOCKING))
		r = CUDA_ERROR_INVALID_VALUE;
	if (r)
		return leave(r);
	s = calloc(1, sizeof(*s));
	if (!s)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	s->context = current;
	s->next = current->streams;
	current->streams = s;
	*stream = s;
	return leave(CUDA_SUCCESS);
}

CUresult cuStreamSynchronize(CUstream stream)
{
	CUresult r = enter_context();

	if (!r && !find_stream(stream))
		r = CUDA_ERROR_INVALID_HANDLE;
	if (!r)
		r = copy_run_all(find_stream(stream));
	return leave(r);
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
	CUresult r = enter_context();

	if (!r && (!stream || !find_stream(stream)))
		r = CUDA_ERROR_INVALID_HANDLE;
	/* The real one returns at once and lets the work finish. */
	if (!r)
		r = copy_run_all(stream);
	if (!r)
		destroy_stream(stream);
	return leave(r);
}

/* A function of the list that is missing here does not link. */
#define REFER(name, parameters) (void (*)(void))name,
__attribute__((used)) static void (*const all[])(void) = { PP_CUDA_API(REFER) };
