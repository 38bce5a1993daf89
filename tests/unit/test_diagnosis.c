// SPDX-License-Identifier: GPL-2.0-only
/* What is wrong with data, put together from parts: the same as looked at as a whole. */
#include <stdlib.h>

#include "diagnosis.h"
#include "test.h"

#define WORDS 200

/* What a kernel says of words from @from to @to; @kinds: -1 for a word that is right. */
static struct pp_segment look(const int *kinds, unsigned int from, unsigned int to)
{
	struct pp_segment s = { .words = to - from };
	unsigned int run = 0;

	for (unsigned int i = from; i < to; i++) {
		if (kinds[i] < 0) {
			run = 0;
			continue;
		}
		if (!s.bad++) {
			s.first = i;
			s.expected = 1000 + i;
			s.found = 2000 + i;
		}
		if (kinds[i] == PP_WORD_STALE && !s.kinds[PP_WORD_STALE])
			s.round = 3000 + i;
		if (kinds[i] == PP_WORD_SHIFTED && !s.kinds[PP_WORD_SHIFTED])
			s.shift = 4000 + i;
		if (kinds[i] == PP_WORD_FOREIGN && !s.kinds[PP_WORD_FOREIGN])
			s.source = i;
		s.kinds[kinds[i]]++;
		run++;
		if (run > s.longest_run)
			s.longest_run = run;
		if (run == i - from + 1)
			s.head_run = run;
	}
	s.tail_run = run;
	return s;
}

static void parts_make_the_whole(void)
{
	srand(1);
	for (int round = 0; round < 20000; round++) {
		struct pp_segment whole, all = { 0 };
		unsigned int n = 1 + (unsigned int)rand() % WORDS, from = 0;
		int kinds[WORDS], wrong = rand() % 101;

		for (unsigned int i = 0; i < n; i++) {
			kinds[i] = rand() % 100 < wrong ? rand() % PP_WORD_KINDS : -1;
			/* Only sums have missing shares, and these have no foreign words. */
			if (kinds[i] == PP_WORD_MISSING)
				kinds[i] = PP_WORD_OTHER;
		}
		whole = look(kinds, 0, n);
		while (from < n) {
			unsigned int to = from + 1 + (unsigned int)rand() % (n - from);
			struct pp_segment part = look(kinds, from, to);

			pp_segment_append(&all, &part);
			from = to;
		}
		CHECK(!memcmp(&all, &whole, sizeof(all)), "round %d, %u words", round, n);
	}
}

static void kind_of_most(void)
{
	struct pp_segment s = { .words = 100, .bad = 1, .kinds[PP_WORD_STALE] = 1 };

	CHECK_STR(pp_word_kind_name(pp_segment_kind(&s)), "stale", "one word");
	s = (struct pp_segment){ .bad = 100, .kinds[PP_WORD_ZEROS] = 91,
				 .kinds[PP_WORD_OTHER] = 9 };
	CHECK_STR(pp_word_kind_name(pp_segment_kind(&s)), "zeros", "most");
	s.kinds[PP_WORD_ZEROS] = 90;
	s.kinds[PP_WORD_OTHER] = 10;
	CHECK_STR(pp_word_kind_name(pp_segment_kind(&s)), "random", "not most");
	s = (struct pp_segment){ .bad = 2, .kinds[PP_WORD_ZEROS] = 1, .kinds[PP_WORD_ONES] = 1 };
	CHECK_STR(pp_word_kind_name(pp_segment_kind(&s)), "random", "one each");
	for (unsigned int kind = 0; kind < PP_WORD_KINDS; kind++)
		CHECK(pp_word_kind_name((enum pp_word_kind)kind), "name of kind %u", kind);
}

int main(void)
{
	RUN(parts_make_the_whole);
	RUN(kind_of_most);
	return test_failures != 0;
}
