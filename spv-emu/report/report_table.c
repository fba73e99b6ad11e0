/* SPDX-License-Identifier: Apache-2.0 */
/* report_table: see report_table.h. */
#include "spv-emu/report/report_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char **cell(const EmuTable *table, uint32_t line, uint32_t column) {
  return &table->cells[line * EMU_TABLE_COLUMNS + column];
}

static const char *text(const EmuTable *table, uint32_t line, uint32_t column) {
  const char *t = *cell(table, line, column);
  return t ? t : "";
}

/* The room is a power of two of lines. */
bool emu_table_add(EmuTable *table) {
  if ((table->line_count & (table->line_count - 1)) == 0) {
    size_t room = table->line_count ? 2u * (size_t)table->line_count : 1;
    char **cells = realloc(table->cells, room * EMU_TABLE_COLUMNS * sizeof *cells);
    if (!cells)
      return false;
    table->cells = cells;
  }
  table->line_count++;
  memset(cell(table, table->line_count - 1, 0), 0, EMU_TABLE_COLUMNS * sizeof *table->cells);
  return true;
}

void emu_table_set(EmuTable *table, uint32_t column, const char *format, ...) {
  char **at = cell(table, table->line_count - 1, column);
  va_list args;
  free(*at);
  va_start(args, format);
  if (vasprintf(at, format, args) < 0)
    *at = NULL;
  va_end(args);
}

static bool is_shown(const EmuTable *table, uint32_t column) {
  return table->line_count && *text(table, 0, column);
}

/* ---- printing -------------------------------------------------------------------------------- */

static size_t width_of(const EmuTable *table, uint32_t column) {
  size_t width = 0;
  for (uint32_t i = 0; i < table->line_count; i++)
    if (strlen(text(table, i, column)) > width)
      width = strlen(text(table, i, column));
  return width;
}

/* The last column is not padded. */
void emu_table_print(const EmuTable *table, FILE *out) {
  int widths[EMU_TABLE_COLUMNS] = {0};
  uint32_t last = 0;
  for (uint32_t c = 0; c < EMU_TABLE_COLUMNS; c++)
    if (is_shown(table, c)) {
      widths[c] = (int)width_of(table, c);
      last = c;
    }
  for (uint32_t i = 0; i < table->line_count; i++) {
    const char *space = "";
    for (uint32_t c = 0; c <= last; c++) {
      if (!is_shown(table, c))
        continue;
      bool left = table->left >> c & 1;
      fprintf(out, "%s%*s", space,
              c == last ? 0
              : left    ? -widths[c]
                        : widths[c],
              text(table, i, c));
      space = "  ";
    }
    fputc('\n', out);
  }
}

/* ---- files ----------------------------------------------------------------------------------- */

void emu_table_save(const EmuTable *table, FILE *out) {
  for (uint32_t i = 0; i < table->line_count; i++) {
    for (uint32_t c = 0; c < EMU_TABLE_COLUMNS; c++)
      fprintf(out, "\t%s", is_shown(table, c) ? text(table, i, c) : "");
    fputc('\n', out);
  }
}

bool emu_table_take(EmuTable *table, const char *line, bool heads) {
  bool merge = heads && table->line_count;
  if (!merge && !emu_table_add(table))
    return false;
  for (uint32_t c = 0; c < EMU_TABLE_COLUMNS && *line == '\t'; c++) {
    const char *from = line + 1;
    size_t length = strcspn(from, "\t");
    char **at = cell(table, merge ? 0 : table->line_count - 1, c);
    if (length && !*at)
      *at = strndup(from, length);
    line = from + length;
  }
  return true;
}

void emu_table_free(EmuTable *table) {
  for (uint32_t i = 0; i < table->line_count * EMU_TABLE_COLUMNS; i++)
    free(table->cells[i]);
  free(table->cells);
  *table = (EmuTable){0};
}
