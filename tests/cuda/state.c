// SPDX-License-Identifier: GPL-2.0-only
/* The lock of the bookkeeping, and time. */
#include <time.h>

#include "state.h"

#define SECOND 1000000000ULL

pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;

/* No static initializer has the clock that deadlines are given in. */
__attribute__((constructor)) static void state_init(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &attributes);
	pthread_condattr_destroy(&attributes);
}

void state_changed(void)
{
	pthread_cond_broadcast(&changed);
}

void state_wait(void)
{
	pthread_cond_wait(&changed, &state_lock);
}

void state_wait_until(uint64_t ns)
{
	struct timespec ts = { .tv_sec = (time_t)(ns / SECOND), .tv_nsec = (long)(ns % SECOND) };

	pthread_cond_timedwait(&changed, &state_lock, &ts);
}

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec;
}

void sleep_ns(uint64_t ns)
{
	struct timespec ts = { .tv_sec = (time_t)(ns / SECOND), .tv_nsec = (long)(ns % SECOND) };

	nanosleep(&ts, NULL);
}
