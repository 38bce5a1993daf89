// SPDX-License-Identifier: GPL-2.0-only
/* user/ptx/pattern.h by itself. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static void mix_is_undone(void)
{
	for (int i = 0; i < 100000; i++) {
		uint64_t x = random_number(~0ULL);

		EXPECT(pp_unmix(pp_mix(x)) == x);
		EXPECT(pp_mix(pp_unmix(x)) == x);
	}
	for (int bit = 0; bit < 64; bit++)
		EXPECT(pp_unmix(pp_mix(1ULL << bit)) == 1ULL << bit);
	EXPECT(pp_unmix(pp_mix(~0ULL)) == ~0ULL);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void words_are_distinct(void)
{
	enum { SOURCES = 8, ROUNDS = 8, WORDS = 1024 };
	static uint64_t words[SOURCES * ROUNDS * WORDS];
	struct pp_stamp stamp = { .key = 0x123456789abcdef0,
				  .first = (1ULL << PP_INDEX_BITS) - WORDS };
	size_t n = 0;

	for (stamp.source = 0; stamp.source < SOURCES; stamp.source++)
		for (stamp.round = 0; stamp.round < ROUNDS; stamp.round++)
			for (uint64_t i = 0; i < WORDS; i++)
				words[n++] = pp_word(&stamp, i);
	qsort(words, n, sizeof(words[0]), compare);
	for (size_t i = 1; i < n; i++)
		EXPECT(words[i - 1] != words[i]);
}

static void tag_holds_all(void)
{
	uint64_t index = (1ULL << PP_INDEX_BITS) - 1;
	uint64_t tag = pp_tag(PP_MAX_SOURCES - 1, PP_MAX_ROUNDS - 1, index);

	EXPECT(tag == ~0ULL);
	EXPECT(pp_tag(1, 0, 0) == 1ULL << PP_INDEX_BITS);
	EXPECT(pp_tag(0, 1, 0) == 1ULL << (PP_INDEX_BITS + PP_SOURCE_BITS));
	EXPECT(PP_INDEX_BITS + PP_SOURCE_BITS + PP_ROUND_BITS == 64);
}

static void sums_and_poison(void)
{
	struct pp_stamp stamp = { .key = 7, .source = PP_SOURCE_SUM, .ranks = 3, .round = 2 };
	unsigned char poison[8];
	uint64_t word;

	for (uint64_t i = 0; i < 100; i++)
		EXPECT(pp_word(&stamp, i) == pp_word_of(&stamp, 0, i) + pp_word_of(&stamp, 1, i) +
					     pp_word_of(&stamp, 2, i));
	stamp.source = PP_SOURCE_POISON;
	memset(poison, PP_POISON_BYTE, sizeof(poison));
	memcpy(&word, poison, sizeof(word));
	EXPECT(word == PP_POISON_WORD && pp_word(&stamp, 5) == PP_POISON_WORD);
}

const struct test tests_pattern[] = {
	{ "pattern: mix and unmix are inverse", NULL, 0, mix_is_undone, NULL },
	{ "pattern: no two words of a run are alike", NULL, 0, words_are_distinct, NULL },
	{ "pattern: a tag holds the largest numbers", NULL, 0, tag_holds_all, NULL },
	{ "pattern: sums and poison", NULL, 0, sums_and_poison, NULL },
	{ }
};
