/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernels that run on the GPU, and what they are given. Each takes one
 * argument, its struct, by value; "pp_" and the name are the symbol. Any number of
 * threads and blocks will do unless it says otherwise.
 *
 * Addresses are those of the GPU, multiples of 4; lengths are bytes, multiples of 4.
 */
#ifndef PEERPASS_PTX_KERNELS_H
#define PEERPASS_PTX_KERNELS_H

#include "pattern.h"

#define PP_MAX_RANKS 16

/**
 * struct pp_pieces - @count pieces of @len bytes, each @stride after the one before
 *
 * Words are numbered from piece to piece without gap; the last word of a piece may
 * be half a word.
 */
struct pp_pieces {
	pp_u64 at;
	pp_u64 len;
	pp_u64 stride;
	pp_u64 count;
};

/* Writes the pattern. */
struct pp_fill {
	struct pp_pieces to;
	struct pp_stamp stamp;
};

/**
 * struct pp_check - counts what is not the pattern
 * @bad: address of a 64-bit counter, to which the number of bad words is added
 */
struct pp_check {
	struct pp_pieces at;
	struct pp_stamp stamp;
	pp_u64 bad;
};

/* What a bad word is. In the order in which it is decided. */
enum pp_word_kind {
	PP_WORD_ZEROS,
	/* All bits set, as a failed PCI read returns. */
	PP_WORD_ONES,
	/* The destination's poison: nothing arrived. */
	PP_WORD_POISON,
	/* Right place, right device, another round of this run. */
	PP_WORD_STALE,
	/* Right device and round, another place. */
	PP_WORD_SHIFTED,
	/* Written by another device of this run. */
	PP_WORD_FOREIGN,
	/* Of a sum: all but one device's share. */
	PP_WORD_MISSING,
	PP_WORD_OTHER,
	PP_WORD_KINDS,
};

/**
 * struct pp_segment - what is wrong in consecutive words
 * @words: how many were looked at
 * @first: index of the first bad word, meaningful with @bad only
 * @expected: what that word should have been
 * @found: what it was
 * @head_run: bad words at the very beginning, as @tail_run at the end
 * @longest_run: consecutive bad words
 * @kinds: bad words of each enum pp_word_kind
 * @source: device that wrote the first foreign word, or whose share is missing
 * @round: of the first stale word
 * @shift: of the first shifted word: found index less its own, two's complement
 */
struct pp_segment {
	pp_u64 words;
	pp_u64 bad;
	pp_u64 first;
	pp_u64 expected;
	pp_u64 found;
	pp_u64 head_run;
	pp_u64 tail_run;
	pp_u64 longest_run;
	pp_u64 kinds[PP_WORD_KINDS];
	pp_u64 shift;
	pp_u32 source;
	pp_u32 round;
};

/**
 * struct pp_diagnose - describes what is not the pattern
 * @out: address of an array of struct pp_segment
 * @segment_words: each describes so many words, the last one what is left
 * @sources: devices of the run
 */
struct pp_diagnose {
	struct pp_pieces at;
	struct pp_stamp stamp;
	pp_u64 out;
	pp_u64 segment_words;
	pp_u32 sources;
	pp_u32 unused;
};

/* Copies; the pieces are as many and as long on both sides. */
struct pp_copy {
	struct pp_pieces to;
	struct pp_pieces from;
};

/**
 * struct pp_order_write - writes data, then a flag, again and again
 * @data: @words words for each round, one round after the other
 * @flags: a 32-bit flag for each round; becomes 1
 * @rounds: stamp.round is that of the first
 * @pause_ns: before each round
 *
 * One block.
 */
struct pp_order_write {
	struct pp_stamp stamp;
	pp_u64 data;
	pp_u64 flags;
	pp_u64 words;
	pp_u64 pause_ns;
	pp_u32 rounds;
	pp_u32 unused;
};

/**
 * struct pp_order_report - what the reader saw
 * @seen: rounds whose flag it saw being set, times the number of threads
 * @early: of these, the flag was set at the first look: nothing was waited for
 * @late: threads that waited for a flag until the limit
 * @bad: words that were not there when the flag was
 * @first_bad: round of the first of them, starts as all ones
 */
struct pp_order_report {
	pp_u64 seen;
	pp_u64 early;
	pp_u64 late;
	pp_u64 bad;
	pp_u64 first_bad;
};

/**
 * struct pp_order_read - waits for each flag, then looks at the data at once
 * @here: address of a 32-bit word that becomes 1 when the reader runs
 * @limit_ns: waits no longer for one flag
 * @report: address of struct pp_order_report
 *
 * One block.
 */
struct pp_order_read {
	struct pp_stamp stamp;
	pp_u64 data;
	pp_u64 flags;
	pp_u64 words;
	pp_u64 here;
	pp_u64 limit_ns;
	pp_u64 report;
	pp_u32 rounds;
	pp_u32 unused;
};

/**
 * struct pp_collective - one rank's part of an all-reduce
 * @in: each rank's input, @words words
 * @work: each rank's buffer of @words words (two-shot) or of 2 * @words (ring)
 * @out: this rank's result, @words words
 * @flags: each rank's flags, PP_COLLECTIVE_FLAGS(@blocks) 32-bit words, zero at start
 * @limit_ns: waits no longer for one flag
 * @late: address of a 64-bit word of this rank: bit N is set when rank N was
 *	waited for until the limit
 * @blocks: as launched, the same for all ranks: block N of each rank works with
 *	blocks N of the others only
 *
 * The ranks have to run at the same time.
 */
struct pp_collective {
	pp_u64 in[PP_MAX_RANKS];
	pp_u64 work[PP_MAX_RANKS];
	pp_u64 flags[PP_MAX_RANKS];
	pp_u64 out;
	pp_u64 words;
	pp_u64 limit_ns;
	pp_u64 late;
	pp_u32 ranks;
	pp_u32 rank;
	pp_u32 blocks;
	pp_u32 unused;
};

#define PP_COLLECTIVE_PHASES (2 * PP_MAX_RANKS)
#define PP_COLLECTIVE_FLAGS(blocks) ((blocks) * PP_COLLECTIVE_PHASES * PP_MAX_RANKS)

/* Each rank reads all inputs and adds them up. */
struct pp_one_shot { struct pp_collective c; };
/* Each rank adds up its share, then reads the others' shares. */
struct pp_two_shot { struct pp_collective c; };
/* Each rank writes to the next one only. */
struct pp_ring { struct pp_collective c; };

/* Ends when the 32-bit word at @flag is not 0, or after @limit_ns. */
struct pp_hold {
	pp_u64 flag;
	pp_u64 limit_ns;
};

/* Links @words words at @at into one chain with steps of @step words. One block. */
struct pp_hops {
	pp_u64 at;
	pp_u64 words;
	pp_u64 step;
};

/* Follows a chain for @count steps and leaves its end at @out. One thread. */
struct pp_chase {
	pp_u64 at;
	pp_u64 count;
	pp_u64 out;
};

/* X() for each kernel. */
#define PP_KERNELS(X) \
	X(fill) X(check) X(diagnose) X(copy) \
	X(order_write) X(order_read) \
	X(one_shot) X(two_shot) X(ring) \
	X(hold) X(hops) X(chase)

#endif /* PEERPASS_PTX_KERNELS_H */
