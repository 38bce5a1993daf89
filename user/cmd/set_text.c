// SPDX-License-Identifier: GPL-2.0-only
/* set and restore for people: a line for each device, then what is in the way. */
#include <stdio.h>

#include "lib/counting_text.h"
#include "lib/decision_text.h"
#include "lib/names.h"
#include "set.h"
#include "uapi/linux/peerpass.h"

/* "auto: peer, because ..." out of the module's answer. */
static void print_done(const struct set_item *item)
{
	struct pp_device now = *item->dev;
	char text[1024], wanted[PP_MODE_LEN];

	now.mode = item->mode;
	now.why = item->why;
	now.wanted = item->wanted.mode;
	now.reason = PP_UNKNOWN;
	now.forced = false;
	now.set_by_request = false;
	if (item->wanted.mode == PEERPASS_MODE_AUTO) {
		pp_decision_text(&now, text, sizeof(text));
		puts(text);
		return;
	}
	pp_mode_text(&item->wanted, wanted);
	if (item->mode == PP_UNKNOWN || item->mode == item->wanted.mode)
		puts(wanted);
	else
		printf("%s: %s\n", wanted, pp_name_mode(item->mode));
}

static void print_obstacles(const struct set_item *item)
{
	char bdf[PP_BDF_LEN];

	for (size_t i = 0; i < item->group.n; i++) {
		const struct pp_member *member = &item->group.members[i];

		if (member->driver[0] && !member->bridge)
			printf("      in the way: driver %s on %s\n", member->driver,
			       pp_bdf_text(member->bdf, bdf));
	}
	for (size_t i = 0; i < item->holders.n; i++) {
		const struct pp_holder *holder = &item->holders.v[i];

		pp_bdf_text(holder->bdf, bdf);
		if (!holder->pid) {
			printf("      in the way: %s: %s\n", bdf, holder->what);
			continue;
		}
		printf("      in the way: process %d (%s) uses %s of %s%s%s\n", (int)holder->pid,
		       holder->command[0] ? holder->command : "?", holder->what, bdf,
		       holder->container[0] ? ", in container " : "", holder->container);
	}
}

static void print_item(const struct set_item *item)
{
	char name[2 * PP_BDF_LEN];

	printf("%s: ", pp_device_label(item->dev, name));
	switch (item->outcome) {
	case SET_DONE:
		print_done(item);
		return;
	case SET_NOT_TRIED:
		puts("not tried");
		return;
	case SET_UNDONE:
		printf("undone, because another device was not all right");
		break;
	default:
		printf("%s: %s: %s", set_outcome_name(item->outcome), item->reason, item->text);
	}
	if (item->put_back == SET_PUT_BACK)
		printf("; all is as it was");
	else if (item->put_back == SET_NOT_PUT_BACK && item->outcome == SET_UNDONE)
		printf(": %s", item->text);
	putchar('\n');
	if (item->advice[0])
		printf("      to do: %s\n", item->advice);
	print_obstacles(item);
}

/** set_print_text - print what became of each device */
void set_print_text(const struct set_run *run)
{
	if (!run->n)
		puts("Nothing to restore.");
	for (size_t i = 0; i < run->n; i++)
		print_item(&run->items[i]);
}
