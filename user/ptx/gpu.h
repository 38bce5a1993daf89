/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine that kernels.c is written for, as a GPU: OpenCL C for nvptx64. The
 * test library has the same functions for the CPU in tests/cuda/machine.h.
 */
#ifndef PEERPASS_PTX_GPU_H
#define PEERPASS_PTX_GPU_H

#define PP_KERNEL __kernel

static inline pp_u64 pp_load64(pp_u64 at) { return *(const __global pp_u64 *)at; }
static inline pp_u32 pp_load32(pp_u64 at) { return *(const __global pp_u32 *)at; }
static inline void pp_store64(pp_u64 at, pp_u64 v) { *(__global pp_u64 *)at = v; }
static inline void pp_store32(pp_u64 at, pp_u32 v) { *(__global pp_u32 *)at = v; }

/* 16 bytes at once; both addresses are multiples of 16. */
static inline void pp_move16(pp_u64 to, pp_u64 from)
{
	*(__global ulong2 *)to = *(const __global ulong2 *)from;
}

/* Around every cache: what another device or the host writes, or has to see. */
static inline pp_u64 pp_peek64(pp_u64 at) { return *(const volatile __global pp_u64 *)at; }
static inline pp_u32 pp_peek32(pp_u64 at) { return *(const volatile __global pp_u32 *)at; }
static inline void pp_poke32(pp_u64 at, pp_u32 v) { *(volatile __global pp_u32 *)at = v; }

/* What was accessed before comes before what is accessed after, for all devices. */
static inline void pp_fence(void) { __asm__ volatile("membar.sys;" ::: "memory"); }

static inline void pp_add64(pp_u64 at, pp_u64 v)
{
	__asm__ volatile("red.global.add.u64 [%0], %1;" :: "l"(at), "l"(v) : "memory");
}

static inline void pp_min64(pp_u64 at, pp_u64 v)
{
	__asm__ volatile("red.global.min.u64 [%0], %1;" :: "l"(at), "l"(v) : "memory");
}

static inline void pp_or64(pp_u64 at, pp_u64 v)
{
	__asm__ volatile("red.global.or.b64 [%0], %1;" :: "l"(at), "l"(v) : "memory");
}

/* The threads of a block wait for each other. */
static inline void pp_barrier(void) { __syncthreads(); }

static inline pp_u64 pp_thread(void) { return __nvvm_read_ptx_sreg_tid_x(); }
static inline pp_u64 pp_threads(void) { return __nvvm_read_ptx_sreg_ntid_x(); }
static inline pp_u64 pp_block(void) { return __nvvm_read_ptx_sreg_ctaid_x(); }
static inline pp_u64 pp_blocks(void) { return __nvvm_read_ptx_sreg_nctaid_x(); }

/* Nanoseconds of the GPU's clock; it may move in steps of a microsecond. */
static inline pp_u64 pp_clock_ns(void)
{
	pp_u64 now;

	__asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	return now;
}

#endif /* PEERPASS_PTX_GPU_H */
