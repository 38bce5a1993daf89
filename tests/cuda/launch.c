// SPDX-License-Identifier: GPL-2.0-only
/* Kernels: which there are, and how one runs. */
#include <stdlib.h>
#include <string.h>

#include "../../user/ptx/kernels.h"
#include "late.h"
#include "launch.h"
#include "state.h"
#include "switches.h"

_Thread_local struct launch *launch_now;

#define RUN(name) \
	void pp_##name(struct pp_##name arguments); \
	static void run_##name(const void *arguments) \
	{ \
		struct pp_##name a; \
 \
		memcpy(&a, arguments, sizeof(a)); \
		pp_##name(a); \
	}
PP_KERNELS(RUN)

#define KERNEL(kernel_name) \
	{ .name = "pp_" #kernel_name, .size = sizeof(struct pp_##kernel_name), \
	  .run = run_##kernel_name },
static const struct kernel kernels[] = { PP_KERNELS(KERNEL) };

const struct kernel *kernel_find(const char *symbol)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (!strcmp(kernels[i].name, symbol))
			return &kernels[i];
	return NULL;
}

static bool is_collective(const struct kernel *kernel)
{
	return kernel->run == run_one_shot || kernel->run == run_two_shot ||
	       kernel->run == run_ring;
}

struct launch_work {
	struct work work;
	const struct kernel *kernel;
	struct launch launch;
	/* A kernel's argument, aligned as any of them needs it. */
	uint64_t arguments[];
};

_Noreturn void launch_fail(struct launch *launch, CUresult error)
{
	launch->result = error;
	longjmp(launch->end, 1);
}

bool launch_spoils_collective(struct launch *launch)
{
	bool spoils = launch->collective;

	launch->collective = false;
	return spoils;
}

static CUresult run(struct work *work, CUcontext context)
{
	struct launch_work *w = (struct launch_work *)work;
	struct launch *l = &w->launch;

	l->context = context;
	l->collective = is_collective(w->kernel);
	launch_now = l;
	if (!setjmp(l->end)) {
		for (l->block = 0; l->block < l->blocks; l->block++) {
			w->kernel->run(w->arguments);
			window_forget(l);
			if (context_ends(context))
				break;
		}
		window_flush(l);
	}
	launch_now = NULL;
	/* What was overtaken by a flag has arrived when the kernel is done. */
	if (switches.flagfirst)
		late_wait(l);
	return l->result;
}

static void free_launch(struct work *work)
{
	free(work);
}

CUresult launch_add(CUstream stream, const struct kernel *kernel, const void *arguments,
		    uint64_t blocks)
{
	struct launch_work *w = calloc(1, sizeof(*w) + kernel->size);

	if (!w)
		return CUDA_ERROR_OUT_OF_MEMORY;
	w->work = (struct work){ .run = run, .free = free_launch };
	w->kernel = kernel;
	w->launch.blocks = blocks;
	memcpy(w->arguments, arguments, kernel->size);
	return stream_add(stream, &w->work);
}
