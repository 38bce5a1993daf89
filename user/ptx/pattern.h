/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is written to prove a transfer. Compiled for the GPU, for the helper and
 * for the test library, so that the code that judges is the same everywhere.
 *
 * A word says who wrote it, in which round, and where it belongs: these three are
 * one number (the tag), which is xored with the run's random key and mixed by a
 * bijection. So no two words of a run are alike, and a word that is found where it
 * does not belong can be read back: left from an earlier round, shifted, or
 * another device's.
 */
#ifndef PEERPASS_PTX_PATTERN_H
#define PEERPASS_PTX_PATTERN_H

#ifdef __OPENCL_C_VERSION__
typedef ulong pp_u64;
typedef uint pp_u32;
#else
#include <stdint.h>
typedef uint64_t pp_u64;
typedef uint32_t pp_u32;
#endif

/* Each byte of a destination before the transfer. */
#define PP_POISON_BYTE	0x5a
#define PP_POISON_WORD	0x5a5a5a5a5a5a5a5aul

/* Bits of a tag: the word's index, below the device that wrote it, below the round. */
#define PP_INDEX_BITS	34
#define PP_SOURCE_BITS	6
#define PP_ROUND_BITS	24
#define PP_MAX_SOURCES	(1u << PP_SOURCE_BITS)
#define PP_MAX_ROUNDS	(1u << PP_ROUND_BITS)

/* Instead of a device's number in struct pp_stamp. */
#define PP_SOURCE_POISON	0x100u
/* The sum of the words of devices 0 to ranks - 1, modulo 2^64. */
#define PP_SOURCE_SUM		0x101u

/**
 * struct pp_stamp - which words are, or should be, somewhere
 * @key: random, one for a run
 * @first: index of the first word
 * @source: number of the device that writes, or one of the above
 * @round: counts the transfers of a run
 * @ranks: with PP_SOURCE_SUM only
 */
struct pp_stamp {
	pp_u64 key;
	pp_u64 first;
	pp_u32 source;
	pp_u32 round;
	pp_u32 ranks;
	pp_u32 unused;
};

/* The steps of splitmix64's finalizer; each is a bijection. */
static inline pp_u64 pp_mix(pp_u64 x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ul;
	x = (x ^ x >> 27) * 0x94d049bb133111ebul;
	return x ^ x >> 31;
}

/* And back: the factors are the inverses modulo 2^64. */
static inline pp_u64 pp_unmix(pp_u64 x)
{
	x ^= x >> 31 ^ x >> 62;
	x *= 0x319642b2d24d8ec3ul;
	x ^= x >> 27 ^ x >> 54;
	x *= 0x96de1b173f119089ul;
	return x ^ x >> 30 ^ x >> 60;
}

static inline pp_u64 pp_tag(pp_u32 source, pp_u32 round, pp_u64 index)
{
	return (pp_u64)round << (PP_INDEX_BITS + PP_SOURCE_BITS) |
	       (pp_u64)source << PP_INDEX_BITS | index;
}

/* The word of one device. */
static inline pp_u64 pp_word_of(const struct pp_stamp *stamp, pp_u32 source, pp_u64 index)
{
	return pp_mix(stamp->key ^ pp_tag(source, stamp->round, stamp->first + index));
}

/**
 * pp_word - the word that belongs at @index, counted from the stamp's first
 *
 * It is the poison, or all zeros or ones, once in 2^64: no care is taken.
 */
static inline pp_u64 pp_word(const struct pp_stamp *stamp, pp_u64 index)
{
	pp_u64 sum = 0;

	if (stamp->source == PP_SOURCE_POISON)
		return PP_POISON_WORD;
	if (stamp->source != PP_SOURCE_SUM)
		return pp_word_of(stamp, stamp->source, index);
	for (pp_u32 rank = 0; rank < stamp->ranks; rank++)
		sum += pp_word_of(stamp, rank, index);
	return sum;
}

#endif /* PEERPASS_PTX_PATTERN_H */
