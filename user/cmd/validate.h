/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of validate have in common. */
#ifndef PEERPASS_CMD_VALIDATE_H
#define PEERPASS_CMD_VALIDATE_H

#include <jansson.h>

#include "lib/acs_path.h"
#include "lib/device_facts.h"
#include "lib/distance.h"
#include "lib/enumerate.h"
#include "lib/host_facts.h"
#include "lib/inventory.h"
#include "lib/klog_window.h"
#include "lib/reach.h"
#include "lib/summary.h"
#include "proof/run.h"

/*
 * A GPU and eight peers: CUDA lets it have no more at once
 * (CUDA_ERROR_TOO_MANY_PEERS), and an all-reduce needs all of them.
 */
#define VALIDATE_MAX_SET 9

/**
 * struct validate_args - the command line
 * @max_bytes: 0 for the level's own, as @memory
 * @timeout_s: seconds for one test
 * @open_timeout_s: seconds for opening GPUs
 * @soak_s: go on for so long; 0: once
 * @output: file for the verdict besides the usual one; may be NULL
 */
struct validate_args {
	enum pp_level level;
	uint64_t max_bytes;
	uint64_t memory;
	uint64_t timeout_s;
	uint64_t open_timeout_s;
	uint64_t soak_s;
	const char *output;
	const char *set;
	bool force;
	bool busy_ok;
	bool json;
	bool help;
	char **devices;
	int device_count;
};

/**
 * struct validate_gpu - one GPU under test
 * @ordinal: CUDA's number
 * @label: "gpuN" as in status, or the address
 * @lost: it did not answer after a test that failed
 * @chain: the bridges above it
 * @link: before and after, as @replays
 */
struct validate_gpu {
	struct pp_bdf bdf;
	int ordinal;
	char label[PP_BDF_LEN];
	char name[64];
	bool lost;
	struct pp_chain chain;
	struct pp_link link[2];
	struct pp_replays replays[2];
};

/**
 * struct validate_pair - one ordered pair
 * @from: index in the run's GPUs, as @to
 * @reach: what the initiator's domain maps at the target's BARs
 * @session: owned; NULL when it was not tested
 * @write: of the operations that write, as @read
 */
struct validate_pair {
	int from;
	int to;
	struct pp_reach reach;
	struct pp_evidence evidence;
	struct pp_session_result *session;
	struct pp_judgement judgement;
	struct pp_judgement write;
	struct pp_judgement read;
};

/**
 * struct validate_run - one validation
 * @nl: NULL without the module, and @no_module says why
 * @keeps: the verdict goes to where consumers look for it
 * @key: of the pattern
 * @round: the next one that is free
 * @started_ns: CLOCK_REALTIME, as @finished_ns
 * @pairs: owned; see validate_pair()
 * @set: all GPUs together; owned, NULL when not tested
 * @set_judgement: of the collectives alone
 * @cycles: how often all was tested
 * @host: what the verdict is bound to
 * @log: what the kernel wrote meanwhile
 * @after: the host once more, after the tests
 */
struct validate_run {
	const struct validate_args *args;
	struct pp_nl *nl;
	struct pp_error no_module;
	const struct pp_inventory *inv;
	struct pp_scope scope;
	bool keeps;
	uint64_t key;
	uint32_t round;
	uint64_t started_ns;
	uint64_t finished_ns;
	int driver;
	struct validate_gpu gpus[PP_MAX_GPUS];
	int gpu_count;
	struct validate_pair *pairs;
	int pair_count;
	struct pp_session_result *set;
	struct pp_judgement set_judgement;
	bool set_tested;
	struct pp_judgement worst;
	unsigned int cycles;
	struct pp_host_facts host;
	struct pp_klog_window log;
	struct pp_inventory after;
	struct pp_summary summary;
};

int validate_parse(int argc, char **argv, struct validate_args *args, struct pp_error *err);
int validate_enumerate(struct validate_run *run, struct pp_error *err);
int validate_guard(const struct validate_run *run, struct pp_error *err);
void validate_evidence_start(struct validate_run *run);
int validate_evidence_end(struct validate_run *run, struct pp_error *err);
int validate_tests(struct validate_run *run, struct pp_error *err);
enum pp_distance validate_distance(const struct validate_run *run, int from, int to);
void validate_free(struct validate_run *run);
void validate_progress(const struct validate_run *run, int pair, const struct pp_test *test,
		       size_t i, size_t n);
void validate_progress_end(void);
const struct validate_pair *validate_pair(const struct validate_run *run, int from, int to);
void validate_summarize(struct validate_run *run);
void validate_distrust(struct validate_run *run);
bool validate_weak(const struct validate_run *run, const struct pp_session_result *session,
		   char *why, size_t size);
void validate_print_text(const struct validate_run *run);
json_t *validate_json(const struct validate_run *run);

#endif /* PEERPASS_CMD_VALIDATE_H */
