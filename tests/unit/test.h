/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All there is of a test framework. A test is a function; CHECK() notes the
 * first thing that is wrong with it; RUN() prints "PASS name" or "FAIL name:
 * text". main() ends with "return test_failures != 0".
 */
#ifndef PEERPASS_TEST_H
#define PEERPASS_TEST_H

#include <stdio.h>
#include <string.h>

static char test_text[1024];
static int test_failures;

#define CHECK(condition, ...) \
	do { \
		if (!(condition) && !test_text[0]) { \
			int used_ = snprintf(test_text, sizeof(test_text), "%s:%d: ", __FILE__, \
					     __LINE__); \
			snprintf(test_text + used_, sizeof(test_text) - (size_t)used_, \
				 __VA_ARGS__); \
		} \
	} while (0)

#define CHECK_STR(found, expected, what) \
	CHECK(!strcmp(found, expected), "%s: found \"%s\", expected \"%s\"", what, found, expected)

#define CHECK_NUM(found, expected, what) \
	CHECK((long long)(found) == (long long)(expected), "%s: found %lld, expected %lld", what, \
	      (long long)(found), (long long)(expected))

#define RUN(function) \
	do { \
		test_text[0] = '\0'; \
		function(); \
		if (test_text[0]) \
			printf("FAIL %s: %s\n", #function, test_text); \
		else \
			printf("PASS %s\n", #function); \
		fflush(stdout); \
		test_failures += test_text[0] != '\0'; \
	} while (0)

#endif /* PEERPASS_TEST_H */
