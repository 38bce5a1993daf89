// SPDX-License-Identifier: GPL-2.0-only
/* A text table whose columns are as wide as their content. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

/** pp_table_row - begin a row of empty cells; -1 when memory ran out */
int pp_table_row(struct pp_table *table)
{
	void *rows = reallocarray(table->rows, table->row_count + 1, sizeof(*table->rows));

	if (!rows)
		return -1;
	table->rows = rows;
	memset(table->rows[table->row_count++], 0, sizeof(*table->rows));
	return 0;
}

/** pp_table_cell - set a cell of the row begun last; longer text is cut */
void pp_table_cell(struct pp_table *table, size_t column, const char *fmt, ...)
{
	va_list ap;

	if (!table->row_count || column >= PP_TABLE_COLUMNS)
		return;
	va_start(ap, fmt);
	vsnprintf(table->rows[table->row_count - 1][column], PP_CELL_LEN, fmt, ap);
	va_end(ap);
}

static void print_cell(const char *text, size_t width, int right, int last)
{
	size_t len = strlen(text);

	if (len > width)
		printf("%.*s~", (int)width - 1, text);
	else if (right)
		printf("%*s", (int)width, text);
	else
		printf("%-*s", last ? 0 : (int)width, text);
	if (!last)
		putchar(' ');
}

static size_t measure(const struct pp_table *table, size_t widths[PP_TABLE_COLUMNS])
{
	size_t total = table->columns ? table->columns - 1 : 0;

	for (size_t c = 0; c < table->columns; c++) {
		widths[c] = 0;
		for (size_t r = 0; r < table->row_count; r++) {
			size_t len = strlen(table->rows[r][c]);

			widths[c] = len > widths[c] ? len : widths[c];
		}
		total += widths[c];
	}
	return total;
}

/** pp_table_width - characters in a line when nothing is shortened */
size_t pp_table_width(const struct pp_table *table)
{
	size_t widths[PP_TABLE_COLUMNS];

	return measure(table, widths);
}

/**
 * pp_table_print - write the table to standard output
 * @width: characters in a line
 * @cuts: columns to shorten, first one first, when a line is longer
 *
 * A shortened cell ends with "~".
 */
void pp_table_print(struct pp_table *table, size_t width, const struct pp_table_cut *cuts,
		    size_t cut_count)
{
	size_t widths[PP_TABLE_COLUMNS], total = measure(table, widths);

	for (size_t i = 0; i < cut_count && total > width; i++) {
		size_t *w = &widths[cuts[i].column], too_much = total - width;
		size_t room = *w > cuts[i].least ? *w - cuts[i].least : 0;

		*w -= too_much < room ? too_much : room;
		total -= too_much < room ? too_much : room;
	}
	for (size_t r = 0; r < table->row_count; r++) {
		for (size_t c = 0; c < table->columns; c++)
			print_cell(table->rows[r][c], widths[c], table->right >> c & 1,
				   c + 1 == table->columns);
		putchar('\n');
	}
}

/** pp_table_free - free the rows; the table can be filled again */
void pp_table_free(struct pp_table *table)
{
	free(table->rows);
	table->rows = NULL;
	table->row_count = 0;
}
