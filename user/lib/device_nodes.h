/* SPDX-License-Identifier: GPL-2.0-only */
/* The device nodes, and what else of the system, that belong to a PCI device. */
#ifndef PEERPASS_DEVICE_NODES_H
#define PEERPASS_DEVICE_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bdf.h"

#define PP_NODES_MAX 64

/**
 * struct pp_node - a device node
 * @block: a block device, otherwise a character device
 * @name: for people
 */
struct pp_node {
	uint32_t major;
	uint32_t minor;
	bool block;
	char name[64];
};

/**
 * struct pp_nodes - all of them
 * @uses: uses that no process shows: an interface that is up, a volume on a disk
 */
struct pp_nodes {
	struct pp_node v[PP_NODES_MAX];
	size_t n;
	char uses[8][96];
	size_t use_count;
};

void pp_device_nodes(struct pp_bdf bdf, int group, struct pp_nodes *nodes);
const struct pp_node *pp_node_at(const struct pp_nodes *nodes, const char *path);

#endif /* PEERPASS_DEVICE_NODES_H */
