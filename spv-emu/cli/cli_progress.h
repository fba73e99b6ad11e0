/* SPDX-License-Identifier: Apache-2.0 */
/* cli_progress: what long runs show on a terminal, and Ctrl-C.
 *
 * If standard error is a terminal, a run that takes longer than half a second shows the rows that
 * are done and a line on the current one; they are erased before the report is printed. An
 * interrupt ends the current run, so that the report can be printed; a second one ends the process.
 * Otherwise nothing is shown, and an interrupt ends the process at once. */
#ifndef EMU_CLI_PROGRESS_H
#define EMU_CLI_PROGRESS_H

#include "spv-emu/report/report_row.h"

enum { EMU_PROGRESS_ROWS = 8, EMU_PROGRESS_WIDTH = 160, EMU_INTERRUPTED = 130 };

typedef struct EmuCliProgress {
  spv_emu_progress to;           /* for the runs */
  bool terminal, listens;        /* standard error is a terminal; interrupts are handled */
  uint32_t row, rows;            /* the number of the current row, from 1; the number of rows */
  const char *policy;            /* policy of the current row; NULL: the emulator's choice */
  uint64_t max_issues;           /* of a dispatch */
  uint64_t issued;               /* issues of the current row; atomic */
  uint64_t before;               /* the part of `issued` before the current dispatch */
  uint64_t done;                 /* subgroups of the current dispatch that have ended */
  double begun, dispatch, drawn; /* times: start of the first row, start of the dispatch, last
                                    drawing */
  int lines;                     /* on the terminal, above the last one; -1: nothing is drawn */
  char kept[EMU_PROGRESS_ROWS][EMU_PROGRESS_WIDTH]; /* the last rows that are done */
  uint32_t kept_count;
  bool drawing; /* atomic: one thread draws */
} EmuCliProgress;

void emu_cli_progress_begin(EmuCliProgress *p, uint32_t rows, uint64_t max_issues);
/* Begins a row. False: there was an interrupt, so the row should not run. */
bool emu_cli_progress_row(EmuCliProgress *p, const char *policy);
/* The row has run. False: there was an interrupt. */
bool emu_cli_progress_done(EmuCliProgress *p, const EmuRow *row);
/* Erases what is shown. Returns whether there was an interrupt. */
bool emu_cli_progress_end(EmuCliProgress *p);

#endif
