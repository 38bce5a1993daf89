// SPDX-License-Identifier: GPL-2.0-only
/* validate for people: the answer, the matrix, the evidence. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/names.h"
#include "lib/output.h"
#include "lib/table.h"
#include "lib/target_text.h"
#include "validate.h"

static const char *label(const struct validate_run *run, struct pp_bdf bdf, char *buf)
{
	return pp_inventory_label(run->inv, bdf, buf);
}

/* What a column is called: N of gpuN, or its place for a device without that. */
static void short_label(const struct validate_run *run, int i, char buf[PP_BDF_LEN])
{
	if (!strncmp(run->gpus[i].label, "gpu", 3))
		snprintf(buf, PP_BDF_LEN, "%s", run->gpus[i].label + 3);
	else
		snprintf(buf, PP_BDF_LEN, "#%d", i);
}

/* A row for each initiator; targets by their numbers, so that 16 fit a line. */
static void print_matrix(const struct validate_run *run)
{
	char name[PP_BDF_LEN], bdf[PP_BDF_LEN];

	printf("%-16s", "from \\ to");
	for (int j = 0; j < run->gpu_count; j++) {
		short_label(run, j, name);
		printf(" %3s", name);
	}
	putchar('\n');
	for (int i = 0; i < run->gpu_count; i++) {
		short_label(run, i, name);
		printf("%2s %-13s", name, pp_bdf_text(run->gpus[i].bdf, bdf));
		for (int j = 0; j < run->gpu_count; j++)
			printf(" %3s", i == j ? "-" :
				       pp_verdict_cell(validate_pair(run, i, j)->verdict));
		putchar('\n');
	}
	putchar('\n');
	for (int v = 0; v < PP_VERDICTS; v++) {
		bool used = false;

		for (int i = 0; i < run->pair_count; i++)
			used |= run->pairs[i].verdict == (enum pp_verdict)v;
		if (used)
			printf("%3s  %s\n", pp_verdict_cell((enum pp_verdict)v),
			       pp_verdict_text((enum pp_verdict)v));
	}
}

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

static void print_faults(const struct validate_run *run, const struct pp_pair_result *pair)
{
	const struct pp_fault_delta *f = &pair->faults;
	char targets[400], from[PP_BDF_LEN];

	targets_text(run, f, targets, sizeof(targets));
	printf(" faults %s%" PRIu64 "%s%s", f->inexact ? "at least " : "",
	       pp_pair_fault_count(f), targets[0] ? " on " : "", targets);
	if (f->target)
		printf(" (%" PRIu64 " by %s)", f->target, label(run, pair->target, from));
	if (f->unattributed)
		printf(" (%" PRIu64 " without an initiator)", f->unattributed);
}

static void print_operation(const struct pp_operation *op, enum pp_phase phase)
{
	printf(" %s %s", pp_phase_name(phase), pp_outcome_name(op->outcome));
	if (op->outcome == PP_OUTCOME_WRONG)
		printf(" from byte 0x%" PRIx64 ", %" PRIu64 " of %" PRIu64 " words, %s"
		       " (expected 0x%016" PRIx64 ", found 0x%016" PRIx64 ")",
		       op->diff.first * 8, op->diff.bad, op->diff.words, pp_diff_guess(&op->diff), op->diff.expected,
		       op->diff.found);
	else if (op->why[0])
		printf(", %s", op->why);
	putchar(';');
}

/* One line for a pair that is not ok. */
static void print_evidence(const struct validate_run *run, const struct pp_pair_result *pair)
{
	char from[PP_BDF_LEN], to[PP_BDF_LEN];

	printf("%s -> %s: %s:", label(run, pair->initiator, from), label(run, pair->target, to),
	       pp_verdict_name(pair->verdict));
	for (unsigned int phase = 0; phase < PP_PHASES; phase++) {
		const struct pp_operation *op = &pair->operations[phase];

		if (op->outcome != PP_OUTCOME_RIGHT && op->outcome != PP_OUTCOME_NOT_RUN)
			print_operation(op, phase);
	}
	if (pair->hung_at_end)
		printf(" all done, but the process did not end;");
	print_faults(run, pair);
	if (!pair->end.reaped)
		printf("; process %d could not be killed and was left behind", (int)pair->end.pid);
	putchar('\n');
}

static void print_weak(const struct validate_run *run)
{
	char why[256], first[256] = "";
	int n = 0;

	for (int i = 0; i < run->pair_count; i++) {
		if (!validate_weak(run, &run->pairs[i], why, sizeof(why)))
			continue;
		if (!n++)
			memcpy(first, why, sizeof(first));
	}
	if (n)
		printf("\nFault evidence is weak for %d of %d pairs: %s.\n", n, run->pair_count,
		       first);
}

/** validate_print_text - print the result of a whole validation */
void validate_print_text(const struct validate_run *run)
{
	bool first = true;

	pp_summary_print(&run->summary);
	printf("\nEach pair: write and read of %" PRIu64 " bytes by the initiator, compared by\n"
	       "the memory's owner.\n\n", run->size);
	print_matrix(run);
	for (int i = 0; i < run->pair_count; i++) {
		if (run->pairs[i].verdict == PP_VERDICT_OK)
			continue;
		if (first)
			putchar('\n');
		first = false;
		print_evidence(run, &run->pairs[i]);
	}
	print_weak(run);
}
