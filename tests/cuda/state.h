/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one lock of the library's bookkeeping, and the one condition that says that
 * something in it has changed. Held for moments only: never while data moves, while
 * a kernel runs, or while anybody waits other than by state_wait().
 */
#ifndef TEST_CUDA_STATE_H
#define TEST_CUDA_STATE_H

#include <pthread.h>
#include <stdint.h>

extern pthread_mutex_t state_lock;

/* With the lock held. */
void state_changed(void);
void state_wait(void);
void state_wait_until(uint64_t ns);

/* CLOCK_MONOTONIC. */
uint64_t now_ns(void);
void sleep_ns(uint64_t ns);

#endif /* TEST_CUDA_STATE_H */
