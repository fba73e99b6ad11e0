/* SPDX-License-Identifier: Apache-2.0 */
/* report_csv: see report.h. */
#include "spv-emu/report/report.h"

#include "passes/tool/tool_csv.h"

#include <inttypes.h>
#include <string.h>

static void print_name(const char *group, const char *name, FILE *out) {
  bool top = strcmp(group, "top") == 0;
  fprintf(out, ",%s%s%s", top ? "" : group, top ? "" : "_", name);
}

void emu_report_csv_head(const EmuReport *report, FILE *out) {
  for (uint32_t i = 0; i < report->sweep_count; i++) {
    tool_csv_text(out, report->sweeps[i]);
    fputc(',', out);
  }
  if (report->variants)
    fputs("variant,", out);
  fputs("module,policy,subgroup_size,subgroups,status,message", out);
#define EMU_COUNT(group, name, field) print_name(#group, #name, out);
#define EMU_REAL(group, name, field) print_name(#group, #name, out);
#include "spv-emu/report/figures.def"
  fputs(",exact,expect_passed,expect_failed,at_most\n", out);
}

static void print_row(const EmuReport *report, const EmuRow *row, FILE *out) {
  const spv_emu_result total = emu_row_total(row), *r = &total;
  for (uint32_t i = 0; i < report->sweep_count; i++)
    fprintf(out, "%" PRIu64 ",", row->values[i]);
  if (report->variants) {
    tool_csv_text(out, row->variant);
    fputc(',', out);
  }
  tool_csv_text(out, row->module ? row->module : report->module);
  fprintf(out, ",%s,%" PRIu32 ",%" PRIu64 ",%s,", r->policy, r->subgroup_size, r->subgroups,
          emu_outcome_name(r->outcome));
  tool_csv_text(out, emu_row_message(row, r));
#define EMU_COUNT(group, name, field) fprintf(out, ",%" PRIu64, (uint64_t)r->field);
#define EMU_REAL(group, name, field) fprintf(out, ",%.15g", r->field);
#include "spv-emu/report/figures.def"
  bool opt = strcmp(r->policy, "opt") == 0;
  fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",",
          !opt       ? ""
          : r->exact ? "true"
                     : "false",
          row->passed, row->failed);
  fprintf(out, opt ? "%" PRIu64 "\n" : "\n", r->at_most);
}

void emu_report_csv_rows(const EmuReport *report, FILE *out) {
  for (uint32_t i = 0; i < report->row_count; i++)
    print_row(report, &report->rows[i], out);
}

void emu_report_csv(const EmuReport *report, FILE *out) {
  emu_report_csv_head(report, out);
  emu_report_csv_rows(report, out);
}

void emu_report_csv_failed(const EmuReport *report, const char *message, FILE *out) {
  for (uint32_t i = 0; i < report->sweep_count; i++)
    fputc(',', out);
  if (report->variants)
    fputc(',', out);
  tool_csv_text(out, report->module);
  fputs(",,,,failed,", out);
  tool_csv_text(out, message);
#define EMU_COUNT(group, name, field) fputc(',', out);
#define EMU_REAL(group, name, field) fputc(',', out);
#include "spv-emu/report/figures.def"
  fputs(",,,,\n", out);
}
