// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernels: see kernels.h. OpenCL C for the GPU, where clang makes kernels.ptx of
 * it; C for the CPU in the test library.
 */
#include "kernels.h"
#ifdef __OPENCL_C_VERSION__
#include "gpu.h"
#else
#include "machine.h"
#endif

/* Of all threads of all blocks. */
static inline pp_u64 pp_me(void) { return pp_block() * pp_threads() + pp_thread(); }
static inline pp_u64 pp_all(void) { return pp_blocks() * pp_threads(); }

static inline pp_u64 pp_piece_words(const struct pp_pieces *p) { return (p->len + 7) / 8; }
static inline pp_u64 pp_words(const struct pp_pieces *p) { return pp_piece_words(p) * p->count; }

/* Where word @i is; @left: bytes from there to the end of its piece. */
static inline pp_u64 pp_place(const struct pp_pieces *p, pp_u64 i, pp_u64 *left)
{
	pp_u64 per_piece = pp_piece_words(p), piece = 0, offset;

	if (p->count > 1) {
		piece = i / per_piece;
		i -= piece * per_piece;
	}
	offset = i * 8;
	*left = p->len - offset;
	return p->at + piece * p->stride + offset;
}

/*
 * Half a word at the end of a piece is completed from @expected. If it is wrong and
 * alike in a whole word, zeros, ones or poison, the word is that.
 */
static inline pp_u64 pp_get(pp_u64 at, pp_u64 left, pp_u64 expected)
{
	if (left < 8) {
		pp_u32 found = pp_load32(at);

		if (found != (pp_u32)expected &&
		    (!found || !~found || found == (pp_u32)PP_POISON_WORD))
			return (pp_u64)found << 32 | found;
		return (expected & ~0xfffffffful) | found;
	}
	if (at % 8)
		return (pp_u64)pp_load32(at + 4) << 32 | pp_load32(at);
	return pp_load64(at);
}

static inline void pp_put(pp_u64 at, pp_u64 left, pp_u64 word)
{
	if (left >= 8 && !(at % 8)) {
		pp_store64(at, word);
		return;
	}
	pp_store32(at, (pp_u32)word);
	if (left >= 8)
		pp_store32(at + 4, (pp_u32)(word >> 32));
}

PP_KERNEL void pp_fill(struct pp_fill a)
{
	pp_u64 n = pp_words(&a.to), left;

	for (pp_u64 i = pp_me(); i < n; i += pp_all()) {
		pp_u64 at = pp_place(&a.to, i, &left);

		pp_put(at, left, pp_word(&a.stamp, i));
	}
}

PP_KERNEL void pp_check(struct pp_check a)
{
	pp_u64 n = pp_words(&a.at), left, bad = 0;

	for (pp_u64 i = pp_me(); i < n; i += pp_all()) {
		pp_u64 at = pp_place(&a.at, i, &left), expected = pp_word(&a.stamp, i);

		bad += pp_get(at, left, expected) != expected;
	}
	if (bad)
		pp_add64(a.bad, bad);
}

/*
 * The device whose share @found lacks, or @ranks. Half a word that was completed
 * from what is expected never lacks one.
 */
static inline pp_u32 pp_missing(const struct pp_stamp *stamp, pp_u64 i, pp_u64 lack)
{
	pp_u32 rank = 0;

	while (rank < stamp->ranks && pp_word_of(stamp, rank, i) != lack)
		rank++;
	return rank;
}

