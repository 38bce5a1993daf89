// SPDX-License-Identifier: GPL-2.0-only
/* Peer windows: which device has its way to which BAR of which peer. */
#include <inttypes.h>
#include <stdio.h>

#include "lib/names.h"
#include "lib/output.h"
#include "status.h"
#include "uapi/linux/peerpass.h"

static bool same_pair(const struct pp_window *a, const struct pp_window *b)
{
	return !pp_bdf_compare(a->initiator, b->initiator) &&
	       !pp_bdf_compare(a->target, b->target);
}

/* One pair: its BARs, each with its state unless all have the same. */
static size_t print_pair(const struct pp_inventory *inv, const struct pp_window *w, size_t n)
{
	char from[PP_BDF_LEN], to[PP_BDF_LEN];
	size_t count = 1;
	bool uniform = true;

	for (; count < n && same_pair(&w[count], w); count++)
		uniform = uniform && w[count].state == w->state;
	printf("  %s -> %s:", pp_inventory_label(inv, w->initiator, from),
	       pp_inventory_label(inv, w->target, to));
	for (size_t i = 0; i < count; i++) {
		if (w[i].bar != PP_UNKNOWN)
			printf(" BAR%" PRIu32, w[i].bar);
		if (!uniform || i == count - 1)
			printf(" %s%s", pp_name_window_state(w[i].state),
			       i == count - 1 ? "" : ",");
	}
	putchar('\n');
	return count;
}

/** status_print_windows - a line for each pair; nothing without windows */
void status_print_windows(const struct pp_inventory *inv)
{
	size_t i = 0;

	if (inv->windows.n)
		puts("\nPeer windows:");
	while (i < inv->windows.n)
		i += print_pair(inv, &inv->windows.v[i], inv->windows.n - i);
}

/** status_windows_json - an array with one object for each window */
json_t *status_windows_json(const struct pp_inventory *inv)
{
	json_t *array = json_array();

	for (size_t i = 0; i < inv->windows.n; i++) {
		const struct pp_window *w = &inv->windows.v[i];
		char from[PP_BDF_LEN], to[PP_BDF_LEN];
		bool bar = w->bar != PP_UNKNOWN;

		json_array_append_new(array, json_pack(
			"{s:s, s:s, s:o, s:o, s:s}",
			"initiator", pp_bdf_text(w->initiator, from),
			"target", pp_bdf_text(w->target, to),
			"bar", bar ? json_integer(w->bar) : json_null(),
			"size", bar ? json_integer((json_int_t)w->size) : json_null(),
			"state", pp_name_window_state(w->state)));
	}
	return array;
}
