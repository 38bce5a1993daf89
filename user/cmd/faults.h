/* SPDX-License-Identifier: GPL-2.0-only */
/* What the two forms of output of faults have in common. */
#ifndef PEERPASS_CMD_FAULTS_H
#define PEERPASS_CMD_FAULTS_H

#include "lib/inventory.h"

/**
 * struct faults_view - what to show
 * @shown: for each device of @inv whether its faults are shown
 * @all: no device was named
 * @matrix: initiators and their targets instead of totals
 * @sync: what waiting for the hardware's log came to
 */
struct faults_view {
	const struct pp_inventory *inv;
	const bool *shown;
	bool all;
	bool matrix;
	struct pp_sync sync;
};

bool faults_pair_shown(const struct faults_view *view, const struct pp_pair *pair);
void faults_print_text(const struct faults_view *view);
int faults_print_json(const struct faults_view *view);

#endif /* PEERPASS_CMD_FAULTS_H */
