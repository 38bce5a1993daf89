// SPDX-License-Identifier: GPL-2.0-only
/*
 * A libcuda.so.1 for tests of the command line, never installed. Memory of its
 * GPUs is memory of the process; what P2P copies do is chosen by environment:
 *
 *	FAKE_CUDA_DEVICES	addresses, comma-separated; none: no device
 *	FAKE_CUDA_MODE		what goes wrong:
 *		lost		the copy is reported done and was not
 *		lost-reads	the same for copies from the peer only
 *		zeros		zeros arrive
 *		late-word	all but the last word arrives
 *		lost-faults	lost, and the IOMMU reports it
 *		faults		data arrives, and the IOMMU reports faults
 *		unknown-faults	the same, without an address
 *		copy-error	the copy fails, as CUDA says
 *		crash		the process dies in the copy
 *		hang		the copy never ends
 *		hang-init	cuInit() never returns
 *		hang-end	the end of the process is held up
 *		print		prints to standard output
 *		no-peer		cuDeviceCanAccessPeer() says no
 *		no-enable	cuCtxEnablePeerAccess() says it is not supported
 *		bad-memory	a device loses what its own host writes
 *		init-error	cuInit() fails
 *	FAKE_CUDA_ONLY		I:J, only for copies that device I does to or from J
 *	FAKE_FAULTS		file for the faults, see fakenl_faults.h
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cuda_api.h"

#define MAX_DEVICES	64
#define MAX_BLOCKS	256
#define EXPORT		__attribute__((visibility("default")))

/* The exported functions are declared by the list that the helper uses. */
#define DECLARE(name, parameters) EXPORT CUresult name parameters;
PP_CUDA_API(DECLARE)

static struct CUctx_st { int device; } contexts[MAX_DEVICES];
static struct { char *address; size_t bytes; int device; } blocks[MAX_BLOCKS];
static CUcontext current;
static int block_count;

static int mode_is(const char *mode)
{
	const char *set = getenv("FAKE_CUDA_MODE");

	return set && !strcmp(set, mode);
}

static void hang(void)
{
	for (;;)
		pause();
}

static int device_count(char addresses[MAX_DEVICES][16])
{
	const char *list = getenv("FAKE_CUDA_DEVICES");
	int n = 0;

	while (list && *list && n < MAX_DEVICES) {
		size_t len = strcspn(list, ",");

		snprintf(addresses[n++], 16, "%.*s", (int)len, list);
		list += len + (list[len] == ',');
	}
	return n;
}

static int owner(CUdeviceptr address)
{
	for (int i = 0; i < block_count; i++) {
		CUdeviceptr start = (CUdeviceptr)(size_t)blocks[i].address;

		if (address >= start && address < start + blocks[i].bytes)
			return blocks[i].device;
	}
	return -1;
}

/* The IOMMU's record of a transfer that it dropped. */
static void report(int initiator, int peer, int writes)
{
	const char *path = getenv("FAKE_FAULTS");
	char addresses[MAX_DEVICES][16];
	FILE *f = path ? fopen(path, "ae") : NULL;

	if (!f)
		abort();
	device_count(addresses);
	if (mode_is("unknown-faults"))
		fprintf(f, "%s - 0 %d 16\n", addresses[initiator], writes);
	else
		fprintf(f, "%s %s 1 %d 16\n", addresses[initiator], addresses[peer], writes);
	fclose(f);
}

