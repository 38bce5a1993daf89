// SPDX-License-Identifier: GPL-2.0-only
/* pp_diagnose against a model that knows all words of a run by heart. */
#include <string.h>

#include "harness.h"

#define WORDS	512
#define SOURCES	3u
#define ROUNDS	4u
/* Indices before and after those of the region that words are taken from. */
#define AROUND	32

static struct pp_stamp stamp = { .key = 0x0123456789abcdef, .first = 100, .source = 1,
				 .round = ROUNDS - 1 };
static uint64_t found[WORDS];

static uint64_t word_of(uint32_t source, uint32_t round, uint64_t index)
{
	struct pp_stamp s = stamp;

	s.round = round;
	s.first = 0;
	return pp_word_of(&s, source, index);
}

/* Which word of the run it is; false for none. */
static bool look_up(uint64_t word, uint32_t *source, uint32_t *round, uint64_t *index)
{
	const uint64_t from = stamp.first - AROUND, to = stamp.first + WORDS + AROUND;

	for (*source = 0; *source < SOURCES; ++*source)
		for (*round = 0; *round < ROUNDS; ++*round)
			for (*index = from; *index < to; ++*index)
				if (word_of(*source, *round, *index) == word)
					return true;
	return false;
}

/* What word @i is, with what a segment says of the first of its kind in @detail. */
static enum pp_word_kind kind(uint64_t i, uint64_t *detail)
{
	uint32_t source, round;
	uint64_t index;

	if (found[i] == 0)
		return PP_WORD_ZEROS;
	if (found[i] == ~0ULL)
		return PP_WORD_ONES;
	if (found[i] == PP_POISON_WORD)
		return PP_WORD_POISON;
	if (stamp.source == PP_SOURCE_SUM) {
		for (*detail = 0; *detail < stamp.ranks; ++*detail)
			if (pp_word(&stamp, i) - pp_word_of(&stamp, (uint32_t)*detail, i) ==
			    found[i])
				return PP_WORD_MISSING;
		return PP_WORD_OTHER;
	}
	if (!look_up(found[i], &source, &round, &index))
		return PP_WORD_OTHER;
	*detail = source;
	if (source != stamp.source)
		return PP_WORD_FOREIGN;
	*detail = round;
	if (index == stamp.first + i)
		return PP_WORD_STALE;
	*detail = index - (stamp.first + i);
	return round == stamp.round ? PP_WORD_SHIFTED : PP_WORD_OTHER;
}

/* Word for word, from @from to before @to. */
static void model(struct pp_segment *s, uint64_t from, uint64_t to)
{
	uint64_t run = 0, detail;

	memset(s, 0, sizeof(*s));
	s->words = to - from;
	for (uint64_t i = from; i < to; i++) {
		enum pp_word_kind k;

		if (found[i] == pp_word(&stamp, i)) {
			run = 0;
			continue;
		}
		if (!s->bad) {
			s->first = i;
			s->expected = pp_word(&stamp, i);
			s->found = found[i];
		}
		s->bad++;
		run++;
		if (run > s->longest_run)
			s->longest_run = run;
		k = kind(i, &detail);
		if (!s->kinds[k]) {
			if (k == PP_WORD_FOREIGN || k == PP_WORD_MISSING)
				s->source = (uint32_t)detail;
			if (k == PP_WORD_STALE)
				s->round = (uint32_t)detail;
			if (k == PP_WORD_SHIFTED)
				s->shift = detail;
		}
		s->kinds[k]++;
	}
	s->tail_run = run;
	while (s->head_run < s->words &&
	       found[from + s->head_run] != pp_word(&stamp, from + s->head_run))
		s->head_run++;
}

/* The longest run of all, from what the segments say. */
static uint64_t merged_run(const struct pp_segment *s, uint64_t count)
{
	uint64_t longest = 0, open = 0;

	for (uint64_t k = 0; k < count; k++) {
		uint64_t joined = open + s[k].head_run;

		longest = joined > longest ? joined : longest;
		longest = s[k].longest_run > longest ? s[k].longest_run : longest;
		open = s[k].tail_run == s[k].words ? open + s[k].words : s[k].tail_run;
	}
	return longest;
}

static void diagnose(struct pp_segment *s, CUdeviceptr memory, uint64_t segment_words)
{
	uint64_t count = (WORDS + segment_words - 1) / segment_words;
	struct pp_diagnose d = { .at = dense(memory, WORDS * 8), .stamp = stamp,
				 .out = allocate(0, count * sizeof(*s)),
				 .segment_words = segment_words, .sources = SOURCES };

	set(0, d.out, 0x77, count * sizeof(*s));
	launch(0, KERNEL_diagnose, &d, 4);
	wait_for(0);
	download(0, s, d.out, count * sizeof(*s));
	MUST(cuMemFree_v2, d.out);
}

/* A random word that is wrong in some way. */
static uint64_t corrupt(uint64_t i)
{
	uint64_t index = stamp.first + i;

	switch (random_number(9)) {
	case 0: return 0;
	case 1: return ~0ULL;
	case 2: return PP_POISON_WORD;
	case 3: return word_of(1, (uint32_t)random_number(ROUNDS - 1), index);
	case 4: return word_of(1, stamp.round, index + 1 + random_number(AROUND - 1));
	case 5: return word_of(2, (uint32_t)random_number(ROUNDS), index - random_number(AROUND));
	case 6: return word_of(1, 0, index + 1);
	case 7: return pp_word(&stamp, i) - pp_word_of(&stamp, (uint32_t)random_number(3), i);
	default: return pp_word(&stamp, i) ^ 1ULL << random_number(64);
	}
}

