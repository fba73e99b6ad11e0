/* SPDX-License-Identifier: Apache-2.0 */
/* report_text: see report.h. */
#include "spv-emu/report/report.h"

#include "spv-emu/report/report_breaches.h"
#include "spv-emu/report/report_columns.h"
#include "spv-emu/report/report_sizes.h"

#include "passes/tool/tool_file.h"
#include "spv-emu/format/format_number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 72, PRIORITY_SHOWN = 32 };

static const char *const heads[EMU_COLUMNS] = {
    [EMU_COLUMN_POLICY] = "policy",
    [EMU_COLUMN_ISSUES] = "issues",
    [EMU_COLUMN_SLOTS] = "lane slots",
    [EMU_COLUMN_RATIO] = "ratio",
    [EMU_COLUMN_LANE_INSTRUCTIONS] = "lane instr.",
    [EMU_COLUMN_ACTIVITY] = "activity",
    [EMU_COLUMN_DIVERGENT] = "divergent",
    [EMU_COLUMN_HELPER] = "helper",
    [EMU_COLUMN_QUAD_BREAKS] = "quad breaks",
    [EMU_COLUMN_RECONVERGE] = "reconverge",
    [EMU_COLUMN_STACK] = "stack",
    [EMU_COLUMN_SPILLS] = "spills",
    [EMU_COLUMN_EFFICIENCY] = "mem. eff.",
    [EMU_COLUMN_CYCLES] = "cycles",
    [EMU_COLUMN_UTILISATION] = "utilis.",
    [EMU_COLUMN_STATUS] = "status",
};

/* Does a row have fragments and, if `broken`, broken quads? */
static bool has_fragments(const EmuReport *report, bool broken) {
  for (uint32_t i = 0; i < report->row_count; i++) {
    spv_emu_result r = emu_row_total(&report->rows[i]);
    if (r.fragments && (!broken || r.quad_breaks))
      return true;
  }
  return false;
}

/* The column's head; NULL: the column is not shown. */
static const char *head_of(const EmuReport *report, uint32_t column) {
  uint32_t value = column - EMU_COLUMN_VALUE;
  if (column >= EMU_COLUMN_VALUE && column < EMU_COLUMN_POLICY)
    return value < report->sweep_count ? report->sweeps[value] : NULL;
  switch (column) {
  case EMU_COLUMN_VARIANT:
    return report->variants;
  case EMU_COLUMN_SLOTS:
    return report->sizes ? heads[column] : NULL;
  case EMU_COLUMN_HELPER:
  case EMU_COLUMN_QUAD_BREAKS:
    return has_fragments(report, column == EMU_COLUMN_QUAD_BREAKS) ? heads[column] : NULL;
  case EMU_COLUMN_SPILLS:
  case EMU_COLUMN_CYCLES:
  case EMU_COLUMN_UTILISATION:
    return report->cost ? heads[column] : NULL;
  default:
    return heads[column];
  }
}

/* By point, the least number of issues of the rows that completed; 0: none did. NULL: out of
 * memory. */
static uint64_t *least_issues(const EmuReport *report) {
  uint32_t points = 0;
  for (uint32_t i = 0; i < report->row_count; i++)
    points = report->rows[i].point >= points ? report->rows[i].point + 1 : points;
  uint64_t *least = calloc(points + 1u, sizeof *least);
  for (uint32_t i = 0; least && i < report->row_count; i++) {
    uint64_t *at = &least[report->rows[i].point];
    spv_emu_result r = emu_row_total(&report->rows[i]);
    if (r.outcome == SPV_EMU_RAN && r.issued && (!*at || r.issued < *at))
      *at = r.issued;
  }
  return least;
}

