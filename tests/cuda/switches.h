/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Failures on demand, named in the environment:
 *
 * PP_TEST_CUDA=WORD[,WORD...]
 *	hang		a copy between devices never finishes
 *	drop		a copy between devices does nothing and succeeds
 *	flip		a copy between devices gets one 8-byte word wrong
 *	badhost		a copy through the host gets one 8-byte word wrong
 *	noaccess	peer access is not supported
 *	nodev		cuInit() finds no device
 *	initfail	cuInit() fails
 * PP_TEST_CUDA_CHUNK=N
 *	bytes of one DMA transfer, 1 to 4096; default 2040
 */
#ifndef TEST_CUDA_SWITCHES_H
#define TEST_CUDA_SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

struct switches {
	bool hang, drop, flip, badhost, noaccess, nodev, initfail;
	uint32_t chunk;
};

extern struct switches switches;

/* Reads the environment; false, with a line on stderr, where it makes no sense. */
bool switches_read(void);

#endif /* TEST_CUDA_SWITCHES_H */
