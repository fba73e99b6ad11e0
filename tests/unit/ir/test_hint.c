/* SPDX-License-Identifier: Apache-2.0 */
/* Controls of loops and branches while a function has no merge instructions: every set of loop
 * controls with their parameters is written again, with its promises or without; and what becomes
 * of them where blocks move, are copied, or get another header. */
#include "passes/ir/edit.h"
#include "passes/ir/hint.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

enum { MERGE = 900, TARGET, ROUNDS = 3000 };

/* Loop controls, by bit (SPIR-V 1.6, 3.23; SPV_INTEL_fpga_loop_controls). */
typedef struct Control {
  uint32_t bit;
  bool has_parameter, promises;
} Control;

static const Control controls[] = {
    {SpvLoopControlUnrollMask, false, false},
    {SpvLoopControlDontUnrollMask, false, false},
    {SpvLoopControlDependencyInfiniteMask, false, true},
    {SpvLoopControlDependencyLengthMask, true, true},
    {SpvLoopControlMinIterationsMask, true, true},
    {SpvLoopControlMaxIterationsMask, true, true},
    {SpvLoopControlIterationMultipleMask, true, true},
    {SpvLoopControlPeelCountMask, true, false},
    {SpvLoopControlPartialCountMask, true, false},
    {SpvLoopControlInitiationIntervalINTELMask, true, false},
    {SpvLoopControlMaxConcurrencyINTELMask, true, false},
    {SpvLoopControlDependencyArrayINTELMask, true, true},
    {SpvLoopControlPipelineEnableINTELMask, true, false},
    {SpvLoopControlLoopCoalesceINTELMask, true, false},
    {SpvLoopControlMaxInterleavingINTELMask, true, false},
    {SpvLoopControlSpeculatedIterationsINTELMask, true, false},
    {SpvLoopControlNoFusionINTELMask, false, false},
    {SpvLoopControlLoopCountINTELMask, true, true},
};
enum { CONTROLS = sizeof controls / sizeof *controls };

static SrHeap heap;

static SrModule *new_module(SrArena *arena) {
  sr_heap_init(&heap);
  *arena = sr_arena_new(&heap);
  return assembled(arena,
                   "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
                   "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n"
                   "%3 = OpFunction %1 None %2\n%4 = OpLabel\nOpReturn\nOpFunctionEnd\n");
}

/* Puts the controls of that set, with parameters that tell which control they are of. */
static void put_controls(SrModule *m, uint32_t set) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < CONTROLS; i++)
    mask |= set >> i & 1 ? controls[i].bit : 0;
  sr_put_literal(m, mask);
  for (uint32_t i = 0; i < CONTROLS; i++)
    if (set >> i & 1 && controls[i].has_parameter)
      sr_put_literal(m, 100 + i);
}

static SrRef new_loop(SrModule *m, uint32_t set) {
  sr_begin(m, SpvOpLoopMerge, 0, 0);
  sr_put_id(m, MERGE);
  sr_put_id(m, TARGET);
  put_controls(m, set);
  return sr_end(m);
}

static SrRef new_selection(SrModule *m, uint32_t control) {
  sr_begin(m, SpvOpSelectionMerge, 0, 0);
  sr_put_id(m, MERGE);
  sr_put_literal(m, control);
  return sr_end(m);
}

static uint32_t requests_of(uint32_t set) {
  for (uint32_t i = 0; i < CONTROLS; i++)
    if (controls[i].promises)
      set &= ~(1u << i);
  return set;
}

static void assert_equal(const SrModule *m, SrRef a, SrRef b) {
  assert_int_equal(sr_word_count(m, a), sr_word_count(m, b));
  assert_memory_equal(sr_words(m, a), sr_words(m, b), sr_word_count(m, a) * sizeof(uint32_t));
}

