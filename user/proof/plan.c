// SPDX-License-Identifier: GPL-2.0-only
/* Which tests make a proof. */
#include <stdlib.h>

#include "plan.h"

/* Where something changes: page, large page, what drivers and BARs are divided into. */
static const uint64_t edges[] = { 4096, 65536, 2ull << 20, 512ull << 20, 4ull << 30 };

/* A piece is tested in each large page, wherever the edges of what is exposed are. */
#define SWEEP_STRIDE	(2ull << 20)
#define SWEEP_BYTES	256

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void add(struct pp_test_list *list, struct pp_test test)
{
	if (list->n == list->room) {
		size_t room = list->room ? 2 * list->room : 64;
		struct pp_test *v = realloc(list->v, room * sizeof(*v));

		if (!v) {
			list->failed = true;
			return;
		}
		list->v = v;
		list->room = room;
	}
	test.magic = PP_TEST_MAGIC;
	test.id = (uint32_t)list->n;
	test.target = 1;
	test.count = test.count ? test.count : 1;
	list->v[list->n++] = test;
}

static struct pp_test copy(enum pp_engine engine, enum pp_direction direction, uint64_t bytes,
			   uint64_t offset)
{
	return (struct pp_test){ .kind = PP_TEST_COPY, .engine = engine, .direction = direction,
				 .bytes = bytes, .offset = offset };
}

/* In sizes from 4 bytes to the greatest. */
static void add_sizes(struct pp_test_list *list, const struct pp_scope *scope,
		      enum pp_engine engine, enum pp_direction direction)
{
	static const uint64_t quick[] = { 4, 8, 65544 };
	static const uint64_t more[] = { 4, 8, 12, 64, 4092, 4096, 4100, 65536, 65544, 1048576,
					 1048588 };
	const uint64_t *sizes = scope->level == PP_LEVEL_QUICK ? quick : more;
	size_t n = scope->level == PP_LEVEL_QUICK ? COUNT(quick) : COUNT(more);

	/* The greatest first: it is most likely to show what is wrong. */
	add(list, copy(engine, direction, scope->max_bytes, 0));
	for (size_t i = 0; i < n && sizes[i] < scope->max_bytes; i++)
		add(list, copy(engine, direction, sizes[i], 0));
}

/* Across each edge; in more than quick tests up to it and from it as well. */
static void add_edges(struct pp_test_list *list, const struct pp_scope *scope,
		      enum pp_engine engine, enum pp_direction direction)
{
	uint64_t bytes = scope->max_bytes < 4096 ? scope->max_bytes : 4096;

	for (size_t i = 0; i < COUNT(edges); i++) {
		uint64_t edge = edges[i];

		if (edge + bytes > scope->span || edge < bytes)
			break;
		add(list, copy(engine, direction, 8, edge - 4));
		if (scope->level == PP_LEVEL_QUICK)
			continue;
		add(list, copy(engine, direction, bytes, edge - bytes / 2 / 4 * 4));
		add(list, copy(engine, direction, bytes, edge - bytes));
		add(list, copy(engine, direction, bytes, edge));
	}
}

static void add_sweep(struct pp_test_list *list, const struct pp_scope *scope,
		      enum pp_direction direction)
{
	struct pp_test test = copy(PP_ENGINE_SM, direction, SWEEP_BYTES, 0);

	test.stride = SWEEP_STRIDE;
	test.count = scope->span / SWEEP_STRIDE;
	/* At the initiator's side the pieces lie one after the other. */
	if (test.count > 1 && test.count * SWEEP_BYTES <= scope->max_bytes)
		add(list, test);
}

static const uint32_t order_rounds[] = { 4, 64, 512 };

static void add_order(struct pp_test_list *list, const struct pp_scope *scope,
		      enum pp_direction direction)
{
	add(list, (struct pp_test){ .kind = PP_TEST_ORDER, .engine = PP_ENGINE_SM,
				    .direction = direction, .rounds = order_rounds[scope->level] });
}

static void add_both(struct pp_test_list *list, const struct pp_scope *scope)
{
	for (int engine = 0; engine < PP_ENGINES; engine++) {
		for (int direction = 0; direction < PP_DIRECTIONS; direction++) {
			struct pp_test test = copy(engine, direction, scope->max_bytes, 0);

			test.both = true;
			add(list, test);
		}
	}
}

/* As nvbandwidth does, but no more than the scope allows. */
static void add_speed(struct pp_test_list *list, const struct pp_scope *scope, bool both)
{
	for (int engine = 0; engine < PP_ENGINES; engine++) {
		for (int direction = 0; direction < PP_DIRECTIONS; direction++) {
			for (unsigned int two = 0; two <= both; two++) {
				struct pp_test test = copy(engine, direction, scope->max_bytes, 0);

				test.kind = PP_TEST_SPEED;
				test.both = two;
				test.rounds = 3;
				add(list, test);
			}
		}
	}
	add(list, (struct pp_test){ .kind = PP_TEST_LATENCY, .engine = PP_ENGINE_SM,
				    .direction = PP_DIRECTION_READ, .bytes = scope->max_bytes });
}

