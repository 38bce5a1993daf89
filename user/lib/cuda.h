/* SPDX-License-Identifier: GPL-2.0-only */
/* The CUDA driver library, opened at run time. */
#ifndef PEERPASS_CUDA_H
#define PEERPASS_CUDA_H

#include "cuda_api.h"

#define PP_CUDA_LIBRARY "libcuda.so.1"

/* One pointer for each function of PP_CUDA_API, of the function's own name. */
struct pp_cuda {
#define PP_CUDA_MEMBER(name, parameters) CUresult (*name) parameters;
	PP_CUDA_API(PP_CUDA_MEMBER)
#undef PP_CUDA_MEMBER
};

int pp_cuda_open(struct pp_cuda *cu, char *why, size_t size);
void pp_cuda_error_text(const struct pp_cuda *cu, CUresult error, char *buf, size_t size);

#endif /* PEERPASS_CUDA_H */
