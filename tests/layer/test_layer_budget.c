/* SPDX-License-Identifier: Apache-2.0 */
/* The allocator of one run: what is left after any series of calls, and why it refuses. */
#include "tests/unit/unit.h"

#include "harness/layer/budget.h"

#include <stdlib.h>
#include <string.h>

static void test_memory_comes_back(void **state) {
  (void)state;
  LyBudget budget = ly_budget_new(1000, 100);
  for (int round = 0; round < 20; round++) {
    void *a = ly_budget_resize(&budget, NULL, 0, 600);
    assert_non_null(a);
    assert_int_equal(budget.left, 400);
    a = ly_budget_resize(&budget, a, 600, 1000); /* only what it grows by must be left */
    assert_non_null(a);
    assert_int_equal(budget.left, 0);
    a = ly_budget_resize(&budget, a, 1000, 100);
    assert_non_null(a);
    assert_int_equal(budget.left, 900);
    assert_null(ly_budget_resize(&budget, a, 100, 0));
    assert_int_equal(budget.left, 1000);
  }
  assert_null(budget.refused);
}

static void test_refusals(void **state) {
  (void)state;
  LyBudget budget = ly_budget_new(1000, 100);
  void *a = ly_budget_resize(&budget, NULL, 0, 600);
  memset(a, 7, 600);
  assert_null(ly_budget_resize(&budget, NULL, 0, 401));
  assert_int_equal(budget.reason, LY_MEMORY);
  assert_non_null(strstr(budget.refused, "SPVRECONV_MAX_MIB"));
  assert_null(ly_budget_resize(&budget, a, 600, 1001));
  assert_int_equal(budget.left, 400); /* a refusal takes nothing */
  assert_int_equal(((uint8_t *)a)[599], 7);
  void *b = ly_budget_resize(&budget, NULL, 0, 400);
  assert_non_null(b);
  ly_budget_resize(&budget, a, 600, 0);
  ly_budget_resize(&budget, b, 400, 0);
  assert_int_equal(budget.left, 1000);
}

/* Past the deadline nothing grows, but memory can be returned. */
static void test_deadline(void **state) {
  (void)state;
  LyBudget budget = ly_budget_new(1000, 100);
  void *a = ly_budget_resize(&budget, NULL, 0, 600);
  budget.deadline -= 200;
  assert_null(ly_budget_resize(&budget, NULL, 0, 1));
  assert_int_equal(budget.reason, LY_TIME);
  assert_non_null(strstr(budget.refused, "SPVRECONV_MAX_SECONDS"));
  assert_null(ly_budget_resize(&budget, a, 600, 601));
  a = ly_budget_resize(&budget, a, 600, 300);
  assert_non_null(a);
  ly_budget_resize(&budget, a, 300, 0);
  assert_int_equal(budget.left, 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory_comes_back),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_deadline),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
