// SPDX-License-Identifier: GPL-2.0-only
/* What the evidence about a pair comes to. */
#include "verdict.h"

static const struct {
	const char *name;
	const char *cell;
	const char *text;
	enum pp_exit exit_code;
} verdicts[PP_VERDICTS] = {
	[PP_VERDICT_OK] = {
		"ok", "ok", "data right, no faults", PP_EXIT_OK,
	},
	[PP_VERDICT_NO_ACCESS] = {
		"no_access", "na", "CUDA says that this pair cannot do P2P", PP_EXIT_NOT_USABLE,
	},
	[PP_VERDICT_OK_WITH_FAULTS] = {
		"ok_with_faults", "okF", "data right, but faults", PP_EXIT_OK_WITH_FAULTS,
	},
	[PP_VERDICT_INCONCLUSIVE] = {
		"inconclusive", "?", "not decided: the control copy or a call failed",
		PP_EXIT_INCONCLUSIVE,
	},
	[PP_VERDICT_HANG] = {
		"hang", "H", "killed at the time limit", PP_EXIT_HANG,
	},
	[PP_VERDICT_CORRUPT_WITH_FAULTS] = {
		"corrupt_with_faults", "XF", "data wrong, and faults",
		PP_EXIT_CORRUPT_WITH_FAULTS,
	},
	[PP_VERDICT_CORRUPT_WITHOUT_FAULTS] = {
		"corrupt_without_faults", "X", "data wrong, no fault reported",
		PP_EXIT_CORRUPT_WITHOUT_FAULTS,
	},
};

/**
 * pp_verdict - the verdict on one ordered pair
 *
 * Wrong data says nothing about P2P when the control copy failed too. Zero
 * faults never makes data right.
 */
enum pp_verdict pp_verdict(const struct pp_evidence *e)
{
	if (e->control == PP_OUTCOME_NO_ACCESS)
		return PP_VERDICT_NO_ACCESS;
	if (e->control == PP_OUTCOME_HUNG)
		return PP_VERDICT_HANG;
	if (e->control != PP_OUTCOME_RIGHT)
		return PP_VERDICT_INCONCLUSIVE;
	if (e->write == PP_OUTCOME_WRONG || e->read == PP_OUTCOME_WRONG)
		return e->faults ? PP_VERDICT_CORRUPT_WITH_FAULTS :
				   PP_VERDICT_CORRUPT_WITHOUT_FAULTS;
	if (e->write == PP_OUTCOME_HUNG || e->read == PP_OUTCOME_HUNG || e->hung_at_end)
		return PP_VERDICT_HANG;
	if (e->write != PP_OUTCOME_RIGHT || e->read != PP_OUTCOME_RIGHT)
		return PP_VERDICT_INCONCLUSIVE;
	return e->faults ? PP_VERDICT_OK_WITH_FAULTS : PP_VERDICT_OK;
}

/** pp_verdict_worst - the most severe of @n verdicts; ok when there is none */
enum pp_verdict pp_verdict_worst(const enum pp_verdict *list, size_t n)
{
	enum pp_verdict worst = PP_VERDICT_OK;

	for (size_t i = 0; i < n; i++)
		worst = list[i] > worst ? list[i] : worst;
	return worst;
}

/** pp_verdict_exit - the exit code when this is the worst verdict */
enum pp_exit pp_verdict_exit(enum pp_verdict verdict)
{
	return verdicts[verdict].exit_code;
}

/** pp_verdict_name - the word for programs */
const char *pp_verdict_name(enum pp_verdict verdict)
{
	return verdicts[verdict].name;
}

/** pp_verdict_cell - at most three characters, for the matrix */
const char *pp_verdict_cell(enum pp_verdict verdict)
{
	return verdicts[verdict].cell;
}

/** pp_verdict_text - for the legend */
const char *pp_verdict_text(enum pp_verdict verdict)
{
	return verdicts[verdict].text;
}

/** pp_outcome_name - the word for an outcome, in JSON and text */
const char *pp_outcome_name(enum pp_outcome outcome)
{
	static const char * const names[] = {
		[PP_OUTCOME_NOT_RUN] = "not_run", [PP_OUTCOME_RIGHT] = "right",
		[PP_OUTCOME_WRONG] = "wrong", [PP_OUTCOME_FAILED] = "failed",
		[PP_OUTCOME_HUNG] = "hung", [PP_OUTCOME_NO_ACCESS] = "no_access",
	};

	return names[outcome];
}
