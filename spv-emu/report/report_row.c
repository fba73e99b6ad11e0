/* SPDX-License-Identifier: Apache-2.0 */
/* report_row: see report_row.h. */
#include "spv-emu/report/report_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

bool emu_row_start(EmuRow *row, const char *policy, uint32_t part_count) {
  *row = (EmuRow){.policy = policy ? policy : "structured"};
  row->parts = calloc(part_count + 1u, sizeof *row->parts);
  if (row->parts)
    row->part_count = part_count;
  return row->parts != NULL;
}

bool emu_row_refuse(EmuRow *row, const char *policy, const char *why) {
  if (!emu_row_start(row, policy, 1))
    return false;
  spv_emu_result *result = row->parts[0].result = calloc(1, sizeof *result);
  if (!result)
    return false;
  result->policy = row->policy;
  result->outcome = SPV_EMU_SKIP;
  snprintf(result->message, sizeof result->message, "%s", why);
  return true;
}

/* ---- dispatches ------------------------------------------------------------------------------ */

static void add_blocks(spv_emu_result *sum, const spv_emu_result *more) {
  for (uint32_t i = 0; i < sum->block_count && i < more->block_count; i++) {
    sum->blocks[i].executions += more->blocks[i].executions;
    sum->blocks[i].lanes += more->blocks[i].lanes;
  }
  for (uint32_t i = 0; i < sum->part_count && i < more->part_count; i++) {
    sum->parts[i].executions += more->parts[i].executions;
    sum->parts[i].lanes += more->parts[i].lanes;
    sum->parts[i].diverged += more->parts[i].diverged;
    sum->parts[i].needed += more->parts[i].needed;
  }
}

static void add_loop(spv_emu_loop *sum, const spv_emu_loop *more) {
  sum->entries += more->entries;
  sum->entered += more->entered;
  if (!more->lanes)
    return;
  sum->least = !sum->lanes || more->least < sum->least ? more->least : sum->least;
  sum->most = more->most > sum->most ? more->most : sum->most;
  sum->lanes += more->lanes;
  sum->iterations += more->iterations;
}

static void add_detail(spv_emu_result *sum, const spv_emu_result *more) {
  for (uint32_t i = 0; i < sum->function_count && i < more->function_count; i++) {
    sum->functions[i].issues += more->functions[i].issues;
    sum->functions[i].lane_instructions += more->functions[i].lane_instructions;
    sum->functions[i].total_issues += more->functions[i].total_issues;
    sum->functions[i].total_lane_instructions += more->functions[i].total_lane_instructions;
  }
  for (uint32_t i = 0; i < sum->call_count && i < more->call_count; i++) {
    sum->calls[i].executions += more->calls[i].executions;
    sum->calls[i].lanes += more->calls[i].lanes;
    sum->calls[i].issues += more->calls[i].issues;
    sum->calls[i].lane_instructions += more->calls[i].lane_instructions;
  }
  for (uint32_t i = 0; i < sum->loop_count && i < more->loop_count; i++)
    add_loop(&sum->loops[i], &more->loops[i]);
}

/* Adds another run of the same program under the same policy. */
static void add_result(spv_emu_result *sum, spv_emu_result *more) {
  EmuPart parts[] = {{.result = sum}, {.result = more}};
  spv_emu_result total = emu_row_total(&(EmuRow){.parts = parts, .part_count = 2});
  add_blocks(sum, more);
  add_detail(sum, more);
  emu_result_take_lists(&total, sum);
  *sum = total;
}

void emu_row_add(EmuRow *row, uint32_t part, const spv_emu_program *program,
                 spv_emu_result *result) {
  row->dispatches++;
  emu_row_add_stage(row, part, program, result);
}

void emu_row_add_stage(EmuRow *row, uint32_t part, const spv_emu_program *program,
                       spv_emu_result *result) {
  EmuPart *at = &row->parts[part];
  at->program = program;
  if (at->result) {
    add_result(at->result, result);
    spv_emu_result_free(result);
  } else {
    at->result = result;
  }
}

