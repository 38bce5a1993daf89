/* SPDX-License-Identifier: GPL-2.0-only */
/* What the evidence comes to. Pure functions. */
#ifndef PEERPASS_PROOF_JUDGE_H
#define PEERPASS_PROOF_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/exit_code.h"
#include "op.h"

/*
 * In order of severity, worst last: wrong data that nothing reports is worse than a
 * hang, which somebody notices.
 */
enum pp_verdict {
	PP_VERDICT_OK,
	PP_VERDICT_NO_ACCESS,
	PP_VERDICT_NOT_SAFE,
	PP_VERDICT_OK_WITH_FAULTS,
	PP_VERDICT_INCONCLUSIVE,
	PP_VERDICT_HANG,
	PP_VERDICT_CORRUPT_WITH_FAULTS,
	PP_VERDICT_CORRUPT_WITHOUT_FAULTS,
	PP_VERDICTS,
};

enum pp_cause {
	PP_CAUSE_NONE,
	/* Not tested. */
	PP_CAUSE_NO_MODULE,
	PP_CAUSE_FOREIGN_MAPPING,
	PP_CAUSE_MAPPING_UNKNOWN,
	PP_CAUSE_NO_PEER_ACCESS,
	/* Nothing to be said about P2P. */
	PP_CAUSE_CONTROL_FAILED,
	PP_CAUSE_CALL_FAILED,
	PP_CAUSE_DEVICE_LOST,
	PP_CAUSE_NOT_ALL_RUN,
	PP_CAUSE_CHANGED,
	/* Wrong data. */
	PP_CAUSE_DROPPED,
	PP_CAUSE_WRITES_DROPPED,
	PP_CAUSE_READS_DROPPED,
	PP_CAUSE_COPY_ENGINE,
	PP_CAUSE_SM,
	PP_CAUSE_FIRST_TRANSFER,
	PP_CAUSE_PARTLY,
	PP_CAUSE_MIRROR,
	PP_CAUSE_LATE,
	PP_CAUSE_STALE,
	PP_CAUSE_ZEROS,
	PP_CAUSE_ONES,
	PP_CAUSE_MISPLACED,
	PP_CAUSE_FOREIGN_DATA,
	PP_CAUSE_BESIDE,
	PP_CAUSE_BOTH_WAYS,
	PP_CAUSE_ORDER,
	PP_CAUSE_COLLECTIVE,
	PP_CAUSE_DAMAGED,
	/* No end. */
	PP_CAUSE_FLAG_LOST,
	PP_CAUSE_RANK_STUCK,
	PP_CAUSE_NO_ANSWER,
	PP_CAUSE_NO_END,
	/* Right data. */
	PP_CAUSE_FAULTS,
	PP_CAUSES,
};

/* What the initiator's domain maps where the target's BARs are. */
enum pp_way {
	/* Nothing, or the BARs themselves: no memory of the host can be hit. */
	PP_WAY_SAFE,
	PP_WAY_FOREIGN,
	PP_WAY_UNKNOWN,
	PP_WAY_NO_MODULE,
};

/**
 * struct pp_op_evidence - what is known about one operation
 * @planned: it is part of the proof
 * @outcome: the worst of its tests; not_run if one of them was not
 * @kind: of the first wrong words
 * @seen: PP_SEEN_ flags of all its tests
 * @bad_words: in the first wrong test, of @words
 * @wrong: tests that were wrong
 * @first_wrong: the first of them is the first transfer of the session
 */
struct pp_op_evidence {
	bool planned;
	enum pp_outcome outcome;
	enum pp_word_kind kind;
	uint32_t seen;
	uint64_t bad_words;
	uint64_t words;
	uint32_t wrong;
	bool first_wrong;
};

/**
 * struct pp_evidence - what is known about one ordered pair, or a set
 * @forced: tested although @way is not safe
 * @open: how far opening the GPUs came
 * @no_end: all was carried out, but the process did not end in time
 * @lost: a device does not answer any more
 * @faults: caused by the devices, or without a known initiator, meanwhile
 */
struct pp_evidence {
	enum pp_way way;
	bool forced;
	enum pp_outcome open;
	struct pp_op_evidence ops[PP_OPS];
	bool no_end;
	bool lost;
	uint64_t faults;
};

struct pp_judgement {
	enum pp_verdict verdict;
	enum pp_cause cause;
};

struct pp_judgement pp_judge(const struct pp_evidence *e, uint32_t ops);
struct pp_judgement pp_judge_worse(struct pp_judgement a, struct pp_judgement b);
enum pp_exit pp_verdict_exit(enum pp_verdict verdict);
const char *pp_verdict_name(enum pp_verdict verdict);
const char *pp_verdict_cell(enum pp_verdict verdict);
const char *pp_verdict_text(enum pp_verdict verdict);
const char *pp_cause_name(enum pp_cause cause);
const char *pp_cause_text(enum pp_cause cause);
const char *pp_cause_next(enum pp_cause cause);
const char *pp_outcome_name(enum pp_outcome outcome);

#endif /* PEERPASS_PROOF_JUDGE_H */
