/* SPDX-License-Identifier: Apache-2.0 */
/* What a loop issues on recorded paths, as it is and with its arm moved out of it. The blocks:
 *
 *   0 -> 1 (header) -> 2 -> 3 (arm) -> 4 (a loop in it) -> 4, 5 -> 1     2 -> 5     1 -> 6 */
#include "passes/transform/speculative/rare_gain.h"
#include "tests/unit/digit_paths.h"
#include "tests/unit/unit.h"

enum { BLOCKS = 7, ADDED = 4 };

static const uint64_t cost[BLOCKS] = {1, 1, 1, 20, 5, 1, 1};

/* The issues of one subgroup; a path is a text of digits. */
static SrLoopIssues issues_of(const char *const paths[DIGIT_LANES]) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  if (setjmp(heap.out_of_memory))
    abort();
  SrArena arena = sr_arena_new(&heap);
  DigitPaths digits;
  digit_paths(&digits, paths);
  const SrLoopPaths recorded = {&digits.subgroup, 1};
  uint32_t arm_of[BLOCKS] = {SR_NONE, 0, 0, 0, 0, 0, SR_NONE};
  SrRareArm arm = {.header = 1, .block = 3};
  const SrRareArms arms = {.arm = {&arm, 1, 1}, .arm_of = arm_of};
  SrLoopIssues found = *sr_rare_gain(&arena, &arms, BLOCKS, cost, &recorded);
  sr_arena_free(&arena);
  return found;
}

/* The lanes need the arm in different iterations: 2 (2 + 25 + 1) + 1 for the test that leaves. Moved,
 * the first lane waits for the second, which needs it in its second turn: 3 and 2 in the inner
 * loop, 26 for both, then 3 and 1. */
static void test_lanes_take_turns(void **state) {
  (void)state;
  const SrLoopIssues found = issues_of((const char *const[]){"01234512516", "01251234516"});
  assert_int_equal(found.before, 57);
  assert_int_equal(found.after, 3 + 2 + 26 + 3 + 1 + 2 * ADDED);
}

/* Both need it in each iteration: nothing is gained. */
static void test_both_in_each_turn(void **state) {
  (void)state;
  const SrLoopIssues found = issues_of((const char *const[]){"0123451234516", "0123451234516"});
  assert_int_equal(found.before, 57);
  assert_int_equal(found.after, found.before + 3 * ADDED);
}

/* A loop in the arm takes as many turns as that of the slowest lane. */
static void test_loop_in_arm(void **state) {
  (void)state;
  const SrLoopIssues found = issues_of((const char *const[]){"01234444516", "012344516"});
  assert_int_equal(found.before, 2 + 20 + 4 * 5 + 1 + 1);
  assert_int_equal(found.after, found.before + 2 * ADDED);
}

/* The second time that lanes enter the loop is another visit. */
static void test_two_visits(void **state) {
  (void)state;
  const SrLoopIssues one = issues_of((const char *const[]){"01234516", "012512345160"});
  const SrLoopIssues two =
      issues_of((const char *const[]){"0123451601234516", "012512345160012512345160"});
  assert_int_equal(two.before, 2 * one.before);
  assert_int_equal(two.after, 2 * one.after);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lanes_take_turns), cmocka_unit_test(test_both_in_each_turn),
      cmocka_unit_test(test_loop_in_arm), cmocka_unit_test(test_two_visits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
