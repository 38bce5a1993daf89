/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far two devices are apart, in the words of NCCL's NCCL_P2P_LEVEL.
 *
 * NVL and LOC are missing: peerpass is about PCI Express between two devices.
 */
#ifndef PEERPASS_DISTANCE_H
#define PEERPASS_DISTANCE_H

#include <stddef.h>

#include "acs_path.h"

/* Widest last. */
enum pp_distance {
	PP_DISTANCE_UNKNOWN,
	/* Below one switch. */
	PP_DISTANCE_PIX,
	/* Through several switches, not through a host bridge. */
	PP_DISTANCE_PXB,
	/* Through the host's bridges, on one NUMA node. */
	PP_DISTANCE_PHB,
	/* Between NUMA nodes. */
	PP_DISTANCE_SYS,
	PP_DISTANCES,
};

enum pp_distance pp_distance(const struct pp_chain *a, const struct pp_chain *b, int node_a,
			     int node_b);
enum pp_distance pp_distance_widest(const enum pp_distance *list, size_t n);
const char *pp_distance_name(enum pp_distance distance);
enum pp_distance pp_distance_from_name(const char *name);

#endif /* PEERPASS_DISTANCE_H */
