/* SPDX-License-Identifier: GPL-2.0-only */
/* A PCI Express function as its link, its error counters and its presence show it. */
#ifndef PEERPASS_DEVICE_FACTS_H
#define PEERPASS_DEVICE_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "bdf.h"

/**
 * struct pp_link - the link above a function, as it is now
 * @speed: "32.0 GT/s PCIe", the kernel's words; empty when not known
 * @width: lanes, 0 when not known
 */
struct pp_link {
	char speed[32];
	unsigned int width;
};

/**
 * struct pp_replays - how often the function had to send something again
 *
 * Counted by AER since the device was found: of the rows of aer_dev_correctable,
 * Rollover is REPLAY_NUM Rollover, Timeout is Replay Timer Timeout (PCI Express
 * Base Specification, 6.2.7).
 *
 * @known: both rows could be read; a function without AER has none
 */
struct pp_replays {
	bool known;
	uint64_t rollover;
	uint64_t timeout;
};

enum pp_device_state {
	PP_DEVICE_PRESENT,
	/* sysfs has no such function. */
	PP_DEVICE_GONE,
	/* It is listed, but does not answer: every bit that is read is 1. */
	PP_DEVICE_ALL_ONES,
	/* It is listed; whether it answers cannot be read. */
	PP_DEVICE_UNREADABLE,
};

void pp_link_read(struct pp_bdf bdf, struct pp_link *link);
void pp_replays_read(struct pp_bdf bdf, struct pp_replays *replays);
bool pp_replays_row(const char *line, struct pp_replays *replays, unsigned int *rows);
enum pp_device_state pp_device_state(struct pp_bdf bdf);
const char *pp_device_state_name(enum pp_device_state state);

json_t *pp_json_link(const struct pp_link *link);
json_t *pp_json_replays(const struct pp_replays *replays);

#endif /* PEERPASS_DEVICE_FACTS_H */
