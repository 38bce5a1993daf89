// SPDX-License-Identifier: GPL-2.0-only
/* Streams and the threads that carry them out: see stream.h. */
#include <signal.h>
#include <stdlib.h>

#include "device.h"
#include "state.h"
#include "switches.h"

static void drop_first(CUstream stream)
{
	struct work *work = stream->first;

	stream->first = work->next;
	work->free(work);
}

/* The first of the queue; it stays there meanwhile, so that the stream is not idle. */
static void run_first(CUstream stream)
{
	CUcontext context = stream->context;
	struct work *work = stream->first;
	CUresult r;

	pthread_mutex_unlock(&state_lock);
	r = work->run(work, context);
	pthread_mutex_lock(&state_lock);
	/* What was stopped has not failed. */
	if (r && !context->stopping)
		context_fail(context, r);
}

static void *carry_out(void *arg)
{
	CUstream stream = arg;
	CUcontext context = stream->context;

	pthread_mutex_lock(&state_lock);
	while (!context->stopping && (stream->first || !stream->orphan)) {
		struct work *work = stream->first;

		if (!work) {
			state_wait();
			continue;
		}
		if (!stream->waiting && !context->error && now_ns() < work->not_before_ns) {
			state_wait_until(work->not_before_ns);
			continue;
		}
		/* After an error nothing of the context is carried out any more. */
		if (!context->error)
			run_first(stream);
		drop_first(stream);
		state_changed();
	}
	while (stream->first)
		drop_first(stream);
	stream->thread = false;
	if (stream->orphan)
		free(stream);
	context->threads--;
	state_changed();
	pthread_mutex_unlock(&state_lock);
	return NULL;
}

/* Signals are for the program's own threads. */
static bool start_thread(CUstream stream)
{
	sigset_t all, before;
	pthread_t thread;
	bool good;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	good = !pthread_create(&thread, NULL, carry_out, stream);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!good)
		return false;
	pthread_detach(thread);
	stream->thread = true;
	stream->context->threads++;
	return true;
}

CUresult stream_create(CUcontext context, CUstream *stream)
{
	CUstream s = calloc(1, sizeof(*s));

	if (!s)
		return CUDA_ERROR_OUT_OF_MEMORY;
	s->context = context;
	s->next = context->streams;
	context->streams = s;
	*stream = s;
	return CUDA_SUCCESS;
}

/* Returns at once; what was added to it is carried out nevertheless. */
void stream_destroy(CUstream stream)
{
	CUstream *p = &stream->context->streams;

	while (*p != stream)
		p = &(*p)->next;
	*p = stream->next;
	if (!stream->thread) {
		free(stream);
		return;
	}
	stream->orphan = true;
	state_changed();
}

CUresult stream_add(CUstream stream, struct work *work)
{
	struct work **p = &stream->first;

	if (!stream->thread && !start_thread(stream)) {
		work->free(work);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	work->next = NULL;
	work->not_before_ns = *p ? 0 : now_ns() + switches.delay_ms * 1000000ULL;
	while (*p)
		p = &(*p)->next;
	*p = work;
	state_changed();
	return CUDA_SUCCESS;
}

CUresult stream_wait(CUstream stream)
{
	CUcontext context = stream->context;

	stream->waiting++;
	state_changed();
	while (stream->first && !context->error && !context->stopping)
		state_wait();
	stream->waiting--;
	return context->error;
}

/*
 * Ends the threads of all streams of a context, also those that nobody holds any
 * more, and whatever they are doing: kernels and hanging copies look at @stopping.
 */
void streams_stop(CUcontext context)
{
	__atomic_store_n(&context->stopping, true, __ATOMIC_RELEASE);
	state_changed();
	while (context->threads)
		state_wait();
	while (context->streams)
		stream_destroy(context->streams);
	__atomic_store_n(&context->stopping, false, __ATOMIC_RELEASE);
}
