/* SPDX-License-Identifier: GPL-2.0-only */
/* Modules and their functions. All with the lock held. */
#ifndef TEST_CUDA_MODULE_H
#define TEST_CUDA_MODULE_H

#include "device.h"
#include "launch.h"

CUresult module_load(CUcontext context, const char *image, CUmodule *module);
CUresult module_unload(CUcontext context, CUmodule module);
CUresult module_function(CUcontext context, CUmodule module, const char *name,
			 CUfunction *function);
void modules_unload_all(CUcontext context);
/* The kernel behind a function of the context, or NULL. */
const struct kernel *module_kernel(CUcontext context, CUfunction function);

#endif /* TEST_CUDA_MODULE_H */
