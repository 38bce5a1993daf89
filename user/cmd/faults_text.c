// SPDX-License-Identifier: GPL-2.0-only
/* faults for people: totals by initiator, or initiators against targets. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "faults.h"
#include "lib/counting_text.h"
#include "lib/names.h"
#include "lib/output.h"
#include "lib/table.h"
#include "lib/target_text.h"
#include "uapi/linux/peerpass.h"

static bool in_table(uint32_t kind)
{
	return kind == PEERPASS_FAULT_KIND_READ || kind == PEERPASS_FAULT_KIND_WRITE ||
	       kind == PEERPASS_FAULT_KIND_INTERRUPT;
}

static void totals_row(struct pp_table *t, const struct pp_inventory *inv,
		       const struct pp_device *dev)
{
	uint64_t named = 0, counts[3];
	char text[PP_TEXT_LEN], name[2 * PP_BDF_LEN];
	bool lower = pp_device_inexact(&inv->info, dev) != 0;

	counts[0] = pp_device_faults(dev, PEERPASS_FAULT_KIND_READ);
	counts[1] = pp_device_faults(dev, PEERPASS_FAULT_KIND_WRITE);
	counts[2] = pp_device_faults(dev, PEERPASS_FAULT_KIND_INTERRUPT);
	pp_table_row(t);
	pp_table_cell(t, 0, "%s", pp_device_label(dev, name));
	for (size_t i = 0; i < 3; i++) {
		pp_table_cell(t, 1 + i, "%s", pp_count_text(counts[i], lower, text));
		named += counts[i];
	}
	pp_table_cell(t, 4, "%s",
		      pp_count_text(dev->total > named ? dev->total - named : 0, lower, text));
	pp_table_cell(t, 5, "%s", pp_count_text(dev->total, lower, text));
}

static void print_other_kinds(const struct pp_inventory *inv, const struct pp_device *dev)
{
	char text[PP_TEXT_LEN], name[2 * PP_BDF_LEN];

	for (size_t i = 0; i < dev->count_len; i++) {
		const struct pp_count *count = &dev->counts[i];

		if (!in_table(count->kind) && count->value)
			printf("  %s: %s %s\n", pp_device_label(dev, name),
			       pp_count_text(count->value, pp_device_inexact(&inv->info, dev) != 0,
					     text),
			       pp_name_fault_kind(count->kind));
	}
}

static void print_totals(const struct faults_view *view)
{
	static const char * const titles[] = {
		"initiator", "read", "write", "interrupt", "other", "total",
	};
	const struct pp_device_list *devices = &view->inv->devices;
	struct pp_table t = { .columns = 6, .right = 0x3e };

	pp_table_row(&t);
	for (size_t c = 0; c < 6; c++)
		pp_table_cell(&t, c, "%s", titles[c]);
	for (size_t i = 0; i < devices->n; i++) {
		if (view->shown[i])
			totals_row(&t, view->inv, &devices->v[i]);
	}
	if (t.row_count > 1)
		pp_table_print(&t, (size_t)pp_output_width(), NULL, 0);
	else
		puts("No device has caused a fault.");
	pp_table_free(&t);
	for (size_t i = 0; i < devices->n; i++) {
		if (view->shown[i])
			print_other_kinds(view->inv, &devices->v[i]);
	}
}

/* One line for each row: for hosts whose matrix would not fit the line. */
static void print_list(const struct faults_view *view)
{
	char from[PP_BDF_LEN], to[PP_TARGET_LEN];

	for (size_t i = 0; i < view->inv->pairs.n; i++) {
		const struct pp_pair *pair = &view->inv->pairs.v[i];

		if (faults_pair_shown(view, pair))
			printf("%s -> %s: %" PRIu64 " read, %" PRIu64 " write, %" PRIu64 " other\n",
			       pp_inventory_label(view->inv, pair->initiator, from),
			       pp_target_text(view->inv, pair, to), pair->read, pair->write,
			       pair->other);
	}
}

