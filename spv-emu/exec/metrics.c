/* SPDX-License-Identifier: Apache-2.0 */
/* metrics: see metrics.h. */
#include "spv-emu/exec/metrics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static double quotient(uint64_t over, double under) {
  return under > 0 ? (double)over / under : 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The parts into which calls split a block are contiguous, and become one row, with the counts of
 * the first part, which all lanes that enter the block run. */
static bool fill_blocks(spv_emu_result *result, const EmuProgram *p, const EmuBlockCount *counts) {
  result->blocks = calloc(p->blocks.count + 1, sizeof *result->blocks);
  result->parts = calloc(p->blocks.count + 1, sizeof *result->parts);
  if (!result->blocks || !result->parts)
    return false;
  spv_emu_block *row = NULL;
  for (uint32_t b = 0; b < p->blocks.count; b++) {
    const EmuBlock *block = &p->blocks.at[b];
    if (block->part == 0) {
      row = &result->blocks[result->block_count++];
      row->function = p->functions.at[block->function].name;
      row->id = block->id;
      row->line = block->place.line;
      row->column = block->place.column;
      row->last_line = block->last_line;
      row->file = block->place.file;
      row->call = block->place.call;
      if (block->place.function != SR_NONE)
        row->source_function = p->source->functions.at[block->place.function].name;
      row->executions = counts ? counts[b].executions : 0;
      row->lanes = counts ? counts[b].lanes : 0;
    }
    assert(row); /* the first block is a first part */
    row->issues += block->issues;
    spv_emu_part *part = &result->parts[result->part_count++];
    *part = (spv_emu_part){
        .block = result->block_count - 1, .part = block->part, .issues = block->issues};
    part->executions = counts ? counts[b].executions : 0;
    part->lanes = counts ? counts[b].lanes : 0;
    part->diverged = counts ? counts[b].diverged : 0;
    part->branch = SPV_EMU_NO_BRANCH;
    part->loop = SPV_EMU_NO_LOOP;
  }
  return true;
}

