// SPDX-License-Identifier: GPL-2.0-only
/* Which tests make a proof: all that they touch is within what was allocated. */
#include "op.h"
#include "plan.h"
#include "test.h"

static const struct {
	enum pp_level level;
	uint64_t max_bytes;
	uint64_t memory;
} scopes[] = {
	{ PP_LEVEL_QUICK, 0, 0 }, { PP_LEVEL_DEFAULT, 0, 0 }, { PP_LEVEL_FULL, 0, 0 },
	{ PP_LEVEL_QUICK, 8, 0 }, { PP_LEVEL_DEFAULT, 8, 0 }, { PP_LEVEL_FULL, 16, 16 },
	{ PP_LEVEL_QUICK, 4096, 0 }, { PP_LEVEL_DEFAULT, 65536, 1ull << 33 },
	{ PP_LEVEL_FULL, 1ull << 30, 1ull << 36 }, { PP_LEVEL_FULL, 0, 8 },
};

#define SCOPES (sizeof(scopes) / sizeof(scopes[0]))

static struct pp_scope scope(size_t i)
{
	struct pp_scope s = { .speed = true };

	pp_scope_make(&s, scopes[i].level, scopes[i].max_bytes, scopes[i].memory);
	return s;
}

/* The memory across the bus has @span bytes, that at the initiator's side @max_bytes. */
static void check_copy(const struct pp_test *t, const struct pp_scope *s)
{
	uint64_t end = t->offset + (t->count - 1) * t->stride + t->bytes;

	CHECK(t->bytes && t->bytes % 4 == 0 && t->offset % 4 == 0, "%llu at %llu",
	      (unsigned long long)t->bytes, (unsigned long long)t->offset);
	CHECK(end <= s->span, "%llu of %llu", (unsigned long long)end,
	      (unsigned long long)s->span);
	CHECK(t->bytes * t->count <= s->max_bytes, "%llu pieces of %llu",
	      (unsigned long long)t->count, (unsigned long long)t->bytes);
	CHECK(t->count == 1 || t->stride >= t->bytes, "overlap");
}

static void pairs_stay_within(void)
{
	for (size_t i = 0; i < SCOPES; i++) {
		struct pp_scope s = scope(i);
		struct pp_test_list list = { 0 };

		CHECK(s.span >= 3 * s.max_bytes && s.max_bytes % 8 == 0, "scope %zu", i);
		CHECK(!pp_plan_pair(&list, &s, true, 7), "plan %zu", i);
		CHECK(list.n && list.v[0].kind == PP_TEST_OPEN &&
		      list.v[1].kind == PP_TEST_CONTROL, "order of plan %zu", i);
		for (size_t k = 1; k < list.n; k++) {
			const struct pp_test *t = &list.v[k];

			CHECK(t->id == k && t->magic == PP_TEST_MAGIC, "id");
			if (t->kind != PP_TEST_ORDER)
				check_copy(t, &s);
			else
				CHECK(t->rounds && t->rounds <= 512 &&
				      t->rounds * PP_ORDER_WORDS * 8ull <= s.span, "rounds");
		}
		pp_plan_free(&list);
	}
}

/* No two transfers may write the same words, or old data could pass for new. */
static void rounds_do_not_overlap(void)
{
	struct pp_scope s = scope(1);
	struct pp_test_list pair = { 0 }, set = { 0 };
	uint32_t next = 1000;

	CHECK(!pp_plan_pair(&pair, &s, true, next), "plan");
	for (size_t k = 0; k < pair.n; k++) {
		CHECK_NUM(pair.v[k].round, next, "round");
		next += pp_test_rounds(&pair.v[k]);
	}
	CHECK_NUM(pp_plan_rounds(&pair), next, "the next one that is free");
	CHECK(!pp_plan_set(&set, &s, 4, next), "plan of a set");
	CHECK_NUM(set.v[0].round, next, "first round of the set");
	CHECK(pp_plan_rounds(&set) > next, "rounds of the set");
	pp_plan_free(&pair);
	pp_plan_free(&set);
}

