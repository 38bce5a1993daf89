/* SPDX-License-Identifier: GPL-2.0-only */
/* What set and restore have in common: devices, what became of each, output. */
#ifndef PEERPASS_CMD_SET_H
#define PEERPASS_CMD_SET_H

#include "lib/group.h"
#include "lib/holders.h"
#include "lib/inventory.h"
#include "lib/mode_arg.h"

enum set_outcome {
	SET_NOT_TRIED,
	SET_DONE,
	/* Nothing was changed; the reason says why. */
	SET_REFUSED,
	SET_FAILED,
	/* A driver's remove() or probe() does not return. */
	SET_STUCK,
	/* It was all right, but another device was not: taken back. */
	SET_UNDONE,
};

enum set_put_back {
	/* There was nothing to put back. */
	SET_NOT_NEEDED,
	SET_PUT_BACK,
	SET_NOT_PUT_BACK,
};

/**
 * struct set_item - one device
 * @wanted: what it is to become
 * @before: what it was, in the same words
 * @mode: enum peerpass_mode in force now, PP_UNKNOWN if not known, as for @why
 * @reason: word for programs, empty unless something is wrong
 * @text: the same for people
 * @driver: to be bound again, empty without one
 * @unbound: its driver was taken off, and is not back yet
 * @changed: its mode is @wanted
 * @group: of the device; read when there is something to explain
 * @holders: owned; the same
 */
struct set_item {
	const struct pp_device *dev;
	struct pp_set_request wanted;
	struct pp_set_request before;
	enum set_outcome outcome;
	enum set_put_back put_back;
	uint32_t mode;
	uint32_t why;
	char reason[32];
	char text[768];
	char advice[384];
	char driver[64];
	bool unbound;
	bool changed;
	struct pp_group group;
	struct pp_holder_list holders;
};

/**
 * struct set_run - one command
 * @schema: of its JSON object
 * @items: owned
 * @timeout_s: for one unbinding or binding
 */
struct set_run {
	const char *schema;
	const struct pp_inventory *inv;
	struct pp_nl *nl;
	struct set_item *items;
	size_t n;
	unsigned int timeout_s;
};

int set_run_add(struct set_run *run, const struct pp_device *dev,
		const struct pp_set_request *wanted, struct pp_error *err);
void set_run_free(struct set_run *run);
int set_item_apply(struct set_run *run, struct set_item *item, struct pp_error *err);
bool set_item_take_back(struct set_run *run, struct set_item *item);
bool set_run_has(const struct set_run *run, struct pp_bdf bdf);
void set_item_note(struct set_item *item, enum set_outcome outcome, const char *reason,
		   const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void set_item_obstacles(struct set_item *item);
int set_run_report(const struct set_run *run, bool json);

void set_rebind(struct set_run *run);

const char *set_outcome_name(enum set_outcome outcome);
void set_print_text(const struct set_run *run);
int set_print_json(const struct set_run *run, int exit_code);

#endif /* PEERPASS_CMD_SET_H */
