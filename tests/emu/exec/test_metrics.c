/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a result, computed by hand, for a small program: a loop with a call in it, a part
 * after the call, and a block that a transform added. */
#include "spv-emu/exec/metrics.h"
#include "spv-emu/policy/table/policy_table.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* main: entry %10, header %11 with two phis, body %12 that calls, its second part, exit %13;
 * callee: %20. */
static EmuBlock blocks[] = {
    {.id = 10, .issues = 3, .place = {0, 7, 3, 0, SR_NONE}, .last_line = 9},
    {.id = 11, .issues = 4, .overhead = 1, .phis = 2, .place = {0, 8, 0, 0, SR_NONE}},
    {.id = 12, .issues = 5, .place = {1, 9, 0, 1, 4}},
    {.id = 12, .part = 1, .issues = 6, .place = {0, 10, 0, 0, SR_NONE}},
    {.id = 13, .issues = 2, .overhead = 2, .place = {SR_NONE, 0, 0, SR_NONE, SR_NONE}},
    {.id = 20, .issues = 9, .function = 1, .place = {SR_NONE, 0, 0, SR_NONE, SR_NONE}},
};
static SrSourceFunction source_functions[] = {{"main", 0, 6}, {"inlined", 1, 2}};
static SrSource source = {.functions = {.at = source_functions, .count = 2}};
#define BLOCKS (sizeof blocks / sizeof *blocks)
static EmuFunction functions[] = {{.name = "main"}, {.name = "callee"}};
static const uint32_t ids[] = {10, 11, 12, 12, 13, 20}, order[] = {0, 1, 2, 5, 3, 4};

static EmuBlockCount counts[BLOCKS] = {
    {.executions = 2, .lanes = 12},
    {.executions = 6, .lanes = 20, .noops = 1},
    {.executions = 5, .lanes = 8, .noops = 2},
    {.executions = 4, .lanes = 8},
    {.executions = 2, .lanes = 12},
    {.executions = 3, .lanes = 8},
};

static const EmuProgram program = {
    .source = &source,
    .blocks = {.at = blocks, .count = BLOCKS},
    .functions = {.at = functions, .count = 2},
};
static const EmuBlockTable table = {.count = BLOCKS, .id = ids, .order = order};
static const EmuTotals totals = {
    .message = "a note",
    .subgroups = 2,
    .blocks = counts,
    .divergent_branches = 4,
    .policy = {.reconvergences = 3, .pushes = 6, .pops = 5, .max_depth = 2},
    .counts = {.memory_issues = 6, .memory_transactions = 24, .out_of_bounds = 1},
    .optimum = 50,
    .at_most = 60,
    .exact = true,
};

static spv_emu_result figures(const EmuDispatch *dispatch, const EmuTotals *t) {
  spv_emu_result result = {0};
  assert_true(emu_metrics_fill(&result, &program, &table, dispatch, t));
  return result;
}

static void release(spv_emu_result *result) {
  free(result->blocks);
  free(result->parts);
  free(result->priority);
}

static void close_to(double is, double wanted) {
  assert_true(is > wanted - 1e-12 && is < wanted + 1e-12);
}

static void sums(void **state) {
  (void)state;
  spv_emu_result r = figures(&(EmuDispatch){.lanes = 8, .policy = &emu_policy_pdom}, &totals);
  assert_int_equal(r.outcome, SPV_EMU_RAN);
  assert_string_equal(r.message, "a note");
  assert_int_equal(r.subgroup_size, 8);
  assert_int_equal(r.subgroups, 2);
  /* 2*3 + 6*4 + 5*5 + 4*6 + 2*2 + 3*9 */
  assert_int_equal(r.issued, 110);
  assert_int_equal(r.noop_issues, 4 + 10);
  /* 12*3 + 20*4 + 8*5 + 8*6 + 12*2 + 8*9 */
  assert_int_equal(r.lane_instructions, 300);
  close_to(r.activity_factor, 300.0 / 880);
  assert_int_equal(r.overhead, 6 + 4);
  assert_int_equal(r.phi, 10);
  assert_int_equal(r.divergent_branches, 4);
  assert_int_equal(r.reconvergences, 3);
  assert_int_equal(r.stack_pushes, 6);
  assert_int_equal(r.stack_pops, 5);
  assert_int_equal(r.stack_max_depth, 2);
  assert_int_equal(r.memory_issues, 6);
  assert_int_equal(r.memory_transactions, 24);
  close_to(r.memory_efficiency, 0.25);
  assert_int_equal(r.cycles, 110);
  assert_int_equal(r.out_of_bounds, 1);
  assert_false(r.exact);
  release(&r);
}

static void assert_names(const char *name, const char *wanted) {
  assert_int_equal(name != NULL, wanted != NULL);
  if (name)
    assert_string_equal(name, wanted);
}

