// SPDX-License-Identifier: GPL-2.0-only
/* What the tests share, without the running of them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

const struct test *this_test;
struct gpu gpus[MAX_GPUS];

/* What went wrong is for the parent. */
void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	fflush(stdout);
	_exit(1);
}

void expect_result(CUresult expected, CUresult found, int line, const char *call)
{
	const char *name = NULL;

	if (found == expected)
		return;
	cuGetErrorName(found, &name);
	fail("line %d: %s returned %d %s, not %d", line, call, found, name ? name : "", expected);
}

#define ENTRY(name) ".visible .entry pp_" #name "(\n\t.param .b64 a\n)\n{\n\tret;\n}\n"
const char *image(void)
{
	return "//\n.version 6.3\n.target sm_70\n.address_size 64\n" PP_KERNELS(ENTRY);
}

static void gpu_open(int i)
{
	static const char *const names[] = {
#define NAME(name) "pp_" #name,
		PP_KERNELS(NAME)
	};
	struct gpu *g = &gpus[i];
	CUdevice device;

	MUST(cuDeviceGet, &device, i);
	MUST(cuDevicePrimaryCtxRetain, &g->context, device);
	use(i);
	MUST(cuStreamCreate, &g->stream, CU_STREAM_NON_BLOCKING);
	MUST(cuModuleLoadData, &g->module, image());
	for (int k = 0; k < KERNELS; k++)
		MUST(cuModuleGetFunction, &g->kernels[k], g->module, names[k]);
}

void gpus_open_alone(int count)
{
	MUST(cuInit, 0);
	for (int i = 0; i < count; i++)
		gpu_open(i);
}

void gpus_open(int count)
{
	gpus_open_alone(count);
	for (int i = 0; i < count; i++) {
		use(i);
		for (int j = 0; j < count; j++)
			if (i != j)
				MUST(cuCtxEnablePeerAccess, gpus[j].context, 0);
	}
}

void use(int gpu)
{
	MUST(cuCtxSetCurrent, gpus[gpu].context);
}

CUdeviceptr allocate(int gpu, size_t len)
{
	CUdeviceptr at;

	use(gpu);
	MUST(cuMemAlloc_v2, &at, len);
	return at;
}

void *allocate_host(size_t len)
{
	void *host;

	MUST(cuMemHostAlloc, &host, len,
	     PP_CU_MEMHOSTALLOC_PORTABLE | PP_CU_MEMHOSTALLOC_DEVICEMAP);
	return host;
}

void upload(int gpu, CUdeviceptr to, const void *from, size_t len)
{
	use(gpu);
	MUST(cuMemcpyHtoD_v2, to, from, len);
}

void download(int gpu, void *to, CUdeviceptr from, size_t len)
{
	use(gpu);
	MUST(cuMemcpyDtoH_v2, to, from, len);
}

void set(int gpu, CUdeviceptr at, int byte, size_t len)
{
	use(gpu);
	MUST(cuMemsetD8_v2, at, (unsigned char)byte, len);
}

void copy(int by, CUdeviceptr to, CUdeviceptr from, size_t len)
{
	use(by);
	MUST(cuMemcpyDtoDAsync_v2, to, from, len, gpus[by].stream);
	MUST(cuStreamSynchronize, gpus[by].stream);
}

void launch(int gpu, enum kernel_number kernel, void *arguments, unsigned int blocks)
{
	use(gpu);
	MUST(cuLaunchKernel, gpus[gpu].kernels[kernel], blocks, 1, 1, 32, 1, 1, 0, gpus[gpu].stream,
	     (void *[]){ arguments }, NULL);
}

CUresult wait_result(int gpu)
{
	use(gpu);
	return cuStreamSynchronize(gpus[gpu].stream);
}

void wait_for(int gpu)
{
	expect_result(CUDA_SUCCESS, wait_result(gpu), __LINE__, "a kernel");
}

uint64_t random_number(uint64_t below)
{
	static uint64_t state;

	return pp_mix(++state) % below;
}

uint64_t elapsed_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

void pause_ms(unsigned int ms)
{
	usleep(ms * 1000);
}
