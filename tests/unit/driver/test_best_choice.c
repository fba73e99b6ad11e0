/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the lists that transform best tried wins: measure, margin, limit of growth. */
#include "passes/best/best_choice.h"
#include "tests/unit/unit.h"

#include <string.h>

typedef enum Paths { SUPPOSED, RECORDED, SAMPLED } Paths;

static SrCost cost(uint64_t frontier, uint64_t stack, uint32_t instructions, Paths paths) {
  return (SrCost){.frontier = frontier,
                  .stack = stack,
                  .instructions = instructions,
                  .recorded = paths != SUPPOSED,
                  .sampled = paths == SAMPLED};
}

/* The index of the winner of these costs, the first of which is structurize's. */
static uint32_t winner(const SrCost *costs, uint32_t count, SrTried *tried) {
  memset(tried, 0, count * sizeof *tried);
  for (uint32_t k = 0; k < count; k++)
    sr_best_measured(&tried[k], &costs[k], &costs[0]);
  uint32_t chosen = sr_best_choose(tried, count);
  for (uint32_t k = 0; k < count; k++) {
    assert_true((tried[k].verdict == SR_CHOSEN) == (k == chosen));
    assert_true((tried[k].why == NULL) == (k == chosen));
  }
  return chosen;
}

static bool wins(SrCost cost_of_it, SrCost first) {
  SrTried tried[2];
  const SrCost costs[] = {first, cost_of_it};
  return winner(costs, 2, tried) == 1;
}

static void thread_frontiers_count_twice(void **state) {
  (void)state;
  assert_true(wins(cost(95, 109, 9, RECORDED), cost(100, 100, 9, RECORDED)));
  assert_false(wins(cost(95, 110, 9, RECORDED), cost(100, 100, 9, RECORDED)));
  assert_true(wins(cost(109, 81, 9, RECORDED), cost(100, 100, 9, RECORDED)));
  assert_false(wins(cost(109, 82, 9, RECORDED), cost(100, 100, 9, RECORDED)));
}

/* A little more by thread frontiers does not outweigh half of the stack's issues; much more does.
 */
static void a_schedule_tolerates_a_tenth_more(void **state) {
  (void)state;
  assert_true(wins(cost(6082, 6082, 93, SUPPOSED), cost(6080, 12979, 91, SUPPOSED)));
  for (Paths paths = SUPPOSED; paths <= SAMPLED; paths++) {
    assert_true(wins(cost(1100, 100, 9, paths), cost(1000, 1000, 9, paths)));
    assert_false(wins(cost(1101, 100, 9, paths), cost(1000, 1000, 9, paths)));
    assert_true(wins(cost(100, 1100, 9, paths), cost(1000, 1000, 9, paths)));
    assert_false(wins(cost(100, 1101, 9, paths), cost(1000, 1000, 9, paths)));
  }
}

static void why_lists_are_refused(void **state) {
  (void)state;
  SrTried tried[4];
  const SrCost costs[] = {cost(100, 100, 100, SUPPOSED), cost(111, 1, 1, SUPPOSED),
                          cost(1, 111, 1, SUPPOSED), cost(1, 1, 201, SUPPOSED)};
  static const char *const why[] = {NULL, "thread frontiers", "the stack", "twice the code"};
  assert_int_equal(winner(costs, 4, tried), 0);
  for (uint32_t k = 1; k < 4; k++) {
    assert_int_equal(tried[k].verdict, SR_REFUSED);
    assert_non_null(strstr(tried[k].why, why[k]));
  }
}

static void a_gain_on_supposed_lanes_needs_a_margin(void **state) {
  (void)state;
  assert_false(wins(cost(970, 970, 9, SUPPOSED), cost(1000, 1000, 9, SUPPOSED)));
  assert_true(wins(cost(970, 969, 9, SUPPOSED), cost(1000, 1000, 9, SUPPOSED)));
  assert_false(wins(cost(970, 970, 9, SAMPLED), cost(1000, 1000, 9, SAMPLED)));
  assert_true(wins(cost(970, 969, 9, SAMPLED), cost(1000, 1000, 9, SAMPLED)));
  assert_true(wins(cost(1000, 999, 9, RECORDED), cost(1000, 1000, 9, RECORDED)));
  assert_false(wins(cost(1000, 1000, 9, RECORDED), cost(1000, 1000, 9, RECORDED)));
}

static void less_code_wins_where_issues_are_equal(void **state) {
  (void)state;
  assert_true(wins(cost(50, 50, 96, SUPPOSED), cost(50, 50, 100, SUPPOSED)));
  assert_false(wins(cost(50, 50, 97, SUPPOSED), cost(50, 50, 100, SUPPOSED)));
  assert_true(wins(cost(50, 50, 99, RECORDED), cost(50, 50, 100, RECORDED)));
  assert_false(wins(cost(51, 50, 9, RECORDED), cost(50, 50, 100, RECORDED)));
}

static void more_than_twice_the_code_is_refused(void **state) {
  (void)state;
  SrTried tried[3];
  const SrCost costs[] = {cost(90, 90, 100, SUPPOSED), cost(1, 1, 201, SUPPOSED),
                          cost(50, 50, 200, SUPPOSED)};
  assert_int_equal(winner(costs, 3, tried), 2);
  assert_int_equal(tried[1].verdict, SR_REFUSED);
  assert_non_null(strstr(tried[1].why, "twice"));
}

static void a_refused_list_never_wins(void **state) {
  (void)state;
  SrTried tried[4] = {0};
  const SrCost slow = cost(90, 90, 100, SUPPOSED), fast = cost(1, 1, 1, SUPPOSED);
  sr_best_measured(&tried[0], &slow, &slow);
  sr_best_measured(&tried[1], &fast, &slow);
  sr_best_refuse(&tried[1], "for a reason");
  sr_best_refuse(&tried[2], "for another");
  tried[3] = (SrTried){.verdict = SR_SAME, .measured = true, .cost = fast, .why = "known"};
  assert_int_equal(sr_best_choose(tried, 4), 0);
  assert_string_equal(tried[1].why, "for a reason");
  assert_string_equal(tried[2].why, "for another");
  assert_int_equal(tried[3].verdict, SR_SAME);
}

/* The earlier list wins a tie; a later one must beat the one that leads, not the first. */
static void why_lists_lost(void **state) {
  (void)state;
  SrTried tried[5];
  const SrCost costs[] = {cost(100, 100, 9, SUPPOSED), cost(80, 80, 9, SUPPOSED),
                          cost(79, 79, 9, SUPPOSED), cost(80, 80, 9, SUPPOSED),
                          cost(101, 101, 9, SUPPOSED)};
  assert_int_equal(winner(costs, 5, tried), 1);
  for (uint32_t k = 0; k < 5; k++)
    assert_int_equal(tried[k].verdict, k == 1 ? SR_CHOSEN : SR_LOST);
  assert_non_null(strstr(tried[0].why, "issues more"));
  assert_non_null(strstr(tried[2].why, "3 % or less"));
  assert_non_null(strstr(tried[3].why, "as much"));
  assert_non_null(strstr(tried[4].why, "issues more"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thread_frontiers_count_twice),
      cmocka_unit_test(a_schedule_tolerates_a_tenth_more),
      cmocka_unit_test(why_lists_are_refused),
      cmocka_unit_test(a_gain_on_supposed_lanes_needs_a_margin),
      cmocka_unit_test(less_code_wins_where_issues_are_equal),
      cmocka_unit_test(more_than_twice_the_code_is_refused),
      cmocka_unit_test(a_refused_list_never_wins),
      cmocka_unit_test(why_lists_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
