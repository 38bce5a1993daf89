/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of validate have in common. */
#ifndef PEERPASS_CMD_VALIDATE_H
#define PEERPASS_CMD_VALIDATE_H

#include "lib/enumerate.h"
#include "lib/inventory.h"
#include "lib/pairrun.h"
#include "lib/summary.h"

/**
 * struct validate_gpu - one GPU under test
 * @ordinal: CUDA's number
 * @label: "gpuN" as in status, or the address
 */
struct validate_gpu {
	struct pp_bdf bdf;
	int ordinal;
	char label[PP_BDF_LEN];
	char name[64];
};

/**
 * struct validate_run - one validation
 * @size: bytes of a transfer
 * @timeout_s: seconds for a pair
 * @started_ns: CLOCK_REALTIME
 * @pairs: owned; in the order of the test, see validate_pair();
 *	@gpu_count * (@gpu_count - 1) of them
 */
struct validate_run {
	const struct pp_inventory *inv;
	uint64_t size;
	uint64_t timeout_s;
	uint64_t started_ns;
	int driver;
	struct validate_gpu gpus[PP_MAX_GPUS];
	int gpu_count;
	struct pp_pair_result *pairs;
	int pair_count;
	enum pp_verdict worst;
	struct pp_summary summary;
};

const struct pp_pair_result *validate_pair(const struct validate_run *run, int initiator,
					   int target);
void validate_summarize(struct validate_run *run);
bool validate_weak(const struct validate_run *run, const struct pp_pair_result *pair,
		   char *why, size_t size);
int validate_enumerate(struct validate_run *run, char **devices, int device_count,
		       struct pp_error *err);
void validate_print_text(const struct validate_run *run);
int validate_print_json(const struct validate_run *run);

#endif /* PEERPASS_CMD_VALIDATE_H */
