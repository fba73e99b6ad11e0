/* SPDX-License-Identifier: Apache-2.0 */
/* report_table: a table of text. A column without a head is hidden; names are left-aligned, numbers
 * right-aligned. A table can be written to a file and read back, to be one with others. */
#ifndef EMU_REPORT_TABLE_H
#define EMU_REPORT_TABLE_H

#include "passes/base/compiler.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { EMU_TABLE_COLUMNS = 28 };

typedef struct EmuTable {
  char **cells;        /* line by line; NULL: empty, or out of memory */
  uint32_t line_count; /* the first line has the heads */
  uint32_t left;       /* bit c: column c is left-aligned */
} EmuTable;

/* Adds an empty line. False: out of memory, and no further line is added. */
bool emu_table_add(EmuTable *table);
/* Sets a cell of the last line. */
void emu_table_set(EmuTable *table, uint32_t column, const char *format, ...) SR_PRINTF(3, 4);
void emu_table_print(const EmuTable *table, FILE *out);

/* Writes the shown columns: a line for each line, which begins with a tab. */
void emu_table_save(const EmuTable *table, FILE *out);
/* Adds a saved line, without its end; of a line of heads, adds those that the table lacks to its own.
 * False: out of memory. */
bool emu_table_take(EmuTable *table, const char *line, bool heads);
void emu_table_free(EmuTable *table);

#endif