static void rows(void **state) {
  (void)state;
  static const spv_emu_block wanted[] = {
      {"main", 10, 7, 3, 2, 12, 0, 3, 9, "main", SR_NONE},
      {"main", 11, 8, 4, 6, 20, 0, 0, 0, "main", SR_NONE},
      {"main", 12, 9, 11, 5, 8, 1, 0, 0, "inlined", 4},
      {"main", 13, 0, 2, 2, 12, SR_NONE, 0, 0, NULL, SR_NONE},
      {"callee", 20, 0, 9, 3, 8, SR_NONE, 0, 0, NULL, SR_NONE},
  };
  static const uint32_t priority[] = {10, 11, 12, 20, 13};
  spv_emu_result r = figures(&(EmuDispatch){.lanes = 8, .policy = &emu_policy_pdom}, &totals);
  assert_int_equal(r.block_count, 5);
  for (uint32_t i = 0; i < r.block_count; i++) {
    assert_string_equal(r.blocks[i].function, wanted[i].function);
    assert_int_equal(r.blocks[i].id, wanted[i].id);
    assert_int_equal(r.blocks[i].line, wanted[i].line);
    assert_int_equal(r.blocks[i].issues, wanted[i].issues);
    assert_int_equal(r.blocks[i].executions, wanted[i].executions);
    assert_int_equal(r.blocks[i].lanes, wanted[i].lanes);
    assert_int_equal(r.blocks[i].file, wanted[i].file);
    assert_int_equal(r.blocks[i].column, wanted[i].column);
    assert_int_equal(r.blocks[i].last_line, wanted[i].last_line);
    assert_names(r.blocks[i].source_function, wanted[i].source_function);
    assert_int_equal(r.blocks[i].call, wanted[i].call);
  }
  assert_int_equal(r.priority_count, 5);
  assert_memory_equal(r.priority, priority, sizeof priority);
  release(&r);
}

static void optimum(void **state) {
  (void)state;
  spv_emu_result r =
      figures(&(EmuDispatch){.lanes = 8, .policy = &emu_policy_pdom, .optimum = true}, &totals);
  assert_int_equal(r.issued, 50);
  assert_int_equal(r.lane_instructions, 300);
  close_to(r.activity_factor, 0.75);
  assert_int_equal(r.cycles, 50);
  assert_true(r.exact);
  assert_int_equal(r.at_most, 60);
  assert_int_equal(r.noop_issues + r.phi + r.overhead + r.reconvergences + r.memory_issues, 0);
  assert_int_equal(r.stack_max_depth, 0);
  assert_int_equal(r.blocks[2].lanes, 8);
  release(&r);
}

static void outcomes(void **state) {
  (void)state;
  static const struct {
    EmuExecEnd end;
    spv_emu_outcome outcome;
  } ends[] = {{EMU_EXEC_DONE, SPV_EMU_RAN},
              {EMU_EXEC_DEADLOCK, SPV_EMU_DEADLOCK},
              {EMU_EXEC_LIMIT, SPV_EMU_LIMIT},
              {EMU_EXEC_FAULT, SPV_EMU_FAULT}};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    EmuTotals t = totals;
    t.end = ends[i].end;
    spv_emu_result r = figures(&(EmuDispatch){.lanes = 8, .policy = &emu_policy_pdom}, &t);
    assert_int_equal(r.outcome, ends[i].outcome);
    release(&r);
  }
}

/* A policy that does not apply: no figures, but rows and the order; the message is kept. */
static void nothing_ran(void **state) {
  (void)state;
  spv_emu_result r = {.outcome = SPV_EMU_SKIP, .message = "why"};
  assert_true(emu_metrics_fill(&r, &program, &table,
                               &(EmuDispatch){.lanes = 1, .policy = &emu_policy_pdom}, NULL));
  assert_int_equal(r.outcome, SPV_EMU_SKIP);
  assert_string_equal(r.message, "why");
  assert_int_equal(r.subgroup_size, 1);
  assert_int_equal(r.issued, 0);
  close_to(r.activity_factor, 0);
  close_to(r.memory_efficiency, 0);
  assert_int_equal(r.block_count, 5);
  assert_int_equal(r.blocks[2].executions, 0);
  assert_int_equal(r.blocks[2].issues, 11);
  assert_int_equal(r.priority_count, 5);
  release(&r);
}

