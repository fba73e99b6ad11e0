/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers that walks of a lane draw: those of the module and their neighbours, so that
 * comparisons with constants have both outcomes, and the same for the same term. */
#include "passes/walk/walk_draw.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

enum { TERMS = 4000 };

typedef struct Test {
  SrHeap heap;
  SrArena arena;
  SrWalkDraw draw;
} Test;

/* A module with the constants 5000 and 2^40 + 7, and a switch with the case 900. */
static void begin(Test *t) {
  *t = (Test){0};
  sr_heap_init(&t->heap);
  t->arena = sr_arena_new(&t->heap);
  const SrModule *m =
      assembled(&t->arena, "OpCapability Shader\nOpCapability Linkage\nOpCapability Int64\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = OpTypeInt 32 0\n"
                           "%4 = OpTypeInt 64 0\n%5 = OpConstant %3 5000\n"
                           "%6 = OpConstant %4 1099511627783\n%7 = OpUndef %3\n"
                           "%10 = OpFunction %1 None %2\n%20 = OpLabel\nOpSelectionMerge %22 None\n"
                           "OpSwitch %7 %22 900 %21\n%21 = OpLabel\nOpBranch %22\n"
                           "%22 = OpLabel\nOpReturn\nOpFunctionEnd\n");
  sr_walk_draw_init(&t->arena, m, &t->draw);
  sr_walk_draw_begin(&t->draw, 1);
}

static void end(Test *t) {
  sr_heap_free_all(&t->heap);
}

static uint64_t term(uint32_t i) {
  return (i + 1) * 0x9e3779b97f4a7c15u;
}

/* How often n is drawn as a number of that width. */
static uint32_t times(const Test *t, uint64_t n, unsigned width) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < TERMS; i++)
    count += sr_walk_draw_again(&t->draw, term(i), width) == n;
  return count;
}

/* Each number of the module, one less and one more; random bits never are one of them. */
static void test_neighbours(void **state) {
  (void)state;
  const uint64_t of_module[] = {1, 900, 5000, 1099511627783};
  Test t;
  begin(&t);
  for (int spread = 0; spread < 2; spread++) {
    t.draw.spread = spread;
    for (int k = 0; k < 4; k++)
      for (uint64_t n = of_module[k] - 1; n <= of_module[k] + 1; n++)
        assert_in_range(times(&t, n, 64), spread ? 15 : 100, spread ? 80 : 400);
  }
  t.draw.spread = false;
  assert_in_range(times(&t, 5001, 32), 100, 400);
  assert_in_range(times(&t, 899 & 255, 8), 100, 400);
  assert_int_equal(times(&t, 4998, 64) + times(&t, 5002, 64) + times(&t, 902, 64), 0);
  assert_in_range(times(&t, 1, 1), TERMS / 3, TERMS * 2 / 3);
  assert_int_equal(times(&t, 0, 1) + times(&t, 1, 1), TERMS);
  end(&t);
}

/* A quarter of the numbers are random bits, of the width that is asked for. */
static void test_width(void **state) {
  (void)state;
  Test t;
  begin(&t);
  for (unsigned width = 8; width <= 64; width *= 2) {
    uint64_t seen = 0;
    uint32_t large = 0;
    for (uint32_t i = 0; i < TERMS; i++) {
      uint64_t n = sr_walk_draw_again(&t.draw, term(i), width);
      seen |= n;
      large += width == 64 && n > UINT64_C(1) << 48;
    }
    assert_true(seen == UINT64_MAX >> (64 - width));
    if (width == 64)
      assert_in_range(large, TERMS / 5, TERMS * 3 / 10);
  }
  end(&t);
}

/* One term has one number on a walk, on both sides, however many terms there are; on another walk
 * it has another one. A number that is fixed counts on both sides. */
static void test_terms(void **state) {
  (void)state;
  Test t;
  begin(&t);
  uint64_t first[TERMS];
  for (uint32_t i = 0; i < TERMS; i++) {
    first[i] = sr_walk_draw(&t.draw, term(i), 32, i + 1);
    assert_true(sr_walk_draw_again(&t.draw, term(i), 32) == first[i]);
  }
  for (uint32_t i = 0; i < TERMS; i++) {
    assert_true(sr_walk_draw(&t.draw, term(i), 32, TERMS + 1) == first[i]);
    const SrWalkDrawn *drawn = sr_walk_drawn(&t.draw, term(i));
    assert_non_null(drawn);
    assert_int_equal(drawn->visit, i + 1);
    assert_true(drawn->number == first[i]);
  }
  assert_null(sr_walk_drawn(&t.draw, term(TERMS)));
  sr_walk_draw_fix(&t.draw, term(3), 77, 0);
  assert_true(sr_walk_draw(&t.draw, term(3), 32, 9) == 77);
  assert_true(sr_walk_draw_again(&t.draw, term(3), 32) == 77);
  assert_int_equal(sr_walk_drawn(&t.draw, term(3))->visit, 0);

  sr_walk_draw_begin(&t.draw, 2);
  uint32_t same = 0;
  for (uint32_t i = 0; i < TERMS; i++) {
    assert_null(sr_walk_drawn(&t.draw, term(i)));
    same += sr_walk_draw(&t.draw, term(i), 32, 1) == first[i];
  }
  assert_in_range(same, 0, TERMS / 8);
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_neighbours),
                                     cmocka_unit_test(test_width), cmocka_unit_test(test_terms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
