// SPDX-License-Identifier: GPL-2.0-only
/* libcuda.so.1, opened at run time. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_open.h"

#define DEFINE(name, parameters) CUresult (*name) parameters;
PP_CUDA_API(DEFINE)
#undef DEFINE

CUcontext context[MAX_GPUS];
int gpu_count;

void must(CUresult r, const char *call)
{
	const char *name = NULL;

	if (!r)
		return;
	cuGetErrorName(r, &name);
	printf("%s: %s\n", call, name ? name : "?");
	exit(1);
}

static void *function(void *library, const char *name)
{
	void *p = dlsym(library, name);

	if (!p) {
		printf("%s: missing\n", name);
		exit(1);
	}
	return p;
}

static void load(void)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		printf("dlopen: %s\n", dlerror());
		exit(1);
	}
#define LOOK_UP(name, parameters) *(void **)&name = function(library, #name);
	PP_CUDA_API(LOOK_UP)
#undef LOOK_UP
}

static void open_gpu(int i)
{
	char name[64], bus_id[16];
	CUdevice device;

	MUST(cuDeviceGet, &device, i);
	MUST(cuDeviceGetName, name, sizeof(name), device);
	MUST(cuDeviceGetPCIBusId, bus_id, sizeof(bus_id), device);
	printf("gpu %d %s %s\n", i, bus_id, name);
	MUST(cuDevicePrimaryCtxRetain, &context[i], device);
}

static void open_pair(int a, int b)
{
	int can;

	MUST(cuDeviceCanAccessPeer, &can, a, b);
	printf("%d %d access %d\n", a, b, can);
	MUST(cuCtxSetCurrent, context[a]);
	MUST(cuCtxEnablePeerAccess, context[b], 0);
}

void cuda_open(void)
{
	int version;

	load();
	MUST(cuInit, 0);
	MUST(cuDriverGetVersion, &version);
	MUST(cuDeviceGetCount, &gpu_count);
	if (gpu_count > MAX_GPUS)
		gpu_count = MAX_GPUS;
	for (int i = 0; i < gpu_count; i++)
		open_gpu(i);
	for (int a = 0; a < gpu_count; a++)
		for (int b = 0; b < gpu_count; b++)
			if (a != b)
				open_pair(a, b);
}
