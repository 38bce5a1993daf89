/* SPDX-License-Identifier: GPL-2.0-only */
/* For programs of lab boots: libcuda.so.1, opened at run time as the helper does. */
#ifndef TEST_CUDA_OPEN_H
#define TEST_CUDA_OPEN_H

#include <stdbool.h>

#include "cuda_api.h"

#define MAX_GPUS 4

/* Pointers of the functions' own names. */
#define DECLARE(name, parameters) extern CUresult (*name) parameters;
PP_CUDA_API(DECLARE)
#undef DECLARE

extern CUcontext context[MAX_GPUS];
extern int gpu_count;

/* Ends the program after a failed call, which it names. */
void must(CUresult r, const char *call);
#define MUST(name, ...) must(name(__VA_ARGS__), #name)

/* Opens it and every GPU, with access to each other, and says which these are. */
void cuda_open(void);

void cuda_kernels(void);

#endif /* TEST_CUDA_OPEN_H */
