// SPDX-License-Identifier: GPL-2.0-only
/* The all-reduce kernels: sums on all ranks, exact. */
#include <stdio.h>

#include "harness.h"

#define KEY 0x5eed5eed5eed5eed

struct rank {
	CUdeviceptr in, work, out, flags, late, bad;
};

static struct rank ranks[MAX_GPUS];

static void prepare(int count, uint64_t words, unsigned int blocks)
{
	for (int r = 0; r < count; r++) {
		struct rank *k = &ranks[r];
		struct pp_fill f = { .stamp = { .key = KEY, .source = (uint32_t)r } };

		k->in = allocate(r, words * 8);
		k->out = allocate(r, words * 8);
		k->work = allocate(r, words * 16);
		k->flags = allocate(r, PP_COLLECTIVE_FLAGS(blocks) * 4);
		k->late = allocate(r, 8);
		k->bad = allocate(r, 8);
		f.to = dense(k->in, words * 8);
		launch(r, KERNEL_fill, &f, 1);
		wait_for(r);
		set(r, k->out, PP_POISON_BYTE, words * 8);
		set(r, k->work, PP_POISON_BYTE, words * 16);
		set(r, k->flags, 0, PP_COLLECTIVE_FLAGS(blocks) * 4);
		set(r, k->late, 0, 8);
		set(r, k->bad, 0, 8);
	}
}

static void start(enum kernel_number kernel, int count, uint64_t words, unsigned int blocks)
{
	for (int r = 0; r < count; r++) {
		/* All three kernels have the same one member. */
		struct pp_collective c = { .out = ranks[r].out, .words = words,
					   .limit_ns = 6 * LONG_NS, .late = ranks[r].late,
					   .ranks = (uint32_t)count, .rank = (uint32_t)r,
					   .blocks = blocks };

		for (int i = 0; i < count; i++) {
			c.in[i] = ranks[i].in;
			c.work[i] = ranks[i].work;
			c.flags[i] = ranks[i].flags;
		}
		launch(r, kernel, &c, blocks);
	}
}

/* Bad words of all ranks. */
static uint64_t judge(int count, uint64_t words)
{
	uint64_t all = 0, n;

	for (int r = 0; r < count; r++) {
		struct pp_check c = { .at = dense(ranks[r].out, words * 8), .bad = ranks[r].bad,
				      .stamp = { .key = KEY, .source = PP_SOURCE_SUM,
						 .ranks = (uint32_t)count } };

		wait_for(r);
		download(r, &n, ranks[r].late, 8);
		EXPECT(n == 0);
		launch(r, KERNEL_check, &c, 1);
		wait_for(r);
		download(r, &n, ranks[r].bad, 8);
		all += n;
	}
	return all;
}

static void free_all(int count)
{
	for (int r = 0; r < count; r++) {
		const CUdeviceptr all[] = { ranks[r].in, ranks[r].work, ranks[r].out,
					    ranks[r].flags, ranks[r].late, ranks[r].bad };

		use(r);
		for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
			MUST(cuMemFree_v2, all[i]);
	}
}

static uint64_t reduce(enum kernel_number kernel, int count, uint64_t words, unsigned int blocks)
{
	uint64_t bad;

	prepare(count, words, blocks);
	start(kernel, count, words, blocks);
	bad = judge(count, words);
	free_all(count);
	return bad;
}

static const enum kernel_number collectives[] = { KERNEL_one_shot, KERNEL_two_shot, KERNEL_ring };

static void sums(void)
{
	int count = this_test->gpus;

	for (int k = 0; k < 3; k++) {
		EXPECT(reduce(collectives[k], count, 1, 1) == 0);
		EXPECT(reduce(collectives[k], count, 1013, 1) == 0);
		EXPECT(reduce(collectives[k], count, 1013, 3) == 0);
	}
}

static void wrong(void)
{
	for (int k = 0; k < 3; k++) {
		uint64_t bad = reduce(collectives[k], 3, 1000, 2);

		if (!bad || bad > 9)
			fail("collective %d: %d wrong words", k, (int)bad);
	}
}

/* A rank that does not come is named, and the others end. */
static void absent(void)
{
	struct pp_collective c = { .words = 100, .limit_ns = 50000000, .ranks = 2, .rank = 0,
				   .blocks = 1 };
	uint64_t late;

	prepare(2, 100, 1);
	for (int i = 0; i < 2; i++) {
		c.in[i] = ranks[i].in;
		c.work[i] = ranks[i].work;
		c.flags[i] = ranks[i].flags;
	}
	c.out = ranks[0].out;
	c.late = ranks[0].late;
	for (int k = 0; k < 3; k++) {
		set(0, c.late, 0, 8);
		launch(0, collectives[k], &c, 1);
		wait_for(0);
		download(0, &late, c.late, 8);
		EXPECT(late == 1ULL << 1);
	}
}

const struct test tests_collective[] = {
	{ "collective: 1 rank", NULL, 1, sums, NULL },
	{ "collective: 2 ranks", NULL, 2, sums, NULL },
	{ "collective: 3 ranks", NULL, 3, sums, NULL },
	{ "collective: 4 ranks", NULL, 4, sums, NULL },
	{ "collective: 8 ranks", NULL, 8, sums, NULL },
	{ "collective: a rank that does not come", NULL, 2, absent, NULL },
	{ "collective: the switch", "collective", 3, wrong, NULL },
	{ }
};
