// SPDX-License-Identifier: GPL-2.0-only
/*
 * How far two devices are apart, as NCCL 2.26 to 2.30 counts it.
 *
 * NCCL's tree has a node for each switch, two bridges above what hangs on it
 * (its upstream port; the downstream port in between is none), and one for each
 * NUMA node, which all that is left hangs on. It goes by sysfs' paths and the
 * text of numa_node only, so two host bridges of one NUMA node are PHB, and so
 * are two devices whose node is -1. What NCCL calls nearer than this (it merges
 * some nested switches) is included in the level named here.
 */
#include <string.h>

#include "distance.h"

static const char * const names[PP_DISTANCES] = {
	[PP_DISTANCE_UNKNOWN] = "unknown",
	[PP_DISTANCE_PIX] = "PIX",
	[PP_DISTANCE_PXB] = "PXB",
	[PP_DISTANCE_PHB] = "PHB",
	[PP_DISTANCE_SYS] = "SYS",
};

/* The first switch above the device that is above the other one too. */
static bool common_switch(const struct pp_chain *a, const struct pp_chain *b, bool *nearest)
{
	for (int i = (int)a->n - 2; i >= 0; i -= 2) {
		for (int j = (int)b->n - 2; j >= 0; j -= 2) {
			if (!pp_bdf_equal(a->ports[i].bdf, b->ports[j].bdf))
				continue;
			*nearest = i == (int)a->n - 2 && j == (int)b->n - 2;
			return true;
		}
	}
	return false;
}

/**
 * pp_distance - between two devices
 * @node_a: NUMA node as sysfs has it, -1 for none
 *
 * Unknown when the bridges above one are not known or too many.
 */
enum pp_distance pp_distance(const struct pp_chain *a, const struct pp_chain *b, int node_a,
			     int node_b)
{
	bool nearest;

	if (!a->root[0] || !b->root[0] || a->n >= PP_CHAIN_MAX || b->n >= PP_CHAIN_MAX)
		return PP_DISTANCE_UNKNOWN;
	if (common_switch(a, b, &nearest))
		return nearest ? PP_DISTANCE_PIX : PP_DISTANCE_PXB;
	return node_a == node_b ? PP_DISTANCE_PHB : PP_DISTANCE_SYS;
}

/** pp_distance_widest - of @n; unknown ones do not count, unknown if there is no other */
enum pp_distance pp_distance_widest(const enum pp_distance *list, size_t n)
{
	enum pp_distance widest = PP_DISTANCE_UNKNOWN;

	for (size_t i = 0; i < n; i++)
		widest = list[i] > widest ? list[i] : widest;
	return widest;
}

/** pp_distance_name - NCCL's word, or "unknown" */
const char *pp_distance_name(enum pp_distance distance)
{
	return names[distance];
}

/** pp_distance_from_name - the distance of that name, unknown for any other */
enum pp_distance pp_distance_from_name(const char *name)
{
	for (int d = PP_DISTANCE_PIX; d < PP_DISTANCES; d++) {
		if (!strcmp(names[d], name))
			return (enum pp_distance)d;
	}
	return PP_DISTANCE_UNKNOWN;
}
