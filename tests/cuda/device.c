// SPDX-License-Identifier: GPL-2.0-only
/* Which GPUs there are. */
#include <stdlib.h>

#include "device.h"
#include "lost.h"

struct device devices[MAX_DEVICES];
int device_count;
pid_t devices_initialised_by;

/* The next free entry, as far as it is the same for every back end. */
struct device *device_add(const struct backend *backend)
{
	struct device *d = &devices[device_count++];

	*d = (struct device){ .backend = backend, .engine = -1 };
	pthread_mutex_init(&d->engine_lock, NULL);
	d->context.device = d;
	d->context.default_stream.context = &d->context;
	return d;
}

CUresult devices_find(void)
{
	const struct backend *backend =
		getenv("PP_TEST_CUDA_DEVICES") ? &backend_memory : &backend_edu;
	CUresult r;

	device_count = 0;
	r = backend->find();
	if (!r && !device_count)
		r = CUDA_ERROR_NO_DEVICE;
	if (!r)
		lost_recall();
	return r;
}
