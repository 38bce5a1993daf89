// SPDX-License-Identifier: GPL-2.0-only
/* The pattern, and telling what arrived from what was sent. */
#include <stdlib.h>

#include "pattern.h"
#include "test.h"

#define WORDS 4096

static uint64_t buf[WORDS];
static struct pp_diff diff;

static void pattern_agrees_with_itself(void)
{
	pp_pattern_fill(buf, WORDS, 42);
	pp_pattern_diff(buf, WORDS, 42, &diff);
	CHECK_NUM(diff.words, WORDS, "words");
	CHECK_NUM(diff.bad, 0, "bad words");
	CHECK_STR(pp_diff_guess(&diff), "none", "guess");
}

/* Shifted, repeated or stale data must show in (nearly) every word. */
static void pattern_depends_on_place_and_nonce(void)
{
	pp_pattern_fill(buf, WORDS, 42);
	pp_pattern_diff(buf, WORDS, 43, &diff);
	CHECK_NUM(diff.bad, WORDS, "bad words with another nonce");
	pp_pattern_diff(buf + 1, WORDS - 1, 42, &diff);
	CHECK_NUM(diff.bad, WORDS - 1, "bad words when shifted by one");
	pp_pattern_diff(buf + 512, WORDS - 512, 42, &diff);
	CHECK_NUM(diff.bad, WORDS - 512, "bad words when shifted by a page");
	CHECK_STR(pp_diff_guess(&diff), "other", "guess");
}

static void pattern_finds_one_bad_word(void)
{
	for (size_t at = 0; at < WORDS; at += 511) {
		pp_pattern_fill(buf, WORDS, 7);
		buf[at] ^= 1;
		pp_pattern_diff(buf, WORDS, 7, &diff);
		CHECK_NUM(diff.bad, 1, "bad words");
		CHECK_NUM(diff.first, at, "first bad word");
		CHECK(diff.expected == pp_pattern_word(7, at) && diff.found == buf[at],
		      "expected and found");
	}
}

static void pattern_guesses(void)
{
	static const struct {
		uint64_t a;
		uint64_t b;
		const char *guess;
	} table[] = {
		{ 0, 0, "zeros" },
		{ UINT64_MAX, UINT64_MAX, "ones" },
		{ PP_POISON_WORD, PP_POISON_WORD, "poison" },
		{ 1, 1, "other" },
		{ 0, PP_POISON_WORD, "other" },
		{ 0, UINT64_MAX, "other" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		pp_pattern_fill(buf, WORDS, 1);
		buf[10] = table[i].a;
		buf[20] = table[i].b;
		pp_pattern_diff(buf, WORDS, 1, &diff);
		CHECK_NUM(diff.bad, 2, "bad words");
		CHECK_NUM(diff.first, 10, "first");
		CHECK_STR(pp_diff_guess(&diff), table[i].guess, "guess");
	}
}

static void pattern_is_never_poison(void)
{
	for (uint64_t nonce = 0; nonce < 64; nonce++) {
		for (uint64_t i = 0; i < 4096; i++) {
			uint64_t w = pp_pattern_word(nonce, i);

			CHECK(w && w != UINT64_MAX && w != PP_POISON_WORD, "word %llu",
			      (unsigned long long)i);
		}
	}
	/* The nonce that makes splitmix64 give 0 for the first word. */
	CHECK(pp_pattern_word(-0x9e3779b97f4a7c15ULL, 0) != 0, "the word that would be zero");
}

static void pattern_counts_poison(void)
{
	memset(buf, PP_POISON_BYTE, sizeof(buf));
	CHECK_NUM(pp_poison_count(buf, WORDS), WORDS, "all poison");
	buf[5] = 0;
	CHECK_NUM(pp_poison_count(buf, WORDS), WORDS - 1, "one word less");
}

int main(void)
{
	RUN(pattern_agrees_with_itself);
	RUN(pattern_depends_on_place_and_nonce);
	RUN(pattern_finds_one_bad_word);
	RUN(pattern_guesses);
	RUN(pattern_is_never_poison);
	RUN(pattern_counts_poison);
	return test_failures != 0;
}
