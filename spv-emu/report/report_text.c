/* SPDX-License-Identifier: Apache-2.0 */
/* report_text: see report.h. */
#include "spv-emu/report/report.h"

#include "spv-emu/report/report_breaches.h"

#include "passes/tool/tool_file.h"
#include "spv-emu/format/format_number.h"

#include <inttypes.h>
#include <string.h>

enum { CELL = 72, PRIORITY_SHOWN = 32 };

typedef enum Column {
  VALUE,
  POLICY,
  ISSUES,
  RATIO,
  LANE_INSTRUCTIONS,
  ACTIVITY,
  HELPER,
  QUAD_BREAKS,
  DIVERGENT,
  RECONVERGE,
  STACK,
  SPILLS,
  EFFICIENCY,
  CYCLES,
  UTILISATION,
  STATUS,
  COLUMNS
} Column;

static const char *const heads[COLUMNS] = {
    [POLICY] = "policy",         [ISSUES] = "issues",
    [RATIO] = "ratio",           [LANE_INSTRUCTIONS] = "lane instr.",
    [ACTIVITY] = "activity",     [DIVERGENT] = "divergent",
    [HELPER] = "helper",         [QUAD_BREAKS] = "quad breaks",
    [RECONVERGE] = "reconverge", [STACK] = "stack",
    [SPILLS] = "spills",         [EFFICIENCY] = "mem. eff.",
    [CYCLES] = "cycles",         [UTILISATION] = "utilis.",
    [STATUS] = "status",
};

typedef struct Line {
  char cells[COLUMNS][CELL];
} Line;

/* What tells the rows of a policy apart; NULL: there is one row for each policy. */
static const char *value_name(const EmuReport *report) {
  return report->sweep ? report->sweep : report->variants;
}

/* Does a row have fragments and, if `broken`, broken quads? */
static bool has_fragments(const EmuReport *report, bool broken) {
  for (uint32_t i = 0; i < report->row_count; i++) {
    spv_emu_result r = emu_row_total(&report->rows[i]);
    if (r.fragments && (!broken || r.quad_breaks))
      return true;
  }
  return false;
}

/* Is the column shown? */
static bool is_shown(const EmuReport *report, Column c) {
  if (c == VALUE)
    return value_name(report);
  if (c == HELPER || c == QUAD_BREAKS)
    return has_fragments(report, c == QUAD_BREAKS);
  return report->cost || (c != SPILLS && c != CYCLES && c != UTILISATION);
}

static Line head_of(const EmuReport *report) {
  Line line = {0};
  for (int c = 0; c < COLUMNS; c++)
    snprintf(line.cells[c], CELL, "%s",
             c == VALUE && value_name(report) ? value_name(report) : heads[c]);
  return line;
}

/* The least number of issues of all policies that completed with the swept value of row `at` (these
 * rows are contiguous); 0: none did. */
static uint64_t least_issues(const EmuReport *report, uint32_t at) {
  uint64_t least = 0, value = report->rows[at].value;
  while (at > 0 && report->rows[at - 1].value == value)
    at--;
  for (; at < report->row_count && report->rows[at].value == value; at++) {
    spv_emu_result r = emu_row_total(&report->rows[at]);
    if (r.outcome == SPV_EMU_RAN && r.issued && (!least || r.issued < least))
      least = r.issued;
  }
  return least;
}

static void set_figures(Line *line, const spv_emu_result *r) {
  bool bound = strcmp(r->policy, "opt") == 0 && !r->exact;
  snprintf(line->cells[ISSUES], CELL, "%s%" PRIu64, bound ? ">=" : "", r->issued);
  snprintf(line->cells[LANE_INSTRUCTIONS], CELL, "%" PRIu64, r->lane_instructions);
  snprintf(line->cells[ACTIVITY], CELL, "%.3f", r->activity_factor);
  if (r->fragments) {
    snprintf(line->cells[HELPER], CELL, "%" PRIu64, r->helper_instructions);
    snprintf(line->cells[QUAD_BREAKS], CELL, "%" PRIu64, r->quad_breaks);
  }
  snprintf(line->cells[DIVERGENT], CELL, "%" PRIu64, r->divergent_branches);
  snprintf(line->cells[RECONVERGE], CELL, "%" PRIu64, r->reconvergences);
  snprintf(line->cells[STACK], CELL, "%" PRIu32, r->stack_max_depth);
  snprintf(line->cells[SPILLS], CELL, "%" PRIu64, r->stack_spills);
  if (r->memory_transactions)
    snprintf(line->cells[EFFICIENCY], CELL, "%.3f", r->memory_efficiency);
  snprintf(line->cells[CYCLES], CELL, "%s%" PRIu64, bound ? ">=" : "", r->cycles);
  snprintf(line->cells[UTILISATION], CELL, "%.3f", r->utilisation);
}

