// SPDX-License-Identifier: GPL-2.0-only
/* A child process that may hang. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"

/* How long a killed child may take to go. A driver can hold it in state D. */
#define REAP_NS 2000000000ull

/* Files that the child has besides the three standard ones. */
#define CHILD_RESULT_FD	3
#define CHILD_GO_FD	4
#define CHILD_FDS	5

static volatile sig_atomic_t interrupted;
/* Signals as they were before pp_child_signals(); also those let in by ppoll(). */
static sigset_t original_mask;

static void note_signal(int sig)
{
	interrupted = sig;
}

/**
 * pp_child_signals - take SIGINT, SIGTERM and SIGHUP from now on
 *
 * They are blocked but for the moments in which pp_child_read() waits, so that
 * none comes between a check and the wait.
 */
void pp_child_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = note_signal };
	sigset_t mask;

	sigemptyset(&mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction old;

		/* Somebody who ignores a signal (nohup) wants it ignored. */
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_IGN)
			continue;
		sigaction(signals[i], &action, NULL);
		sigaddset(&mask, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &mask, &original_mask);
	/* A child that is gone must not take us with it. */
	signal(SIGPIPE, SIG_IGN);
	/* A file that may not grow is an error of write(), not the end. */
	signal(SIGXFSZ, SIG_IGN);
}

/** pp_child_interrupted - did one of the signals come? */
bool pp_child_interrupted(void)
{
	sigset_t pending;

	if (!interrupted && !sigpending(&pending) &&
	    (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
	     sigismember(&pending, SIGHUP)))
		interrupted = SIGINT;
	return interrupted;
}

/** pp_now_ns - CLOCK_MONOTONIC in nanoseconds */
uint64_t pp_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static struct timespec until(uint64_t deadline_ns)
{
	uint64_t now = pp_now_ns(), left = deadline_ns > now ? deadline_ns - now : 0;

	return (struct timespec){ .tv_sec = (time_t)(left / 1000000000),
				  .tv_nsec = (long)(left % 1000000000) };
}

static void __attribute__((noreturn)) run_child(pid_t parent, int result_fd, int go_fd,
						int (*body)(int, int, void *), void *arg)
{
	int null = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	/* Whatever ends the parent ends the child. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	sigprocmask(SIG_SETMASK, &original_mask, NULL);
	/*
	 * A library that prints must not print into our output, one that reads
	 * must not stop for want of a terminal.
	 */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	/* Nothing else of the parent's may be held open by a child that hangs. */
	result_fd = fcntl(result_fd, F_DUPFD, CHILD_FDS);
	go_fd = fcntl(go_fd, F_DUPFD, CHILD_FDS);
	dup2(result_fd, CHILD_RESULT_FD);
	dup2(go_fd, CHILD_GO_FD);
	close_range(CHILD_FDS, ~0u, 0);
	_exit(body(CHILD_RESULT_FD, CHILD_GO_FD, arg));
}

/**
 * pp_child_start - fork
 * @body: what the child does; its value is the exit status. It writes messages
 *	to @result_fd, and may read what pp_child_ask() sends from @go_fd
 *
 * Return: 0, or -1 with @err filled in. After 0, pp_child_finish() must follow.
 */
