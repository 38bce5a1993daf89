// SPDX-License-Identifier: GPL-2.0-only
/* The CUDA driver library, opened at run time. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

/**
 * pp_cuda_open - load libcuda.so.1 and look up each function
 * @why: what the dynamic linker said, after a failure
 *
 * Only ever called in a child process: CUDA does not survive a fork(), so the
 * process that forks must not have touched it. Never closed; the child ends.
 *
 * Return: 0, or -1.
 */
int pp_cuda_open(struct pp_cuda *cu, char *why, size_t size)
{
	const char *missing = NULL;
	void *library;

	/* Kernels that wait for each other are launched one after the other. */
	unsetenv("CUDA_LAUNCH_BLOCKING");
	library = dlopen(PP_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		snprintf(why, size, "%s", dlerror());
		return -1;
	}
#define PP_CUDA_LOOK_UP(name, parameters) \
	do { \
		*(void **)&cu->name = dlsym(library, #name); \
		if (!cu->name) \
			missing = #name; \
	} while (0);
	PP_CUDA_API(PP_CUDA_LOOK_UP)
#undef PP_CUDA_LOOK_UP
	if (missing) {
		snprintf(why, size, PP_CUDA_LIBRARY " has no %s, the driver is too old", missing);
		return -1;
	}
	return 0;
}

/** pp_cuda_error_text - name of the error, its number and what it means */
void pp_cuda_error_text(const struct pp_cuda *cu, CUresult error, char *buf, size_t size)
{
	const char *name = NULL, *text = NULL;

	if (cu->cuGetErrorName(error, &name) || !name)
		name = "unknown error";
	if (cu->cuGetErrorString(error, &text) || !text)
		text = "no description";
	snprintf(buf, size, "%s (%d): %s", name, error, text);
}
