/* SPDX-License-Identifier: GPL-2.0-only */
/* Does P2P work now? Answered from what is known, without touching a device. */
#ifndef PEERPASS_SUMMARY_H
#define PEERPASS_SUMMARY_H

#include "inventory.h"

enum pp_works {
	PP_WORKS_YES,
	PP_WORKS_NO,
	PP_WORKS_NOT_PROVED,
};

/**
 * struct pp_summary - the answer
 * @why: a clause, no period
 * @next: the command to run next, or what to do; empty when nothing is left
 */
struct pp_summary {
	enum pp_works works;
	char why[384];
	char next[512];
};

const char *pp_works_name(enum pp_works works);
const char *pp_works_text(enum pp_works works);
void pp_summary_print(const struct pp_summary *sum);
bool pp_summary_is_peer(const struct pp_inventory *inv, const struct pp_device *dev);
void pp_summarize(const struct pp_inventory *inv, struct pp_summary *sum);

#endif /* PEERPASS_SUMMARY_H */
