// SPDX-License-Identifier: GPL-2.0-only
/* One device's new mode: asked for, noted, explained. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/names.h"
#include "lib/model_wire.h"
#include "lib/reasons.h"
#include "set.h"
#include "uapi/linux/peerpass.h"

/** set_outcome_name - as JSON has it */
const char *set_outcome_name(enum set_outcome outcome)
{
	static const char * const names[] = {
		[SET_NOT_TRIED] = "not_tried",
		[SET_DONE] = "done",
		[SET_REFUSED] = "refused",
		[SET_FAILED] = "failed",
		[SET_STUCK] = "stuck",
		[SET_UNDONE] = "undone",
	};

	return names[outcome];
}

/* What would have to be asked for to get the present state again. */
static void note_before(struct set_item *item)
{
	const struct pp_device *dev = item->dev;

	item->before = (struct pp_set_request){ .mode = PP_UNKNOWN };
	if (!dev->set_by_request)
		return;
	item->before.mode = dev->wanted;
	item->before.flags = dev->flags;
	snprintf(item->before.set, sizeof(item->before.set), "%s", dev->set);
}

/** set_run_add - one more device, unless it is in the run; -1 with @err filled in */
int set_run_add(struct set_run *run, const struct pp_device *dev,
		const struct pp_set_request *wanted, struct pp_error *err)
{
	struct set_item *items;

	for (size_t i = 0; i < run->n; i++) {
		if (run->items[i].dev == dev)
			return 0;
	}
	items = pp_grow(run->items, run->n, sizeof(*items), err);
	if (!items)
		return -1;
	run->items = items;
	items = &items[run->n++];
	memset(items, 0, sizeof(*items));
	items->dev = dev;
	items->wanted = *wanted;
	items->mode = dev->mode;
	items->why = PP_UNKNOWN;
	note_before(items);
	return 0;
}

/** set_run_free - free what @run owns */
void set_run_free(struct set_run *run)
{
	for (size_t i = 0; i < run->n; i++)
		free(run->items[i].holders.v);
	free(run->items);
}

/** set_item_note - what became of a device; the text replaces an earlier one */
void set_item_note(struct set_item *item, enum set_outcome outcome, const char *reason,
		   const char *fmt, ...)
{
	va_list ap;

	item->outcome = outcome;
	snprintf(item->reason, sizeof(item->reason), "%s", reason);
	va_start(ap, fmt);
	vsnprintf(item->text, sizeof(item->text), fmt, ap);
	va_end(ap);
}

/** set_item_obstacles - find out what is in the way: drivers of the group, processes */
void set_item_obstacles(struct set_item *item)
{
	struct pp_error ignored;

	free(item->holders.v);
	item->holders = (struct pp_holder_list){ 0 };
	pp_group_load(item->dev->bdf, &item->group);
	for (size_t i = 0; i < item->group.n; i++) {
		if (!item->group.members[i].bridge)
			pp_holders(item->group.members[i].bdf, item->group.number, &item->holders,
				   &ignored);
	}
}

static void refused(struct set_item *item, const struct pp_set_reply *reply)
{
	struct pp_device told = *item->dev;

	told.reason = reply->reason;
	snprintf(told.detail, sizeof(told.detail), "%s", reply->detail);
	set_item_note(item, SET_REFUSED, pp_name_reason(reply->reason), "%s", "");
	pp_reason_text(&told, item->text, sizeof(item->text));
	pp_reason_advice(&told, item->advice, sizeof(item->advice));
	set_item_obstacles(item);
}

/**
 * set_item_apply - ask the module for the new mode
 *
 * A refusal is noted in @item.
 *
 * Return: 0 when it was done, 1 when it was refused, -1 with @err filled in.
 */
int set_item_apply(struct set_run *run, struct set_item *item, struct pp_error *err)
{
	struct pp_set_reply reply;

	if (pp_set_mode(run->nl, item->dev->bdf, &item->wanted, &reply, err)) {
		/* It may be done yet: then that has to be taken back as well. */
		item->changed = err->code && !strcmp(err->code, "unknown_outcome");
		return -1;
	}
	if (reply.mode != PP_UNKNOWN)
		item->mode = reply.mode;
	if (reply.reason != PEERPASS_REASON_NONE) {
		refused(item, &reply);
		return 1;
	}
	item->changed = true;
	item->outcome = SET_DONE;
	item->why = reply.why;
	return 0;
}

/** set_run_has - is this one of the devices? */
bool set_run_has(const struct set_run *run, struct pp_bdf bdf)
{
	for (size_t i = 0; i < run->n; i++) {
		if (pp_bdf_equal(run->items[i].dev->bdf, bdf))
			return true;
	}
	return false;
}

/* Is each device of the list "BDF, BDF" one of ours? */
static bool all_ours(const struct set_run *run, const char *list)
{
	char copy[256], *rest, *word;
	struct pp_bdf bdf;

	snprintf(copy, sizeof(copy), "%s", list);
	for (word = strtok_r(copy, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
		if (!pp_bdf_parse(word, &bdf) || !set_run_has(run, bdf))
			return false;
	}
	return list[0];
}

/**
 * set_item_take_back - give a device the mode that it had before
 *
 * Members of one group that were set together hold each other in identity: then
 * all of them let go at once, by +group, and get their own modes after.
 *
 * Return: whether it has its mode again.
 */
bool set_item_take_back(struct set_run *run, struct set_item *item)
{
	const struct pp_set_request let_go = {
		.mode = PEERPASS_MODE_OBSERVE, .flags = PEERPASS_RULE_FLAG_GROUP,
	};
	struct pp_set_reply reply;
	struct pp_error err;

	if (pp_set_mode(run->nl, item->dev->bdf, &item->before, &reply, &err))
		return false;
	if (reply.reason == PEERPASS_REASON_GROUP_COMPANION && all_ours(run, reply.detail) &&
	    (pp_set_mode(run->nl, item->dev->bdf, &let_go, &reply, &err) || reply.reason ||
	     pp_set_mode(run->nl, item->dev->bdf, &item->before, &reply, &err)))
		return false;
	if (reply.reason)
		return false;
	item->changed = false;
	item->mode = reply.mode;
	return true;
}

/** set_run_report - print the result; returns the exit code */
int set_run_report(const struct set_run *run, bool json)
{
	int exit_code = PP_EXIT_OK;

	for (size_t i = 0; i < run->n; i++) {
		if (run->items[i].outcome != SET_DONE)
			exit_code = PP_EXIT_FAILED;
	}
	if (!json)
		set_print_text(run);
	else if (set_print_json(run, exit_code))
		exit_code = PP_EXIT_FAILED;
	return exit_code;
}
