/* SPDX-License-Identifier: GPL-2.0-only */
/* Copies, and the streams they wait in. */
#ifndef TEST_CUDA_COPY_H
#define TEST_CUDA_COPY_H

#include "device.h"

CUresult copy_enqueue(CUstream stream, CUdeviceptr to, CUdeviceptr from, size_t len);
CUresult copy_run_all(CUstream stream);
void copy_forget_all(CUstream stream);
CUresult copy_to_device(CUcontext current, CUdeviceptr to, const void *from, size_t len);
CUresult copy_to_host(CUcontext current, void *to, CUdeviceptr from, size_t len);
CUresult copy_fill(CUcontext current, CUdeviceptr to, unsigned char value, size_t len);

#endif /* TEST_CUDA_COPY_H */
