/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exit codes. Programs rely on them: a number, once given, keeps its meaning.
 * peerpass(8) is their manual.
 */
#ifndef PEERPASS_EXIT_CODE_H
#define PEERPASS_EXIT_CODE_H

enum pp_exit {
	PP_EXIT_OK = 0,
	/* The command was understood but could not be carried out. */
	PP_EXIT_FAILED = 1,
	/* The command line is malformed; nothing was done. */
	PP_EXIT_USAGE = 2,

	/* What validate found. */
	PP_EXIT_HANG = 10,
	PP_EXIT_CORRUPT_WITH_FAULTS = 11,
	PP_EXIT_CORRUPT_WITHOUT_FAULTS = 12,
	PP_EXIT_OK_WITH_FAULTS = 13,
	PP_EXIT_INCONCLUSIVE = 14,
	PP_EXIT_NOT_USABLE = 15,

	/* A verdict file that is absent, not to be believed, or does not hold any more. */
	PP_EXIT_STALE = 16,
	/* validate would have to touch what it must not. */
	PP_EXIT_NOT_SAFE = 17,
};

#endif /* PEERPASS_EXIT_CODE_H */