static void random_corruptions(void)
{
	CUdeviceptr memory = allocate(0, WORDS * 8);
	static struct pp_segment s[WORDS], m;

	for (int n = 0; n < 60; n++) {
		uint64_t segment_words = 1 + random_number(n % 3 ? 40 : WORDS + 5);
		uint64_t share = random_number(101);

		stamp.source = n % 4 ? 1 : PP_SOURCE_SUM;
		stamp.ranks = n % 4 ? 0 : 3;
		for (uint64_t i = 0; i < WORDS; i++)
			found[i] = random_number(100) < share ? corrupt(i) : pp_word(&stamp, i);
		/* Long runs too, over the borders of segments. */
		if (n % 5 == 1)
			memset(found + random_number(WORDS / 2), 0, 8 * random_number(WORDS / 2));
		upload(0, memory, found, WORDS * 8);
		diagnose(s, memory, segment_words);
		for (uint64_t k = 0; k * segment_words < WORDS; k++) {
			uint64_t from = k * segment_words, to = from + segment_words;

			model(&m, from, to < WORDS ? to : WORDS);
			if (memcmp(&m, &s[k], sizeof(m)))
				fail("case %d, segment %d of %d words: bad %d, model %d", n, (int)k,
				     (int)segment_words, (int)s[k].bad, (int)m.bad);
		}
		model(&m, 0, WORDS);
		EXPECT(merged_run(s, (WORDS + segment_words - 1) / segment_words) == m.longest_run);
	}
}

/* One kind everywhere. */
static void only(CUdeviceptr memory, enum pp_word_kind k)
{
	struct pp_segment s;

	upload(0, memory, found, WORDS * 8);
	diagnose(&s, memory, WORDS);
	if (s.bad != WORDS || s.kinds[k] != WORDS || s.longest_run != WORDS || s.head_run != WORDS)
		fail("kind %d: %d bad, %d of the kind", k, (int)s.bad, (int)s.kinds[k]);
	if (k == PP_WORD_STALE)
		EXPECT(s.round == 1);
	if (k == PP_WORD_FOREIGN)
		EXPECT(s.source == 2);
	if (k == PP_WORD_MISSING)
		EXPECT(s.source == 2);
	if (k == PP_WORD_SHIFTED)
		EXPECT(s.shift == -8ULL);
}

static void each_kind(void)
{
	CUdeviceptr memory = allocate(0, WORDS * 8);

	memset(found, 0, sizeof(found));
	only(memory, PP_WORD_ZEROS);
	memset(found, 0xff, sizeof(found));
	only(memory, PP_WORD_ONES);
	memset(found, PP_POISON_BYTE, sizeof(found));
	only(memory, PP_WORD_POISON);
	for (uint64_t i = 0; i < WORDS; i++)
		found[i] = word_of(1, 1, stamp.first + i);
	only(memory, PP_WORD_STALE);
	for (uint64_t i = 0; i < WORDS; i++)
		found[i] = word_of(1, stamp.round, stamp.first + i - 8);
	only(memory, PP_WORD_SHIFTED);
	for (uint64_t i = 0; i < WORDS; i++)
		found[i] = word_of(2, stamp.round, stamp.first + i);
	only(memory, PP_WORD_FOREIGN);
	for (uint64_t i = 0; i < WORDS; i++)
		found[i] = ~pp_word(&stamp, i);
	only(memory, PP_WORD_OTHER);
	stamp.source = PP_SOURCE_SUM;
	stamp.ranks = 3;
	for (uint64_t i = 0; i < WORDS; i++)
		found[i] = pp_word_of(&stamp, 0, i) + pp_word_of(&stamp, 1, i);
	only(memory, PP_WORD_MISSING);
}

/* Pieces of 4 bytes, at addresses that are multiples of 4 only, and half words. */
static void odd_regions(void)
{
	CUdeviceptr memory = allocate(1, 8192);
	struct pp_fill f = { .stamp = stamp };
	struct pp_diagnose d = { .stamp = stamp, .out = allocate(0, sizeof(struct pp_segment)),
				 .segment_words = 1000, .sources = SOURCES };
	static const struct { uint64_t at, len, stride, count, words; } regions[] = {
		{ 4, 4096, 0, 1, 512 }, { 12, 4, 8, 100, 100 }, { 4, 20, 40, 50, 150 },
	};

	for (size_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++) {
		struct pp_segment s;

		f.to = d.at = (struct pp_pieces){ memory + regions[i].at, regions[i].len,
						  regions[i].stride, regions[i].count };
		launch(0, KERNEL_fill, &f, 2);
		launch(0, KERNEL_diagnose, &d, 1);
		wait_for(0);
		download(0, &s, d.out, sizeof(s));
		EXPECT(s.words == regions[i].words && s.bad == 0);
		set(1, memory, PP_POISON_BYTE, 8192);
		launch(0, KERNEL_diagnose, &d, 1);
		wait_for(0);
		download(0, &s, d.out, sizeof(s));
		EXPECT(s.bad == regions[i].words && s.kinds[PP_WORD_POISON] == regions[i].words);
	}
}

const struct test tests_diagnose[] = {
	{ "diagnose: each kind", NULL, 1, each_kind, NULL },
	{ "diagnose: odd regions", NULL, 2, odd_regions, NULL },
	{ "diagnose: random corruptions as the model says", NULL, 1, random_corruptions, NULL },
	{ }
};
