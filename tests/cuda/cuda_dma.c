// SPDX-License-Identifier: GPL-2.0-only
/*
 * cuda-dma [BYTES | kernels]: tries the test-only libcuda.so.1 in a lab boot. For
 * each ordered pair of devices it prints what became of three copies from A to B of
 * BYTES bytes (default 4080), as B's owner sees it:
 *
 *	0 1 write WORD		by A's engine, writing to B
 *	0 1 read WORD		by B's engine, reading from A
 *	0 1 host WORD		through host memory
 *
 * WORD is "ok", "untouched" (all poison) or "wrong-N" (N bad 8-byte words). For
 * "kernels" see cuda_kernels.c.
 * Exit status: 0 when every call succeeded, whatever became of the data; 1,
 * with the failed call and its error's name, otherwise.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_open.h"

#define POISON	0xa5

static CUdeviceptr memory[MAX_GPUS];
static uint64_t *sent, *seen;
static size_t len = 4080;

/* The source's owner writes a pattern, the destination's owner poison. */
static void prepare(int a, int b)
{
	static uint64_t nonce;

	nonce++;
	for (size_t i = 0; i < len / 8; i++)
		sent[i] = (nonce << 32 | i) * 0x9e3779b97f4a7c15ULL;
	MUST(cuCtxSetCurrent, context[a]);
	MUST(cuMemcpyHtoD_v2, memory[a], sent, len);
	MUST(cuCtxSetCurrent, context[b]);
	MUST(cuMemsetD8_v2, memory[b], POISON, len);
}

static void judge(int a, int b, const char *how)
{
	size_t bad = 0, poison = 0;
	uint64_t untouched;

	memset(&untouched, POISON, sizeof(untouched));
	MUST(cuCtxSetCurrent, context[b]);
	MUST(cuMemcpyDtoH_v2, seen, memory[b], len);
	for (size_t i = 0; i < len / 8; i++) {
		bad += seen[i] != sent[i];
		poison += seen[i] == untouched;
	}
	if (!bad)
		printf("%d %d %s ok\n", a, b, how);
	else if (poison == len / 8)
		printf("%d %d %s untouched\n", a, b, how);
	else
		printf("%d %d %s wrong-%zu\n", a, b, how, bad);
	fflush(stdout);
}

/* From a to b; the engine of @by, which is one of the two, does it. */
static void copy(int a, int b, int by, const char *how)
{
	CUstream stream;

	prepare(a, b);
	MUST(cuCtxSetCurrent, context[by]);
	MUST(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
	MUST(cuMemcpyDtoDAsync_v2, memory[b], memory[a], len, stream);
	MUST(cuStreamSynchronize, stream);
	MUST(cuStreamDestroy_v2, stream);
	judge(a, b, how);
}

static void copy_through_host(int a, int b)
{
	prepare(a, b);
	MUST(cuCtxSetCurrent, context[a]);
	MUST(cuMemcpyDtoH_v2, seen, memory[a], len);
	MUST(cuCtxSetCurrent, context[b]);
	MUST(cuMemcpyHtoD_v2, memory[b], seen, len);
	judge(a, b, "host");
}

static void copies(void)
{
	sent = malloc(len);
	seen = malloc(len);
	if (!sent || !seen)
		exit(1);
	for (int i = 0; i < gpu_count; i++) {
		MUST(cuCtxSetCurrent, context[i]);
		MUST(cuMemAlloc_v2, &memory[i], len);
	}
	for (int a = 0; a < gpu_count; a++) {
		for (int b = 0; b < gpu_count; b++) {
			if (a == b)
				continue;
			copy(a, b, a, "write");
			copy(a, b, b, "read");
			copy_through_host(a, b);
		}
	}
	for (int i = 0; i < gpu_count; i++) {
		MUST(cuCtxSetCurrent, context[i]);
		MUST(cuMemFree_v2, memory[i]);
	}
}

int main(int argc, char **argv)
{
	bool kernels = argc == 2 && !strcmp(argv[1], "kernels");

	if (argc > 1 && !kernels)
		len = strtoul(argv[1], NULL, 10) / 8 * 8;
	if (argc > 2 || !len) {
		fputs("usage: cuda-dma [BYTES | kernels]\n", stderr);
		return 2;
	}
	cuda_open();
	if (kernels)
		cuda_kernels();
	else
		copies();
	for (int i = 0; i < gpu_count; i++)
		MUST(cuDevicePrimaryCtxRelease_v2, i);
	return 0;
}
