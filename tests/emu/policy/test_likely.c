/* SPDX-License-Identifier: Apache-2.0 */
/* Likely convergence points, and the stack of tbc-lcp that uses them. */
#include "spv-emu/policy/likely.h"
#include "spv-emu/policy/policy_pdom.h"
#include "spv-emu/policy/table/policy_table.h"
#include "tests/emu/flow_case.h"
#include "tests/emu/flow_fixture.h"
#include "tests/unit/unit.h"

/* B leaves the loop, so the sides of A meet only at X; if nobody leaves, they meet at J. */
static const char early_break[] = "H: A X\n"
                                  "A: B J\n"
                                  "B: X J\n"
                                  "J: H\n"
                                  "X:\n";
static const char paths[] = "H A B J H X | H A J H X | H A B X";

static void a_loop_that_is_left_early(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  FlowCase c = flow_follow(arena, early_break, NULL, &emu_policy_tbc, paths);
  flow_expect_steps(arena, &c, "H:7 A:7 B:5 J:1 H:1 J:2 H:2 X:7");
  c = flow_follow(arena, early_break, NULL, &emu_policy_tbc_lcp, paths);
  flow_expect_steps(arena, &c, "H:7 A:7 B:5 J:3 H:3 X:7");
  const EmuPdomPlan *plan = emu_pdom_plan(arena, c.table);
  const uint32_t *likely = emu_likely_points(arena, c.table, plan->ipdom);
  const uint32_t expected[] = {1, 3, 3, SR_NONE, SR_NONE}; /* of H: A, the side that stays */
  for (uint32_t b = 0; b < 5; b++)
    assert_int_equal(likely[b], expected[b]);
  tear_down(&fixture);
}

/* Outside of loops: B returns early, so the sides of A do not meet; else they would at J. */
static void a_function_that_is_left_early(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  const char text[] = "A: B J\n"
                      "B: R J\n"
                      "R:\n"
                      "J:\n";
  const char ways[] = "A B J | A J | A B R";
  FlowCase c = flow_follow(arena, text, NULL, &emu_policy_tbc, ways);
  flow_expect_steps(arena, &c, "A:7 B:5 R:4 J:1 J:2");
  c = flow_follow(arena, text, NULL, &emu_policy_tbc_lcp, ways);
  flow_expect_steps(arena, &c, "A:7 B:5 R:4 J:3");
  tear_down(&fixture);
}

/* Every subgroup of a workgroup has the same stack at first, a packed one for each side. */
static void what_is_packed(void **state) {
  (void)state;
  Fixture fixture;
  SrArena *arena = set_up(&fixture);
  EmuBlockTable *table = flow_parse(arena, "A: B C\nB: D\nC: D\nD:\n", false, NULL);
  EmuPolicyCounts counts = {0};
  void *p = emu_pdom_create(arena, table, emu_pdom_plan(arena, table), 8, &counts);
  EmuMask on = {{0xff}};
  uint32_t block;
  emu_pdom_start(p, &on);
  assert_false(emu_pdom_packed(p));
  EmuTarget sides[2] = {{1, {{0x0f}}}, {2, {{0xf0}}}};
  emu_pdom_went(p, &(EmuWent){.kind = EMU_WENT_BRANCH, .count = 2, .targets = sides});
  for (uint32_t side = 0; side < 2; side++) {
    assert_true(emu_pdom_packed(p));
    assert_true(emu_pdom_next(p, &block, &on));
    EmuTarget d = {3, on};
    emu_pdom_went(p, &(EmuWent){.kind = EMU_WENT_BRANCH, .count = 1, .targets = &d});
  }
  assert_true(emu_pdom_next(p, &block, &on));
  assert_int_equal(block, 3);
  assert_false(emu_pdom_packed(p)); /* the old subgroups are back */
  tear_down(&fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_that_is_left_early),
      cmocka_unit_test(a_function_that_is_left_early),
      cmocka_unit_test(what_is_packed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
