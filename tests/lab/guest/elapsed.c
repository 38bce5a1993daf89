// SPDX-License-Identifier: GPL-2.0-only
/*
 * elapsed: runs a command and appends to a file how long it took.
 *
 *   elapsed FILE COMMAND [ARG...]
 *
 * Microseconds, one number a line. Exit status: that of the command.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
	long long start;
	int status;
	FILE *file;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: elapsed FILE COMMAND [ARG...]\n");
		return 2;
	}
	start = now_us();
	pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0) {
		perror("elapsed");
		return 1;
	}
	start = now_us() - start;
	file = fopen(argv[1], "a");
	if (!file || fprintf(file, "%lld\n", start) < 0 || fclose(file)) {
		perror(argv[1]);
		return 1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