/* ---- results of a run ------------------------------------------------------------------------ */

void emu_row_expect(EmuRow *row, const char *failure) {
  if (!failure) {
    row->passed++;
    return;
  }
  if (row->failed < EMU_FAILURES_KEPT)
    row->failures[row->failed] = strdup(failure);
  row->failed++;
}

int emu_output_place(const EmuOutput *left, const EmuOutput *right) {
  if (left->set != right->set)
    return left->set < right->set ? -1 : 1;
  if (left->binding != right->binding)
    return left->binding < right->binding ? -1 : 1;
  return (left->element > right->element) - (left->element < right->element);
}

int emu_output_order(const void *left, const void *right) {
  const EmuOutput *a = left, *b = right;
  int place = emu_output_place(a, b);
  return place ? place : (a->part > b->part) - (a->part < b->part);
}

bool emu_row_outputs(EmuRow *row, const EmuOutput *outputs, uint32_t count) {
  row->outputs = calloc(count + 1u, sizeof *row->outputs);
  if (!row->outputs)
    return false;
  row->output_count = count;
  for (uint32_t i = 0; i < count; i++) {
    row->outputs[i] = outputs[i];
    row->outputs[i].hash = XXH64(outputs[i].bytes, outputs[i].size, 0);
  }
  return true;
}

bool emu_row_pictures(EmuRow *row, const EmuDrawn *drawn, uint32_t count) {
  row->pictures = calloc(count + 1u, sizeof *row->pictures);
  bool good = row->pictures;
  for (uint32_t i = 0; good && i < count; i++)
    good = emu_picture_make(&drawn[i], &row->pictures[row->picture_count++]);
  return good;
}

static void drop_pictures(EmuRow *row) {
  for (uint32_t i = 0; i < row->picture_count; i++)
    free(row->pictures[i].rgb);
  free(row->pictures);
  row->pictures = NULL;
  row->picture_count = 0;
}

bool emu_row_view(EmuRow *row, bool page, bool keep_heat, bool keep_pictures) {
  const EmuPicture *picture = row->picture_count ? &row->pictures[0] : NULL;
  row->heat_sum = emu_heat_sum(&row->heat);
  if (page && row->heat.width && !emu_cells_make(&row->heat, picture, &row->cells))
    return false;
  if (!keep_heat)
    spv_emu_heat_free(&row->heat);
  if (!keep_pictures)
    drop_pictures(row);
  return true;
}

static void drop_lists(spv_emu_result *result) {
  free(result->blocks);
  free(result->parts);
  free(result->priority);
  free(result->functions);
  free(result->calls);
  free(result->loops);
  free(result->branches);
  emu_result_take_lists(result, &(spv_emu_result){0});
}

void emu_row_keep_figures(EmuRow *row, const uint64_t values[EMU_ROW_VALUES]) {
  memcpy(row->values, values, sizeof row->values);
  for (uint32_t i = 0; i < row->part_count; i++) {
    row->parts[i].program = NULL;
    if (row->parts[i].result)
      drop_lists(row->parts[i].result);
  }
  for (uint32_t i = 0; i < row->output_count; i++) {
    row->outputs[i].name = NULL;
    row->outputs[i].layout = NULL;
    row->outputs[i].bytes = row->outputs[i].initial = NULL;
  }
}

void emu_row_free(EmuRow *row) {
  for (uint32_t i = 0; i < row->part_count; i++)
    spv_emu_result_free(row->parts[i].result);
  for (uint32_t i = 0; i < EMU_FAILURES_KEPT; i++)
    free(row->failures[i]);
  drop_pictures(row);
  spv_emu_heat_free(&row->heat);
  emu_cells_free(&row->cells);
  free(row->parts);
  free(row->outputs);
  *row = (EmuRow){0};
}