static void test_put(void **state) {
  (void)state;
  uint64_t seed = unit_seed();
  SrArena arena;
  SrModule *m = new_module(&arena);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint32_t set = round < CONTROLS ? 1u << round : unit_below(&seed, 1u << CONTROLS);
    SrRef merge = new_loop(m, set);
    assert_int_equal(sr_hint_has(m, merge), set != 0);
    for (int promises = 0; promises < 2; promises++) {
      sr_begin(m, SpvOpLoopMerge, 0, 0);
      sr_put_id(m, MERGE);
      sr_put_id(m, TARGET);
      sr_hint_put(m, merge, promises);
      assert_equal(m, sr_end(m), new_loop(m, promises ? set : requests_of(set)));
    }
  }
  sr_heap_free_all(&heap);
}

static SrRef kept(const SrModule *m, uint32_t label) {
  return sr_hint_of(m, label, SpvOpLoopMerge);
}

/* What is kept under labels 10 to 13; nothing is where nothing was put. */
static void test_labels(void **state) {
  (void)state;
  SrArena arena;
  SrModule *m = new_module(&arena);
  SrRef loop = new_loop(m, 1 | 1 << 4), promise = new_loop(m, 1 << 6);
  SrRef flatten = new_selection(m, SpvSelectionControlFlattenMask);
  sr_hint_keep(m, 10, new_loop(m, 0));
  sr_hint_keep(m, 10, new_selection(m, 0));
  assert_false(sr_hint_any(m, SpvOpLoopMerge) || sr_hint_any(m, SpvOpSelectionMerge));
  sr_hint_keep(m, 10, loop);
  assert_true(sr_hint_any(m, SpvOpLoopMerge) && !sr_hint_any(m, SpvOpSelectionMerge));
  sr_hint_keep(m, 10, flatten);
  assert_true(kept(m, 10) == loop && sr_hint_of(m, 10, SpvOpSelectionMerge) == flatten);
  assert_int_equal(kept(m, 11), SR_NONE);

  sr_hint_move_branch(m, 10, 11); /* the loop stays */
  assert_true(kept(m, 10) == loop && kept(m, 11) == SR_NONE);
  assert_int_equal(sr_hint_of(m, 10, SpvOpSelectionMerge), SR_NONE);
  assert_int_equal(sr_hint_of(m, 11, SpvOpSelectionMerge), flatten);

  sr_hint_keep(m, 12, promise);
  sr_hint_put_before(m, 12, 13); /* the branch stays, and promises do */
  sr_hint_put_before(m, 10, 11);
  assert_true(kept(m, 13) == promise && kept(m, 11) == loop);
  assert_int_equal(sr_hint_of(m, 13, SpvOpSelectionMerge), SR_NONE);
  sr_heap_free_all(&heap);
}

/* Both the copy and what was copied lose their promises; the merge block and continue target stay
 * those of the loop. */
static void test_promises(void **state) {
  (void)state;
  SrArena arena;
  SrModule *m = new_module(&arena);
  for (uint32_t i = 0; i < CONTROLS; i++) {
    uint32_t set = 1u << i | 1u << 7;
    SrRef flatten = new_selection(m, SpvSelectionControlDontFlattenMask);
    sr_hint_keep(m, 20, new_loop(m, set));
    sr_hint_keep(m, 20, flatten);
    sr_hint_copy(m, 20, 21);
    for (uint32_t label = 20; label <= 21; label++) {
      assert_equal(m, kept(m, label), new_loop(m, requests_of(set)));
      assert_int_equal(sr_hint_of(m, label, SpvOpSelectionMerge), flatten);
    }
    sr_hint_keep(m, 22, new_loop(m, 1u << i));
    sr_hint_loosen(m, 22);
    assert_int_equal(kept(m, 22) == SR_NONE, controls[i].promises);
    sr_hint_forget_loop(m, 22);
    assert_int_equal(kept(m, 22), SR_NONE);
  }
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_put), cmocka_unit_test(test_labels),
                                     cmocka_unit_test(test_promises)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