/* What a bad word is, noted in @s if it is the first of its kind there. */
static inline enum pp_word_kind pp_kind(const struct pp_diagnose *a, struct pp_segment *s,
					pp_u64 i, pp_u64 expected, pp_u64 found)
{
	const struct pp_stamp *stamp = &a->stamp;
	pp_u64 tag = pp_unmix(found) ^ stamp->key;
	pp_u64 index = tag & ((1ul << PP_INDEX_BITS) - 1);
	pp_u32 source = (pp_u32)(tag >> PP_INDEX_BITS) & (PP_MAX_SOURCES - 1);
	pp_u32 round = (pp_u32)(tag >> (PP_INDEX_BITS + PP_SOURCE_BITS));

	if (!found)
		return PP_WORD_ZEROS;
	if (!~found)
		return PP_WORD_ONES;
	if (found == PP_POISON_WORD)
		return PP_WORD_POISON;
	if (stamp->source == PP_SOURCE_SUM) {
		pp_u32 rank = pp_missing(stamp, i, expected - found);

		if (rank == stamp->ranks)
			return PP_WORD_OTHER;
		if (!s->kinds[PP_WORD_MISSING])
			s->source = rank;
		return PP_WORD_MISSING;
	}
	/* By chance a word says that once in 2^(64 - 34 - log2(sources * rounds)). */
	if (source >= a->sources || round > stamp->round)
		return PP_WORD_OTHER;
	if (source != stamp->source) {
		if (!s->kinds[PP_WORD_FOREIGN])
			s->source = source;
		return PP_WORD_FOREIGN;
	}
	if (index == stamp->first + i) {
		if (!s->kinds[PP_WORD_STALE])
			s->round = round;
		return PP_WORD_STALE;
	}
	if (round != stamp->round)
		return PP_WORD_OTHER;
	if (!s->kinds[PP_WORD_SHIFTED])
		s->shift = index - (stamp->first + i);
	return PP_WORD_SHIFTED;
}

static inline void pp_zero_segment(struct pp_segment *s)
{
	s->words = s->bad = s->first = s->expected = s->found = 0;
	s->head_run = s->tail_run = s->longest_run = s->shift = 0;
	s->source = s->round = 0;
	for (int kind = 0; kind < PP_WORD_KINDS; kind++)
		s->kinds[kind] = 0;
}

static inline void pp_add_word(const struct pp_diagnose *a, struct pp_segment *s, pp_u64 i,
			       pp_u64 expected, pp_u64 found)
{
	s->words++;
	if (found == expected) {
		s->tail_run = 0;
		return;
	}
	if (!s->bad++) {
		s->first = i;
		s->expected = expected;
		s->found = found;
	}
	s->kinds[pp_kind(a, s, i, expected, found)]++;
	s->tail_run++;
	if (s->tail_run > s->longest_run)
		s->longest_run = s->tail_run;
	if (s->tail_run == s->words)
		s->head_run = s->words;
}

/* The struct has members of 32 bits too, which no other pointer may be used for. */
typedef pp_u64 __attribute__((__may_alias__)) pp_any64;

static inline void pp_put_segment(pp_u64 to, const struct pp_segment *s)
{
	const pp_any64 *words = (const pp_any64 *)s;

	for (pp_u64 i = 0; i < sizeof(*s) / 8; i++)
		pp_store64(to + i * 8, words[i]);
}

PP_KERNEL void pp_diagnose(struct pp_diagnose a)
{
	pp_u64 n = pp_words(&a.at), left;
	pp_u64 segments = (n + a.segment_words - 1) / a.segment_words;

	for (pp_u64 k = pp_me(); k < segments; k += pp_all()) {
		struct pp_segment s;
		pp_u64 from = k * a.segment_words, to = from + a.segment_words;

		pp_zero_segment(&s);
		for (pp_u64 i = from; i < to && i < n; i++) {
			pp_u64 at = pp_place(&a.at, i, &left), expected = pp_word(&a.stamp, i);

			pp_add_word(&a, &s, i, expected, pp_get(at, left, expected));
		}
		pp_put_segment(a.out + k * sizeof(s), &s);
	}
}

/* In the widest units that both sides allow. */
PP_KERNEL void pp_copy(struct pp_copy a)
{
	pp_u64 all = a.to.at | a.from.at | a.to.len;
	pp_u64 unit, units;

	if (a.to.count > 1)
		all |= a.to.stride | a.from.stride;
	unit = all % 16 ? all % 8 ? 4 : 8 : 16;
	units = a.to.len / unit;
	for (pp_u64 i = pp_me(); i < units * a.to.count; i += pp_all()) {
		pp_u64 piece = a.to.count > 1 ? i / units : 0;
		pp_u64 offset = (i - piece * units) * unit;
		pp_u64 to = a.to.at + piece * a.to.stride + offset;
		pp_u64 from = a.from.at + piece * a.from.stride + offset;

		if (unit == 16)
			pp_move16(to, from);
		else if (unit == 8)
			pp_store64(to, pp_load64(from));
		else
			pp_store32(to, pp_load32(from));
	}
}

