// SPDX-License-Identifier: GPL-2.0-only
/* validate for people: the answer, the matrix, the evidence. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/output.h"
#include "proof/diagnosis.h"
#include "validate.h"
#include "validate_lines.h"

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
			       pp_verdict_cell(validate_pair(run, i, j)->judgement.verdict));
		putchar('\n');
	}
	putchar('\n');
	for (unsigned int v = 0; v < PP_VERDICTS; v++) {
		bool used = false;

		for (int i = 0; i < run->pair_count; i++)
			used |= run->pairs[i].judgement.verdict == v;
		if (used)
			printf("%3s  %s\n", pp_verdict_cell((enum pp_verdict)v),
			       pp_verdict_text((enum pp_verdict)v));
	}
}

static void print_scope(const struct validate_run *run)
{
	printf("\nEach pair: copies by copy engine and SM, write and read, up to %" PRIu64 " bytes\n"
	       "within %" PRIu64 ", and flags after data; compared by the memory's owner.\n\n",
	       run->scope.max_bytes, run->scope.span);
}

static void print_set(const struct validate_run *run)
{
	if (run->gpu_count > VALIDATE_MAX_SET) {
		printf("\nAll-reduce: not tested, since CUDA lets a GPU have 8 peers at once.\n");
		return;
	}
	if (!run->set_tested) {
		printf("\nAll-reduce: not tested, since not all pairs are right.\n");
		return;
	}
	printf("\nAll-reduce (one-shot, two-shot, ring) over all %d: %s", run->gpu_count,
	       pp_verdict_name(run->set_judgement.verdict));
	if (run->set_judgement.cause)
		printf(", %s", pp_cause_text(run->set_judgement.cause));
	printf(".\n");
	if (run->set_judgement.verdict != PP_VERDICT_OK)
		validate_print_session(run, run->set, 0, 0);
}

static void print_weak(const struct validate_run *run)
{
	char why[256], first[256] = "";
	int n = 0;

	for (int i = 0; i < run->pair_count; i++) {
		if (!validate_weak(run, run->pairs[i].session, why, sizeof(why)))
			continue;
		if (!n++)
			memcpy(first, why, sizeof(first));
	}
	if (n)
		printf("\nFault evidence is weak for %d of %d pairs: %s.\n", n, run->pair_count,
		       first);
}

static void print_pairs(const struct validate_run *run)
{
	bool first = true;

	for (int i = 0; i < run->pair_count; i++) {
		const struct validate_pair *p = &run->pairs[i];

		if (p->judgement.verdict == PP_VERDICT_OK)
			continue;
		if (first)
			putchar('\n');
		first = false;
		printf("%s -> %s: %s", run->gpus[p->from].label, run->gpus[p->to].label,
		       pp_verdict_name(p->judgement.verdict));
		if (p->judgement.cause)
			printf(": %s", pp_cause_text(p->judgement.cause));
		putchar('\n');
		if (p->session)
			validate_print_session(run, p->session, p->from, p->to);
	}
}

/* An Xid of a GPU under test matters also where all data is right. */
static void print_log(const struct validate_run *run)
{
	const struct pp_klog_window *log = &run->log;
	size_t n = 0;

	for (size_t i = 0; i < log->n; i++) {
		if (log->lines[i].kind == PP_KLOG_IOMMU)
			continue;
		if (!n++)
			printf("\nThe kernel logged meanwhile:\n");
		printf("    %s\n", log->lines[i].text);
	}
	if (n && log->more)
		printf("    and %" PRIu64 " more lines\n", log->more);
}

/** validate_print_text - print the result of a whole validation */
void validate_print_text(const struct validate_run *run)
{
	pp_summary_print(&run->summary);
	print_scope(run);
	print_matrix(run);
	print_pairs(run);
	for (int i = 0; i < run->gpu_count; i++)
		if (run->gpus[i].lost)
			printf("%s does not answer any more.\n", run->gpus[i].label);
	print_set(run);
	validate_print_speed(run);
	print_weak(run);
	print_log(run);
	if (run->args->soak_s)
		printf("\nTested %u times.\n", run->cycles);
}