static void set_figures(EmuTable *t, const spv_emu_result *r) {
  bool bound = strcmp(r->policy, "opt") == 0 && !r->exact;
  const char *least = bound ? ">=" : "";
  emu_table_set(t, EMU_COLUMN_ISSUES, "%s%" PRIu64, least, r->issued);
  emu_table_set(t, EMU_COLUMN_SLOTS, "%s%" PRIu64, least, r->lane_slots);
  emu_table_set(t, EMU_COLUMN_LANE_INSTRUCTIONS, "%" PRIu64, r->lane_instructions);
  emu_table_set(t, EMU_COLUMN_ACTIVITY, "%.3f", r->activity_factor);
  if (r->fragments) {
    emu_table_set(t, EMU_COLUMN_HELPER, "%" PRIu64, r->helper_instructions);
    emu_table_set(t, EMU_COLUMN_QUAD_BREAKS, "%" PRIu64, r->quad_breaks);
  }
  emu_table_set(t, EMU_COLUMN_DIVERGENT, "%" PRIu64, r->divergent_branches);
  emu_table_set(t, EMU_COLUMN_RECONVERGE, "%" PRIu64, r->reconvergences);
  emu_table_set(t, EMU_COLUMN_STACK, "%" PRIu32, r->stack_max_depth);
  emu_table_set(t, EMU_COLUMN_SPILLS, "%" PRIu64, r->stack_spills);
  if (r->memory_transactions)
    emu_table_set(t, EMU_COLUMN_EFFICIENCY, "%.3f", r->memory_efficiency);
  emu_table_set(t, EMU_COLUMN_CYCLES, "%s%" PRIu64, least, r->cycles);
  emu_table_set(t, EMU_COLUMN_UTILISATION, "%.3f", r->utilisation);
}

/* "limit, 12 of 32 subgroups": the figures cover only these 12. */
static void set_status(EmuTable *t, const EmuRow *row, const spv_emu_result *r) {
  char cell[CELL];
  int used = snprintf(cell, CELL, "%s%s", emu_outcome_name(r->outcome),
                      row->failed ? ", EXPECT failed" : "");
  bool cut = r->outcome == SPV_EMU_LIMIT || r->outcome == SPV_EMU_PARTIAL;
  if (cut && r->subgroups < r->dispatch_subgroups)
    snprintf(cell + used, CELL - (size_t)used, ", %" PRIu64 " of %" PRIu64 " subgroups",
             r->subgroups, r->dispatch_subgroups);
  emu_table_set(t, EMU_COLUMN_STATUS, "%s", cell);
}

/* Figures of a policy that does not apply stay empty. */
static void set_row(const EmuReport *report, uint32_t at, const uint64_t *all, EmuTable *t) {
  const EmuRow *row = &report->rows[at];
  spv_emu_result r = emu_row_total(row);
  uint64_t least = all ? all[row->point] : 0;
  if (row->variant)
    emu_table_set(t, EMU_COLUMN_VARIANT, "%s", row->variant);
  for (uint32_t i = 0; i < report->sweep_count; i++)
    emu_table_set(t, EMU_COLUMN_VALUE + i, "%" PRIu64, row->values[i]);
  emu_table_set(t, EMU_COLUMN_POLICY, "%s", r.policy);
  set_status(t, row, &r);
  if (r.outcome == SPV_EMU_SKIP)
    return;
  set_figures(t, &r);
  if (least && r.outcome == SPV_EMU_RAN)
    emu_table_set(t, EMU_COLUMN_RATIO, "%.3f", (double)r.issued / (double)least);
}

static EmuTable table_of(const EmuReport *report) {
  EmuTable t = {.left = EMU_LEFT_COLUMNS};
  if (!emu_table_add(&t))
    return t;
  for (uint32_t c = 0; c < EMU_COLUMNS; c++)
    if (head_of(report, c))
      emu_table_set(&t, c, "%s", head_of(report, c));
  uint64_t *least = least_issues(report);
  for (uint32_t i = 0; i < report->row_count && emu_table_add(&t); i++)
    set_row(report, i, least, &t);
  free(least);
  return t;
}

/* ---- above and below the table --------------------------------------------------------------- */

/* The row whose subgroups are shown: the first of those with the most, since a row that ended early
 * lacks dispatches; `scalar` has subgroups of one lane, which are not the dispatch's. */
static const EmuRow *shown_row(const EmuReport *report) {
  const EmuRow *shown = &report->rows[0];
  uint64_t most = 0;
  for (uint32_t i = 0; i < report->row_count; i++) {
    spv_emu_result r = emu_row_total(&report->rows[i]);
    if (r.subgroup_size == 1 || r.dispatch_subgroups <= most)
      continue;
    most = r.dispatch_subgroups;
    shown = &report->rows[i];
  }
  return shown;
}

