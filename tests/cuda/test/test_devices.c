// SPDX-License-Identifier: GPL-2.0-only
/* What the switches do to devices, contexts and the library itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

static void no_access(void)
{
	int can;

	gpus_open_alone(2);
	MUST(cuDeviceCanAccessPeer, &can, 0, 1);
	EXPECT(!can);
	MUST(cuDeviceCanAccessPeer, &can, 1, 0);
	EXPECT(can);
	use(0);
	RETURNS(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess, gpus[1].context, 0);
	use(1);
	MUST(cuCtxEnablePeerAccess, gpus[0].context, 0);
}

static void no_enable(void)
{
	int can;

	gpus_open_alone(2);
	MUST(cuDeviceCanAccessPeer, &can, 0, 1);
	EXPECT(can);
	use(0);
	RETURNS(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess, gpus[1].context, 0);
}

static void init_fails(void)
{
	RETURNS(atoi(this_test->expected), cuInit, 0);
	RETURNS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount, &(int){ 0 });
}

static void no_ptx(void)
{
	CUcontext context;
	CUmodule module;

	MUST(cuInit, 0);
	MUST(cuDevicePrimaryCtxRetain, &context, 0);
	MUST(cuCtxSetCurrent, context);
	RETURNS(atoi(this_test->expected), cuModuleLoadData, &module, image());
}

static void bad_memory(void)
{
	unsigned char sent[64], seen[64];
	CUdeviceptr at = allocate(0, 64);

	memset(sent, 1, 64);
	set(0, at, 2, 64);
	upload(0, at, sent, 64);
	download(0, seen, at, 64);
	EXPECT(!memcmp(seen, sent, 32) && seen[32] == 2 && seen[63] == 2);
}

static void bad_host(void)
{
	uint64_t data[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, seen[8];
	CUdeviceptr from = allocate(0, 64), to = allocate(1, 64);

	upload(0, from, data, 64);
	download(0, seen, from, 64);
	EXPECT(!memcmp(seen, data, 64));
	upload(1, to, seen, 64);
	download(1, seen, to, 64);
	EXPECT(seen[4] == ~5ULL && seen[3] == 4 && seen[5] == 6);
}

/* In another process: what it says of device 0, and whether it has device 1. */
static void expect_lost_elsewhere(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		CUcontext context;
		char name[64];

		MUST(cuInit, 0);
		MUST(cuDeviceGetName, name, sizeof(name), 0);
		RETURNS(CUDA_ERROR_UNKNOWN, cuDevicePrimaryCtxRetain, &context, 0);
		MUST(cuDevicePrimaryCtxRetain, &context, 1);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	EXPECT(!status);
}

static void lost_in(void)
{
	CUdeviceptr a, b;
	size_t n;

	gpus_open(2);
	a = allocate(0, 64);
	b = allocate(1, 64);
	copy(0, b, a, 64);
	copy(0, a, b, 64);
	/* Others are counted, but not lost by it. */
	use(0);
	MUST(cuMemcpyDtoDAsync_v2, b, a, 64, gpus[0].stream);
	RETURNS(CUDA_ERROR_UNKNOWN, cuStreamSynchronize, gpus[0].stream);
	RETURNS(CUDA_ERROR_UNKNOWN, cuMemGetInfo_v2, &n, &n);
	RETURNS(CUDA_ERROR_UNKNOWN, cuCtxSetCurrent, gpus[0].context);
	use(1);
	MUST(cuMemGetInfo_v2, &n, &n);
	_exit(0);
}

static void lost(void)
{
	pid_t pid;
	int status;

	setenv("PP_TEST_CUDA_STATE", getenv("PP_TEST_FILE"), 1);
	pid = fork();
	if (!pid)
		lost_in();
	waitpid(pid, &status, 0);
	EXPECT(!status);
	expect_lost_elsewhere();
}

/* With a fresh process for each: what cuInit() says. */
static void refuses(void)
{
	static const char *const words[] = {
		"dorp", "drop=1", "late", "late=x", "only=1", "engine=xm", "flip=1", "hang,dorp",
		"lost",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		pid_t pid = fork();
		int status;

		if (!pid) {
			setenv("PP_TEST_CUDA", words[i], 1);
			/* It says what is wrong; nobody has to read it here. */
			if (!freopen("/dev/null", "w", stderr))
				_exit(2);
			_exit(cuInit(0) != CUDA_ERROR_INVALID_VALUE);
		}
		waitpid(pid, &status, 0);
		if (status)
			fail("%s is not refused", words[i]);
	}
}

/* More memory than there is, and far away in it. */
static void sparse(void)
{
	uint64_t word = 42, seen = 0;
	CUdeviceptr at, far;
	size_t free, total;

	setenv("PP_TEST_CUDA_MEMORY", "20G", 1);
	gpus_open(2);
	at = allocate(0, 18ULL << 30);
	MUST(cuMemGetInfo_v2, &free, &total);
	EXPECT(total == 20ULL << 30 && free == 2ULL << 30);
	RETURNS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2, &far, 3ULL << 30);
	far = allocate(1, 4096);
	upload(1, far, &word, 8);
	copy(1, at + (17ULL << 30) + 8, far, 8);
	download(0, &seen, at + (17ULL << 30) + 8, 8);
	EXPECT(seen == 42);
}

static void many(void)
{
	char list[64 * 16] = "", bus_id[16];
	int count;

	for (int i = 0; i < 64; i++)
		sprintf(list + strlen(list), "%s0000:%02x:0a.0", i ? "," : "", i);
	setenv("PP_TEST_CUDA_DEVICES", list, 1);
	MUST(cuInit, 0);
	MUST(cuDeviceGetCount, &count);
	EXPECT(count == 64);
	MUST(cuDeviceGetPCIBusId, bus_id, sizeof(bus_id), 63);
	EXPECT(!strcmp(bus_id, "0000:3F:0A.0"));
}

const struct test tests_devices[] = {
	{ "switch: noaccess", "noaccess,only=0:1", -2, no_access, NULL },
	{ "switch: noenable", "noenable", -2, no_enable, NULL },
	{ "switch: nodev", "nodev", -2, init_fails, "100" },
	{ "switch: initfail", "initfail", -2, init_fails, "802" },
	{ "switch: initfail=999", "initfail=999", -2, init_fails, "999" },
	{ "switch: noptx", "noptx", -1, no_ptx, "218" },
	{ "switch: noptx=222", "noptx=222", -1, no_ptx, "222" },
	{ "switch: badmemory", "badmemory", 1, bad_memory, NULL },
	{ "switch: badhost", "badhost", 2, bad_host, NULL },
	{ "switch: lost", "lost=2,only=0:1", -2, lost, NULL },
	{ "switch: what makes no sense is refused", NULL, -1, refuses, NULL },
	{ "devices: much memory", NULL, -2, sparse, NULL },
	{ "devices: 64", NULL, -1, many, NULL },
	{ }
};
