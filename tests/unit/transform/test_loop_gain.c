/* SPDX-License-Identifier: Apache-2.0 */
/* What two loops issue on recorded paths, as they are and merged. The blocks:
 *
 *   0 -> 1 (outer header) -> 2 -> 3 (inner header) -> 4 -> 3     1 -> 6
 *                                                3 -> 5 -> 1     1 -> 5 around the inner loop */
#include "passes/transform/iterations/loop_gain.h"
#include "tests/unit/digit_paths.h"
#include "tests/unit/unit.h"

enum { BLOCKS = 7, ADDED = 3 };

static const uint32_t pair_of[BLOCKS] = {SR_NONE, 0, 0, 0, 0, 0, SR_NONE};
static const uint32_t size[BLOCKS] = {1, 1, 1, 1, 20, 1, 1};
static const SrLoopHeaders headers = {1, 3};

/* The issues of one subgroup; a path is a text of digits. */
static SrLoopIssues issues_of(const char *const paths[DIGIT_LANES], bool around) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  if (setjmp(heap.out_of_memory))
    abort();
  SrArena arena = sr_arena_new(&heap);
  DigitPaths digits;
  digit_paths(&digits, paths);
  const SrLoopPaths recorded = {&digits.subgroup, 1};
  SrBits is_inner = 1u << 3 | 1u << 4, passes_by = 1u << 1 | 1u << 2 | (SrBits)around << 5;
  const SrLoopShape shape = {.pair = &headers,
                             .count = 1,
                             .block_count = BLOCKS,
                             .pair_of = pair_of,
                             .is_inner = &is_inner,
                             .passes_by = &passes_by,
                             .size = size,
                             .added = ADDED};
  SrLoopIssues found = *sr_loop_gain(&arena, &shape, &recorded);
  sr_arena_free(&arena);
  return found;
}

/* As they are, each turn of the outer loop has both turns of the inner one: 2 (3 + 3 + 40) + 1.
 * Merged, five turns: 2, 24, 21, 24, 3. */
static void test_lanes_take_turns(void **state) {
  (void)state;
  const SrLoopIssues found =
      issues_of((const char *const[]){"012343435123516", "012351234343516"}, false);
  assert_int_equal(found.before, 93);
  assert_int_equal(found.after, 74 + 5 * ADDED);
}

/* The first lane is the slowest in both turns of the outer loop: 2, 24, 23, 4, 21, 21, 3. */
static void test_one_lane_is_slowest(void **state) {
  (void)state;
  const SrLoopIssues found =
      issues_of((const char *const[]){"0123434351234343516", "01235123516"}, false);
  assert_int_equal(found.before, 93);
  assert_int_equal(found.after, 98 + 7 * ADDED);
}

/* A lane that goes around the inner loop ends its turn at the outer header: 3, 23, 22, 3, 1. */
static void test_path_around(void **state) {
  (void)state;
  const SrLoopIssues found = issues_of((const char *const[]){"01512343516", "01234351516"}, true);
  assert_int_equal(found.before, 51);
  assert_int_equal(found.after, 52 + 5 * ADDED);
}

/* The second time that lanes enter the outer loop is another visit. */
static void test_two_visits(void **state) {
  (void)state;
  const SrLoopIssues one = issues_of((const char *const[]){"01234343516", "0123516"}, false);
  const SrLoopIssues two =
      issues_of((const char *const[]){"0123434351601234343516", "01235160123516"}, false);
  assert_int_equal(two.before, 2 * one.before);
  assert_int_equal(two.after, 2 * one.after);
}

/* No lane enters the loops, or a path is cut off in them. */
static void test_paths_without_an_end(void **state) {
  (void)state;
  const SrLoopIssues none = issues_of((const char *const[]){"06", ""}, false);
  assert_int_equal(none.before, 0);
  assert_int_equal(none.after, 0);
  const SrLoopIssues cut = issues_of((const char *const[]){"01234", "01"}, false);
  assert_int_equal(cut.before, 1 + 1 + 1 + 20);
  assert_int_equal(cut.after, 2 + 21 + 2 * ADDED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lanes_take_turns),     cmocka_unit_test(test_one_lane_is_slowest),
      cmocka_unit_test(test_path_around),          cmocka_unit_test(test_two_visits),
      cmocka_unit_test(test_paths_without_an_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
