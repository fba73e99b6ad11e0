/* SPDX-License-Identifier: Apache-2.0 */
/* report: the results of a case, as a table, as JSON and as CSV.
 *
 * All three show the same figures under the same names, those of figures.def. */
#ifndef EMU_REPORT_H
#define EMU_REPORT_H

#include "spv-emu/report/report_row.h"

#include <jansson.h>
#include <stdio.h>

typedef struct EmuReport {
  const char *module;       /* the file */
  const char *dispatch;     /* what ran: "4 x 1 x 1 workgroups"; NULL: each row has its own */
  const spv_emu_cost *cost; /* the requested cost model; NULL: none */
  const char *sweeps[EMU_ROW_VALUES]; /* the names of the rows' values */
  uint32_t sweep_count;
  const char *variants; /* the name of the rows' variants; NULL: there is only one */
  bool sizes;           /* the variants have subgroups of several sizes */
  const EmuRow *rows;
  uint32_t row_count;
  bool checked;       /* the rules of uniformity were checked, so broken quads have been named */
  json_t *comparison; /* for the JSON: the comparison of the results of two modules; NULL: none */
  json_t *advise;     /* for the JSON: report_advise.h; NULL: not wanted */
} EmuReport;

/* A table with a row for each policy, and below it the policies' messages. */
void emu_report_text(const EmuReport *report, FILE *out);
/* The messages of one of the report's rows: notes, breaches, and why it failed. */
void emu_report_messages(const EmuReport *report, const EmuRow *row, FILE *out);
/* The table and the messages, for emu_several_add. */
void emu_report_save(const EmuReport *report, FILE *out);
/* One object. False: it cannot be written. */
bool emu_report_json(const EmuReport *report, FILE *out);
/* A header and a line for each policy, fields quoted as in RFC 4180, lines ended by line feeds; in
 * a sweep the first columns are the swept values, under their names. Buffers and blocks are left
 * out. */
void emu_report_csv(const EmuReport *report, FILE *out);
/* Its two parts; the header needs no rows. */
void emu_report_csv_head(const EmuReport *report, FILE *out);
void emu_report_csv_rows(const EmuReport *report, FILE *out);
/* A line for an input that failed before it ran. */
void emu_report_csv_failed(const EmuReport *report, const char *message, FILE *out);
/* The numbers of a buffer, a line for each element. */
void emu_report_buffer(const EmuOutput *output, FILE *out);

/* The result whose priority order is shown: the first policy's first program that has one; NULL:
 * none has. */
const spv_emu_result *emu_report_priority(const EmuReport *report);

#endif
