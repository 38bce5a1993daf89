// SPDX-License-Identifier: GPL-2.0-only
/* What all pairs together come to. */
#include <stdio.h>
#include <string.h>

#include "lib/cure.h"
#include "lib/output.h"
#include "uapi/linux/peerpass.h"
#include "validate.h"

/** validate_pair - the result of one ordered pair, by index of its GPUs */
const struct pp_pair_result *validate_pair(const struct validate_run *run, int initiator,
					   int target)
{
	int row = initiator * (run->gpu_count - 1);

	return &run->pairs[row + (target > initiator ? target - 1 : target)];
}

/**
 * validate_weak - why the fault count of a pair proves little
 *
 * Return: false when it is as good as it gets; then @why is empty.
 */
bool validate_weak(const struct validate_run *run, const struct pp_pair_result *pair,
		   char *why, size_t size)
{
	char reasons[160];

	why[0] = '\0';
	if (run->inv->info.source == PEERPASS_FAULT_SOURCE_NONE) {
		snprintf(why, size, "faults are not counted on this system");
	} else if (!pair->faults.drained) {
		snprintf(why, size, "the hardware's log was not drained in time");
	} else if (pair->faults.inexact) {
		pp_inexact_text(pair->faults.inexact, reasons, sizeof(reasons));
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

/** validate_summarize - set @worst and @summary from the pairs */
void validate_summarize(struct validate_run *run)
{
	struct pp_summary *sum = &run->summary;
	int counts[PP_VERDICTS] = { 0 };

	run->worst = PP_VERDICT_OK;
	for (int i = 0; i < run->pair_count; i++) {
		enum pp_verdict verdict = run->pairs[i].verdict;

		counts[verdict]++;
		run->worst = verdict > run->worst ? verdict : run->worst;
	}
	snprintf(sum->why, sizeof(sum->why), "%d of %d pairs %s", counts[run->worst],
		 run->pair_count, pp_verdict_name(run->worst));
	sum->next[0] = '\0';
	switch (run->worst) {
	case PP_VERDICT_OK:
		sum->works = PP_WORKS_YES;
		return;
	case PP_VERDICT_INCONCLUSIVE:
		sum->works = PP_WORKS_NOT_PROVED;
		snprintf(sum->next, sizeof(sum->next), "see what failed below, then dmesg");
		return;
	case PP_VERDICT_NO_ACCESS:
		sum->works = PP_WORKS_NO;
		snprintf(sum->next, sizeof(sum->next), "nvidia-smi topo -p2p rw");
		return;
	case PP_VERDICT_OK_WITH_FAULTS:
		sum->works = PP_WORKS_NOT_PROVED;
		snprintf(sum->next, sizeof(sum->next), "peerpass faults --matrix");
		return;
	case PP_VERDICT_HANG:
		sum->works = PP_WORKS_NO;
		snprintf(sum->next, sizeof(sum->next), "dmesg, for Xid lines and blocked tasks");
		return;
	default:
		sum->works = PP_WORKS_NO;
		cure(run, sum->next, sizeof(sum->next));
		if (!sum->next[0])
			snprintf(sum->next, sizeof(sum->next), "peerpass status");
	}
}