static int finish(struct pp_test_list *list, uint32_t round)
{
	for (size_t i = 0; i < list->n; i++) {
		list->v[i].round = round;
		round += pp_test_rounds(&list->v[i]);
	}
	return list->failed ? -1 : 0;
}

/**
 * pp_scope_make - what a level comprises
 * @max_bytes: 0 for the level's own
 * @memory: bytes of each GPU that may be used; 0 for the level's own
 */
void pp_scope_make(struct pp_scope *scope, enum pp_level level, uint64_t max_bytes,
		   uint64_t memory)
{
	static const uint64_t bytes[] = { 1ull << 20, 16ull << 20, 256ull << 20 };
	static const uint64_t spans[] = { 4ull << 20, 64ull << 20, (4ull << 30) + (64ull << 20) };

	scope->level = level;
	scope->max_bytes = max_bytes ? max_bytes : bytes[level];
	scope->span = max_bytes && !memory ? 4 * max_bytes : memory ? memory : spans[level];
	if (scope->span < 3 * scope->max_bytes)
		scope->span = 3 * scope->max_bytes;
	if (scope->span < order_rounds[level] * PP_ORDER_WORDS * 8ull)
		scope->span = order_rounds[level] * PP_ORDER_WORDS * 8ull;
}

/**
 * pp_plan_pair - the tests of one ordered pair: GPU 0 of the session and GPU 1
 * @list: empty
 * @both: also both ways at once; once for two GPUs is enough
 * @first_round: of the pattern
 *
 * Return: 0, or -1 without memory. pp_plan_free() in any case.
 */
int pp_plan_pair(struct pp_test_list *list, const struct pp_scope *scope, bool both,
		 uint32_t first_round)
{
	uint64_t control = scope->max_bytes < 65536 ? scope->max_bytes : 65536;

	add(list, (struct pp_test){ .kind = PP_TEST_OPEN });
	add(list, (struct pp_test){ .kind = PP_TEST_CONTROL, .bytes = control });
	/* The target's DMA with the host as well. */
	add(list, (struct pp_test){ .kind = PP_TEST_CONTROL, .bytes = control,
				    .direction = PP_DIRECTION_READ });
	for (int engine = 0; engine < PP_ENGINES; engine++) {
		for (int direction = 0; direction < PP_DIRECTIONS; direction++) {
			add_sizes(list, scope, engine, direction);
			add_edges(list, scope, engine, direction);
		}
	}
	for (int direction = 0; direction < PP_DIRECTIONS; direction++) {
		add_sweep(list, scope, direction);
		add_order(list, scope, direction);
	}
	if (both)
		add_both(list, scope);
	if (scope->speed)
		add_speed(list, scope, both);
	return finish(list, first_round);
}

/**
 * pp_plan_set - the tests of all GPUs of a session together; otherwise as above
 */
int pp_plan_set(struct pp_test_list *list, const struct pp_scope *scope, unsigned int gpus,
		uint32_t first_round)
{
	/* A token's activations, and a prompt's. An odd number of words for each rank. */
	uint64_t sizes[] = { (2 * gpus + 1) * 8, 16384, scope->max_bytes / 8 * 8 };

	add(list, (struct pp_test){ .kind = PP_TEST_OPEN });
	for (int algorithm = 0; algorithm < PP_ALGORITHMS; algorithm++) {
		for (size_t i = 0; i < COUNT(sizes); i++) {
			if (sizes[i] > scope->max_bytes || (i + 1 < COUNT(sizes) &&
							    sizes[i] >= sizes[i + 1]))
				continue;
			add(list, (struct pp_test){ .kind = PP_TEST_COLLECTIVE,
						    .engine = PP_ENGINE_SM,
						    .algorithm = algorithm, .bytes = sizes[i] });
		}
	}
	return finish(list, first_round);
}

/** pp_plan_rounds - the first round that is free after these tests */
uint32_t pp_plan_rounds(const struct pp_test_list *list)
{
	const struct pp_test *last = list->n ? &list->v[list->n - 1] : NULL;

	return last ? last->round + pp_test_rounds(last) : 0;
}

/** pp_plan_free - free what @list owns */
void pp_plan_free(struct pp_test_list *list)
{
	free(list->v);
	*list = (struct pp_test_list){ 0 };
}

/** pp_level_name - the word for a level, in JSON and text */
const char *pp_level_name(enum pp_level level)
{
	static const char * const names[] = { "quick", "default", "full" };

	return names[level];
}
