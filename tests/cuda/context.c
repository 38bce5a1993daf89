// SPDX-License-Identifier: GPL-2.0-only
/* Primary contexts: see context.h. */
#include <unistd.h>

#include "device.h"
#include "event.h"
#include "lost.h"
#include "memory.h"
#include "module.h"
#include "state.h"

_Thread_local CUcontext current;

/* Is it a context that somebody still holds? */
bool context_valid(CUcontext context)
{
	for (int i = 0; i < device_count; i++)
		if (context == &devices[i].context)
			return context->references > 0;
	return false;
}

/* CUDA does not survive a fork(). */
CUresult enter(void)
{
	pthread_mutex_lock(&state_lock);
	return devices_initialised_by == getpid() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult enter_context(void)
{
	CUresult r = enter();

	if (!r && !context_valid(current))
		r = CUDA_ERROR_INVALID_CONTEXT;
	if (!r && lost_is(current->device))
		r = CUDA_ERROR_UNKNOWN;
	return r ? r : current->error;
}

CUresult leave(CUresult r)
{
	pthread_mutex_unlock(&state_lock);
	return r;
}

/* One reference more. */
CUresult context_open(CUcontext context)
{
	CUresult r = CUDA_SUCCESS;

	if (lost_is(context->device))
		return CUDA_ERROR_UNKNOWN;
	if (!context->references)
		r = context->device->backend->open(context->device);
	if (!r)
		context->references++;
	return r;
}

/* And one less. What the last one leaves behind is stopped, not waited for. */
void context_close(CUcontext context)
{
	if (--context->references)
		return;
	streams_stop(context);
	events_destroy_all(context);
	modules_unload_all(context);
	context->peers = 0;
	memory_free_all(context->device);
	context->device->backend->close(context->device);
}

/* The first error counts. What still runs in the context ends. */
void context_fail(CUcontext context, CUresult error)
{
	if (!context->error)
		__atomic_store_n(&context->error, error, __ATOMIC_RELEASE);
	state_changed();
}

/* The stream that a handle names in the current context, or NULL. */
CUstream context_stream(CUstream stream)
{
	if (!stream)
		return &current->default_stream;
	for (CUstream s = current->streams; s; s = s->next)
		if (s == stream)
			return s;
	return NULL;
}

/* For all that was added to any of its streams. */
CUresult context_wait(CUcontext context)
{
	CUstream s;

	stream_wait(&context->default_stream);
	do {
		for (s = context->streams; s && !s->first; s = s->next)
			;
		/* The list may change meanwhile. */
		if (s)
			stream_wait(s);
	} while (s && !context->error && !context->stopping);
	return context->error;
}

bool context_ends(CUcontext context)
{
	return __atomic_load_n(&context->stopping, __ATOMIC_ACQUIRE) ||
	       __atomic_load_n(&context->error, __ATOMIC_ACQUIRE);
}

/* What a transfer that never finishes does. */
void context_wait_for_end(CUcontext context)
{
	pthread_mutex_lock(&state_lock);
	while (!context_ends(context))
		state_wait();
	pthread_mutex_unlock(&state_lock);
}
