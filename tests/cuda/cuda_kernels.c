// SPDX-License-Identifier: GPL-2.0-only
/*
 * "cuda-dma kernels": kernels that reach each other's memory. Prints for each ordered
 * pair of devices
 *
 *	0 1 kernel-write WORD	a kernel of A copies its memory to B's
 *	0 1 kernel-read WORD	a kernel of B does
 *	0 1 order WORD		A writes data and flags, a kernel of B looks
 *	0 1 all-reduce WORD	of both, the ring, as A sees it
 *
 * WORD is "ok", "late" (a flag did not come) or "wrong-N" (N bad words).
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cuda_open.h"
#include "kernels.h"

#define WORDS	64
#define BYTES	(WORDS * 8)
#define ROUNDS	3
/* Ten transfers. */
#define LIMIT_NS 1000000000ul

#define NUMBER(name) KERNEL_##name,
enum kernel { PP_KERNELS(NUMBER) KERNELS };

static CUfunction functions[MAX_GPUS][KERNELS];
static CUstream streams[MAX_GPUS];
static CUdeviceptr in[MAX_GPUS], out[MAX_GPUS], work[MAX_GPUS], flags[MAX_GPUS], report[MAX_GPUS];
static uint32_t *here;
static const struct pp_stamp stamp = { .key = 0x1eaf1eaf1eaf };

static void use(int gpu)
{
	MUST(cuCtxSetCurrent, context[gpu]);
}

/* What a driver looks for in PTX; the library has the code. */
static void prepare(int gpu)
{
#define ENTRY(name) ".visible .entry pp_" #name "()\n{\n\tret;\n}\n"
	static const char image[] = ".version 6.3\n.target sm_70\n.address_size 64\n"
				    PP_KERNELS(ENTRY);
#define NAME(name) "pp_" #name,
	static const char *const names[] = { PP_KERNELS(NAME) };
	CUmodule module;

	use(gpu);
	MUST(cuStreamCreate, &streams[gpu], CU_STREAM_NON_BLOCKING);
	MUST(cuModuleLoadData, &module, image);
	for (int k = 0; k < KERNELS; k++)
		MUST(cuModuleGetFunction, &functions[gpu][k], module, names[k]);
	MUST(cuMemAlloc_v2, &in[gpu], BYTES);
	MUST(cuMemAlloc_v2, &out[gpu], BYTES * ROUNDS);
	MUST(cuMemAlloc_v2, &work[gpu], 2 * BYTES);
	MUST(cuMemAlloc_v2, &flags[gpu], PP_COLLECTIVE_FLAGS(1) * 4);
	MUST(cuMemAlloc_v2, &report[gpu], sizeof(struct pp_order_report));
}

static void launch(int gpu, enum kernel kernel, void *arguments)
{
	use(gpu);
	MUST(cuLaunchKernel, functions[gpu][kernel], 1, 1, 1, 32, 1, 1, 0, streams[gpu],
	     (void *[]){ arguments }, NULL);
}

static void wait_for(int gpu)
{
	use(gpu);
	MUST(cuStreamSynchronize, streams[gpu]);
}

static struct pp_pieces region(CUdeviceptr at)
{
	return (struct pp_pieces){ .at = at, .len = BYTES, .count = 1 };
}

static void fill(int gpu, uint32_t source)
{
	struct pp_fill f = { .to = region(in[gpu]), .stamp = stamp };

	f.stamp.source = source;
	launch(gpu, KERNEL_fill, &f);
	wait_for(gpu);
}

static void clear(int gpu)
{
	use(gpu);
	MUST(cuMemsetD8_v2, out[gpu], PP_POISON_BYTE, BYTES * ROUNDS);
	MUST(cuMemsetD8_v2, work[gpu], PP_POISON_BYTE, 2 * BYTES);
	MUST(cuMemsetD8_v2, flags[gpu], 0, PP_COLLECTIVE_FLAGS(1) * 4);
	MUST(cuMemsetD8_v2, report[gpu], 0, sizeof(struct pp_order_report));
}