static inline void pp_pause(pp_u64 ns)
{
	pp_u64 start = pp_clock_ns();

	while (ns && pp_clock_ns() - start < ns)
		;
}

/* Waits for a flag: 0, 1 when it was set at the first look, or 2 at the limit. */
static inline int pp_wait_flag(pp_u64 flag, pp_u64 limit_ns)
{
	pp_u64 start;

	if (pp_peek32(flag))
		return 1;
	start = pp_clock_ns();
	while (!pp_peek32(flag))
		if (pp_clock_ns() - start > limit_ns)
			return 2;
	return 0;
}

PP_KERNEL void pp_order_write(struct pp_order_write a)
{
	for (pp_u32 r = 0; r < a.rounds; r++, a.stamp.round++) {
		pp_u64 data = a.data + r * a.words * 8;

		/* The reader is to look before it, too. */
		pp_pause(a.pause_ns);
		for (pp_u64 i = pp_thread(); i < a.words; i += pp_threads())
			pp_store64(data + i * 8, pp_word(&a.stamp, i));
		pp_fence();
		pp_barrier();
		if (!pp_thread())
			pp_poke32(a.flags + r * 4, 1);
		pp_fence();
	}
}

PP_KERNEL void pp_order_read(struct pp_order_read a)
{
	pp_u64 report = a.report, bad, round = 0;

	pp_poke32(a.here, 1);
	for (pp_u32 r = 0; r < a.rounds; r++, a.stamp.round++, round++) {
		pp_u64 data = a.data + r * a.words * 8;
		int how = pp_wait_flag(a.flags + r * 4, a.limit_ns);

		if (how == 2) {
			pp_add64(report + 2 * 8, 1);
			return;
		}
		/* The flag first, then the data. */
		pp_fence();
		bad = 0;
		for (pp_u64 i = pp_thread(); i < a.words; i += pp_threads())
			bad += pp_peek64(data + i * 8) != pp_word(&a.stamp, i);
		pp_add64(report, 1);
		pp_add64(report + 8, how == 1);
		if (bad) {
			pp_add64(report + 3 * 8, bad);
			pp_min64(report + 4 * 8, round);
		}
	}
}

/*
 * All ranks' blocks of the same number meet: each sets a flag at every other, and
 * waits for its own. @phase: has not been used in this launch.
 */
static inline void pp_meet(const struct pp_collective *c, pp_u32 phase)
{
	pp_u64 base = (pp_block() * PP_COLLECTIVE_PHASES + phase) * PP_MAX_RANKS;

	pp_fence();
	pp_barrier();
	for (pp_u64 r = pp_thread(); r < c->ranks; r += pp_threads())
		if (r != c->rank)
			pp_poke32(c->flags[r] + (base + c->rank) * 4, 1);
	pp_fence();
	for (pp_u64 r = pp_thread(); r < c->ranks; r += pp_threads())
		if (r != c->rank && pp_wait_flag(c->flags[c->rank] + (base + r) * 4, c->limit_ns) == 2)
			pp_or64(c->late, 1ul << r);
	pp_barrier();
	pp_fence();
}

/* The words that this block cares for. */
static inline void pp_share(pp_u64 words, pp_u64 part, pp_u64 parts, pp_u64 *from, pp_u64 *to)
{
	*from = words * part / parts;
	*to = words * (part + 1) / parts;
}

static inline pp_u64 pp_sum(const struct pp_collective *c, pp_u64 i)
{
	pp_u64 sum = 0;

	for (pp_u32 r = 0; r < c->ranks; r++)
		sum += pp_peek64(c->in[r] + i * 8);
	return sum;
}

PP_KERNEL void pp_one_shot(struct pp_one_shot a)
{
	pp_u64 from, to;

	pp_meet(&a.c, 0);
	pp_share(a.c.words, pp_block(), pp_blocks(), &from, &to);
	for (pp_u64 i = from + pp_thread(); i < to; i += pp_threads())
		pp_store64(a.c.out + i * 8, pp_sum(&a.c, i));
	/* Nobody's input may be overwritten before all have read it. */
	pp_meet(&a.c, 1);
}

