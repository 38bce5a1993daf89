// SPDX-License-Identifier: GPL-2.0-only
/* What a terminal shows while validate works. */
#include <stdio.h>
#include <unistd.h>

#include "lib/output.h"
#include "proof/op.h"
#include "validate.h"

/* Not more often: a slow terminal must not slow the tests down. */
#define EVERY_NS 100000000ull
/* An estimate from less than this would only jump. */
#define ESTIMATE_AFTER_NS 3000000000ull

/* "about 1:20 left", from how far it came in which time; empty at first. */
static void left_text(const struct validate_run *run, int pair, size_t i, size_t n, char *buf,
		      size_t size)
{
	static uint64_t start_ns;
	uint64_t now = pp_now_ns();
	double done = (double)pair + (double)i / (double)n;
	double seconds;

	if (!start_ns)
		start_ns = now;
	buf[0] = '\0';
	if (run->args->soak_s || now - start_ns < ESTIMATE_AFTER_NS || done <= 0)
		return;
	seconds = (double)(now - start_ns) / 1e9 * ((double)run->pair_count + 1 - done) / done;
	snprintf(buf, size, ", about %d:%02d left", (int)seconds / 60, (int)seconds % 60);
}

/**
 * validate_progress - show which test comes next
 * @pair: number of the pair, counted from 0; as many as there are: all GPUs together
 * @i: number of the test of the pair's @n
 */
void validate_progress(const struct validate_run *run, int pair, const struct pp_test *test,
		       size_t i, size_t n)
{
	static uint64_t last_ns;
	char where[64] = "all GPUs", left[32];
	enum pp_op op = pp_op_of(test);
	char cycle[32] = "";
	uint64_t now = pp_now_ns();

	if (!isatty(STDERR_FILENO) || (now - last_ns < EVERY_NS && i))
		return;
	last_ns = now;
	if (pair < run->pair_count)
		snprintf(where, sizeof(where), "pair %d of %d: %s -> %s", pair + 1,
			 run->pair_count, run->gpus[run->pairs[pair].from].label,
			 run->gpus[run->pairs[pair].to].label);
	if (run->args->soak_s)
		snprintf(cycle, sizeof(cycle), "round %u, ", run->cycles + 1);
	left_text(run, pair, i, n, left, sizeof(left));
	fprintf(stderr, "\r%s%s: %s%s\033[K", cycle, where,
		op < PP_OPS ? pp_op_text(op) : "opening", left);
}

/** validate_progress_end - clear the line */
void validate_progress_end(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}
