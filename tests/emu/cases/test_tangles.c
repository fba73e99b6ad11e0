/* SPDX-License-Identifier: Apache-2.0 */
/* Do two recordings of subgroup operations have the same tangles, and where do they differ? */
#include "spv-emu/cases/tangles.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 1 << 16 };

static const spv_emu_subgroup_op ballot = {339, "OpBallot", "main", 5, 7, "a.comp:7"};
static const spv_emu_subgroup_op ballot_below = {339, "OpBallot", "main", 6, 9, "a.comp:9"};
static const spv_emu_subgroup_op vote = {335, "OpAny", "main", 6, 8, "a.comp:8"};
static const spv_emu_subgroup_op bare = {339, "OpBallot", "main", 5, 0, ""};

typedef struct Issue {
  uint64_t subgroup, lanes;
  const spv_emu_subgroup_op *op;
} Issue;

/* Records issues until one without an operation. */
static EmuTangles *recorded(const Issue *issues, size_t most) {
  EmuTangles *t = emu_tangles_new(most);
  assert_non_null(t);
  spv_emu_tangles to = emu_tangles_listener(t);
  for (; issues->op; issues++)
    to.issued(to.user, issues->subgroup, 8, issues->op, &issues->lanes);
  return t;
}

/* The verdict, and its first line as `wanted`; NULL: the tangles are equal. */
static EmuTangleVerdict expect(const Issue *before, const Issue *after, const char *wanted) {
  EmuTangles *a = recorded(before, MANY), *b = recorded(after, MANY);
  EmuTangleVerdict verdict;
  char line[300] = "";
  assert_true(emu_tangles_compare(a, b, &verdict));
  assert_int_equal(verdict.different != 0, wanted != NULL);
  assert_int_equal(emu_tangles_line(&verdict, 0, line, sizeof line), wanted != NULL);
  assert_string_equal(line, wanted ? wanted : "");
  emu_tangles_free(a);
  emu_tangles_free(b);
  return verdict;
}

static void sets_of_lanes(void **state) {
  (void)state;
  const Issue whole[] = {{0, 0xff, &ballot}, {0}};
  const Issue parts[] = {{0, 0x0f, &ballot}, {0, 0xf0, &ballot}, {0}};
  assert_int_equal(expect(whole, whole, NULL).lanes, 8);
  EmuTangleVerdict v = expect(whole, parts,
                              "OpBallot (a.comp:7), subgroup 0: lanes 0-7 before, lanes 0-3 after; "
                              "it differs for 8 lanes");
  assert_int_equal(v.count, 1);
  assert_int_equal(v.different, 8);
}

/* What runs apart has no order, and edited sources have other lines. */
static void what_does_not_matter(void **state) {
  (void)state;
  const Issue one[] = {{0, 0x0f, &ballot}, {0, 0xf0, &vote}, {1, 0x3, &vote}, {0}};
  const Issue other[] = {{1, 0x3, &vote}, {0, 0xf0, &vote}, {0, 0x0f, &ballot_below}, {0}};
  expect(one, other, NULL);
}

static void operations_of_one_module(void **state) {
  (void)state;
  const Issue more[] = {{2, 0x3, &ballot}, {2, 0x9, &vote}, {2, 0x7, &ballot_below}, {0}};
  const Issue less[] = {{2, 0x9, &vote}, {2, 0x7, &ballot_below}, {0}};
  EmuTangleVerdict v =
      expect(more, less,
             "OpBallot (a.comp:7), subgroup 2: lanes 0-1 before, not run by lane 0 "
             "after; it differs for 2 lanes");
  assert_int_equal(v.count, 1);
  expect(
      less, more,
      "OpBallot (a.comp:7), subgroup 2: not run by lane 0 before, lanes 0-1 after; it differs for "
      "2 lanes");
  const Issue longer[] = {{2, 0x9, &vote}, {2, 0x7, &ballot_below}, {2, 0x4, &vote}, {0}};
  expect(longer, less, "OpAny (a.comp:8), subgroup 2: lane 2 before, not run by lane 2 after");
}

