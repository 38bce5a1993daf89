/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A child process that may hang: in a process group of its own, watched until a
 * deadline, killed with its whole group, and never waited for without end.
 *
 * Call pp_child_signals() once before. Times are CLOCK_MONOTONIC nanoseconds.
 */
#ifndef PEERPASS_CHILD_H
#define PEERPASS_CHILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "error.h"

struct pp_child {
	pid_t pid;
	int pid_fd;
	int result_fd;
	int go_fd;
};

enum pp_child_event {
	/* The whole message is there. */
	PP_CHILD_RESULT,
	/* The child ended, or closed its end, before the message was complete. */
	PP_CHILD_ENDED,
	PP_CHILD_TIMEOUT,
	/* SIGINT, SIGTERM or SIGHUP came. */
	PP_CHILD_INTERRUPTED,
};

/**
 * struct pp_child_end - how a child ended
 * @in_time: it ended by itself, before the deadline
 * @reaped: false when it could not be killed in time (state D): it was left
 *	behind as @pid
 * @signal: it was killed by this signal, 0 if not
 * @status: its exit status otherwise
 */
struct pp_child_end {
	pid_t pid;
	bool in_time;
	bool reaped;
	int signal;
	int status;
};

uint64_t pp_now_ns(void);
void pp_child_signals(void);
bool pp_child_interrupted(void);
int pp_child_start(struct pp_child *child, int (*body)(int result_fd, int go_fd, void *arg),
		   void *arg, struct pp_error *err);
enum pp_child_event pp_child_read(struct pp_child *child, void *buf, size_t len,
				  uint64_t deadline_ns);
int pp_child_send(int fd, const void *data, size_t len);
int pp_child_ask(struct pp_child *child, const void *data, size_t len);
bool pp_child_wait(struct pp_child *child, uint64_t deadline_ns);
void pp_child_leave(struct pp_child *child);
void pp_child_finish(struct pp_child *child, uint64_t deadline_ns, struct pp_child_end *end);

#endif /* PEERPASS_CHILD_H */
