// SPDX-License-Identifier: GPL-2.0-only
/*
 * failnth: runs something with its N-th allocation in the kernel failing. Which
 * allocations count is set in /sys/kernel/debug/failslab.
 *
 *   failnth N insmod FILE [PARAM...]	asks the kernel once
 *   failnth N COMMAND [ARG...]
 *
 * The last line of output is "failnth: STATUS LEFT": the exit status (for
 * insmod the error number), and how many allocations were still to come before
 * the one to fail; 0 when it did fail. Exit status: that of the command.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what)
{
	fprintf(stderr, "failnth: %s: %m\n", what);
	exit(125);
}

static void arm(const char *nth)
{
	int fd = open("/proc/self/fail-nth", O_WRONLY);

	if (fd < 0 || write(fd, nth, strlen(nth)) < 0)
		die("/proc/self/fail-nth");
	close(fd);
}

/* How many are left to a child that has ended but still is there. */
static int left_to(pid_t child)
{
	char path[64], text[32] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fail-nth", (int)child);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		die(path);
	close(fd);
	return atoi(text);
}

static int insert(const char *nth, const char *file, char **params)
{
	char all[4096] = "";
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die(file);
	for (; *params; params++) {
		strncat(all, *params, sizeof(all) - strlen(all) - 2);
		strcat(all, " ");
	}
	arm(nth);
	return syscall(SYS_finit_module, fd, all, 0) ? errno : 0;
}

int main(int argc, char **argv)
{
	siginfo_t info;
	pid_t child;

	if (argc < 3) {
		fprintf(stderr, "usage: failnth N insmod FILE [PARAM...] | failnth N COMMAND [ARG...]\n");
		return 2;
	}
	child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		if (!strcmp(argv[2], "insmod") && argc > 3)
			_exit(insert(argv[1], argv[3], argv + 4));
		arm(argv[1]);
		execvp(argv[2], argv + 2);
		die(argv[2]);
	}
	if (waitid(P_PID, child, &info, WEXITED | WNOWAIT))
		die("waitid");
	printf("failnth: %d %d\n", info.si_status, left_to(child));
	waitpid(child, NULL, 0);
	return info.si_status;
}
