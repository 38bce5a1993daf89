// SPDX-License-Identifier: GPL-2.0-only
/* Which GPUs CUDA has; asked in a child process. */
#include <stdio.h>

#include "child.h"
#include "cuda.h"
#include "enumerate.h"

/* The I-th GPU; nonzero when a call failed or, with @why set, made no sense. */
static CUresult ask_gpu(const struct pp_cuda *cu, struct pp_enum_result *r, int i)
{
	CUdevice device;
	CUresult error;
	char bus_id[32];

	error = cu->cuDeviceGet(&device, i);
	if (!error)
		error = cu->cuDeviceGetName(r->gpus[i].name, sizeof(r->gpus[i].name), device);
	if (!error)
		error = cu->cuDeviceGetPCIBusId(bus_id, sizeof(bus_id), device);
	if (!error && !pp_bdf_parse(bus_id, &r->gpus[i].bdf))
		snprintf(r->why, sizeof(r->why), "CUDA device %d has the odd bus id \"%.31s\"", i,
			 bus_id);
	return error;
}

static void list_gpus(struct pp_enum_result *r)
{
	struct pp_cuda cu;
	CUresult error;

	r->status = PP_ENUM_NO_LIBRARY;
	if (pp_cuda_open(&cu, r->why, sizeof(r->why)))
		return;
	r->status = PP_ENUM_FAILED;
	error = cu.cuInit(0);
	if (!error)
		error = cu.cuDriverGetVersion(&r->driver);
	if (!error)
		error = cu.cuDeviceGetCount(&r->count);
	if (r->count > PP_MAX_GPUS) {
		snprintf(r->why, sizeof(r->why), "%d GPUs, at most %d are supported", r->count,
			 PP_MAX_GPUS);
		return;
	}
	for (int i = 0; !error && !r->why[0] && i < r->count; i++)
		error = ask_gpu(&cu, r, i);
	if (error == CUDA_ERROR_NO_DEVICE)
		r->status = PP_ENUM_NO_DEVICE;
	if (error)
		pp_cuda_error_text(&cu, error, r->why, sizeof(r->why));
	else if (!r->why[0])
		r->status = PP_ENUM_OK;
}

/** pp_enumerate_child - send one struct pp_enum_result about the GPUs CUDA has */
int pp_enumerate_child(int result_fd, int go_fd, void *unused)
{
	static struct pp_enum_result result;

	(void)go_fd;
	(void)unused;
	result.magic = PP_ENUM_MAGIC;
	list_gpus(&result);
	return pp_child_send(result_fd, &result, sizeof(result)) ? 1 : 0;
}
