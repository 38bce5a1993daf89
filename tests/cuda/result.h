/* SPDX-License-Identifier: GPL-2.0-only */
/* The driver API's results, beyond those that the helper tells apart. */
#ifndef TEST_CUDA_RESULT_H
#define TEST_CUDA_RESULT_H

#include "cuda_api.h"

#define CUDA_ERROR_INVALID_VALUE		1
#define CUDA_ERROR_NOT_INITIALIZED		3
#define CUDA_ERROR_INVALID_DEVICE		101
#define CUDA_ERROR_INVALID_CONTEXT		201
#define CUDA_ERROR_INVALID_HANDLE		400
#define CUDA_ERROR_NOT_FOUND			500
#define CUDA_ERROR_MISALIGNED_ADDRESS		716
#define CUDA_ERROR_SYSTEM_NOT_READY		802

/* Every function, as the helper declares it: a difference does not compile. */
#define DECLARE(name, parameters) CUresult name parameters;
PP_CUDA_API(DECLARE)
#undef DECLARE

#endif /* TEST_CUDA_RESULT_H */
