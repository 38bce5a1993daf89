// SPDX-License-Identifier: GPL-2.0-only
/* What is tested, as it is told. */
#include <inttypes.h>
#include <stdio.h>

#include "op.h"

static enum pp_op copy_op(const struct pp_test *t)
{
	bool sm = t->engine == PP_ENGINE_SM, read = t->direction == PP_DIRECTION_READ;

	if (t->both)
		return sm ? PP_OP_SM_BOTH : PP_OP_CE_BOTH;
	if (sm)
		return read ? PP_OP_SM_READ : PP_OP_SM_WRITE;
	return read ? PP_OP_CE_READ : PP_OP_CE_WRITE;
}

/** pp_op_of - the operation that a test is part of; PP_OPS if of none */
enum pp_op pp_op_of(const struct pp_test *t)
{
	switch (t->kind) {
	case PP_TEST_CONTROL:
		return PP_OP_CONTROL;
	case PP_TEST_COPY:
		return copy_op(t);
	case PP_TEST_ORDER:
		return t->direction == PP_DIRECTION_READ ? PP_OP_ORDER_READ : PP_OP_ORDER_WRITE;
	case PP_TEST_COLLECTIVE:
		return (enum pp_op)(PP_OP_ONE_SHOT + t->algorithm);
	case PP_TEST_SPEED:
		return t->engine == PP_ENGINE_SM ? PP_OP_SM_SPEED : PP_OP_CE_SPEED;
	case PP_TEST_LATENCY:
		return PP_OP_LATENCY;
	default:
		return PP_OPS;
	}
}

static const struct {
	const char *name;
	const char *text;
} ops[PP_OPS] = {
	[PP_OP_CONTROL] = { "control", "copy through the host" },
	[PP_OP_CE_WRITE] = { "copy_engine_write", "copy engine, write" },
	[PP_OP_CE_READ] = { "copy_engine_read", "copy engine, read" },
	[PP_OP_SM_WRITE] = { "sm_write", "SM, write" },
	[PP_OP_SM_READ] = { "sm_read", "SM, read" },
	[PP_OP_ORDER_WRITE] = { "order_write", "flag after data, write" },
	[PP_OP_ORDER_READ] = { "order_read", "flag after data, read" },
	[PP_OP_CE_BOTH] = { "copy_engine_both", "copy engine, both ways" },
	[PP_OP_SM_BOTH] = { "sm_both", "SM, both ways" },
	[PP_OP_ONE_SHOT] = { "one_shot", "one-shot all-reduce" },
	[PP_OP_TWO_SHOT] = { "two_shot", "two-shot all-reduce" },
	[PP_OP_RING] = { "ring", "ring all-reduce" },
	[PP_OP_CE_SPEED] = { "copy_engine_speed", "copy engine, speed" },
	[PP_OP_SM_SPEED] = { "sm_speed", "SM, speed" },
	[PP_OP_LATENCY] = { "latency", "read latency" },
};

/** pp_op_name - the word for programs */
const char *pp_op_name(enum pp_op op)
{
	return ops[op].name;
}

/** pp_op_text - the same for people */
const char *pp_op_text(enum pp_op op)
{
	return ops[op].text;
}

/**
 * pp_test_rounds - how many rounds of the pattern a test uses
 *
 * The next test's round has to be greater by that much, or its data would not be
 * told from what this one left.
 */
uint32_t pp_test_rounds(const struct pp_test *test)
{
	if (test->kind == PP_TEST_ORDER)
		return PP_ORDER_ATTEMPTS * test->rounds;
	return test->both ? 2 : 1;
}

/** pp_test_text - which test of its operation it is: "4096 bytes at 0x1ff800" */
void pp_test_text(const struct pp_test *t, char *buf, size_t size)
{
	if (t->kind == PP_TEST_ORDER)
		snprintf(buf, size, "%" PRIu32 " rounds", t->rounds);
	else if (t->kind == PP_TEST_COPY && t->count > 1)
		snprintf(buf, size, "%" PRIu64 " pieces of %" PRIu64 " bytes", t->count, t->bytes);
	else if (t->kind == PP_TEST_COPY)
		snprintf(buf, size, "%" PRIu64 " bytes at 0x%" PRIx64, t->bytes, t->offset);
	else
		snprintf(buf, size, "%" PRIu64 " bytes", t->bytes);
}
