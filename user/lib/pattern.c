// SPDX-License-Identifier: GPL-2.0-only
/* What is written to prove a transfer, and how what arrived differs from it. */
#include <string.h>

#include "pattern.h"

/**
 * pp_pattern_word - the word that belongs at @index
 *
 * Depends on the position, so that shifted or repeated data shows, and on the
 * nonce, so that what an earlier transfer left behind shows. The mixing steps
 * are those of splitmix64. Never the poison, never all zeros or ones: these are
 * left to mean what they say.
 */
uint64_t pp_pattern_word(uint64_t nonce, uint64_t index)
{
	uint64_t x = nonce + (index + 1) * 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	x ^= x >> 31;
	return x && x != UINT64_MAX && x != PP_POISON_WORD ? x : 0x0123456789abcdefULL ^ index;
}

/** pp_pattern_fill - write the pattern of @nonce */
void pp_pattern_fill(uint64_t *buf, size_t words, uint64_t nonce)
{
	for (size_t i = 0; i < words; i++)
		buf[i] = pp_pattern_word(nonce, i);
}

/** pp_pattern_diff - compare with the pattern of @nonce */
void pp_pattern_diff(const uint64_t *buf, size_t words, uint64_t nonce, struct pp_diff *diff)
{
	memset(diff, 0, sizeof(*diff));
	diff->words = words;
	for (size_t i = 0; i < words; i++) {
		uint64_t expected = pp_pattern_word(nonce, i);

		if (buf[i] == expected)
			continue;
		if (!diff->bad++) {
			diff->first = i;
			diff->expected = expected;
			diff->found = buf[i];
		}
		diff->zeros += buf[i] == 0;
		diff->ones += buf[i] == UINT64_MAX;
		diff->poison += buf[i] == PP_POISON_WORD;
	}
}

/** pp_poison_count - how many words are poison */
size_t pp_poison_count(const uint64_t *buf, size_t words)
{
	size_t n = 0;

	for (size_t i = 0; i < words; i++)
		n += buf[i] == PP_POISON_WORD;
	return n;
}

/**
 * pp_diff_guess - what the bad words have in common
 *
 * Return: "none" without any, "poison" (nothing arrived), "zeros", "ones", or
 * "other".
 */
const char *pp_diff_guess(const struct pp_diff *diff)
{
	if (!diff->bad)
		return "none";
	if (diff->poison == diff->bad)
		return "poison";
	if (diff->zeros == diff->bad)
		return "zeros";
	return diff->ones == diff->bad ? "ones" : "other";
}
