/* SPDX-License-Identifier: Apache-2.0 */
/* report_several: see report_several.h. */
#include "spv-emu/report/report_several.h"

#include "spv-emu/report/report_columns.h"

#include <stdlib.h>
#include <string.h>

bool emu_several_open(EmuSeveral *all) {
  *all = (EmuSeveral){.table = {.left = EMU_LEFT_COLUMNS}};
  all->messages = open_memstream(&all->text, &all->size);
  if (!all->messages || !emu_table_add(&all->table))
    return false;
  emu_table_set(&all->table, EMU_COLUMN_INPUT, "input");
  emu_table_set(&all->table, EMU_COLUMN_STATUS, "status");
  return true;
}

void emu_several_add(EmuSeveral *all, const char *input, FILE *saved) {
  char *line = NULL;
  size_t room = 0;
  bool heads = true;
  while (getline(&line, &room, saved) > 0) {
    line[strcspn(line, "\n")] = 0;
    if (*line != '\t') {
      fprintf(all->messages, "%s: %s\n", input, line);
      continue;
    }
    if (emu_table_take(&all->table, line, heads) && !heads)
      emu_table_set(&all->table, EMU_COLUMN_INPUT, "%s", input);
    heads = false;
  }
  free(line);
}

void emu_several_fail(EmuSeveral *all, const char *input) {
  if (!emu_table_add(&all->table))
    return;
  emu_table_set(&all->table, EMU_COLUMN_INPUT, "%s", input);
  emu_table_set(&all->table, EMU_COLUMN_STATUS, "failed");
}

void emu_several_print(EmuSeveral *all, FILE *out) {
  emu_table_print(&all->table, out);
  if (fflush(all->messages) == 0)
    fwrite(all->text, 1, all->size, out);
}

void emu_several_close(EmuSeveral *all) {
  if (all->messages)
    fclose(all->messages);
  free(all->text);
  emu_table_free(&all->table);
}
