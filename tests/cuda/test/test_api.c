// SPDX-License-Identifier: GPL-2.0-only
/* The driver API by itself: what a caller may rely on, and what not. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "harness.h"

static CUresult launch_as(CUfunction f, unsigned int grid, unsigned int block)
{
	struct pp_hold h = { .flag = (CUdeviceptr)(uintptr_t)allocate_host(4), .limit_ns = 0 };

	return cuLaunchKernel(f, grid, 1, 1, block, 1, 1, 0, gpus[0].stream, (void *[]){ &h },
			      NULL);
}

static void launch_limits(void)
{
	CUfunction f = gpus[0].kernels[KERNEL_hold];

	EXPECT(launch_as(f, 0, 32) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(launch_as(f, 1, 0) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(launch_as(f, 1, 1025) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(launch_as(f, 1u << 31, 1) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(launch_as(f, 7, 1024) == CUDA_SUCCESS);
	EXPECT(launch_as((CUfunction)&f, 1, 1) == CUDA_ERROR_INVALID_HANDLE);
	RETURNS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel, f, 1, 1, 1, 32, 32, 32, 0, NULL, NULL,
		NULL);
	wait_for(0);
}

static void modules(void)
{
	CUmodule module;
	CUfunction f;

	RETURNS(CUDA_ERROR_INVALID_PTX, cuModuleLoadData, &module, "no PTX");
	MUST(cuModuleLoadData, &module,
	     ".version 6.3\n.target sm_70\n.visible .entry pp_fill (\n.visible .entry pp_other(\n");
	MUST(cuModuleGetFunction, &f, module, "pp_fill");
	/* Not in this image, a part of a name, not a kernel, not even with its name. */
	RETURNS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction, &f, module, "pp_check");
	RETURNS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction, &f, module, "pp_fil");
	RETURNS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction, &f, module, "pp_other");
	RETURNS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction, &f, module, "fill");
	MUST(cuModuleUnload, module);
	RETURNS(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction, &f, module, "pp_fill");
	RETURNS(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload, module);
}

/* A kernel that fills [at, at + 64); what becomes of its context. */
static CUresult fill_at(CUdeviceptr at)
{
	struct pp_fill f = { .to = dense(at, 64) };

	launch(0, KERNEL_fill, &f, 1);
	return wait_result(0);
}

static void expect_dead(CUresult error)
{
	CUdeviceptr at;

	RETURNS(error, cuMemAlloc_v2, &at, 64);
	RETURNS(error, cuCtxSynchronize);
	RETURNS(error, cuStreamQuery, gpus[0].stream);
	use(1);
	MUST(cuMemAlloc_v2, &at, 64);
}

