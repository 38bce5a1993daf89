/* SPDX-License-Identifier: GPL-2.0-only */
/* What a verdict file claims: as much of it as is needed to check and use it. */
#ifndef PEERPASS_CLAIM_H
#define PEERPASS_CLAIM_H

#include "bdf.h"
#include "distance.h"
#include "error.h"

#define PP_VERDICT_SCHEMA	"peerpass/verdict/1"
#define PP_CLAIM_DEVICES	64
#define PP_CLAIM_WORD		32

/**
 * struct pp_claim_device - a device of the verdict
 * @actual: type of its domain then, as pp_name_domain_type() says; empty: not known
 * @mode: its mode then, as pp_name_mode() says; empty: not known
 * @set: its set of peers then, empty without one
 * @has_faults: @faults is known: the module counted
 * @faults: that it had caused, all together, at the end
 */
struct pp_claim_device {
	struct pp_bdf bdf;
	char actual[PP_CLAIM_WORD];
	char mode[PP_CLAIM_WORD];
	char set[PP_CLAIM_WORD];
	bool has_faults;
	uint64_t faults;
};

/**
 * struct pp_claim_pair - an ordered pair
 * @has_faults: @faults is known
 * @faults: of the initiator on the target's BARs at the end
 */
struct pp_claim_pair {
	struct pp_bdf initiator;
	struct pp_bdf target;
	char verdict[PP_CLAIM_WORD];
	enum pp_distance distance;
	bool has_faults;
	uint64_t faults;
};

/**
 * struct pp_claim - a verdict, and what it was found under
 * @verdict: of all together; "ok" if and only if @exit_code is 0
 * @exit_code: what validate returned
 * @text: why, in words; this and all texts are printable ASCII
 * @next: what to do about it, may be empty
 * @finished: when, RFC 3339
 * @driver: version of the NVIDIA driver, empty without it
 * @dma_remap_peer_mmio: enum peerpass_tristate
 * @has_module: the module was there; its version and @instance mean something
 * @instance: when the module began to count, ns since boot: which load of it
 * @has_generation: @generation, of its windows, is known
 * @collectives: how many there are
 * @collectives_right: how many of them came out right
 * @pairs: owned
 */
struct pp_claim {
	char verdict[PP_CLAIM_WORD];
	int exit_code;
	char level[PP_CLAIM_WORD];
	bool forced;
	char text[256];
	char next[256];
	char finished[PP_CLAIM_WORD];
	char boot_id[40];
	char kernel[128];
	char driver[PP_CLAIM_WORD];
	uint32_t dma_remap_peer_mmio;
	bool has_module;
	char module_version[PP_CLAIM_WORD];
	uint64_t instance;
	bool has_generation;
	uint64_t generation;
	size_t collectives;
	size_t collectives_right;
	struct pp_claim_device devices[PP_CLAIM_DEVICES];
	size_t device_count;
	struct pp_claim_pair *pairs;
	size_t pair_count;
};

int pp_claim_parse(const char *data, size_t len, struct pp_claim *claim, struct pp_error *err);
void pp_claim_free(struct pp_claim *claim);
bool pp_claim_ok(const struct pp_claim *claim);
const struct pp_claim_device *pp_claim_device(const struct pp_claim *claim, struct pp_bdf bdf);
const struct pp_claim_pair *pp_claim_pair(const struct pp_claim *claim, struct pp_bdf initiator,
					  struct pp_bdf target);

#endif /* PEERPASS_CLAIM_H */