static void order(void **state) {
  (void)state;
  const Issue one[] = {{0, 0x4, &ballot}, {0, 0x4, &vote}, {0}};
  const Issue other[] = {{0, 0x4, &vote}, {0, 0x4, &ballot}, {0}};
  expect(one, other,
         "OpBallot (a.comp:7) and OpAny (a.comp:8), subgroup 0: lane 2 runs them in a different "
         "order");
}

/* Without lines, operations match by their kind and place in the sequence. */
static void without_lines(void **state) {
  (void)state;
  const Issue one[] = {{0, 0x3, &bare}, {0, 0x1, &bare}, {0}};
  const Issue other[] = {{0, 0x3, &ballot}, {0, 0x3, &ballot_below}, {0}};
  expect(one, other,
         "OpBallot (function main, block %5) before, OpBallot (a.comp:9) after, subgroup 0: lane 0 "
         "before, lanes 0-1 after");
}

/* The verdict does not depend on what is kept. */
static void a_limit_of_memory(void **state) {
  (void)state;
  const Issue one[] = {{0, 0x3, &bare}, {0, 0x1, &bare}, {0}};
  const Issue other[] = {{0, 0x3, &bare}, {0, 0x3, &bare}, {0}};
  EmuTangles *a = recorded(one, 40), *b = recorded(other, 40), *c = recorded(other, 0);
  EmuTangleVerdict verdict;
  char line[200];
  assert_true(emu_tangles_compare(a, b, &verdict));
  assert_int_equal(verdict.different, 2);
  assert_int_equal(verdict.unknown, 2);
  assert_true(emu_tangles_line(&verdict, 0, line, sizeof line));
  assert_string_equal(line, "subgroup operations of 2 lanes differ after those that are kept: run "
                            "fewer workgroups to see where");
  assert_false(emu_tangles_line(&verdict, 1, line, sizeof line));
  assert_true(emu_tangles_compare(b, c, &verdict));
  assert_int_equal(verdict.different, 0);
  emu_tangles_free(a);
  emu_tangles_free(b);
  emu_tangles_free(c);
}

/* Only so many are described. */
static void many_differences(void **state) {
  (void)state;
  spv_emu_subgroup_op ops[EMU_TANGLE_DIFFERENCES + 1];
  Issue one[EMU_TANGLE_DIFFERENCES + 2] = {{0}}, other[EMU_TANGLE_DIFFERENCES + 2] = {{0}};
  for (uint32_t i = 0; i <= EMU_TANGLE_DIFFERENCES; i++) {
    ops[i] = ballot;
    ops[i].line = i + 1;
    one[i] = (Issue){0, 0x1, &ops[i]};
    other[i] = (Issue){0, 0x3, &ops[i]};
  }
  EmuTangles *a = recorded(one, MANY), *b = recorded(other, MANY);
  EmuTangleVerdict verdict;
  char line[200] = "";
  assert_true(emu_tangles_compare(a, b, &verdict));
  assert_int_equal(verdict.count, EMU_TANGLE_DIFFERENCES);
  assert_true(emu_tangles_line(&verdict, EMU_TANGLE_DIFFERENCES, line, sizeof line));
  assert_string_equal(line, "more subgroup operations than these 16");
  assert_false(emu_tangles_line(&verdict, EMU_TANGLE_DIFFERENCES + 1, line, sizeof line));
  emu_tangles_free(a);
  emu_tangles_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_of_lanes),
      cmocka_unit_test(what_does_not_matter),
      cmocka_unit_test(operations_of_one_module),
      cmocka_unit_test(order),
      cmocka_unit_test(without_lines),
      cmocka_unit_test(a_limit_of_memory),
      cmocka_unit_test(many_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
