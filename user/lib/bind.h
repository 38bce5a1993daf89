/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unbinding and binding a driver, within a time limit. The kernel runs the
 * driver's remove() or probe() inside the write to its file, and either may never
 * return.
 */
#ifndef PEERPASS_BIND_H
#define PEERPASS_BIND_H

#include <sys/types.h>

#include "bdf.h"

enum pp_bind {
	PP_BIND_DONE,
	/* The kernel or the driver refused; errno in @error. */
	PP_BIND_FAILED,
	/* Neither in time. A process that cannot be stopped is in it still. */
	PP_BIND_STUCK,
};

/**
 * struct pp_bind_result - what became of it
 * @error: with FAILED
 * @pid: with STUCK, the process that is left behind, in state @state ('D', ...)
 */
struct pp_bind_result {
	enum pp_bind how;
	int error;
	pid_t pid;
	char state;
};

void pp_driver_unbind(struct pp_bdf bdf, const char *driver, unsigned int timeout_s,
		      struct pp_bind_result *result);
void pp_driver_bind(struct pp_bdf bdf, const char *driver, unsigned int timeout_s,
		    struct pp_bind_result *result);

#endif /* PEERPASS_BIND_H */
