// SPDX-License-Identifier: GPL-2.0-only
/* What is wrong with data, put together from its parts. */
#include "diagnosis.h"

static uint64_t greater(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/**
 * pp_segment_append - add the words that follow
 * @all: what came before, all zero at first
 * @next: its indices count from the beginning of all words
 */
void pp_segment_append(struct pp_segment *all, const struct pp_segment *next)
{
	if (!all->bad) {
		all->first = next->first;
		all->expected = next->expected;
		all->found = next->found;
	}
	if (!all->kinds[PP_WORD_SHIFTED])
		all->shift = next->shift;
	if (!all->kinds[PP_WORD_STALE])
		all->round = next->round;
	if (!all->kinds[PP_WORD_FOREIGN] && !all->kinds[PP_WORD_MISSING])
		all->source = next->source;
	all->longest_run = greater(greater(all->longest_run, next->longest_run),
				   all->tail_run + next->head_run);
	if (all->head_run == all->words)
		all->head_run += next->head_run;
	all->tail_run = next->tail_run == next->words ? all->tail_run + next->words :
							next->tail_run;
	all->words += next->words;
	all->bad += next->bad;
	for (int kind = 0; kind < PP_WORD_KINDS; kind++)
		all->kinds[kind] += next->kinds[kind];
}

/** pp_segment_kind - what more than nine of ten bad words are; other if nothing is */
enum pp_word_kind pp_segment_kind(const struct pp_segment *s)
{
	for (unsigned int kind = 0; kind < PP_WORD_OTHER; kind++)
		if (s->kinds[kind] * 10 > s->bad * 9)
			return (enum pp_word_kind)kind;
	return PP_WORD_OTHER;
}

/** pp_word_kind_name - the word for it, in JSON and text */
const char *pp_word_kind_name(enum pp_word_kind kind)
{
	static const char * const names[] = {
		[PP_WORD_ZEROS] = "zeros", [PP_WORD_ONES] = "ones", [PP_WORD_POISON] = "poison",
		[PP_WORD_STALE] = "stale", [PP_WORD_SHIFTED] = "shifted",
		[PP_WORD_FOREIGN] = "foreign", [PP_WORD_MISSING] = "missing",
		[PP_WORD_OTHER] = "random",
	};

	return names[kind];
}
