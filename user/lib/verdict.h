/* SPDX-License-Identifier: GPL-2.0-only */
/* What the evidence about a pair comes to. Pure functions. */
#ifndef PEERPASS_VERDICT_H
#define PEERPASS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exit_code.h"

/*
 * In order of severity, worst last: wrong data that nothing reports is worse
 * than a hang, which somebody notices.
 */
enum pp_verdict {
	PP_VERDICT_OK,
	PP_VERDICT_NO_ACCESS,
	PP_VERDICT_OK_WITH_FAULTS,
	PP_VERDICT_INCONCLUSIVE,
	PP_VERDICT_HANG,
	PP_VERDICT_CORRUPT_WITH_FAULTS,
	PP_VERDICT_CORRUPT_WITHOUT_FAULTS,
	PP_VERDICTS,
};

/* How far one operation (write, read) or the control arm came. */
enum pp_outcome {
	/* Not started. */
	PP_OUTCOME_NOT_RUN,
	/* Carried out, data compared and right. */
	PP_OUTCOME_RIGHT,
	/* Carried out, data compared and wrong. */
	PP_OUTCOME_WRONG,
	/* A call failed, or the process ended: no data was compared. */
	PP_OUTCOME_FAILED,
	/* Killed at the time limit. */
	PP_OUTCOME_HUNG,
	/* CUDA says that the pair cannot do it. Control only. */
	PP_OUTCOME_NO_ACCESS,
};

/**
 * struct pp_evidence - what is known about one ordered pair
 * @control: the host-staged copy that shows that the two devices work at all
 * @hung_at_end: all was carried out, but the process did not end in time
 * @faults: caused by the two devices, or without a known initiator, meanwhile
 */
struct pp_evidence {
	enum pp_outcome control;
	enum pp_outcome write;
	enum pp_outcome read;
	bool hung_at_end;
	uint64_t faults;
};

enum pp_verdict pp_verdict(const struct pp_evidence *e);
enum pp_exit pp_verdict_exit(enum pp_verdict verdict);
enum pp_verdict pp_verdict_worst(const enum pp_verdict *verdicts, size_t n);
const char *pp_verdict_name(enum pp_verdict verdict);
const char *pp_verdict_cell(enum pp_verdict verdict);
const char *pp_verdict_text(enum pp_verdict verdict);
const char *pp_outcome_name(enum pp_outcome outcome);

#endif /* PEERPASS_VERDICT_H */
