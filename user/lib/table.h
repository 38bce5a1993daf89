/* SPDX-License-Identifier: GPL-2.0-only */
/* A text table whose columns are as wide as their content. */
#ifndef PEERPASS_TABLE_H
#define PEERPASS_TABLE_H

#include <stddef.h>

#define PP_TABLE_COLUMNS 24
#define PP_CELL_LEN 64

/**
 * struct pp_table - rows of cells
 * @columns: at most PP_TABLE_COLUMNS
 * @right: mask of the columns that are set flush right
 * @rows: owned
 */
struct pp_table {
	size_t columns;
	unsigned int right;
	char (*rows)[PP_TABLE_COLUMNS][PP_CELL_LEN];
	size_t row_count;
};

/* How far a column may be cut when the table is too wide. */
struct pp_table_cut {
	size_t column;
	size_t least;
};

int pp_table_row(struct pp_table *table);
void pp_table_cell(struct pp_table *table, size_t column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
size_t pp_table_width(const struct pp_table *table);
void pp_table_print(struct pp_table *table, size_t width, const struct pp_table_cut *cuts,
		    size_t cut_count);
void pp_table_free(struct pp_table *table);

#endif /* PEERPASS_TABLE_H */
