/* SPDX-License-Identifier: GPL-2.0-only */
/* What is written to prove a transfer, and how what arrived differs from it. */
#ifndef PEERPASS_PATTERN_H
#define PEERPASS_PATTERN_H

#include <stddef.h>
#include <stdint.h>

/* Each byte of a destination before the transfer. */
#define PP_POISON_BYTE	0x5a
#define PP_POISON_WORD	0x5a5a5a5a5a5a5a5aULL

/**
 * struct pp_diff - what arrived against what was sent, in 64-bit words
 * @first: index of the first bad word, meaningful when @bad is not 0
 * @expected: what the first bad word should have been
 * @found: what it was
 * @zeros: bad words that are 0
 * @ones: bad words with all bits set, as failed PCI reads return
 * @poison: bad words that still are the destination's poison
 */
struct pp_diff {
	uint64_t words;
	uint64_t bad;
	uint64_t first;
	uint64_t expected;
	uint64_t found;
	uint64_t zeros;
	uint64_t ones;
	uint64_t poison;
};

uint64_t pp_pattern_word(uint64_t nonce, uint64_t index);
void pp_pattern_fill(uint64_t *buf, size_t words, uint64_t nonce);
void pp_pattern_diff(const uint64_t *buf, size_t words, uint64_t nonce, struct pp_diff *diff);
size_t pp_poison_count(const uint64_t *buf, size_t words);
const char *pp_diff_guess(const struct pp_diff *diff);

#endif /* PEERPASS_PATTERN_H */