static void pairs_have_all_operations(void)
{
	for (size_t i = 0; i < SCOPES; i++) {
		struct pp_scope s = scope(i);
		struct pp_test_list list = { 0 };
		uint32_t ops = 0;

		pp_plan_pair(&list, &s, true, 0);
		for (size_t k = 1; k < list.n; k++)
			ops |= PP_OP_BIT(pp_op_of(&list.v[k]));
		CHECK_NUM(ops, PP_OPS_PAIR | PP_OP_BIT(PP_OP_CONTROL), "operations");
		pp_plan_free(&list);
		pp_plan_pair(&list, &s, false, 0);
		ops = 0;
		for (size_t k = 1; k < list.n; k++)
			ops |= PP_OP_BIT(pp_op_of(&list.v[k]));
		CHECK_NUM(ops, (PP_OPS_PAIR | PP_OP_BIT(PP_OP_CONTROL)) & ~PP_OPS_BOTH,
			  "without both ways");
		pp_plan_free(&list);
	}
}

/* Is there a transfer by that engine, in that direction, across @edge? */
static bool crosses(const struct pp_test_list *list, int engine, int direction, uint64_t edge)
{
	for (size_t k = 0; k < list->n; k++) {
		const struct pp_test *t = &list->v[k];

		if (t->kind == PP_TEST_COPY && !t->both && (int)t->engine == engine &&
		    (int)t->direction == direction && t->offset < edge &&
		    t->offset + t->bytes > edge)
			return true;
	}
	return false;
}

static void edges_are_crossed(void)
{
	static const uint64_t edges[] = { 4096, 65536, 2ull << 20, 512ull << 20, 4ull << 30 };

	for (size_t i = 0; i < SCOPES; i++) {
		struct pp_scope s = scope(i);
		struct pp_test_list list = { 0 };

		pp_plan_pair(&list, &s, true, 0);
		for (size_t e = 0; e < sizeof(edges) / sizeof(edges[0]); e++)
			for (int way = 0; way < 4 && edges[e] + 4096 <= s.span &&
					  s.max_bytes >= 8; way++)
				CHECK(crosses(&list, way / 2, way % 2, edges[e]),
				      "scope %zu: edge %llu", i, (unsigned long long)edges[e]);
		pp_plan_free(&list);
	}
}

static void sizes_from_4_bytes_to_the_greatest(void)
{
	struct pp_scope s = scope(2);
	struct pp_test_list list = { 0 };
	bool least = false, most = false;

	pp_plan_pair(&list, &s, true, 0);
	for (size_t k = 0; k < list.n; k++) {
		least |= list.v[k].kind == PP_TEST_COPY && list.v[k].bytes == 4;
		most |= list.v[k].kind == PP_TEST_COPY && list.v[k].bytes == s.max_bytes;
	}
	CHECK(least && most, "least %d most %d", least, most);
	pp_plan_free(&list);
}

/* The result, and twice as much to work in, lie in what the others reach. */
static void sets_stay_within(void)
{
	for (size_t i = 0; i < SCOPES; i++) {
		for (unsigned int gpus = 2; gpus <= PP_MAX_RANKS; gpus++) {
			struct pp_scope s = scope(i);
			struct pp_test_list list = { 0 };
			uint32_t ops = 0;

			CHECK(!pp_plan_set(&list, &s, gpus, 0), "plan");
			for (size_t k = 1; k < list.n; k++) {
				CHECK(list.v[k].bytes && list.v[k].bytes % 8 == 0 &&
				      list.v[k].bytes <= s.max_bytes &&
				      3 * list.v[k].bytes <= s.span, "bytes");
				ops |= PP_OP_BIT(pp_op_of(&list.v[k]));
			}
			CHECK_NUM(ops, PP_OPS_COLLECTIVE, "operations");
			pp_plan_free(&list);
		}
	}
}

int main(void)
{
	RUN(pairs_stay_within);
	RUN(rounds_do_not_overlap);
	RUN(pairs_have_all_operations);
	RUN(edges_are_crossed);
	RUN(sizes_from_4_bytes_to_the_greatest);
	RUN(sets_stay_within);
	return test_failures != 0;
}
