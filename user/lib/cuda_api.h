/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of the CUDA driver API that the helper uses, by the versioned names
 * that libcuda.so.1 exports. Written from the public ABI, so that nothing of
 * CUDA is needed to build.
 *
 * PP_CUDA_API(X) calls X(name, parameters) for each function; every one returns
 * CUresult.
 */
#ifndef PEERPASS_CUDA_API_H
#define PEERPASS_CUDA_API_H

#include <stddef.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;

/* The results that the helper tells apart. */
#define CUDA_SUCCESS				0
#define CUDA_ERROR_NO_DEVICE			100
#define CUDA_ERROR_PEER_ACCESS_UNSUPPORTED	217
#define CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED	704

#define CU_STREAM_NON_BLOCKING			1

#define PP_CUDA_API(X) \
	X(cuInit, (unsigned int flags)) \
	X(cuDriverGetVersion, (int *version)) \
	X(cuDeviceGetCount, (int *count)) \
	X(cuDeviceGet, (CUdevice *device, int ordinal)) \
	X(cuDeviceGetName, (char *name, int len, CUdevice device)) \
	X(cuDeviceGetPCIBusId, (char *bus_id, int len, CUdevice device)) \
	X(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer)) \
	X(cuDevicePrimaryCtxRetain, (CUcontext *context, CUdevice device)) \
	X(cuDevicePrimaryCtxRelease_v2, (CUdevice device)) \
	X(cuCtxSetCurrent, (CUcontext context)) \
	X(cuCtxEnablePeerAccess, (CUcontext peer, unsigned int flags)) \
	X(cuMemAlloc_v2, (CUdeviceptr *address, size_t bytes)) \
	X(cuMemFree_v2, (CUdeviceptr address)) \
	X(cuMemcpyHtoD_v2, (CUdeviceptr to, const void *from, size_t bytes)) \
	X(cuMemcpyDtoH_v2, (void *to, CUdeviceptr from, size_t bytes)) \
	X(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)) \
	X(cuMemsetD8_v2, (CUdeviceptr address, unsigned char value, size_t bytes)) \
	X(cuStreamCreate, (CUstream *stream, unsigned int flags)) \
	X(cuStreamSynchronize, (CUstream stream)) \
	X(cuStreamDestroy_v2, (CUstream stream)) \
	X(cuGetErrorName, (CUresult error, const char **name)) \
	X(cuGetErrorString, (CUresult error, const char **text))

#endif /* PEERPASS_CUDA_API_H */
