/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests of the test-only CUDA, on GPUs of memory only. Each runs in a process of its
 * own with its own switches, and ends at the first thing that is not as expected.
 */
#ifndef TEST_CUDA_HARNESS_H
#define TEST_CUDA_HARNESS_H

#include <stdbool.h>
#include <stddef.h>

#include "../result.h"
#include "kernels.h"

/* Nothing in these tests takes so long. */
#define LONG_NS 10000000000ul

#define MAX_GPUS 8

/**
 * struct test - one of a list that ends with no name
 * @switches: for PP_TEST_CUDA
 * @gpus: how many there are and have been opened before @body; each may access all.
 *	Negative: there are so many, and @body does the rest
 * @expected: for @body, if it is that of several tests
 */
struct test {
	const char *name, *switches;
	int gpus;
	void (*body)(void);
	const char *expected;
};

extern const struct test *this_test;

extern const struct test tests_pattern[], tests_api[], tests_kernels[], tests_diagnose[],
	tests_collective[], tests_p2p[], tests_devices[];

#define KERNEL_NUMBER(name) KERNEL_##name,
enum kernel_number { PP_KERNELS(KERNEL_NUMBER) KERNELS };

/* @stream: its own, a non-blocking one. */
struct gpu {
	CUcontext context;
	CUstream stream;
	CUmodule module;
	CUfunction kernels[KERNELS];
};

extern struct gpu gpus[MAX_GPUS];

_Noreturn __attribute__((format(printf, 1, 2))) void fail(const char *format, ...);

#define EXPECT(condition) \
	do { \
		if (!(condition)) \
			fail("line %d: not so: %s", __LINE__, #condition); \
	} while (0)

/* A call that has to return what is expected. */
void expect_result(CUresult expected, CUresult found, int line, const char *call);
#define RETURNS(expected, name, ...) expect_result(expected, name(__VA_ARGS__), __LINE__, #name)
#define MUST(name, ...) RETURNS(CUDA_SUCCESS, name, __VA_ARGS__)

/* PTX enough for the library: all entries, no code. */
const char *image(void);

/* Alone: without access to each other. */
void gpus_open_alone(int count);
void gpus_open(int count);
void use(int gpu);
CUdeviceptr allocate(int gpu, size_t len);
void *allocate_host(size_t len);
void upload(int gpu, CUdeviceptr to, const void *from, size_t len);
void download(int gpu, void *to, CUdeviceptr from, size_t len);
void set(int gpu, CUdeviceptr at, int byte, size_t len);
/* A copy by @by's engine, waited for. */
void copy(int by, CUdeviceptr to, CUdeviceptr from, size_t len);

/* Into its stream, with @blocks blocks of 32 threads. */
void launch(int gpu, enum kernel_number kernel, void *arguments, unsigned int blocks);
void wait_for(int gpu);
CUresult wait_result(int gpu);

static inline struct pp_pieces dense(CUdeviceptr at, size_t len)
{
	return (struct pp_pieces){ .at = at, .len = len, .count = 1 };
}

/* The same sequence in each run. */
uint64_t random_number(uint64_t below);
uint64_t elapsed_ms(void);
void pause_ms(unsigned int ms);

#endif /* TEST_CUDA_HARNESS_H */
