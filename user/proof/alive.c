// SPDX-License-Identifier: GPL-2.0-only
/* Does a GPU still answer? Asked in a child process, after something went wrong. */
#include "alive.h"
#include "lib/child.h"
#include "lib/cuda.h"

struct who {
	int ordinal;
	struct pp_bdf bdf;
};

/* A context, memory, and a word to it and back. */
static bool answers(const struct pp_cuda *cu, const struct who *who)
{
	const uint64_t word = 0x0123456789abcdef;
	uint64_t back = 0;
	CUdeviceptr memory;
	struct pp_bdf found;
	CUcontext context;
	CUdevice device;
	char bus_id[32];

	return !cu->cuInit(0) && !cu->cuDeviceGet(&device, who->ordinal) &&
	       !cu->cuDeviceGetPCIBusId(bus_id, sizeof(bus_id), device) &&
	       pp_bdf_parse(bus_id, &found) && pp_bdf_equal(found, who->bdf) &&
	       !cu->cuDevicePrimaryCtxRetain(&context, device) && !cu->cuCtxSetCurrent(context) &&
	       !cu->cuMemAlloc_v2(&memory, sizeof(word)) &&
	       !cu->cuMemcpyHtoD_v2(memory, &word, sizeof(word)) &&
	       !cu->cuStreamSynchronize(NULL) &&
	       !cu->cuMemcpyDtoH_v2(&back, memory, sizeof(back)) && back == word;
}

static int child(int result_fd, int go_fd, void *arg)
{
	struct pp_cuda cu;
	char why[64];
	char good;

	(void)go_fd;
	good = !pp_cuda_open(&cu, why, sizeof(why)) && answers(&cu, arg);
	return pp_child_send(result_fd, &good, 1) ? 1 : 0;
}

/**
 * pp_gpu_alive - does a GPU still answer?
 * @ordinal: CUDA's number
 * @bdf: address; another GPU with that number is no answer
 * @timeout_s: seconds that it may take
 */
bool pp_gpu_alive(int ordinal, struct pp_bdf bdf, uint64_t timeout_s)
{
	struct who who = { ordinal, bdf };
	uint64_t deadline = pp_now_ns() + timeout_s * 1000000000;
	struct pp_child_end end;
	struct pp_child process;
	struct pp_error ignored;
	char good = 0;

	if (pp_child_start(&process, child, &who, &ignored))
		return false;
	if (pp_child_read(&process, &good, 1, deadline) != PP_CHILD_RESULT)
		good = 0;
	pp_child_finish(&process, 0, &end);
	return good;
}