PP_KERNEL void pp_two_shot(struct pp_two_shot a)
{
	pp_u64 begin, end, from, to;

	pp_meet(&a.c, 0);
	pp_share(a.c.words, pp_block(), pp_blocks(), &begin, &end);
	pp_share(end - begin, a.c.rank, a.c.ranks, &from, &to);
	for (pp_u64 i = begin + from + pp_thread(); i < begin + to; i += pp_threads())
		pp_store64(a.c.work[a.c.rank] + i * 8, pp_sum(&a.c, i));
	pp_meet(&a.c, 1);
	for (pp_u32 r = 0; r < a.c.ranks; r++) {
		pp_share(end - begin, r, a.c.ranks, &from, &to);
		for (pp_u64 i = begin + from + pp_thread(); i < begin + to; i += pp_threads())
			pp_store64(a.c.out + i * 8, pp_peek64(a.c.work[r] + i * 8));
	}
	pp_meet(&a.c, 2);
}

/* Tells the next rank that a step's data is there, and waits for the one before. */
static inline void pp_step(const struct pp_collective *c, pp_u32 next, pp_u32 before, pp_u32 phase)
{
	pp_u64 base = (pp_block() * PP_COLLECTIVE_PHASES + phase) * PP_MAX_RANKS;

	pp_fence();
	pp_barrier();
	if (!pp_thread()) {
		pp_poke32(c->flags[next] + (base + c->rank) * 4, 1);
		pp_fence();
		if (pp_wait_flag(c->flags[c->rank] + (base + before) * 4, c->limit_ns) == 2)
			pp_or64(c->late, 1ul << before);
	}
	pp_barrier();
	pp_fence();
}

/*
 * Shares travel once around and are added up, then once more as results. What
 * arrives has a place of its own for each step: the first half of work for sums,
 * the second for results.
 */
PP_KERNEL void pp_ring(struct pp_ring a)
{
	pp_u32 n = a.c.ranks, me = a.c.rank, next = (me + 1) % n, before = (me + n - 1) % n;
	pp_u64 begin, end, from, to, mine = a.c.work[me], theirs = a.c.work[next];
	pp_u64 results = a.c.words * 8;

	pp_share(a.c.words, pp_block(), pp_blocks(), &begin, &end);
	pp_meet(&a.c, 0);
	for (pp_u32 s = 0; s + 1 < n; s++) {
		pp_share(end - begin, (me + n - s) % n, n, &from, &to);
		for (pp_u64 i = begin + from + pp_thread(); i < begin + to; i += pp_threads())
			pp_store64(theirs + i * 8, pp_peek64(a.c.in[me] + i * 8) +
						   (s ? pp_peek64(mine + i * 8) : 0));
		pp_step(&a.c, next, before, 1 + s);
	}
	/* The share after mine has been everywhere but here. */
	pp_share(end - begin, (me + 1) % n, n, &from, &to);
	for (pp_u64 i = begin + from + pp_thread(); i < begin + to; i += pp_threads()) {
		pp_u64 sum = pp_peek64(a.c.in[me] + i * 8) + (n > 1 ? pp_peek64(mine + i * 8) : 0);

		pp_store64(a.c.out + i * 8, sum);
		if (n > 1)
			pp_store64(theirs + results + i * 8, sum);
	}
	for (pp_u32 s = 0; s + 1 < n; s++) {
		pp_step(&a.c, next, before, n + s);
		pp_share(end - begin, (me + n - s) % n, n, &from, &to);
		for (pp_u64 i = begin + from + pp_thread(); i < begin + to; i += pp_threads()) {
			pp_u64 word = pp_peek64(mine + results + i * 8);

			pp_store64(a.c.out + i * 8, word);
			if (s + 2 < n)
				pp_store64(theirs + results + i * 8, word);
		}
	}
}

PP_KERNEL void pp_hold(struct pp_hold a)
{
	pp_wait_flag(a.flag, a.limit_ns);
}

PP_KERNEL void pp_hops(struct pp_hops a)
{
	for (pp_u64 i = pp_thread(); i < a.words; i += pp_threads())
		pp_store64(a.at + i * 8, (i + a.step) % a.words);
}

PP_KERNEL void pp_chase(struct pp_chase a)
{
	pp_u64 i = 0;

	for (pp_u64 n = 0; n < a.count; n++)
		i = pp_peek64(a.at + i * 8);
	pp_store64(a.out, i);
}