/* Instructions that a policy adds, and the blocks of the expansion area. */
static void added(void **state) {
  (void)state;
  EmuBlockCount apart[BLOCKS];
  EmuTotals t = totals;
  SrBits area[1] = {1u << 1 | 1u << 2 | 1u << 4}; /* blocks 1, 2 and 4 */
  memcpy(apart, counts, sizeof apart);
  apart[1].apart = 3;
  apart[2].apart = 5;
  apart[3].apart = 4; /* not in the area */
  t.blocks = apart;
  t.area = area;
  t.policy.added = 7;
  spv_emu_result r = figures(&(EmuDispatch){.lanes = 8, .policy = &emu_policy_pdom}, &t);
  assert_int_equal(r.issued, 110 + 7);
  assert_int_equal(r.overhead, 10 + 7);
  assert_int_equal(r.expansion_area, (3 - 1) * 4 + (5 - 2) * 5);
  assert_int_equal(r.issue_cycles, 117);
  release(&r);
}

/* `exec`: scalar instructions of the blocks, mask instructions, added branches. */
static void wave(void **state) {
  (void)state;
  EmuBlock scalars[BLOCKS];
  EmuTotals t = totals;
  EmuProgram p = program;
  memcpy(scalars, blocks, sizeof scalars);
  scalars[1].scalar = 2; /* of 6 executions, 1 without lanes */
  scalars[2].scalar = 1; /* of 5, 2 */
  p.blocks.at = scalars;
  t.policy.added = 9;
  t.policy.masks = 5;
  t.policy.branches = 4;
  spv_emu_result r = {0};
  assert_true(
      emu_metrics_fill(&r, &p, &table, &(EmuDispatch){.lanes = 8, .policy = &emu_policy_exec}, &t));
  assert_int_equal(r.scalar_issues, 6 * 2 + 5 * 1 + 5);
  assert_int_equal(r.branch_issues, 4);
  assert_int_equal(r.noop_issues, 14 - 1 * 2 - 2 * 1);
  assert_int_equal(r.issued, 119);
  release(&r);
}

/* Cycles by a cost model; also with the latency model, whose cycles include those of the issues. */
static void cycles(void **state) {
  (void)state;
  static const uint32_t block[BLOCKS] = {10, 20, 30, 40, 50, 60};
  const spv_emu_cost free_branches = {.divergent = 0}, paid = {.divergent = 32};
  EmuCost cost = {.model = &free_branches, .block = block, .added = 3};
  EmuTotals t = totals;
  const uint64_t of_blocks = 2 * 10 + 6 * 20 + 5 * 30 + 4 * 40 + 2 * 50 + 3 * 60;
  t.policy.added = 7;
  t.policy.carriers = 2;
  t.branch_cycles = 64;
  t.unwinding_cycles = 36;
  t.spills = 4;
  spv_emu_result r =
      figures(&(EmuDispatch){.lanes = 8, .policy = &emu_policy_pdom, .cost = &cost}, &t);
  assert_int_equal(r.issue_cycles, of_blocks + 7 * 3);
  assert_int_equal(r.cycles, r.issue_cycles + 100);
  assert_int_equal(r.idle_cycles, 100);
  assert_int_equal(r.stack_spills, 4);
  close_to(r.utilisation, (double)r.issue_cycles / (double)r.cycles);
  release(&r);
  cost.model = &paid; /* carriers are included in the branches' cost */
  r = figures(&(EmuDispatch){.lanes = 8, .policy = &emu_policy_pdom, .cost = &cost}, &t);
  assert_int_equal(r.issue_cycles, of_blocks + (7 - 2) * 3);
  release(&r);
  t.replayed = true;
  t.latency =
      (EmuLatency){.cycles = 5000, .idle = 1234, .loads = 8, .misses = 3, .load_cycles = 99};
  r = figures(&(EmuDispatch){.lanes = 8, .policy = &emu_policy_pdom, .cost = &cost}, &t);
  assert_int_equal(r.cycles, 5000);
  assert_int_equal(r.idle_cycles, 1234);
  assert_int_equal(r.loads, 8);
  assert_int_equal(r.misses, 3);
  assert_int_equal(r.load_cycles, 99);
  close_to(r.utilisation, (double)(of_blocks + 15) / 5000);
  release(&r);
}

/* More than 32 bits of everything. */
static void large_sums(void **state) {
  (void)state;
  EmuBlockCount many[BLOCKS] = {{.executions = 1ull << 40, .lanes = 1ull << 45}};
  EmuTotals t = totals;
  t.blocks = many;
  spv_emu_result r = figures(&(EmuDispatch){.lanes = 64, .policy = &emu_policy_pdom}, &t);
  assert_true(r.issued == 3ull << 40 && r.lane_instructions == 3ull << 45);
  close_to(r.activity_factor, 0.5);
  release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums),     cmocka_unit_test(rows),        cmocka_unit_test(optimum),
      cmocka_unit_test(outcomes), cmocka_unit_test(nothing_ran), cmocka_unit_test(large_sums),
      cmocka_unit_test(added),    cmocka_unit_test(wave),        cmocka_unit_test(cycles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