/* Lists the blocks by label; a block in parts has the place of its first part. */
static bool fill_priority(spv_emu_result *result, const EmuProgram *p, const EmuBlockTable *table) {
  result->priority = calloc(table->count + 1, sizeof *result->priority);
  if (!result->priority)
    return false;
  for (uint32_t i = 0; i < table->count; i++)
    if (p->blocks.at[table->order[i]].part == 0)
      result->priority[result->priority_count++] = table->id[table->order[i]];
  return true;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void sum_blocks(spv_emu_result *result, const EmuProgram *p, const EmuTotals *t) {
  const EmuBlockCount *counts = t->blocks;
  for (uint32_t b = 0; b < p->blocks.count; b++) {
    const EmuBlock *block = &p->blocks.at[b];
    const EmuBlockCount *count = &counts[b];
    result->issued += count->executions * block->issues;
    result->noop_issues += count->noops * block->issues;
    result->lane_instructions += count->lanes * block->issues;
    result->overhead += count->executions * block->overhead;
    result->phi += (count->executions - count->noops) * block->phis;
    if (t->area && sr_bit(t->area, b))
      result->expansion_area += (count->apart - count->noops) * block->issues;
  }
}

/* Figures of a program with scalar instructions: it has additional instructions, and only those of
 * the vector unit count as no-ops. */
static void add_scalar(spv_emu_result *result, const EmuProgram *p, const EmuTotals *t) {
  for (uint32_t b = 0; b < p->blocks.count; b++) {
    result->scalar_issues += t->blocks[b].executions * p->blocks.at[b].scalar;
    result->noop_issues -= t->blocks[b].noops * p->blocks.at[b].scalar;
  }
  result->scalar_issues += t->policy.masks;
  result->branch_issues = t->policy.branches;
}

static void fill_schedule(spv_emu_result *result, const EmuProgram *p, const EmuTotals *t) {
  sum_blocks(result, p, t);
  result->issued += t->policy.added;
  result->overhead += t->policy.added;
  result->divergent_branches = t->divergent_branches;
  result->reconvergences = t->policy.reconvergences;
  result->stack_pushes = t->policy.pushes;
  result->stack_pops = t->policy.pops;
  result->stack_max_depth = t->policy.max_depth;
  result->barriers_max_live = t->policy.most_barriers;
  result->barrier_spills = t->policy.barrier_spills;
  result->memory_issues = t->counts.memory_issues;
  result->memory_transactions = t->counts.memory_transactions;
  result->image_issues = t->counts.image_issues;
  result->image_transactions = t->counts.image_transactions;
  result->attachment_issues = t->counts.attachment_issues;
  result->attachment_transactions = t->counts.attachment_transactions;
}

static void fill_quads(spv_emu_result *result, const EmuProgram *p, const EmuTotals *t) {
  result->fragments = p->model == SpvExecutionModelFragment;
  result->quad_breaks = t->counts.quad_breaks;
  for (uint32_t b = 0; b < p->blocks.count; b++)
    result->helper_instructions += t->blocks[b].helpers * p->blocks.at[b].issues;
}

/* The paths were recorded in a run under a policy, which is a schedule of them, too. */
static void fill_optimum(spv_emu_result *result, const EmuProgram *p, const EmuTotals *t) {
  uint64_t ran = 0;
  for (uint32_t b = 0; b < p->blocks.count; b++) {
    result->lane_instructions += t->blocks[b].lanes * p->blocks.at[b].issues;
    ran += t->blocks[b].executions * p->blocks.at[b].issues;
  }
  result->issued = t->optimum;
  result->at_most = ran < t->at_most ? ran : t->at_most;
  result->exact = t->exact || result->issued == result->at_most;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

/* Carriers are included in the cost of divergent branches, if that is not 0. */
static uint64_t issue_cycles(const EmuProgram *p, const EmuCost *cost, const EmuTotals *t) {
  uint64_t cycles = t->policy.added - (cost->model->divergent ? t->policy.carriers : 0);
  cycles *= cost->added;
  for (uint32_t b = 0; b < p->blocks.count; b++)
    cycles += t->blocks[b].executions * cost->block[b];
  return cycles;
}

static void fill_latency(spv_emu_result *result, const EmuLatency *latency) {
  result->cycles = latency->cycles;
  result->loads = latency->loads;
  result->misses = latency->misses;
  result->load_cycles = latency->load_cycles;
}

static void fill_cycles(spv_emu_result *result, const EmuProgram *p, const EmuDispatch *dispatch,
                        const EmuTotals *t) {
  result->issue_cycles = !dispatch->cost     ? result->issued
                         : dispatch->optimum ? t->optimum_cycles
                                             : issue_cycles(p, dispatch->cost, t);
  result->stack_spills = t->spills;
  result->branch_cycles = t->branch_cycles;
  result->unwinding_cycles = t->unwinding_cycles;
  result->cycles = result->issue_cycles + t->branch_cycles + t->unwinding_cycles;
  if (t->replayed)
    fill_latency(result, &t->latency);
  result->idle_cycles = t->replayed ? t->latency.idle : result->cycles - result->issue_cycles;
  result->utilisation = quotient(result->issue_cycles, (double)result->cycles);
}

static spv_emu_outcome outcome_of(EmuExecEnd end) {
  switch (end) {
  case EMU_EXEC_DEADLOCK:
    return SPV_EMU_DEADLOCK;
  case EMU_EXEC_LIVELOCK:
    return SPV_EMU_LIVELOCK;
  case EMU_EXEC_LIMIT:
    return SPV_EMU_LIMIT;
  case EMU_EXEC_FAULT:
    return SPV_EMU_FAULT;
  case EMU_EXEC_ENDED:
    return SPV_EMU_PARTIAL;
  default:
    return SPV_EMU_RAN;
  }
}

static void fill_totals(spv_emu_result *result, const EmuProgram *p, const EmuDispatch *dispatch,
                        const EmuTotals *t) {
  result->outcome = outcome_of(t->end);
  memcpy(result->message, t->message, sizeof result->message);
  result->subgroups = t->subgroups;
  result->dispatch_subgroups = t->dispatch_subgroups;
  result->out_of_bounds = t->counts.out_of_bounds;
  result->races = t->races;
  result->lane_races = t->lane_races;
  if (dispatch->optimum)
    fill_optimum(result, p, t);
  else
    fill_schedule(result, p, t);
  if (dispatch->policy->scalar_code)
    add_scalar(result, p, t);
  fill_quads(result, p, t);
  fill_cycles(result, p, dispatch, t);
  result->lane_slots = result->issued * dispatch->lanes;
  result->activity_factor = quotient(result->lane_instructions, (double)result->lane_slots);
  result->memory_efficiency = quotient(result->memory_issues, (double)result->memory_transactions);
}

bool emu_metrics_fill(spv_emu_result *result, const EmuProgram *p, const EmuBlockTable *table,
                      const EmuDispatch *dispatch, const EmuTotals *totals) {
  result->subgroup_size = dispatch->lanes;
  if (totals)
    fill_totals(result, p, dispatch, totals);
  return fill_blocks(result, p, totals ? totals->blocks : NULL) &&
         fill_priority(result, p, table) &&
         (!totals || !totals->detail || emu_detail_fill(result, dispatch->detail, totals->detail));
}
