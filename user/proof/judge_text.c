// SPDX-License-Identifier: GPL-2.0-only
/* Verdicts, causes and outcomes in words. */
#include "judge.h"

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
	[PP_VERDICT_NOT_SAFE] = {
		"not_safe_to_test", "!", "not tested: memory of the host could be hit",
		PP_EXIT_NOT_SAFE,
	},
	[PP_VERDICT_OK_WITH_FAULTS] = {
		"ok_with_faults", "okF", "data right, but faults", PP_EXIT_OK_WITH_FAULTS,
	},
	[PP_VERDICT_INCONCLUSIVE] = {
		"inconclusive", "?", "not decided: the control copy or a call failed",
		PP_EXIT_INCONCLUSIVE,
	},
	[PP_VERDICT_HANG] = {
		"hang", "H", "no end within the time limit", PP_EXIT_HANG,
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

#define SEE_STATUS "peerpass status"
#define SEE_LOG "dmesg, for Xid and AER lines"
#define SEE_TOPO "nvidia-smi topo -p2p rw"
#define OPEN_A_WAY "peerpass set DEV... auto:NAME"
#define KEEP_OFF "keep P2P off (NCCL_P2P_DISABLE=1) and report it with this file"

static const struct {
	const char *name;
	const char *text;
	const char *next;
} causes[PP_CAUSES] = {
	[PP_CAUSE_NONE] = { "none", "", "" },
	[PP_CAUSE_NO_MODULE] = {
		"no_module", "without the module nobody can tell what a transfer would hit",
		"modprobe peerpass",
	},
	[PP_CAUSE_FOREIGN_MAPPING] = {
		"foreign_mapping",
		"the initiator's domain maps something else where the target's BARs are",
		OPEN_A_WAY,
	},
	[PP_CAUSE_MAPPING_UNKNOWN] = {
		"mapping_unknown",
		"nothing keeps memory of the host out of where the target's BARs are",
		OPEN_A_WAY,
	},
	[PP_CAUSE_NO_PEER_ACCESS] = { "no_peer_access", "CUDA refuses peer access", SEE_TOPO },
	[PP_CAUSE_CONTROL_FAILED] = {
		"control_failed", "the copy through the host failed too: not P2P's fault", SEE_LOG,
	},
	[PP_CAUSE_CALL_FAILED] = { "call_failed", "a call of CUDA failed", SEE_LOG },
	[PP_CAUSE_DEVICE_LOST] = {
		"device_lost", "a GPU does not answer any more", SEE_LOG "; then reset the GPU",
	},
	[PP_CAUSE_NOT_ALL_RUN] = { "not_all_run", "not all tests were run", SEE_LOG },
	[PP_CAUSE_CHANGED] = {
		"changed", "module, windows, domains or modes changed during the test",
		"peerpass validate",
	},
	[PP_CAUSE_DROPPED] = { "dropped", "nothing arrives", SEE_STATUS },
	[PP_CAUSE_WRITES_DROPPED] = { "writes_dropped", "only reads arrive", SEE_STATUS },
	[PP_CAUSE_READS_DROPPED] = {
		"reads_dropped", "only writes arrive, as where a root complex passes no reads",
		SEE_STATUS,
	},
	[PP_CAUSE_COPY_ENGINE] = {
		"copy_engine_only", "only what the copy engine does is lost", KEEP_OFF,
	},
	[PP_CAUSE_SM] = {
		"sm_only", "only what kernels load and store is lost", KEEP_OFF,
	},
	[PP_CAUSE_FIRST_TRANSFER] = {
		"first_transfer", "the very first transfer is lost, later ones arrive", KEEP_OFF,
	},
	[PP_CAUSE_PARTLY] = { "partly", "a part of the data does not arrive", KEEP_OFF },
	[PP_CAUSE_MIRROR] = {
		"mirror", "the writer reads its own data back, the owner does not have it",
		KEEP_OFF,
	},
	[PP_CAUSE_LATE] = {
		"late", "data arrives after the transfer was reported as done", KEEP_OFF,
	},
	[PP_CAUSE_STALE] = { "stale", "data of an earlier transfer arrives", KEEP_OFF },
	[PP_CAUSE_ZEROS] = { "zeros", "zeros arrive", SEE_STATUS },
	[PP_CAUSE_ONES] = {
		"ones", "all bits set arrive, as from a read that failed", SEE_STATUS,
	},
	[PP_CAUSE_MISPLACED] = { "misplaced", "data arrives at another place", KEEP_OFF },
	[PP_CAUSE_FOREIGN_DATA] = {
		"foreign_data", "data of the other GPU's own arrives", KEEP_OFF,
	},
	[PP_CAUSE_BESIDE] = {
		"beside", "something is written beside the destination", KEEP_OFF,
	},
	[PP_CAUSE_BOTH_WAYS] = {
		"both_ways", "data is wrong only when both write or read at once", KEEP_OFF,
	},
	[PP_CAUSE_ORDER] = {
		"order", "a flag is seen before the data that was written before it", KEEP_OFF,
	},
	[PP_CAUSE_COLLECTIVE] = {
		"collective", "copies are right, an all-reduce is wrong", KEEP_OFF,
	},
	[PP_CAUSE_DAMAGED] = { "damaged", "some words are wrong", KEEP_OFF },
	[PP_CAUSE_FLAG_LOST] = {
		"flag_lost", "a kernel waited in vain for another GPU's flag", KEEP_OFF,
	},
	[PP_CAUSE_RANK_STUCK] = {
		"rank_stuck", "an all-reduce waited in vain for a GPU", KEEP_OFF,
	},
	[PP_CAUSE_NO_ANSWER] = {
		"no_answer", "a test did not end and was killed", SEE_LOG,
	},
	[PP_CAUSE_NO_END] = {
		"no_end", "all was tested, but the process did not end", SEE_LOG,
	},
	[PP_CAUSE_FAULTS] = {
		"faults", "data is right, yet the IOMMU reports faults",
		"peerpass faults --matrix",
	},
};

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

/** pp_cause_name - the word for programs */
const char *pp_cause_name(enum pp_cause cause)
{
	return causes[cause].name;
}

/** pp_cause_text - the same for people, no period at its end */
const char *pp_cause_text(enum pp_cause cause)
{
	return causes[cause].text;
}

/** pp_cause_next - what to do about it: a command, or words; empty without any */
const char *pp_cause_next(enum pp_cause cause)
{
	return causes[cause].next;
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
