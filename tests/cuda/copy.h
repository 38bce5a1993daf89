/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies. */
#ifndef TEST_CUDA_COPY_H
#define TEST_CUDA_COPY_H

#include "device.h"

/* With the lock held. */
CUresult copy_add(CUstream stream, CUdeviceptr to, CUdeviceptr from, size_t len);

/*
 * To, from and in the current context's own memory. With the lock held, which they
 * leave for the copy itself.
 */
CUresult copy_to_device(CUdeviceptr to, const void *from, size_t len);
CUresult copy_to_host(void *to, CUdeviceptr from, size_t len);
CUresult copy_fill(CUdeviceptr to, unsigned char value, size_t len);

#endif /* TEST_CUDA_COPY_H */
