// SPDX-License-Identifier: GPL-2.0-only
/*
 * set --rebind: take the drivers off, set the mode, give the drivers back. Only
 * from here is a driver ever unbound; the module never does it.
 *
 * Whatever goes wrong, and on a signal, all is put back: modes first, then
 * drivers. But for a device whose driver does not return from its remove() or
 * probe(): nothing can be done for that one, and touching it would hang as well.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/bind.h"
#include "lib/child.h"
#include "set.h"
#include "uapi/linux/peerpass.h"

/* Drivers of the group on devices that were not named. */
static bool siblings_are_free(const struct set_run *run, struct set_item *item,
			      const struct pp_group *group)
{
	char list[512] = "", bdf[PP_BDF_LEN];
	size_t used = 0;

	for (size_t i = 0; i < group->n; i++) {
		const struct pp_member *member = &group->members[i];

		if (!member->driver[0] || member->bridge || set_run_has(run, member->bdf) ||
		    used >= sizeof(list))
			continue;
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s (driver %s)",
					 used ? ", " : "", pp_bdf_text(member->bdf, bdf),
					 member->driver);
	}
	if (!used)
		return true;
	set_item_note(item, SET_REFUSED, "sibling_bound",
		      "its IOMMU group also holds %s, which is not touched", list);
	snprintf(item->advice, sizeof(item->advice),
		 "name those devices as well, or unbind their drivers");
	item->group = *group;
	return false;
}

static bool nobody_uses(struct set_item *item, int group)
{
	struct pp_error err;

	if (pp_holders(item->dev->bdf, group, &item->holders, &err)) {
		set_item_note(item, SET_FAILED, err.code, "%s", err.message);
		return false;
	}
	if (!item->holders.n)
		return true;
	set_item_note(item, SET_REFUSED, "held", "it is in use");
	snprintf(item->advice, sizeof(item->advice), "end what uses it, then try again");
	return false;
}

static bool may_begin(struct set_run *run)
{
	struct pp_group group;
	bool may = true;

	for (size_t i = 0; i < run->n; i++) {
		struct set_item *item = &run->items[i];

		pp_group_load(item->dev->bdf, &group);
		pp_driver_of(item->dev->bdf, item->driver, sizeof(item->driver));
		/* Without a driver nothing is taken from anybody. */
		if (!siblings_are_free(run, item, &group) ||
		    (item->driver[0] && !nobody_uses(item, group.number)))
			may = false;
	}
	return may;
}

static void stuck(struct set_item *item, const char *what, const struct pp_bind_result *result)
{
	set_item_note(item, SET_STUCK, "driver_stuck",
		      "its driver %s does not return from %s; process %d (state %c) is in it and was"
		      " left alone", item->driver, what, (int)result->pid, result->state);
	snprintf(item->advice, sizeof(item->advice),
		 "see the kernel log and /proc/%d/stack; if it ends, the device is without driver or "
		 "mode: peerpass status, then peerpass set again", (int)result->pid);
}

static bool unbind(struct set_run *run, struct set_item *item)
{
	struct pp_bind_result result;

	if (!item->driver[0])
		return true;
	pp_driver_unbind(item->dev->bdf, item->driver, run->timeout_s, &result);
	item->unbound = result.how == PP_BIND_DONE;
	if (result.how == PP_BIND_STUCK)
		stuck(item, "remove()", &result);
	else if (result.how == PP_BIND_FAILED)
		set_item_note(item, SET_FAILED, "unbind_failed",
			      "its driver %s could not be unbound: %s", item->driver,
			      strerror(result.error));
	return item->unbound;
}

static bool bind(struct set_run *run, struct set_item *item)
{
	struct pp_bind_result result;

	if (!item->unbound)
		return true;
	pp_driver_bind(item->dev->bdf, item->driver, run->timeout_s, &result);
	item->unbound = result.how != PP_BIND_DONE;
	if (result.how == PP_BIND_STUCK)
		stuck(item, "probe()", &result);
	else if (result.how == PP_BIND_FAILED)
		set_item_note(item, SET_FAILED, "bind_failed",
			      "its driver %s could not be bound again: %s", item->driver,
			      strerror(result.error));
	return !item->unbound;
}