static void say(int a, int b, const char *how, bool late, uint64_t bad)
{
	if (late)
		printf("%d %d %s late\n", a, b, how);
	else if (bad)
		printf("%d %d %s wrong-%d\n", a, b, how, (int)bad);
	else
		printf("%d %d %s ok\n", a, b, how);
	fflush(stdout);
}

/* Bad words of the result, as its owner sees it. */
static uint64_t judge(int gpu, uint32_t source)
{
	struct pp_check c = { .at = region(out[gpu]), .stamp = stamp, .bad = report[gpu] };
	uint64_t bad = 0;

	c.stamp.source = source;
	c.stamp.ranks = 2;
	use(gpu);
	MUST(cuMemcpyHtoD_v2, report[gpu], &bad, 8);
	launch(gpu, KERNEL_check, &c);
	wait_for(gpu);
	MUST(cuMemcpyDtoH_v2, &bad, report[gpu], 8);
	return bad;
}

static void copy(int a, int b, int by, const char *how)
{
	struct pp_copy c = { .to = region(out[b]), .from = region(in[a]) };

	fill(a, 0);
	clear(b);
	launch(by, KERNEL_copy, &c);
	wait_for(by);
	say(a, b, how, false, judge(b, 0));
}

static void order(int a, int b)
{
	struct pp_order_write w = { .stamp = stamp, .data = out[b], .flags = flags[b],
				    .words = WORDS, .rounds = ROUNDS };
	struct pp_order_read r = { .stamp = stamp, .data = out[b], .flags = flags[b],
				   .words = WORDS, .limit_ns = LIMIT_NS, .report = report[b],
				   .rounds = ROUNDS };
	struct pp_order_report found;

	clear(b);
	__atomic_store_n(here, 0, __ATOMIC_RELEASE);
	MUST(cuMemHostGetDevicePointer_v2, (CUdeviceptr *)&r.here, here, 0);
	launch(b, KERNEL_order_read, &r);
	while (!__atomic_load_n(here, __ATOMIC_ACQUIRE))
		usleep(1000);
	launch(a, KERNEL_order_write, &w);
	wait_for(a);
	wait_for(b);
	MUST(cuMemcpyDtoH_v2, &found, report[b], sizeof(found));
	say(a, b, "order", found.late, found.bad);
}

static void all_reduce(int a, int b)
{
	const int ranks[] = { a, b };
	struct pp_ring ring = { .c = { .words = WORDS, .limit_ns = LIMIT_NS, .ranks = 2,
				       .blocks = 1 } };
	uint64_t late[2];

	for (int r = 0; r < 2; r++) {
		fill(ranks[r], (uint32_t)r);
		clear(ranks[r]);
		ring.c.in[r] = in[ranks[r]];
		ring.c.work[r] = work[ranks[r]];
		ring.c.flags[r] = flags[ranks[r]];
	}
	for (int r = 0; r < 2; r++) {
		ring.c.rank = (uint32_t)r;
		ring.c.out = out[ranks[r]];
		ring.c.late = report[ranks[r]];
		launch(ranks[r], KERNEL_ring, &ring);
	}
	for (int r = 0; r < 2; r++) {
		wait_for(ranks[r]);
		MUST(cuMemcpyDtoH_v2, &late[r], report[ranks[r]], 8);
	}
	say(a, b, "all-reduce", late[0] || late[1], judge(a, PP_SOURCE_SUM));
}

void cuda_kernels(void)
{
	for (int i = 0; i < gpu_count; i++)
		prepare(i);
	MUST(cuMemHostAlloc, (void **)&here, sizeof(*here), PP_CU_MEMHOSTALLOC_PORTABLE);
	for (int a = 0; a < gpu_count; a++) {
		for (int b = 0; b < gpu_count; b++) {
			if (a == b)
				continue;
			copy(a, b, a, "kernel-write");
			copy(a, b, b, "kernel-read");
			order(a, b);
			all_reduce(a, b);
		}
	}
}