int pp_child_start(struct pp_child *child, int (*body)(int result_fd, int go_fd, void *arg),
		   void *arg, struct pp_error *err)
{
	int result[2], go[2];
	pid_t parent = getpid();

	if (pipe2(result, O_CLOEXEC))
		goto fail;
	if (pipe2(go, O_CLOEXEC))
		goto fail_result;
	fflush(NULL);
	child->pid = fork();
	if (child->pid < 0)
		goto fail_go;
	if (!child->pid)
		run_child(parent, result[1], go[0], body, arg);
	/* Also here: the group must exist before it can be killed. */
	setpgid(child->pid, child->pid);
	close(result[1]);
	close(go[0]);
	child->result_fd = result[0];
	child->go_fd = go[1];
	fcntl(child->result_fd, F_SETFL, O_NONBLOCK);
	child->pid_fd = pidfd_open(child->pid, 0);
	if (child->pid_fd >= 0)
		return 0;
	pp_error_set(err, "system", PP_EXIT_FAILED, "cannot watch a child process: %s",
		     strerror(errno));
	kill(-child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	close(child->result_fd);
	close(child->go_fd);
	return -1;

fail_go:
	close(go[0]);
	close(go[1]);
fail_result:
	close(result[0]);
	close(result[1]);
fail:
	return pp_error_set(err, "system", PP_EXIT_FAILED, "cannot start a child process: %s",
			    strerror(errno));
}

/**
 * pp_child_send - the child's side: write a whole message
 *
 * Return: 0, or -1 when the parent is gone.
 */
int pp_child_send(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

/* What is in the pipe now. Returns 1 when @buf is full, 0 to wait, -1 at its end. */
static int drain(struct pp_child *child, char *buf, size_t len, size_t *have)
{
	while (*have < len) {
		ssize_t n = read(child->result_fd, buf + *have, len - *have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n <= 0)
			return -1;
		*have += (size_t)n;
	}
	return 1;
}

/**
 * pp_child_read - wait for a message of @len bytes, for the child's end, for the
 * deadline or for a signal, whatever comes first
 */
enum pp_child_event pp_child_read(struct pp_child *child, void *buf, size_t len,
				  uint64_t deadline_ns)
{
	size_t have = 0;

	for (;;) {
		struct pollfd fds[2] = {
			{ .fd = child->result_fd, .events = POLLIN },
			{ .fd = child->pid_fd, .events = POLLIN },
		};
		struct timespec left = until(deadline_ns);
		int ready = ppoll(fds, 2, &left, &original_mask), got;

		if (interrupted)
			return PP_CHILD_INTERRUPTED;
		if (ready < 0 && errno == EINTR)
			continue;
		/* A child that has ended may have left its message in the pipe. */
		got = drain(child, buf, len, &have);
		if (got > 0)
			return PP_CHILD_RESULT;
		if (got < 0 || (fds[1].revents & POLLIN))
			return PP_CHILD_ENDED;
		if (!ready)
			return PP_CHILD_TIMEOUT;
	}
}

/**
 * pp_child_ask - write to what the child reads from @go_fd
 * @len: at most what a pipe takes at once (PIPE_BUF), so that it never blocks
 *
 * Return: 0, or -1 when the child is gone.
 */
int pp_child_ask(struct pp_child *child, const void *data, size_t len)
{
	return write(child->go_fd, data, len) == (ssize_t)len ? 0 : -1;
}

/*
 * Waits for the end of the process; not for it to be reaped. With @mask NULL not
 * even a signal ends the wait before the deadline.
 */
static bool ended(const struct pp_child *child, uint64_t deadline_ns, const sigset_t *mask)
{
	struct pollfd fd = { .fd = child->pid_fd, .events = POLLIN };
	struct timespec left;
	int ready;

	do {
		left = until(deadline_ns);
		ready = ppoll(&fd, 1, &left, mask);
	} while (ready < 0 && errno == EINTR && !(mask && interrupted));
	return ready > 0;
}

/**
 * pp_child_finish - wait for the child to end, or make it
 * @deadline_ns: when its group is killed; 0 for at once
 * @end: how it ended
 *
 * Returns at the latest 2 s after the deadline, with or without the child.
 */
void pp_child_finish(struct pp_child *child, uint64_t deadline_ns, struct pp_child_end *end)
{
	int status = 0;

	memset(end, 0, sizeof(*end));
	end->pid = child->pid;
	close(child->go_fd);
	end->in_time = ended(child, deadline_ns, &original_mask);
	/*
	 * Before it is reaped: its number, and that of its group, are still its
	 * own. What it has started goes with it.
	 */
	kill(-child->pid, SIGKILL);
	if (ended(child, pp_now_ns() + REAP_NS, NULL) &&
	    waitpid(child->pid, &status, WNOHANG) == child->pid) {
		end->reaped = true;
		end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	}
	close(child->result_fd);
	close(child->pid_fd);
}

/**
 * pp_child_wait - wait for the child's end, and let no signal shorten that
 *
 * Return: false when the deadline came first.
 */
bool pp_child_wait(struct pp_child *child, uint64_t deadline_ns)
{
	return ended(child, deadline_ns, NULL);
}

/**
 * pp_child_leave - let the child go on by itself, instead of pp_child_finish()
 *
 * For one that must not be killed half-way. It has to have taken back that it
 * ends with its parent.
 */
void pp_child_leave(struct pp_child *child)
{
	close(child->go_fd);
	close(child->result_fd);
	close(child->pid_fd);
}
