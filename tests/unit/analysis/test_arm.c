/* SPDX-License-Identifier: Apache-2.0 */
/* What arms of a loop weigh, and which turns pass by them. The blocks, with 1 as the cost of each:
 *
 *   0 -> 1 (header) -> 2 (a loop: 2 -> 3 -> 2)     3 -> 4 -> 5 -> 1     1 -> 5     5 -> 6 */
#include "passes/analysis/graph/arm.h"
#include "tests/unit/unit.h"

enum { BLOCKS = 7, OUTER = 8, INNER = 64 };

static const SrEdge edges[] = {{0, 1}, {1, 2}, {1, 5}, {2, 3}, {3, 2},
                               {3, 4}, {4, 5}, {5, 1}, {5, 6}};

static SrArms arms_of(SrArena *arena) {
  const uint64_t cost[BLOCKS] = {1, 1, 1, 1, 1, 1, 1};
  const SrGraph *g = sr_graph_new(arena, BLOCKS, edges, sizeof edges / sizeof *edges);
  return sr_arms_build(arena, g, sr_nest_build(arena, g), sr_dom_build(arena, g, 0), cost);
}

/* The inner loop's header begins an arm of the outer loop, to which block 4 after it belongs. */
static void test_weights(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  const SrArms arms = arms_of(&arena);
  uint32_t outer = arms.nest->inner[1];
  assert_int_equal(sr_arms_cycle_weight(&arms, outer), 3 * OUTER + 2 * INNER);
  assert_int_equal(arms.weight[2], 2 * INNER + OUTER);
  assert_int_equal(arms.weight[4], OUTER);
  assert_int_equal(sr_arm_cycle(&arms, 2), outer);
  assert_int_equal(sr_arm_cycle(&arms, 4), outer);
  assert_int_equal(sr_arm_cycle(&arms, 1), SR_NONE);
  sr_heap_free_all(&heap);
}

/* The latch 5 comes right after the arm in the tree of dominators. */
static void test_passed_by(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  const SrArms arms = arms_of(&arena);
  uint32_t outer = arms.nest->inner[1];
  assert_true(sr_arms_passed_by(&arms, outer, 2));
  assert_true(sr_arms_passed_by(&arms, outer, 4));
  assert_false(sr_arms_passed_by(&arms, outer, 5));
  assert_false(sr_arms_passed_by(&arms, outer, 1));
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_weights),
                                     cmocka_unit_test(test_passed_by)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
