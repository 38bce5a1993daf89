// SPDX-License-Identifier: GPL-2.0-only
/* The details of validate's text: what was wrong, and how fast it was. */
#include <inttypes.h>
#include <stdio.h>

#include "lib/target_text.h"
#include "proof/diagnosis.h"
#include "validate_lines.h"

/* "gpu1 BAR1 512, host_ram 3": what the initiator hit, and how often. */
static void targets_text(const struct validate_run *run, const struct pp_fault_delta *faults,
			 char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < faults->target_len && used < size; i++) {
		const struct pp_pair *row = &faults->targets[i];
		char name[PP_TARGET_LEN];

		used += (size_t)snprintf(buf + used, size - used, "%s%s %" PRIu64,
					 used ? ", " : "", pp_target_text(run->inv, row, name),
					 row->read + row->write + row->other);
	}
	if (faults->more_targets && used < size)
		snprintf(buf + used, size - used, " and %zu more", faults->more_targets);
}

static void print_faults(const struct validate_run *run, const struct pp_session_result *s,
			 int to)
{
	const struct pp_fault_delta *f = &s->faults;
	char targets[400];

	if (!f->counted)
		return;
	targets_text(run, f, targets, sizeof(targets));
	printf("    faults: %s%" PRIu64 "%s%s", f->inexact ? "at least " : "", pp_faults_of(f),
	       targets[0] ? " on " : "", targets);
	if (f->target)
		printf(" (%" PRIu64 " by %s)", f->target, run->gpus[to].label);
	if (f->unattributed)
		printf(" (%" PRIu64 " without an initiator)", f->unattributed);
	putchar('\n');
}

static void print_diff(const struct pp_test_result *r)
{
	const struct pp_segment *d = &r->diff;

	if (d->bad)
		printf(" from byte 0x%" PRIx64 ", %" PRIu64 " of %" PRIu64 " words, up to %" PRIu64
		       " in a row, %s (expected 0x%016" PRIx64 ", found 0x%016" PRIx64 ")",
		       d->first * 8, d->bad, d->words, d->longest_run,
		       pp_word_kind_name(pp_segment_kind(d)), d->expected, d->found);
	if (r->order.bad)
		printf(", in round %" PRIu64 " %" PRIu64 " words were not there when the flag was",
		       r->order.first_bad, r->order.bad);
}

static void print_seen(uint32_t seen)
{
	static const struct { uint32_t flag; const char *text; } texts[] = {
		{ PP_SEEN_LATE, "right a moment later" },
		{ PP_SEEN_MIRROR, "the writer reads it back as right" },
		{ PP_SEEN_BESIDE, "written beside the destination" },
		{ PP_SEEN_NO_FLAG, "a flag never came" },
		{ PP_SEEN_WAY_BACK, "on the way back" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (seen & texts[i].flag)
			printf(", %s", texts[i].text);
}

static void print_op(const struct pp_op_result *op, enum pp_op number)
{
	char test[64];

	printf("    %s: %s", pp_op_text(number), pp_outcome_name(op->outcome));
	if (op->wrong)
		printf(" in %u of %u tests", op->wrong, op->tests);
	if (op->test.magic) {
		pp_test_text(&op->test, test, sizeof(test));
		printf(", first with %s:", test);
		print_diff(&op->result);
		print_seen(op->result.seen);
		if (op->result.why[0])
			printf(" %s", op->result.why);
		if (op->test_faults.counted)
			printf(" (faults %" PRIu64 ")", pp_faults_of(&op->test_faults));
	}
	putchar('\n');
}

/**
 * validate_print_session - what was not right in a session
 * @from: index of the initiator, as @to; any when all GPUs took part
 */
void validate_print_session(const struct validate_run *run, const struct pp_session_result *s,
			    int from, int to)
{
	(void)from;
	if (s->why[0])
		printf("    %s\n", s->why);
	for (unsigned int op = 0; op < PP_OPS; op++)
		if (s->ops[op].tests && s->ops[op].outcome != PP_OUTCOME_RIGHT &&
		    s->ops[op].outcome != PP_OUTCOME_NOT_RUN)
			print_op(&s->ops[op], (enum pp_op)op);
	if (s->no_end)
		printf("    all done, but the process did not end\n");
	if (!s->end.reaped)
		printf("    process %d could not be killed and was left behind\n", (int)s->end.pid);
	print_faults(run, s, to);
}

/* GB/s, 10^9 bytes, as nvbandwidth has it. */
static void speed_text(const struct pp_speed *speed, char *buf, size_t size)
{
	if (speed->ns)
		snprintf(buf, size, "%.2f", (double)speed->bytes / (double)speed->ns);
	else
		snprintf(buf, size, "-");
}

/** validate_print_speed - bandwidth and latency of each pair; nothing when not measured */
void validate_print_speed(const struct validate_run *run)
{
	bool first = true;

	for (int i = 0; i < run->pair_count; i++) {
		const struct validate_pair *p = &run->pairs[i];
		char cells[6][16], name[2 * PP_BDF_LEN];

		if (!p->session || !p->session->latency_ps)
			continue;
		if (first)
			printf("\nGB/s%17s CE: %7s %7s %7s SM: %7s %7s %7s  ns\n", "", "write",
			       "read", "both", "write", "read", "both");
		first = false;
		for (unsigned int e = 0; e < PP_ENGINES; e++) {
			speed_text(&p->session->speed[e][0][0], cells[3 * e], 16);
			speed_text(&p->session->speed[e][1][0], cells[3 * e + 1], 16);
			speed_text(&p->session->speed[e][0][1], cells[3 * e + 2], 16);
		}
		snprintf(name, sizeof(name), "%s -> %s", run->gpus[p->from].label,
			 run->gpus[p->to].label);
		printf("%-25s %7s %7s %7s     %7s %7s %7s %3.0f\n", name, cells[0], cells[1],
		       cells[2], cells[3], cells[4], cells[5],
		       (double)p->session->latency_ps / 1000);
	}
}
