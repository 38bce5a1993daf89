/* SPDX-License-Identifier: GPL-2.0-only */
/* All that is known about this host: from the module, completed from sysfs. */
#ifndef PEERPASS_INVENTORY_H
#define PEERPASS_INVENTORY_H

#include "model.h"

/**
 * struct pp_inventory - the host
 * @module: the module answered; @info and the fault counts mean something
 * @devices: ordered by address
 */
struct pp_inventory {
	bool module;
	struct pp_info info;
	struct pp_device_list devices;
	struct pp_pair_list pairs;
	struct pp_window_list windows;
};

int pp_inventory_load(struct pp_inventory *inv, struct pp_nl *nl, struct pp_error *err);
void pp_inventory_free(struct pp_inventory *inv);
struct pp_device *pp_inventory_find(const struct pp_inventory *inv, struct pp_bdf bdf);
void pp_inventory_number(struct pp_device_list *list);
const char *pp_inventory_label(const struct pp_inventory *inv, struct pp_bdf bdf,
			       char buf[PP_BDF_LEN]);

#endif /* PEERPASS_INVENTORY_H */