static void print_dispatch(const EmuReport *report, FILE *out) {
  const EmuRow *row = shown_row(report);
  spv_emu_result r = emu_row_total(row);
  fprintf(out, "%s: ", tool_name(report->module));
  if (report->dispatch)
    fputs(report->dispatch, out);
  else
    fprintf(out, "%" PRIu64 " dispatch%s", row->dispatches, row->dispatches == 1 ? "" : "es");
  if (r.dispatch_subgroups && !report->sizes)
    fprintf(out, ", %" PRIu64 " subgroup%s of %" PRIu32 " lane%s", r.dispatch_subgroups,
            r.dispatch_subgroups == 1 ? "" : "s", r.subgroup_size, r.subgroup_size == 1 ? "" : "s");
  if (report->cost)
    fprintf(out, ", cycles of %s", report->cost->name);
  fputc('\n', out);
}

static void print_name(const EmuRow *row, const spv_emu_result *r, FILE *out) {
  fprintf(out, "%s%s%s", row->variant ? row->variant : "", row->variant ? ": " : "", r->policy);
}

void emu_report_messages(const EmuReport *report, const EmuRow *row, FILE *out) {
  spv_emu_result r = emu_row_total(row);
  const char *module = tool_name(row->module ? row->module : report->module);
  if (r.message[0]) {
    print_name(row, &r, out);
    fprintf(out, ": %s: %s\n", r.outcome == SPV_EMU_RAN ? "note" : emu_outcome_name(r.outcome),
            r.message);
  }
  emu_print_breaches(row, out);
  uint64_t kept = row->failed < EMU_FAILURES_KEPT ? row->failed : EMU_FAILURES_KEPT;
  for (uint64_t i = 0; i < kept; i++) {
    print_name(row, &r, out);
    fprintf(out, ": %s: %s\n", module, row->failures[i] ? row->failures[i] : "out of memory");
  }
  if (row->failed > kept) {
    print_name(row, &r, out);
    fprintf(out, ": %s: %" PRIu64 " more EXPECTs failed\n", module, row->failed - kept);
  }
}

/* What the column of broken quads counts, and how to find where they break. */
static void print_quad_breaks(const EmuReport *report, FILE *out) {
  if (has_fragments(report, true) && !report->checked)
    fputs("quad breaks: derivatives where only some lanes of a quad are active; --check=vuid with "
          "policy structured or maximal names them\n",
          out);
}

static void print_priority(const EmuReport *report, FILE *out) {
  const spv_emu_result *from = emu_report_priority(report);
  if (!from)
    return;
  fputs("priority:", out);
  for (uint32_t i = 0; i < from->priority_count && i < PRIORITY_SHOWN; i++)
    fprintf(out, " %" PRIu32, from->priority[i]);
  if (from->priority_count > PRIORITY_SHOWN)
    fprintf(out, " ... (%" PRIu32 " blocks; --json has all)", from->priority_count);
  fputc('\n', out);
}

static void print_all_messages(const EmuReport *report, FILE *out) {
  for (uint32_t i = 0; i < report->row_count; i++)
    emu_report_messages(report, &report->rows[i], out);
  emu_best_sizes_print(report, out);
}

void emu_report_text(const EmuReport *report, FILE *out) {
  EmuTable table = table_of(report);
  print_dispatch(report, out);
  emu_table_print(&table, out);
  print_all_messages(report, out);
  print_quad_breaks(report, out);
  print_priority(report, out);
  emu_table_free(&table);
}

void emu_report_save(const EmuReport *report, FILE *out) {
  EmuTable table = table_of(report);
  emu_table_save(&table, out);
  print_all_messages(report, out);
  emu_table_free(&table);
}

/* ---- buffers --------------------------------------------------------------------------------- */

void emu_report_buffer(const EmuOutput *output, FILE *out) {
  const EmuElementLayout *layout = output->layout;
  uint64_t count = layout->stride ? output->size / layout->stride : 0;
  fprintf(out, "buffer %" PRIu32 ":%" PRIu32, output->set, output->binding);
  if (output->element)
    fprintf(out, "[%" PRIu32 "]", output->element);
  fprintf(out, "%s%s, %" PRIu64 " bytes\n", output->name ? " " : "",
          output->name ? output->name : "", output->size);
  for (uint64_t i = 0; i < count; i++) {
    fprintf(out, "%8" PRIu64, i);
    for (uint32_t f = 0; f < layout->field_count; f++) {
      char text[64];
      const EmuField *field = &layout->fields[f];
      emu_number_print(field, emu_field_get(field, output->bytes + i * layout->stride), text,
                       sizeof text);
      fprintf(out, " %s", text);
    }
    fputc('\n', out);
  }
}
