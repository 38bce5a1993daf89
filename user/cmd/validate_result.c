// SPDX-License-Identifier: GPL-2.0-only
/* What all pairs, and all GPUs together, come to. */
#include <stdio.h>
#include <string.h>

#include "lib/cure.h"
#include "lib/output.h"
#include "uapi/linux/peerpass.h"
#include "validate.h"

/** validate_pair - one ordered pair, by index of its GPUs */
const struct validate_pair *validate_pair(const struct validate_run *run, int from, int to)
{
	int row = from * (run->gpu_count - 1);

	return &run->pairs[row + (to > from ? to - 1 : to)];
}

/**
 * validate_weak - why the fault count of a session proves little
 * @session: may be NULL: it was not run
 *
 * Return: false when it is as good as it gets; then @why is empty.
 */
bool validate_weak(const struct validate_run *run, const struct pp_session_result *session,
		   char *why, size_t size)
{
	char reasons[160];

	why[0] = '\0';
	if (!session)
		return false;
	if (!run->nl) {
		snprintf(why, size, "faults are not counted without the module");
	} else if (run->inv->info.source == PEERPASS_FAULT_SOURCE_NONE) {
		snprintf(why, size, "faults are not counted on this system");
	} else if (!session->faults.drained) {
		snprintf(why, size, "the hardware's log was not drained in time");
	} else if (session->faults.inexact) {
		pp_inexact_text(session->faults.inexact, reasons, sizeof(reasons));
		snprintf(why, size, "counts are a lower bound (%s)", reasons);
	}
	return why[0];
}

static void cure(const struct validate_run *run, char *buf, size_t size)
{
	struct pp_bdf gpus[PP_MAX_GPUS];

	for (int i = 0; i < run->gpu_count; i++)
		gpus[i] = run->gpus[i].bdf;
	pp_cure(run->inv, gpus, (size_t)run->gpu_count, buf, size);
}

static bool translation_may_be_why(enum pp_cause cause)
{
	return cause == PP_CAUSE_DROPPED || cause == PP_CAUSE_WRITES_DROPPED ||
	       cause == PP_CAUSE_READS_DROPPED || cause == PP_CAUSE_ZEROS ||
	       cause == PP_CAUSE_ONES || cause == PP_CAUSE_MAPPING_UNKNOWN;
}

static enum pp_works works(enum pp_verdict verdict)
{
	switch (verdict) {
	case PP_VERDICT_OK:
		return PP_WORKS_YES;
	case PP_VERDICT_INCONCLUSIVE:
	case PP_VERDICT_NOT_SAFE:
	case PP_VERDICT_OK_WITH_FAULTS:
		return PP_WORKS_NOT_PROVED;
	default:
		return PP_WORKS_NO;
	}
}

/** validate_summarize - set @worst and @summary from the pairs and the set */
void validate_summarize(struct validate_run *run)
{
	struct pp_summary *sum = &run->summary;
	int counts[PP_VERDICTS] = { 0 };
	bool set = run->set_tested;

	run->worst = (struct pp_judgement){ 0 };
	for (int i = 0; i < run->pair_count; i++) {
		const struct pp_judgement *j = &run->pairs[i].judgement;

		counts[j->verdict]++;
		run->worst = pp_judge_worse(run->worst, *j);
	}
	set = set && run->set_judgement.verdict > run->worst.verdict;
	if (set)
		run->worst = run->set_judgement;
	if (set)
		snprintf(sum->why, sizeof(sum->why), "pairs are right, all GPUs together %s: %s",
			 pp_verdict_name(run->worst.verdict), pp_cause_text(run->worst.cause));
	else
		snprintf(sum->why, sizeof(sum->why), "%d of %d pairs %s%s%s",
			 counts[run->worst.verdict], run->pair_count,
			 pp_verdict_name(run->worst.verdict), run->worst.cause ? ": " : "",
			 pp_cause_text(run->worst.cause));
	sum->works = works(run->worst.verdict);
	sum->next[0] = '\0';
	if (translation_may_be_why(run->worst.cause))
		cure(run, sum->next, sizeof(sum->next));
	if (run->worst.cause == PP_CAUSE_NO_MODULE) {
		snprintf(sum->why, sizeof(sum->why), "%.300s, and so nobody can tell what a transfer "
			 "would hit", run->no_module.message);
		snprintf(sum->next, sizeof(sum->next), "%s", run->no_module.hint);
	}
	if (!sum->next[0])
		snprintf(sum->next, sizeof(sum->next), "%s", pp_cause_next(run->worst.cause));
}

/** validate_distrust - what was tested changed meanwhile: the verdict is on nothing */
void validate_distrust(struct validate_run *run)
{
	struct pp_summary *sum = &run->summary;

	run->worst = (struct pp_judgement){ .verdict = PP_VERDICT_INCONCLUSIVE,
					    .cause = PP_CAUSE_CHANGED };
	sum->works = PP_WORKS_NOT_PROVED;
	snprintf(sum->why, sizeof(sum->why), "%s", pp_cause_text(PP_CAUSE_CHANGED));
	snprintf(sum->next, sizeof(sum->next), "%s", pp_cause_next(PP_CAUSE_CHANGED));
}
