/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine of user/ptx/kernels.c as a CPU: the functions of user/ptx/gpu.h, where
 * it is said what they do. They are for the kernel that this thread runs.
 */
#ifndef TEST_CUDA_MACHINE_H
#define TEST_CUDA_MACHINE_H

#include "pattern.h"

#define PP_KERNEL

pp_u64 pp_load64(pp_u64 at);
pp_u32 pp_load32(pp_u64 at);
void pp_store64(pp_u64 at, pp_u64 v);
void pp_store32(pp_u64 at, pp_u32 v);
void pp_move16(pp_u64 to, pp_u64 from);

pp_u64 pp_peek64(pp_u64 at);
pp_u32 pp_peek32(pp_u64 at);
void pp_poke32(pp_u64 at, pp_u32 v);

void pp_fence(void);

void pp_add64(pp_u64 at, pp_u64 v);
void pp_min64(pp_u64 at, pp_u64 v);
void pp_or64(pp_u64 at, pp_u64 v);

void pp_barrier(void);

pp_u64 pp_thread(void);
pp_u64 pp_threads(void);
pp_u64 pp_block(void);
pp_u64 pp_blocks(void);

pp_u64 pp_clock_ns(void);

#endif /* TEST_CUDA_MACHINE_H */
