/* SPDX-License-Identifier: GPL-2.0-only */
/* Which GPUs CUDA has; asked in a child process. */
#ifndef PEERPASS_ENUMERATE_H
#define PEERPASS_ENUMERATE_H

#include <stdint.h>

#include "bdf.h"

#define PP_ENUM_MAGIC 0x7070656eu
#define PP_MAX_GPUS 64

enum pp_enum_status {
	PP_ENUM_OK,
	PP_ENUM_NO_LIBRARY,
	PP_ENUM_NO_DEVICE,
	PP_ENUM_FAILED,
};

/**
 * struct pp_enum_result - the child's message about the GPUs there are
 * @status: enum pp_enum_status
 * @driver: 1000 * major + 10 * minor, as cuDriverGetVersion() says
 * @count: GPUs in @gpus, in CUDA's order
 */
struct pp_enum_result {
	uint32_t magic;
	uint32_t status;
	int32_t driver;
	int32_t count;
	char why[192];
	struct {
		struct pp_bdf bdf;
		char name[64];
	} gpus[PP_MAX_GPUS];
};

int pp_enumerate_child(int result_fd, int go_fd, void *unused);

#endif /* PEERPASS_ENUMERATE_H */
