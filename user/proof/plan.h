/* SPDX-License-Identifier: GPL-2.0-only */
/* Which tests make a proof. Pure functions. */
#ifndef PEERPASS_PROOF_PLAN_H
#define PEERPASS_PROOF_PLAN_H

#include <stddef.h>

#include "test.h"

enum pp_level {
	PP_LEVEL_QUICK,
	PP_LEVEL_DEFAULT,
	PP_LEVEL_FULL,
	PP_LEVELS,
};

/**
 * struct pp_scope - how much is tested
 * @max_bytes: of a transfer, a multiple of 8
 * @span: bytes of each GPU's memory that the others reach, at least 3 * max_bytes
 * @speed: measure bandwidth and latency too
 */
struct pp_scope {
	enum pp_level level;
	uint64_t max_bytes;
	uint64_t span;
	bool speed;
};

/** struct pp_test_list - tests; @v is owned */
struct pp_test_list {
	struct pp_test *v;
	size_t n;
	size_t room;
	bool failed;
};

void pp_scope_make(struct pp_scope *scope, enum pp_level level, uint64_t max_bytes,
		   uint64_t memory);
int pp_plan_pair(struct pp_test_list *list, const struct pp_scope *scope, bool both,
		 uint32_t first_round);
int pp_plan_set(struct pp_test_list *list, const struct pp_scope *scope, unsigned int gpus,
		uint32_t first_round);
uint32_t pp_plan_rounds(const struct pp_test_list *list);
void pp_plan_free(struct pp_test_list *list);
const char *pp_level_name(enum pp_level level);

#endif /* PEERPASS_PROOF_PLAN_H */
