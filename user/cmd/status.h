/* SPDX-License-Identifier: GPL-2.0-only */
/* What the two forms of output of status have in common. */
#ifndef PEERPASS_CMD_STATUS_H
#define PEERPASS_CMD_STATUS_H

#include <jansson.h>

#include "lib/peer_sets.h"
#include "lib/summary.h"

/**
 * struct status_view - what to show
 * @shown: for each device of @inv whether it is listed
 * @sets: of peers, all that there are
 * @evidence: also say what each mode was decided from
 * @ways: also say which way each pair's transfers take
 */
struct status_view {
	const struct pp_inventory *inv;
	const bool *shown;
	struct pp_set_list sets;
	bool evidence;
	bool ways;
	struct pp_summary summary;
};

void status_print_text(const struct status_view *view);
void status_print_modes(const struct status_view *view);
void status_add_mode_json(json_t *obj, const struct pp_device *dev);
void status_print_sets(const struct status_view *view);
json_t *status_sets_json(const struct status_view *view);
void status_print_windows(const struct pp_inventory *inv);
json_t *status_windows_json(const struct pp_inventory *inv);
int status_print_json(const struct status_view *view);

#endif /* PEERPASS_CMD_STATUS_H */
