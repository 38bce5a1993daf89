// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether the devices of a set of peers can reach each other, and who cannot.
 *
 * A set is whole or it is not: a collective over its devices uses every pair, and
 * one that is missing is enough to hang or to falsify it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_wire.h"
#include "names.h"
#include "peer_sets.h"
#include "reasons.h"
#include "uapi/linux/peerpass.h"

/** pp_set_state_name - as text and JSON have it */
const char *pp_set_state_name(enum pp_set_state state)
{
	return state == PP_SET_READY ? "ready" : state == PP_SET_MIXED ? "mixed" : "alone";
}

static bool is_member(const struct pp_device *dev)
{
	uint32_t mode = dev->mode == PP_UNKNOWN ? dev->wanted : dev->mode;

	return dev->present && dev->set[0] &&
	       (mode == PEERPASS_MODE_IDENTITY || mode == PEERPASS_MODE_PEER ||
		mode == PEERPASS_MODE_AUTO);
}

/* Why @from has no way to @to, empty when it has. */
static const char *no_way(const struct pp_inventory *inv, const struct pp_device *from,
			  const struct pp_device *to)
{
	size_t windows = 0;

	if (from->actual == PEERPASS_DOMAIN_TYPE_IDENTITY)
		return "";
	for (size_t i = 0; i < inv->windows.n; i++) {
		const struct pp_window *w = &inv->windows.v[i];

		if (!pp_bdf_equal(w->initiator, from->bdf) || !pp_bdf_equal(w->target, to->bdf))
			continue;
		if (w->state != PEERPASS_WINDOW_STATE_INSTALLED)
			return pp_name_window_state(w->state);
		windows++;
	}
	if (windows)
		return "";
	/* Peers missing is only another word for what is asked here. */
	if (pp_reason_given(from) && from->reason != PEERPASS_REASON_PEERS_MISSING)
		return pp_name_reason(from->reason);
	if (!from->driver[0])
		return "initiator_not_bound";
	if (pp_reason_given(to) && to->reason != PEERPASS_REASON_PEERS_MISSING)
		return pp_name_reason(to->reason);
	return "no_window";
}

static struct pp_peer_set *set_of(struct pp_set_list *sets, const char *name,
				  struct pp_error *err)
{
	struct pp_peer_set *v;

	for (size_t i = 0; i < sets->n; i++) {
		if (!strcmp(sets->v[i].name, name))
			return &sets->v[i];
	}
	v = pp_grow(sets->v, sets->n, sizeof(*v), err);
	if (!v)
		return NULL;
	sets->v = v;
	v = &v[sets->n++];
	memset(v, 0, sizeof(*v));
	memcpy(v->name, name, strnlen(name, sizeof(v->name) - 1));
	return v;
}

static int add_member(struct pp_set_list *sets, const struct pp_device *dev,
		      struct pp_error *err)
{
	struct pp_peer_set *set = set_of(sets, dev->set, err);
	struct pp_bdf *v = set ? pp_grow(set->members, set->member_count, sizeof(*v), err) : NULL;

	if (!v)
		return -1;
	set->members = v;
	v[set->member_count++] = dev->bdf;
	return 0;
}

static int add_pair(const struct pp_inventory *inv, struct pp_peer_set *set, size_t from,
		    size_t to, struct pp_error *err)
{
	const struct pp_device *a = pp_inventory_find(inv, set->members[from]);
	const struct pp_device *b = pp_inventory_find(inv, set->members[to]);
	struct pp_set_pair *v;

	if (from == to || a->flags & PEERPASS_RULE_FLAG_TARGET ||
	    b->flags & PEERPASS_RULE_FLAG_INITIATOR)
		return 0;
	v = pp_grow(set->pairs, set->pair_count, sizeof(*v), err);
	if (!v)
		return -1;
	set->pairs = v;
	v = &v[set->pair_count++];
	*v = (struct pp_set_pair){ .initiator = a->bdf, .target = b->bdf };
	snprintf(v->missing, sizeof(v->missing), "%s", no_way(inv, a, b));
	set->missing_count += v->missing[0] != '\0';
	return 0;
}

static int judge(const struct pp_inventory *inv, struct pp_peer_set *set, struct pp_error *err)
{
	for (size_t i = 0; i < set->member_count; i++) {
		for (size_t j = 0; j < set->member_count; j++) {
			if (add_pair(inv, set, i, j, err))
				return -1;
		}
	}
	set->state = !set->pair_count ? PP_SET_ALONE :
		     set->missing_count ? PP_SET_MIXED : PP_SET_READY;
	return 0;
}

/**
 * pp_peer_sets - all sets of peers, in the order of their first devices
 * @sets: to be freed, also after -1
 *
 * A pure function of @inv.
 */
int pp_peer_sets(const struct pp_inventory *inv, struct pp_set_list *sets, struct pp_error *err)
{
	*sets = (struct pp_set_list){ 0 };
	for (size_t i = 0; i < inv->devices.n; i++) {
		if (is_member(&inv->devices.v[i]) && add_member(sets, &inv->devices.v[i], err))
			return -1;
	}
	for (size_t i = 0; i < sets->n; i++) {
		if (judge(inv, &sets->v[i], err))
			return -1;
	}
	return 0;
}

/** pp_peer_sets_free - free what @sets owns */
void pp_peer_sets_free(struct pp_set_list *sets)
{
	for (size_t i = 0; i < sets->n; i++) {
		free(sets->v[i].members);
		free(sets->v[i].pairs);
	}
	free(sets->v);
	*sets = (struct pp_set_list){ 0 };
}