static bool interrupted(struct set_item *item)
{
	if (!pp_child_interrupted())
		return false;
	set_item_note(item, SET_FAILED, "interrupted", "interrupted by a signal");
	return true;
}

static bool set(struct set_run *run, struct set_item *item)
{
	struct pp_error err = { 0 };
	int ret = set_item_apply(run, item, &err);

	if (ret < 0)
		set_item_note(item, SET_FAILED, err.code, "%s", err.message);
	/* It is done only when the driver is back. */
	if (!ret)
		item->outcome = SET_NOT_TRIED;
	return !ret;
}

static bool carry_out(struct set_run *run)
{
	for (size_t i = 0; i < run->n; i++) {
		if (!unbind(run, &run->items[i]) || interrupted(&run->items[i]))
			return false;
	}
	for (size_t i = 0; i < run->n; i++) {
		if (!set(run, &run->items[i]) || interrupted(&run->items[i]))
			return false;
	}
	for (size_t i = 0; i < run->n; i++) {
		if (!bind(run, &run->items[i]))
			return false;
	}
	return true;
}

/* Appends to what is known already: the cause stays the first thing said. */
static void not_put_back(struct set_item *item, const char *what)
{
	size_t used = strlen(item->text);

	item->put_back = SET_NOT_PUT_BACK;
	snprintf(item->text + used, sizeof(item->text) - used, "%s%s", used ? "; " : "", what);
}

static void put_mode_back(struct set_run *run, struct set_item *item)
{
	struct pp_bind_result result;

	/* It has its driver again already, and another device failed then. */
	if (item->driver[0] && !item->unbound) {
		pp_driver_unbind(item->dev->bdf, item->driver, run->timeout_s, &result);
		item->unbound = result.how == PP_BIND_DONE;
		if (!item->unbound) {
			not_put_back(item, "its driver could not be unbound once more");
			return;
		}
	}
	if (!set_item_take_back(run, item))
		not_put_back(item, "its mode could not be put back");
}

static void put_driver_back(struct set_run *run, struct set_item *item)
{
	struct pp_bind_result result;
	char what[256], bdf[PP_BDF_LEN];

	pp_driver_bind(item->dev->bdf, item->driver, run->timeout_s, &result);
	if (result.how == PP_BIND_DONE) {
		item->unbound = false;
		return;
	}
	snprintf(what, sizeof(what), "it is without its driver %.63s now (%s): "
		 "echo %s >/sys/bus/pci/drivers/%.63s/bind", item->driver,
		 result.how == PP_BIND_STUCK ? "probe() does not return" : strerror(result.error),
		 pp_bdf_text(item->dev->bdf, bdf), item->driver);
	not_put_back(item, what);
}

static void put_back(struct set_run *run)
{
	for (size_t i = run->n; i-- > 0;) {
		struct set_item *item = &run->items[i];

		if (item->outcome == SET_STUCK || (!item->unbound && !item->changed))
			continue;
		if (item->outcome == SET_NOT_TRIED)
			item->outcome = SET_UNDONE;
		item->put_back = SET_PUT_BACK;
		if (item->changed)
			put_mode_back(run, item);
	}
	/* Not before: the driver of one would hold the domain of its whole group. */
	for (size_t i = run->n; i-- > 0;) {
		struct set_item *item = &run->items[i];

		if (item->outcome != SET_STUCK && item->unbound)
			put_driver_back(run, item);
	}
}

/**
 * set_rebind - the whole of it; what became of each device is in @run
 *
 * The caller is root.
 */
void set_rebind(struct set_run *run)
{
	if (!may_begin(run))
		return;
	pp_child_signals();
	if (!carry_out(run)) {
		put_back(run);
		return;
	}
	for (size_t i = 0; i < run->n; i++)
		run->items[i].outcome = SET_DONE;
}