static void no_peer_access(void)
{
	CUdeviceptr theirs;

	gpus_open_alone(2);
	theirs = allocate(1, 64);
	EXPECT(fill_at(theirs) == CUDA_ERROR_ILLEGAL_ADDRESS);
	expect_dead(CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void beyond(void)
{
	CUdeviceptr at = allocate(0, 512);

	EXPECT(fill_at(at + 448) == CUDA_SUCCESS);
	EXPECT(fill_at(at + 452) == CUDA_ERROR_ILLEGAL_ADDRESS);
	expect_dead(CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void misaligned(void)
{
	EXPECT(fill_at(allocate(0, 512) + 2) == CUDA_ERROR_MISALIGNED_ADDRESS);
	expect_dead(CUDA_ERROR_MISALIGNED_ADDRESS);
}

/* Who does not wait is found out: nothing has happened yet. Later it has, by itself. */
static void not_waited(void)
{
	struct pp_fill f = { .stamp = { .key = 5 } };
	uint64_t word = 1, found;
	CUdeviceptr a, b, c;

	setenv("PP_TEST_CUDA_DELAY", "3000", 1);
	gpus_open(2);
	b = allocate(1, 8);
	a = allocate(0, 8);
	c = allocate(0, 64);
	upload(0, a, &word, 8);
	set(0, c, 0, 64);
	set(1, b, 0, 8);
	f.to = dense(c, 64);
	use(0);
	MUST(cuMemcpyDtoDAsync_v2, b, a, 8, gpus[0].stream);
	launch(0, KERNEL_fill, &f, 1);
	download(1, &found, b, 8);
	EXPECT(found == 0);
	download(0, &found, c, 8);
	EXPECT(found == 0);
	use(0);
	while (cuStreamQuery(gpus[0].stream) == CUDA_ERROR_NOT_READY)
		pause_ms(10);
	download(1, &found, b, 8);
	EXPECT(found == 1);
	download(0, &found, c, 8);
	EXPECT(found == pp_word(&f.stamp, 0));
}

static void default_stream(void)
{
	struct pp_fill f = { .to = dense(allocate(0, 64), 64), .stamp = { .key = 9 } };
	uint64_t found;

	MUST(cuLaunchKernel, gpus[0].kernels[KERNEL_fill], 1, 1, 1, 1, 1, 1, 0, NULL,
	     (void *[]){ &f }, NULL);
	/* A copy to the host waits for it. */
	download(0, &found, f.to.at, 8);
	EXPECT(found == pp_word(&f.stamp, 0));
}

static void synchronize_all(void)
{
	struct pp_fill f = { .stamp = { .key = 9 } };
	CUdeviceptr at = allocate(0, 80 * 64);
	uint64_t found;
	CUstream stream;

	for (int i = 0; i < 8; i++) {
		MUST(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
		for (int k = 0; k < 10; k++) {
			f.to = dense(at + (i * 10 + k) * 64, 64);
			MUST(cuLaunchKernel, gpus[0].kernels[KERNEL_fill], 1, 1, 1, 1, 1, 1, 0,
			     stream, (void *[]){ &f }, NULL);
		}
		/* Nobody holds it any more; its work is done nevertheless. */
		if (i % 2)
			MUST(cuStreamDestroy_v2, stream);
	}
	MUST(cuCtxSynchronize);
	for (int i = 0; i < 80; i++) {
		download(0, &found, at + i * 64, 8);
		/* Nobody waits for a stream that is destroyed. */
		while (i / 10 % 2 && found != pp_word(&f.stamp, 0)) {
			pause_ms(1);
			download(0, &found, at + i * 64, 8);
		}
		EXPECT(found == pp_word(&f.stamp, 0));
	}
}

static void events(void)
{
	uint32_t *flag = allocate_host(4);
	struct pp_hold h = { .flag = (CUdeviceptr)(uintptr_t)flag, .limit_ns = 100000000 };
	CUevent start, end;
	float ms;

	MUST(cuEventCreate, &start, 0);
	MUST(cuEventCreate, &end, 0);
	RETURNS(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime, &ms, start, end);
	MUST(cuEventRecord, start, gpus[0].stream);
	launch(0, KERNEL_hold, &h, 1);
	MUST(cuEventRecord, end, gpus[0].stream);
	RETURNS(CUDA_ERROR_NOT_READY, cuEventElapsedTime, &ms, start, end);
	wait_for(0);
	MUST(cuEventElapsedTime, &ms, start, end);
	EXPECT(ms >= 100);
	MUST(cuEventElapsedTime, &ms, end, start);
	EXPECT(ms <= -100);
	MUST(cuEventRecord, end, gpus[0].stream);
	MUST(cuEventDestroy_v2, end);
	RETURNS(CUDA_ERROR_INVALID_HANDLE, cuEventRecord, end, gpus[0].stream);
	wait_for(0);
	MUST(cuEventDestroy_v2, start);
}

static void memory(void)
{
	CUdeviceptr a, b, mapped;
	size_t free, total;
	void *host;

	MUST(cuMemGetInfo_v2, &free, &total);
	EXPECT(free == total && total == 64 << 20);
	a = allocate(0, 1 << 20);
	b = allocate(0, 1);
	MUST(cuMemGetInfo_v2, &free, &total);
	EXPECT(free == total - (1 << 20) - 1);
	RETURNS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2, &mapped, 64 << 20);
	MUST(cuMemFree_v2, a);
	RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2, a);
	MUST(cuMemFree_v2, b);
	host = allocate_host(100);
	MUST(cuMemHostGetDevicePointer_v2, &mapped, (char *)host + 10, 0);
	RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer_v2, &mapped, &total, 0);
	MUST(cuMemFreeHost, host);
	RETURNS(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost, host);
}

static void attributes(void)
{
	int value;

	MUST(cuDeviceGetAttribute, &value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
	EXPECT(value > 0);
	MUST(cuDeviceGetAttribute, &value, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0);
	EXPECT(value == 1024);
	MUST(cuDeviceGetAttribute, &value, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 0);
	EXPECT(value == 1);
	MUST(cuDeviceGetAttribute, &value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0);
	EXPECT(value >= 7);
	RETURNS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute, &value, 1, 1);
}

/* A kernel that waits for what does not come. */
static void start_hung(int gpu)
{
	uint32_t *flag = allocate_host(4), *here = allocate_host(4);
	struct pp_order_read r = { .flags = (CUdeviceptr)(uintptr_t)flag, .words = 1, .rounds = 1,
				   .here = (CUdeviceptr)(uintptr_t)here,
				   .limit_ns = 1000 * LONG_NS };

	launch(gpu, KERNEL_order_read, &r, 1);
	while (!__atomic_load_n(here, __ATOMIC_ACQUIRE))
		pause_ms(1);
}

static void release_hung(void)
{
	CUdeviceptr at = allocate(1, 64);

	start_hung(0);
	MUST(cuStreamDestroy_v2, gpus[0].stream);
	MUST(cuDevicePrimaryCtxRelease_v2, 0);
	RETURNS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc_v2, &at, 64);
	use(1);
	MUST(cuDevicePrimaryCtxRetain, &gpus[0].context, 0);
	use(0);
	MUST(cuMemAlloc_v2, &at, 64);
}

/* The end of the test is the test. */
static void exit_hung(void)
{
	start_hung(0);
	start_hung(1);
}

static void forked(void)
{
	pid_t pid = fork();
	int status, count;

	if (!pid) {
		RETURNS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount, &count);
		RETURNS(CUDA_ERROR_NOT_INITIALIZED, cuInit, 0);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	EXPECT(!status);
}

const struct test tests_api[] = {
	{ "api: limits of a launch", NULL, 1, launch_limits, NULL },
	{ "api: modules", NULL, 1, modules, NULL },
	{ "api: no access to a peer, error 700 for good", NULL, -2, no_peer_access, NULL },
	{ "api: beyond an allocation, error 700 for good", NULL, 2, beyond, NULL },
	{ "api: misaligned, error 716 for good", NULL, 2, misaligned, NULL },
	{ "api: who does not wait is found out", NULL, -2, not_waited, NULL },
	{ "api: default stream", NULL, 1, default_stream, NULL },
	{ "api: all streams of a context", NULL, 1, synchronize_all, NULL },
	{ "api: events", NULL, 1, events, NULL },
	{ "api: memory", NULL, 1, memory, NULL },
	{ "api: attributes", NULL, 1, attributes, NULL },
	{ "api: a context with a hung kernel ends", NULL, 2, release_hung, NULL },
	{ "api: a process with hung kernels ends", NULL, 2, exit_hung, NULL },
	{ "api: not after a fork", NULL, 1, forked, NULL },
	{ }
};