/* "limit, 12 of 32 subgroups": the figures cover only these 12. */
static void set_status(char cell[CELL], const EmuRow *row, const spv_emu_result *r) {
  int used = snprintf(cell, CELL, "%s%s", emu_outcome_name(r->outcome),
                      row->failed ? ", EXPECT failed" : "");
  bool cut = r->outcome == SPV_EMU_LIMIT || r->outcome == SPV_EMU_PARTIAL;
  if (cut && r->subgroups < r->dispatch_subgroups)
    snprintf(cell + used, CELL - (size_t)used, ", %" PRIu64 " of %" PRIu64 " subgroups",
             r->subgroups, r->dispatch_subgroups);
}

/* Figures of a policy that does not apply stay empty. */
static Line line_of(const EmuReport *report, uint32_t at) {
  const EmuRow *row = &report->rows[at];
  spv_emu_result r = emu_row_total(row);
  Line line = {0};
  uint64_t least = least_issues(report, at);
  if (row->variant)
    snprintf(line.cells[VALUE], CELL, "%s", row->variant);
  else
    snprintf(line.cells[VALUE], CELL, "%" PRIu64, row->value);
  snprintf(line.cells[POLICY], CELL, "%s", r.policy);
  set_status(line.cells[STATUS], row, &r);
  if (r.outcome == SPV_EMU_SKIP)
    return line;
  set_figures(&line, &r);
  if (least && r.outcome == SPV_EMU_RAN)
    snprintf(line.cells[RATIO], CELL, "%.3f", (double)r.issued / (double)least);
  return line;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void widen(const EmuReport *report, size_t widths[COLUMNS], const Line *line) {
  for (int c = 0; c < COLUMNS; c++)
    if (is_shown(report, (Column)c) && strlen(line->cells[c]) > widths[c])
      widths[c] = strlen(line->cells[c]);
}

/* Names are left-aligned, numbers right-aligned. */
static void print_line(const Line *line, const size_t widths[COLUMNS], FILE *out) {
  if (widths[VALUE])
    fprintf(out, "%*s  ", (int)widths[VALUE], line->cells[VALUE]);
  fprintf(out, "%-*s", (int)widths[POLICY], line->cells[POLICY]);
  for (int c = ISSUES; c < STATUS; c++)
    if (widths[c])
      fprintf(out, "  %*s", (int)widths[c], line->cells[c]);
  fprintf(out, "  %s\n", line->cells[STATUS]);
}

static void print_table(const EmuReport *report, FILE *out) {
  size_t widths[COLUMNS] = {0};
  const Line head = head_of(report);
  widen(report, widths, &head);
  for (uint32_t i = 0; i < report->row_count; i++) {
    Line line = line_of(report, i);
    widen(report, widths, &line);
  }
  print_line(&head, widths, out);
  for (uint32_t i = 0; i < report->row_count; i++) {
    Line line = line_of(report, i);
    print_line(&line, widths, out);
  }
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

/* Do the variants have subgroups of several sizes? */
static bool is_mixed(const EmuReport *report) {
  return report->variants && report->rows[0].value != report->rows[report->row_count - 1].value;
}

static void print_dispatch(const EmuReport *report, FILE *out) {
  const EmuRow *row = shown_row(report);
  spv_emu_result r = emu_row_total(row);
  fprintf(out, "%s: ", tool_name(report->module));
  if (report->dispatch)
    fputs(report->dispatch, out);
  else
    fprintf(out, "%" PRIu64 " dispatch%s", row->dispatches, row->dispatches == 1 ? "" : "es");
  if (r.dispatch_subgroups && !is_mixed(report))
    fprintf(out, ", %" PRIu64 " subgroup%s of %" PRIu32 " lane%s", r.dispatch_subgroups,
            r.dispatch_subgroups == 1 ? "" : "s", r.subgroup_size, r.subgroup_size == 1 ? "" : "s");
  if (report->cost)
    fprintf(out, ", cycles of %s", report->cost->name);
  fputc('\n', out);
}

static void print_name(const EmuRow *row, const spv_emu_result *r, FILE *out) {
  fprintf(out, "%s%s%s", row->variant ? row->variant : "", row->variant ? ": " : "", r->policy);
}

static void print_messages(const EmuReport *report, const EmuRow *row, FILE *out) {
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

void emu_report_text(const EmuReport *report, FILE *out) {
  print_dispatch(report, out);
  print_table(report, out);
  for (uint32_t i = 0; i < report->row_count; i++)
    print_messages(report, &report->rows[i], out);
  print_priority(report, out);
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