/* Index of the row or column with this title, made when it is new; -1 when full. */
static int place(struct pp_table *titles, size_t max, const char *title)
{
	for (size_t i = 0; i < titles->row_count; i++) {
		if (!strcmp(titles->rows[i][0], title))
			return (int)i;
	}
	if (titles->row_count == max || pp_table_row(titles))
		return -1;
	pp_table_cell(titles, 0, "%s", title);
	return (int)titles->row_count - 1;
}

static uint64_t sum(const struct faults_view *view, const char *initiator, const char *target)
{
	char from[PP_BDF_LEN], to[PP_TARGET_LEN];
	uint64_t n = 0;

	for (size_t i = 0; i < view->inv->pairs.n; i++) {
		const struct pp_pair *pair = &view->inv->pairs.v[i];

		if (!strcmp(pp_inventory_label(view->inv, pair->initiator, from), initiator) &&
		    !strcmp(pp_target_text(view->inv, pair, to), target))
			n += pair->read + pair->write + pair->other;
	}
	return n;
}

/* False when the matrix would not fit. */
static bool print_as_matrix(const struct faults_view *view, const struct pp_table *rows,
			    const struct pp_table *columns)
{
	struct pp_table t = { .columns = columns->row_count + 1, .right = ~1u };
	char text[PP_TEXT_LEN];
	bool fits;

	pp_table_row(&t);
	pp_table_cell(&t, 0, "initiator");
	for (size_t c = 0; c < columns->row_count; c++)
		pp_table_cell(&t, c + 1, "%s", columns->rows[c][0]);
	for (size_t r = 0; r < rows->row_count; r++) {
		pp_table_row(&t);
		pp_table_cell(&t, 0, "%s", rows->rows[r][0]);
		for (size_t c = 0; c < columns->row_count; c++) {
			uint64_t n = sum(view, rows->rows[r][0], columns->rows[c][0]);

			pp_table_cell(&t, c + 1, "%s",
				      n ? pp_count_text(n, view->inv->info.inexact != 0, text) :
					  ".");
		}
	}
	fits = pp_table_width(&t) <= (size_t)pp_output_width();
	if (fits)
		pp_table_print(&t, (size_t)pp_output_width(), NULL, 0);
	pp_table_free(&t);
	return fits;
}

static void print_matrix(const struct faults_view *view)
{
	struct pp_table rows = { .columns = 1 }, columns = { .columns = 1 };
	char from[PP_BDF_LEN], to[PP_TARGET_LEN];
	bool fits = true;

	for (size_t i = 0; i < view->inv->pairs.n; i++) {
		const struct pp_pair *pair = &view->inv->pairs.v[i];

		if (!faults_pair_shown(view, pair))
			continue;
		pp_inventory_label(view->inv, pair->initiator, from);
		pp_target_text(view->inv, pair, to);
		if (place(&rows, SIZE_MAX, from) < 0 ||
		    place(&columns, PP_TABLE_COLUMNS - 1, to) < 0)
			fits = false;
	}
	if (!rows.row_count)
		puts("No initiator and target have faulted together.");
	else if (!fits || !print_as_matrix(view, &rows, &columns))
		print_list(view);
	else
		puts("\nRead, write and other faults together; \".\": none. host_ram: memory of\n"
		     "the host, interrupt: its interrupt window, unassigned: nothing known there,\n"
		     "or the IOMMU reported no address.");
	pp_table_free(&rows);
	pp_table_free(&columns);
}

/** faults_print_text - print totals or the matrix */
void faults_print_text(const struct faults_view *view)
{
	pp_counting_print(&view->inv->info);
	if (!view->sync.drained)
		puts("The hardware's log was not drained in time: newest faults may be missing.");
	putchar('\n');
	if (view->matrix)
		print_matrix(view);
	else
		print_totals(view);
}