CUresult cuInit(unsigned int flags)
{
	if (mode_is("hang-init"))
		hang();
	if (mode_is("print") && write(STDOUT_FILENO, "a library that prints\n", 22) != 22)
		abort();
	return flags || mode_is("init-error") ? 999 : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
	*version = 12080;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	char addresses[MAX_DEVICES][16];

	*count = device_count(addresses);
	return *count ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	*device = ordinal;
	contexts[ordinal].device = ordinal;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice device)
{
	snprintf(name, (size_t)len, "Fake GPU %d", device);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *bus_id, int len, CUdevice device)
{
	char addresses[MAX_DEVICES][16];

	if (device >= device_count(addresses))
		return 101;
	snprintf(bus_id, (size_t)len, "%s", addresses[device]);
	/* CUDA writes upper case. */
	for (char *p = bus_id; *p; p++)
		*p = *p >= 'a' && *p <= 'f' ? (char)(*p - 'a' + 'A') : *p;
	return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	*can = device != peer && !mode_is("no-peer");
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	*context = &contexts[device];
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	(void)device;
	if (mode_is("hang-end"))
		hang();
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	current = context;
	return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
	(void)peer;
	(void)flags;
	return mode_is("no-enable") ? CUDA_ERROR_PEER_ACCESS_UNSUPPORTED : CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
	char *block = malloc(bytes);

	if (!block || !current || block_count == MAX_BLOCKS)
		return 2;
	blocks[block_count].address = block;
	blocks[block_count].bytes = bytes;
	blocks[block_count++].device = current->device;
	*address = (CUdeviceptr)(size_t)block;
	return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
	return owner(address) == current->device ? CUDA_SUCCESS : 1;
}

/* Only the owner's context may be current: that is what the helper promises. */
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
	if (owner(to) != current->device)
		return 1;
	memcpy((void *)(size_t)to, from, mode_is("bad-memory") ? bytes / 2 : bytes);
	return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
	if (owner(from) != current->device)
		return 1;
	memcpy(to, (void *)(size_t)from, bytes);
	return CUDA_SUCCESS;
}

CUresult cuMemsetD8_v2(CUdeviceptr address, unsigned char value, size_t bytes)
{
	if (owner(address) != current->device)
		return 1;
	memset((void *)(size_t)address, value, bytes);
	return CUDA_SUCCESS;
}

static int concerned(int initiator, int peer)
{
	const char *only = getenv("FAKE_CUDA_ONLY");
	int i, j;

	return !only || (sscanf(only, "%d:%d", &i, &j) == 2 && i == initiator && j == peer);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	int initiator = current->device, writes = owner(from) == initiator;
	int peer = writes ? owner(to) : owner(from);
	void *dst = (void *)(size_t)to;
	const void *src = (const void *)(size_t)from;

	if (!stream || peer == initiator || (!writes && owner(to) != initiator))
		return 1;
	if (!concerned(initiator, peer)) {
		memcpy(dst, src, bytes);
		return CUDA_SUCCESS;
	}
	if (mode_is("hang"))
		hang();
	if (mode_is("crash"))
		abort();
	if (mode_is("copy-error"))
		return 719;
	if (mode_is("faults") || mode_is("lost-faults") || mode_is("unknown-faults"))
		report(initiator, peer, writes);
	if (mode_is("zeros"))
		memset(dst, 0, bytes);
	else if (mode_is("late-word"))
		memcpy(dst, src, bytes - 8);
	else if (!mode_is("lost") && !mode_is("lost-faults") &&
		 !(mode_is("lost-reads") && !writes))
		memcpy(dst, src, bytes);
	return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
	(void)flags;
	*stream = (CUstream)&contexts[current->device];
	return CUDA_SUCCESS;
}

/* NULL is the current context's own stream. */
CUresult cuStreamSynchronize(CUstream stream)
{
	return !stream || (void *)stream == (void *)current ? CUDA_SUCCESS : 400;
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
	(void)stream;
	return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
	*name = error == 719 ? "CUDA_ERROR_LAUNCH_FAILED" :
		error == 999 ? "CUDA_ERROR_UNKNOWN" :
		error == CUDA_ERROR_NO_DEVICE ? "CUDA_ERROR_NO_DEVICE" : NULL;
	return *name ? CUDA_SUCCESS : 1;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
	*text = error == 719 ? "unspecified launch failure" : NULL;
	return *text ? CUDA_SUCCESS : 1;
}
