// SPDX-License-Identifier: GPL-2.0-only
/* What arrives later than was said. */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "late.h"
#include "state.h"

/* @by: NULL for what goes to @to, in this process. */
struct arrival {
	uint64_t due_ns;
	const void *owner;
	struct device *by, *peer;
	uint64_t offset;
	void *to;
	size_t len;
	struct arrival *next;
	uint64_t data[];
};

static struct arrival *arrivals;
static bool running;

/* The first stays in the list until it has arrived: late_wait() waits for it. */
static void *deliver_all(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&state_lock);
	for (;;) {
		struct arrival *a = arrivals, **p;

		if (!a) {
			state_wait();
			continue;
		}
		if (now_ns() < a->due_ns) {
			state_wait_until(a->due_ns);
			continue;
		}
		pthread_mutex_unlock(&state_lock);
		/* The device may be gone by now: nobody is told. */
		if (a->by)
			a->by->backend->write(a->by, a->peer, a->offset, a->data, a->len);
		else
			bytes_copy(a->to, a->data, a->len);
		pthread_mutex_lock(&state_lock);
		for (p = &arrivals; *p != a; p = &(*p)->next)
			;
		*p = a->next;
		free(a);
		state_changed();
	}
	return NULL;
}

static CUresult add(const struct arrival *what, const void *data, uint64_t late_ns)
{
	struct arrival *a = malloc(sizeof(*a) + what->len), **p = &arrivals;
	pthread_t thread;
	CUresult r = CUDA_SUCCESS;

	if (!a)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*a = *what;
	a->due_ns = now_ns() + late_ns;
	bytes_copy(a->data, data, a->len);
	pthread_mutex_lock(&state_lock);
	if (!running && pthread_create(&thread, NULL, deliver_all, NULL)) {
		free(a);
		r = CUDA_ERROR_OUT_OF_MEMORY;
	} else {
		if (!running)
			pthread_detach(thread);
		running = true;
		while (*p && (*p)->due_ns <= a->due_ns)
			p = &(*p)->next;
		a->next = *p;
		*p = a;
		state_changed();
	}
	pthread_mutex_unlock(&state_lock);
	return r;
}

CUresult late_write(struct device *by, struct device *peer, uint64_t offset, const void *from,
		    size_t len, uint64_t late_ns, const void *owner)
{
	const struct arrival what = { .owner = owner, .by = by, .peer = peer, .offset = offset,
				      .len = len };

	return add(&what, from, late_ns);
}

CUresult late_read(void *to, const void *from, size_t len, uint64_t late_ns)
{
	const struct arrival what = { .to = to, .len = len };

	return add(&what, from, late_ns);
}

/* Until all that @owner has written has arrived. */
void late_wait(const void *owner)
{
	struct arrival *a;

	pthread_mutex_lock(&state_lock);
	do {
		for (a = arrivals; a && a->owner != owner; a = a->next)
			;
		if (a)
			state_wait();
	} while (a);
	pthread_mutex_unlock(&state_lock);
}
