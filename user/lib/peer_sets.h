/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the devices of a set of peers can reach each other, and who cannot. */
#ifndef PEERPASS_PEER_SETS_H
#define PEERPASS_PEER_SETS_H

#include "inventory.h"

enum pp_set_state {
	/* Every ordered pair that may reach each other has its way. */
	PP_SET_READY,
	PP_SET_MIXED,
	/* There is no pair. */
	PP_SET_ALONE,
};

/**
 * struct pp_set_pair - an ordered pair of a set
 * @missing: why there is no way, empty when there is one; as pp_name_reason() and
 *	pp_name_window_state() have it, or "initiator_not_bound", "no_window"
 */
struct pp_set_pair {
	struct pp_bdf initiator;
	struct pp_bdf target;
	char missing[32];
};

/**
 * struct pp_peer_set - a set
 * @members: owned; ordered by address
 * @pairs: owned; those that may reach each other
 */
struct pp_peer_set {
	char name[32];
	enum pp_set_state state;
	struct pp_bdf *members;
	size_t member_count;
	struct pp_set_pair *pairs;
	size_t pair_count;
	size_t missing_count;
};

struct pp_set_list {
	struct pp_peer_set *v;
	size_t n;
};

const char *pp_set_state_name(enum pp_set_state state);
int pp_peer_sets(const struct pp_inventory *inv, struct pp_set_list *sets, struct pp_error *err);
void pp_peer_sets_free(struct pp_set_list *sets);

#endif /* PEERPASS_PEER_SETS_H */
