/* report_text: see report.h. */
#include "report.h"

#include <inttypes.h>
#include <string.h>

enum { COLUMNS = 10, CELL = 32, PRIORITY_SHOWN = 32 };

typedef struct Line {
  char cells[COLUMNS][CELL];
} Line;

static const Line head = {{"policy", "issues", "ratio", "lane instr.", "activity", "divergent",
                           "reconverge", "stack", "mem. eff.", "status"}};

/* The least issues of all policies that ran to their end; 0: none did. */
static uint64_t least_issues(const EmuReport *report) {
  uint64_t least = 0;
  for (uint32_t i = 0; i < report->row_count; i++) {
    spv_emu_result r = emu_row_total(&report->rows[i]);
    if (r.outcome == SPV_EMU_RAN && r.issued && (!least || r.issued < least))
      least = r.issued;
  }
  return least;
}

/* What a policy that does not apply would have cost is left empty. */
static Line line_of(const EmuRow *row, uint64_t least) {
  spv_emu_result r = emu_row_total(row);
  Line line = {0};
  snprintf(line.cells[0], CELL, "%s", r.policy);
  snprintf(line.cells[9], CELL, "%s%s", emu_outcome_name(r.outcome),
           row->failed ? ", EXPECT failed" : "");
  if (r.outcome == SPV_EMU_SKIP)
    return line;
  bool bound = strcmp(r.policy, "opt") == 0 && !r.exact;
  snprintf(line.cells[1], CELL, "%s%" PRIu64, bound ? ">=" : "", r.issued);
  if (least && r.outcome == SPV_EMU_RAN)
    snprintf(line.cells[2], CELL, "%.3f", (double)r.issued / (double)least);
  snprintf(line.cells[3], CELL, "%" PRIu64, r.lane_instructions);
  snprintf(line.cells[4], CELL, "%.3f", r.activity_factor);
  snprintf(line.cells[5], CELL, "%" PRIu64, r.divergent_branches);
  snprintf(line.cells[6], CELL, "%" PRIu64, r.reconvergences);
  snprintf(line.cells[7], CELL, "%" PRIu32, r.stack_max_depth);
  if (r.memory_transactions)
    snprintf(line.cells[8], CELL, "%.3f", r.memory_efficiency);
  return line;
}

/* ---- the table ---- */

static void widen(size_t widths[COLUMNS], const Line *line) {
  for (int c = 0; c < COLUMNS; c++)
    if (strlen(line->cells[c]) > widths[c])
      widths[c] = strlen(line->cells[c]);
}

/* Names to the left, numbers to the right. */
static void print_line(const Line *line, const size_t widths[COLUMNS], FILE *out) {
  fprintf(out, "%-*s", (int)widths[0], line->cells[0]);
  for (int c = 1; c < COLUMNS - 1; c++)
    fprintf(out, "  %*s", (int)widths[c], line->cells[c]);
  fprintf(out, "  %s\n", line->cells[COLUMNS - 1]);
}

static void print_table(const EmuReport *report, FILE *out) {
  size_t widths[COLUMNS] = {0};
  uint64_t least = least_issues(report);
  widen(widths, &head);
  for (uint32_t i = 0; i < report->row_count; i++) {
    Line line = line_of(&report->rows[i], least);
    widen(widths, &line);
  }
  print_line(&head, widths, out);
  for (uint32_t i = 0; i < report->row_count; i++) {
    Line line = line_of(&report->rows[i], least);
    print_line(&line, widths, out);
  }
}

/* ---- above and below it ---- */

/* The row whose subgroups are shown: the first with more than one lane, since `scalar` has but one.
 */
static const EmuRow *shown_row(const EmuReport *report) {
  for (uint32_t i = 0; i < report->row_count; i++) {
    spv_emu_result r = emu_row_total(&report->rows[i]);
    if (r.subgroups && r.subgroup_size > 1)
      return &report->rows[i];
  }
  return &report->rows[0];
}

static void print_dispatch(const EmuReport *report, FILE *out) {
  const EmuRow *row = shown_row(report);
  spv_emu_result r = emu_row_total(row);
  fprintf(out, "%s: ", report->module);
  if (report->dispatch)
    fputs(report->dispatch, out);
  else
    fprintf(out, "%" PRIu64 " dispatch%s", row->dispatches, row->dispatches == 1 ? "" : "es");
  if (r.subgroups)
    fprintf(out, ", %" PRIu64 " subgroup%s of %" PRIu32 " lane%s", r.subgroups,
            r.subgroups == 1 ? "" : "s", r.subgroup_size, r.subgroup_size == 1 ? "" : "s");
  fputc('\n', out);
}

static void print_messages(const EmuReport *report, const EmuRow *row, FILE *out) {
  spv_emu_result r = emu_row_total(row);
  if (r.message[0])
    fprintf(out, "%s: %s: %s\n", r.policy,
            r.outcome == SPV_EMU_RAN ? "note" : emu_outcome_name(r.outcome), r.message);
  uint64_t kept = row->failed < EMU_FAILURES_KEPT ? row->failed : EMU_FAILURES_KEPT;
  for (uint64_t i = 0; i < kept; i++)
    fprintf(out, "%s: %s: %s\n", r.policy, report->module,
            row->failures[i] ? row->failures[i] : "out of memory");
  if (row->failed > kept)
    fprintf(out, "%s: %s: %" PRIu64 " more EXPECTs failed\n", r.policy, report->module,
            row->failed - kept);
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

/* ---- buffers ---- */

void emu_report_buffer(const EmuOutput *output, FILE *out) {
  const AmberLayout *layout = output->layout;
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
      const AmberField *field = &layout->fields[f];
      amber_value_print(field, amber_field_get(field, output->bytes + i * layout->stride), text,
                        sizeof text);
      fprintf(out, " %s", text);
    }
    fputc('\n', out);
  }
}
