/* SPDX-License-Identifier: Apache-2.0 */
/* report_several: the reports of several inputs as one table, a row for each row of theirs, and
 * their messages below it. */
#ifndef EMU_REPORT_SEVERAL_H
#define EMU_REPORT_SEVERAL_H

#include "spv-emu/report/report_table.h"

typedef struct EmuSeveral {
  EmuTable table;
  FILE *messages; /* in memory */
  char *text;
  size_t size;
} EmuSeveral;

/* False: out of memory. Close it in any case. */
bool emu_several_open(EmuSeveral *all);
/* Adds the report that emu_report_save has written; `input`: the name of its rows. */
void emu_several_add(EmuSeveral *all, const char *input, FILE *saved);
/* Adds a row for an input that failed before it ran. */
void emu_several_fail(EmuSeveral *all, const char *input);
/* Prints the table and the messages. */
void emu_several_print(EmuSeveral *all, FILE *out);
void emu_several_close(EmuSeveral *all);

#endif
