// SPDX-License-Identifier: GPL-2.0-only
/* Events. */
#include <stdlib.h>

#include "event.h"
#include "state.h"

/*
 * @at_ns: when it was reached the last time; @waiting: in so many queues, so that it
 * has not been reached yet; @held: not destroyed.
 */
struct CUevent_st {
	CUcontext context;
	uint64_t at_ns;
	unsigned int waiting;
	bool recorded, timed, held;
	CUevent next;
};

struct record {
	struct work work;
	CUevent event;
};

static bool valid(CUevent event)
{
	for (int i = 0; i < device_count; i++)
		for (CUevent e = devices[i].context.events; e; e = e->next)
			if (e == event)
				return true;
	return false;
}

CUresult event_create(CUcontext context, unsigned int flags, CUevent *event)
{
	CUevent e = calloc(1, sizeof(*e));

	if (!e)
		return CUDA_ERROR_OUT_OF_MEMORY;
	e->context = context;
	e->timed = !(flags & CU_EVENT_DISABLE_TIMING);
	e->held = true;
	e->next = context->events;
	context->events = e;
	*event = e;
	return CUDA_SUCCESS;
}

static CUresult run(struct work *work, CUcontext context)
{
	(void)context;
	__atomic_store_n(&((struct record *)work)->event->at_ns, now_ns(), __ATOMIC_RELEASE);
	return CUDA_SUCCESS;
}

static void free_record(struct work *work)
{
	CUevent event = ((struct record *)work)->event;

	if (!--event->waiting && !event->held)
		free(event);
	free(work);
}

CUresult event_record(CUevent event, CUstream stream)
{
	struct record *record;

	if (!valid(event) || event->context != stream->context)
		return CUDA_ERROR_INVALID_HANDLE;
	record = malloc(sizeof(*record));
	if (!record)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*record = (struct record){ .work = { .run = run, .free = free_record }, .event = event };
	event->waiting++;
	event->recorded = true;
	return stream_add(stream, &record->work);
}

CUresult event_elapsed(CUevent start, CUevent end, float *ms)
{
	if (!valid(start) || !valid(end) || !start->recorded || !end->recorded ||
	    !start->timed || !end->timed)
		return CUDA_ERROR_INVALID_HANDLE;
	if (start->waiting || end->waiting)
		return CUDA_ERROR_NOT_READY;
	*ms = (float)((double)(int64_t)(end->at_ns - start->at_ns) / 1e6);
	return CUDA_SUCCESS;
}

CUresult event_destroy(CUevent event)
{
	CUevent *p;

	if (!valid(event))
		return CUDA_ERROR_INVALID_HANDLE;
	for (p = &event->context->events; *p != event; p = &(*p)->next)
		;
	*p = event->next;
	event->held = false;
	if (!event->waiting)
		free(event);
	return CUDA_SUCCESS;
}

void events_destroy_all(CUcontext context)
{
	while (context->events)
		event_destroy(context->events);
}
