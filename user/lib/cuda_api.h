/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of the CUDA driver API that the helper uses, by the versioned names
 * that libcuda.so.1 exports. Written from the public ABI, so that nothing of
 * CUDA is needed to build.
 *
 * PP_CUDA_API(X) calls X(name, parameters) for each function; every one returns
 * CUresult. A test compares all lists with the real cuda.h, whose own types and
 * constants it has: PP_CUDA_LISTS_ONLY leaves ours out.
 */
#ifndef PEERPASS_CUDA_API_H
#define PEERPASS_CUDA_API_H

#include <stddef.h>

/* X(type, name); enumerations are int here. */
#define PP_CUDA_TYPES(X) \
	X(int, CUresult) \
	X(int, CUdevice) \
	X(int, CUdevice_attribute) \
	X(unsigned long long, CUdeviceptr) \
	X(struct CUctx_st *, CUcontext) \
	X(struct CUstream_st *, CUstream) \
	X(struct CUevent_st *, CUevent) \
	X(struct CUmod_st *, CUmodule) \
	X(struct CUfunc_st *, CUfunction)

/* X(name, value): the results that the helper tells apart. */
#define PP_CUDA_RESULTS(X) \
	X(CUDA_SUCCESS, 0) \
	X(CUDA_ERROR_OUT_OF_MEMORY, 2) \
	X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46) \
	X(CUDA_ERROR_NO_DEVICE, 100) \
	X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209) \
	X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217) \
	X(CUDA_ERROR_INVALID_PTX, 218) \
	X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221) \
	X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222) \
	X(CUDA_ERROR_NOT_READY, 600) \
	X(CUDA_ERROR_ILLEGAL_ADDRESS, 700) \
	X(CUDA_ERROR_LAUNCH_TIMEOUT, 702) \
	X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704) \
	X(CUDA_ERROR_LAUNCH_FAILED, 719) \
	X(CUDA_ERROR_UNKNOWN, 999)

/* X(name, value): device attributes and flags. */
#define PP_CUDA_CONSTANTS(X) \
	X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1) \
	X(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16) \
	X(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 41) \
	X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75) \
	X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76) \
	X(CU_STREAM_NON_BLOCKING, 1) \
	X(CU_EVENT_DISABLE_TIMING, 2)

/* Flags that the real cuda.h has as macros. */
#define PP_CU_MEMHOSTALLOC_PORTABLE	1
#define PP_CU_MEMHOSTALLOC_DEVICEMAP	2

#ifndef PP_CUDA_LISTS_ONLY
#define PP_CUDA_TYPE(type, name) typedef type name;
PP_CUDA_TYPES(PP_CUDA_TYPE)
#undef PP_CUDA_TYPE

#define PP_CUDA_CONSTANT(name, value) name = value,
enum { PP_CUDA_RESULTS(PP_CUDA_CONSTANT) PP_CUDA_CONSTANTS(PP_CUDA_CONSTANT) };
#undef PP_CUDA_CONSTANT
#endif

#define PP_CUDA_API(X) \
	X(cuInit, (unsigned int flags)) \
	X(cuDriverGetVersion, (int *version)) \
	X(cuDeviceGetCount, (int *count)) \
	X(cuDeviceGet, (CUdevice *device, int ordinal)) \
	X(cuDeviceGetName, (char *name, int len, CUdevice device)) \
	X(cuDeviceGetPCIBusId, (char *bus_id, int len, CUdevice device)) \
	X(cuDeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device)) \
	X(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer)) \
	X(cuDevicePrimaryCtxRetain, (CUcontext *context, CUdevice device)) \
	X(cuDevicePrimaryCtxRelease_v2, (CUdevice device)) \
	X(cuCtxSetCurrent, (CUcontext context)) \
	X(cuCtxSynchronize, (void)) \
	X(cuCtxEnablePeerAccess, (CUcontext peer, unsigned int flags)) \
	X(cuMemGetInfo_v2, (size_t *free, size_t *total)) \
	X(cuMemAlloc_v2, (CUdeviceptr *address, size_t bytes)) \
	X(cuMemFree_v2, (CUdeviceptr address)) \
	X(cuMemHostAlloc, (void **host, size_t bytes, unsigned int flags)) \
	X(cuMemFreeHost, (void *host)) \
	X(cuMemHostGetDevicePointer_v2, (CUdeviceptr *address, void *host, unsigned int flags)) \
	X(cuMemcpyHtoD_v2, (CUdeviceptr to, const void *from, size_t bytes)) \
	X(cuMemcpyDtoH_v2, (void *to, CUdeviceptr from, size_t bytes)) \
	X(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)) \
	X(cuMemsetD8_v2, (CUdeviceptr address, unsigned char value, size_t bytes)) \
	X(cuStreamCreate, (CUstream *stream, unsigned int flags)) \
	X(cuStreamQuery, (CUstream stream)) \
	X(cuStreamSynchronize, (CUstream stream)) \
	X(cuStreamDestroy_v2, (CUstream stream)) \
	X(cuEventCreate, (CUevent *event, unsigned int flags)) \
	X(cuEventRecord, (CUevent event, CUstream stream)) \
	X(cuEventElapsedTime, (float *ms, CUevent start, CUevent end)) \
	X(cuEventDestroy_v2, (CUevent event)) \
	X(cuModuleLoadData, (CUmodule *module, const void *image)) \
	X(cuModuleUnload, (CUmodule module)) \
	X(cuModuleGetFunction, (CUfunction *function, CUmodule module, const char *name)) \
	X(cuLaunchKernel, (CUfunction function, \
			   unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, \
			   unsigned int block_x, unsigned int block_y, unsigned int block_z, \
			   unsigned int shared_bytes, CUstream stream, void **parameters, \
			   void **extra)) \
	X(cuGetErrorName, (CUresult error, const char **name)) \
	X(cuGetErrorString, (CUresult error, const char **text))

#endif /* PEERPASS_CUDA_API_H */
