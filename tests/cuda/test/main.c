// SPDX-License-Identifier: GPL-2.0-only
/*
 * cuda-test [PREFIX...] - runs the tests, or those whose names begin so. Prints
 * "PASS name" or "FAIL name: text" for each, exits 1 when one failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

/* Seconds: only for what hangs. */
#define LIMIT 300

static void body(const struct test *test)
{
	char devices[MAX_GPUS * 16] = "";

	this_test = test;
	/* For faults and lost devices; there is none when a test begins. */
	if (getenv("PP_TEST_FILE")) {
		unlink(getenv("PP_TEST_FILE"));
		setenv("FAKE_FAULTS", getenv("PP_TEST_FILE"), 1);
	}
	for (int i = 0; i < abs(test->gpus); i++)
		sprintf(devices + strlen(devices), "%s0000:%02x:00.0", i ? "," : "", 0xa0 + i);
	setenv("PP_TEST_CUDA_DEVICES", devices, 1);
	setenv("PP_TEST_CUDA", test->switches ? test->switches : "", 1);
	alarm(LIMIT);
	if (test->gpus > 0)
		gpus_open(test->gpus);
	test->body();
	exit(0);
}

/* The text that the child said, in one line; true when it ended well. */
static bool run(const struct test *test, char *text, size_t size)
{
	ssize_t n, len = 0;
	int ends[2], status;
	pid_t pid;

	if (pipe(ends))
		return false;
	pid = fork();
	if (pid < 0)
		return false;
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		body(test);
	}
	close(ends[1]);
	while ((n = read(ends[0], text + len, size - 1 - (size_t)len)) > 0)
		len += n;
	close(ends[0]);
	text[len] = '\0';
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status) && !len)
		snprintf(text, size, "signal %d, %s", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else if (status && !len)
		snprintf(text, size, "exit status %d", WEXITSTATUS(status));
	return !status;
}

static bool wanted(const struct test *test, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strncmp(test->name, argv[i], strlen(argv[i])))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	static const struct test *const lists[] = {
		tests_pattern, tests_api, tests_kernels, tests_diagnose, tests_collective,
		tests_p2p, tests_devices,
	};
	bool good = true;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		for (const struct test *test = lists[i]; test->name; test++) {
			char text[512];

			if (!wanted(test, argc, argv))
				continue;
			if (run(test, text, sizeof(text))) {
				printf("PASS %s\n", test->name);
				continue;
			}
			printf("FAIL %s: %s\n", test->name, text);
			good = false;
		}
	}
	return good ? 0 : 1;
}
