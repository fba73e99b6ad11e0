/* SPDX-License-Identifier: Apache-2.0 */
/* detail_result: the functions, calls, loops and branches of a result (detail.h). */
#include "spv-emu/exec/detail.h"

#include <stdlib.h>

/* ---- functions and calls --------------------------------------------------------------------- */

static bool fill_functions(spv_emu_result *result, const EmuDetail *detail,
                           const EmuCallCount *callees) {
  const EmuProgram *p = detail->program;
  result->functions = calloc(p->functions.count + 1u, sizeof *result->functions);
  if (!result->functions)
    return false;
  result->function_count = p->functions.count;
  uint64_t issues = 0, lanes = 0;
  for (uint32_t b = 0; b < p->blocks.count; b++) {
    const spv_emu_part *part = &result->parts[b];
    spv_emu_function *f = &result->functions[p->blocks.at[b].function];
    f->issues += part->executions * part->issues;
    f->lane_instructions += part->lanes * part->issues;
    issues += part->executions * part->issues;
    lanes += part->lanes * part->issues;
  }
  for (uint32_t i = 0; i < p->functions.count; i++) {
    spv_emu_function *f = &result->functions[i];
    f->name = p->functions.at[i].name;
    f->id = p->functions.at[i].id;
    f->total_issues = i == p->entry ? issues : f->issues + callees[i].issues;
    f->total_lane_instructions = i == p->entry ? lanes : f->lane_instructions + callees[i].lanes;
  }
  return true;
}

/* How many blocks end so. */
static uint32_t count_ends(const EmuProgram *p, EmuEnd end) {
  uint32_t count = 0;
  for (uint32_t b = 0; b < p->blocks.count; b++)
    count += p->blocks.at[b].end == end;
  return count;
}

static bool fill_calls(spv_emu_result *result, const EmuDetail *detail,
                       const EmuCallCount *counts) {
  const EmuProgram *p = detail->program;
  result->calls = calloc(count_ends(p, EMU_END_CALL) + 1u, sizeof *result->calls);
  for (uint32_t b = 0; result->calls && b < p->blocks.count; b++) {
    const EmuBlock *block = &p->blocks.at[b];
    if (block->end != EMU_END_CALL)
      continue;
    uint32_t entry = p->edges.at[block->edge].to;
    result->calls[result->call_count++] =
        (spv_emu_call_site){.caller = block->function,
                            .callee = p->blocks.at[entry].function,
                            .part = b,
                            .file = block->end_place.file,
                            .line = block->end_place.line,
                            .executions = result->parts[b].executions,
                            .lanes = result->parts[b].lanes,
                            .issues = counts[b].issues,
                            .lane_instructions = counts[b].lanes};
  }
  return result->calls != NULL;
}

/* ---- loops and branches ---------------------------------------------------------------------- */

/* Gives each loop the place of its first block that has a line, in the order of blocks. */
static void place_loops(spv_emu_result *result, const EmuDetail *detail) {
  const EmuLoops *l = detail->loops;
  for (uint32_t b = 0; b < detail->program->blocks.count; b++) {
    const SrSourcePlace *place = &detail->program->blocks.at[b].place;
    for (uint32_t i = l->inner[b]; i != SR_NONE && place->line && !result->loops[i].line;
         i = l->at[i].parent) {
      result->loops[i].file = place->file;
      result->loops[i].line = place->line;
    }
  }
}

static bool fill_loops(spv_emu_result *result, const EmuDetail *detail,
                       const EmuLoopCount *counts) {
  const EmuLoops *l = detail->loops;
  result->loops = calloc(l->count + 1u, sizeof *result->loops);
  if (!result->loops)
    return false;
  result->loop_count = l->count;
  for (uint32_t i = 0; i < l->count; i++)
    result->loops[i] = (spv_emu_loop){.part = l->at[i].header,
                                      .file = SPV_EMU_NO_FILE,
                                      .outer = l->at[i].parent,
                                      .entries = counts[i].entries,
                                      .entered = counts[i].entered,
                                      .lanes = counts[i].lanes,
                                      .iterations = counts[i].iterations,
                                      .least = counts[i].least,
                                      .most = counts[i].most};
  place_loops(result, detail);
  return true;
}

/* The innermost loop of the block that one of its edges leaves. */
static uint32_t left_by(const EmuDetail *detail, uint32_t block) {
  const EmuProgram *p = detail->program;
  const EmuLoops *l = detail->loops;
  const EmuBlock *b = &p->blocks.at[block];
  for (uint32_t i = l->inner[block]; i != SR_NONE; i = l->at[i].parent)
    for (uint32_t e = 0; e < b->edges; e++)
      if (!emu_loop_has(l, i, p->edges.at[b->edge + e].to))
        return i;
  return SPV_EMU_NO_LOOP;
}

static bool fill_branches(spv_emu_result *result, const EmuDetail *detail) {
  const EmuProgram *p = detail->program;
  uint32_t most = count_ends(p, EMU_END_IF) + count_ends(p, EMU_END_SWITCH);
  result->branches = calloc(most + 1u, sizeof *result->branches);
  uint32_t *number = calloc(p->blocks.count + 1u, sizeof *number); /* by block */
  for (uint32_t b = 0; result->branches && number && b < p->blocks.count; b++) {
    const EmuBlock *block = &p->blocks.at[b];
    if (block->end != EMU_END_IF && block->end != EMU_END_SWITCH)
      continue;
    number[b] = result->branch_count;
    result->branches[result->branch_count++] = (spv_emu_branch){.part = b,
                                                                .file = block->end_place.file,
                                                                .line = block->end_place.line,
                                                                .targets = block->edges,
                                                                .loop = left_by(detail, b)};
  }
  for (uint32_t b = 0; number && b < p->blocks.count; b++)
    if (detail->decides[b] != SR_NONE)
      result->parts[b].branch = number[detail->decides[b]];
  bool good = result->branches && number;
  free(number);
  return good;
}

bool emu_detail_fill(spv_emu_result *result, const EmuDetail *detail,
                     const EmuDetailCounts *counts) {
  result->detailed = true;
  if (!fill_functions(result, detail, counts->functions) ||
      !fill_calls(result, detail, counts->calls))
    return false;
  if (!detail->loops)
    return true;
  for (uint32_t b = 0; b < result->part_count; b++) {
    result->parts[b].needed = counts->needed[b];
    result->parts[b].loop = detail->loops->inner[b];
  }
  return fill_loops(result, detail, counts->loops) && fill_branches(result, detail);
}
