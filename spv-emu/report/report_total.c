/* SPDX-License-Identifier: Apache-2.0 */
/* report_total: the sums of a row, which all reports show; see report_row.h and report.h. */
#include "spv-emu/report/report.h"

#include "spv-emu/report/report_breaches.h"

#include <string.h>

const char *emu_outcome_name(spv_emu_outcome outcome) {
  static const char *const names[] = {"ok",    "skip",    "deadlock", "limit",
                                      "fault", "partial", "livelock"};
  return names[outcome];
}

bool emu_row_failed(const EmuRow *row) {
  spv_emu_outcome outcome = emu_row_total(row).outcome;
  return row->failed || emu_row_breaches(row) ||
         (outcome != SPV_EMU_RAN && outcome != SPV_EMU_SKIP);
}

static void add_counts(spv_emu_result *sum, const spv_emu_result *more) {
#define EMU_SUM(group, name, field) sum->field += more->field;
#define EMU_MAX(group, name, field) EMU_MORE_MAX(field)
#define EMU_MORE_SUM(field) sum->field += more->field;
#define EMU_MORE_MAX(field) sum->field = more->field > sum->field ? more->field : sum->field;
#include "spv-emu/report/figures.def"
  sum->fragments |= more->fragments;
  sum->exact = sum->exact && more->exact;
}

/* Keeps the first outcome that is not SPV_EMU_RAN, and the first message with the outcome kept. */
static void add_outcome(spv_emu_result *sum, const spv_emu_result *more) {
  bool worse = sum->outcome == SPV_EMU_RAN && more->outcome != SPV_EMU_RAN;
  if (worse || (sum->outcome == more->outcome && !sum->message[0]))
    memcpy(sum->message, more->message, sizeof sum->message);
  if (worse)
    sum->outcome = more->outcome;
}

void emu_result_take_lists(spv_emu_result *to, const spv_emu_result *from) {
  to->blocks = from->blocks;
  to->block_count = from->block_count;
  to->parts = from->parts;
  to->part_count = from->part_count;
  to->priority = from->priority;
  to->priority_count = from->priority_count;
  to->detailed = from->detailed;
  to->functions = from->functions;
  to->function_count = from->function_count;
  to->calls = from->calls;
  to->call_count = from->call_count;
  to->loops = from->loops;
  to->loop_count = from->loop_count;
  to->branches = from->branches;
  to->branch_count = from->branch_count;
}

spv_emu_result emu_row_total(const EmuRow *row) {
  spv_emu_result sum = {.policy = row->policy};
  uint32_t parts = 0;
  for (uint32_t i = 0; i < row->part_count; i++) {
    const spv_emu_result *result = row->parts[i].result;
    if (!result)
      continue;
    if (parts++ == 0) {
      sum = *result;
      continue;
    }
    add_counts(&sum, result);
    add_outcome(&sum, result);
  }
  if (parts > 1 && sum.lane_slots)
    sum.activity_factor = (double)sum.lane_instructions / (double)sum.lane_slots;
  if (parts > 1 && sum.memory_transactions)
    sum.memory_efficiency = (double)sum.memory_issues / (double)sum.memory_transactions;
  if (parts > 1 && sum.cycles)
    sum.utilisation = (double)sum.issue_cycles / (double)sum.cycles;
  emu_result_take_lists(&sum, &(spv_emu_result){0});
  return sum;
}

const char *emu_row_message(const EmuRow *row, const spv_emu_result *total) {
  if (total->message[0] || !row->failed)
    return total->message;
  return row->failures[0] ? row->failures[0] : "an EXPECT failed";
}

const spv_emu_result *emu_report_priority(const EmuReport *report) {
  for (uint32_t i = 0; i < report->row_count; i++)
    for (uint32_t p = 0; p < report->rows[i].part_count; p++) {
      const spv_emu_result *result = report->rows[i].parts[p].result;
      if (result && result->priority_count)
        return result;
    }
  return NULL;
}
