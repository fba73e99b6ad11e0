/* SPDX-License-Identifier: Apache-2.0 */
/* What the checker's walks cover (docs/check.md): which edges count, and which pairs of an edge
 * into a block and an edge out of it; and that walks take these. */
#include "tests/unit/check_pair.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- edges that no lane can take ---- */

/* Both sides run TEXT; the side after has one more block, so that walks are taken. All edges and
 * pairs that count are covered. */
#define WITH_BLOCK(TEXT) BODY("OpBranch %90\n%90 = OpLabel\n" TEXT)
#define COVERAGE(TRANSFORM, TEXT, EDGES, PAIRS)                                                    \
  do {                                                                                             \
    spvreconv_check c = pair_compare_as(TRANSFORM, BODY(TEXT), WITH_BLOCK(TEXT), NULL);            \
    assert_int_equal(c.edges, EDGES);                                                              \
    assert_int_equal(c.edges_covered, EDGES);                                                      \
    assert_int_equal(c.pairs, PAIRS);                                                              \
    assert_int_equal(c.pairs_covered, PAIRS);                                                      \
  } while (0)

/* A condition that was tested earlier on the path has one outcome, except after a block with two
 * incoming edges. No lane can take the first edge of the second test, the edges after that, or two
 * of the pairs of the third test. */
static void test_tested_before(void **state) {
  (void)state;
  COVERAGE("auto",
           "%30 = OpULessThan %3 %24 %7\nOpBranchConditional %30 %31 %32\n"
           "%32 = OpLabel\nOpBranchConditional %30 %33 %34\n"
           "%33 = OpLabel\nOpStore %22 %5\nOpBranch %35\n"
           "%31 = OpLabel\nOpStore %22 %6\nOpBranch %35\n"
           "%34 = OpLabel\nOpStore %22 %7\nOpBranch %35\n"
           "%35 = OpLabel\nOpBranchConditional %30 %36 %37\n"
           "%36 = OpLabel\nOpStore %22 %5\nOpBranch %37\n%37 = OpLabel\n",
           8, 2);
}

/* A loop computes its condition again in each iteration: the back edge implies nothing about it. */
static void test_tested_again(void **state) {
  (void)state;
  COVERAGE("auto",
           "OpBranch %30\n%30 = OpLabel\n%31 = OpLoad %4 %21\n%32 = OpULessThan %3 %31 %7\n"
           "OpBranchConditional %32 %33 %34\n"
           "%33 = OpLabel\nOpStore %22 %6\nOpBranch %30\n%34 = OpLabel\n",
           4, 4);
}

/* Constants through a phi: one edge for each predecessor. A switch's default is not a number. */
static void test_constant_choices(void **state) {
  (void)state;
  COVERAGE("auto",
           "%30 = OpULessThan %3 %24 %7\nOpBranchConditional %30 %31 %32\n"
           "%31 = OpLabel\nOpStore %22 %5\nOpBranch %33\n"
           "%32 = OpLabel\nOpStore %22 %6\nOpBranch %33\n"
           "%33 = OpLabel\n%34 = OpPhi %4 %5 %31 %7 %32\nOpSwitch %34 %35 0 %36 1 %37\n"
           "%36 = OpLabel\nOpStore %22 %5\nOpBranch %35\n"
           "%37 = OpLabel\nOpStore %22 %6\nOpBranch %35\n"
           "%35 = OpLabel\n%38 = OpPhi %4 %24 %33 %5 %36 %6 %37\nOpSwitch %38 %39 0 %40\n"
           "%40 = OpLabel\nOpStore %22 %7\nOpBranch %39\n%39 = OpLabel\n",
           10, 2 + 3);
}

/* SPIR-V forbids a number as the condition of OpSelect, and the walk makes any number of it: all
 * edges count (found by the fuzz target transform). */
static void test_select_by_a_number(void **state) {
  (void)state;
#define BY_A_NUMBER                                                                                \
  "%30 = OpSelect %4 %24 %5 %6\nOpSwitch %30 %31 0 %32 1 %31 2 %32\n"                              \
  "%32 = OpLabel\nOpStore %22 %7\nOpBranch %31\n%31 = OpLabel\n"
  spvreconv_check c = pair_compare_as("auto", BODY(BY_A_NUMBER), WITH_BLOCK(BY_A_NUMBER), NULL);
  assert_int_equal(c.edges, 5);
}

/* Lanes that took the default of a switch may take any case of the next one. */
static void test_default_says_nothing(void **state) {
  (void)state;
  COVERAGE("auto",
           "OpSwitch %24 %31 4 %32\n%32 = OpLabel\nOpStore %22 %5\nOpBranch %33\n"
           "%31 = OpLabel\nOpSwitch %24 %33 0 %34 9 %35\n"
           "%34 = OpLabel\nOpStore %22 %6\nOpBranch %33\n"
           "%35 = OpLabel\nOpStore %22 %7\nOpBranch %33\n%33 = OpLabel\n",
           8, 0);
}

/* Comparisons of constants count as decided only if a transform may decide them. */
static void test_constant_comparisons(void **state) {
  (void)state;
#define COMPARES                                                                                   \
  "OpBranch %29\n%29 = OpLabel\n%30 = OpIEqual %3 %6 %6\nOpBranchConditional %30 %31 %32\n" ARMS
  COVERAGE("auto", COMPARES, 5, 0);
  COVERAGE("merge-copies", COMPARES, 3, 0);
  COVERAGE("merge-copies", "%30 = OpIEqual %3 %6 %7\nOpBranchConditional %30 %31 %32\n" ARMS, 2, 0);
}

/* A state machine whose selector phis and selects choose from 0, 1 and 7: no lane takes case 9. */
static void test_machine(void **state) {
  (void)state;
  COVERAGE("auto",
           "OpBranch %29\n%29 = OpLabel\nOpBranch %30\n"
           "%30 = OpLabel\n%31 = OpPhi %4 %5 %29 %32 %33\n%34 = OpLoad %4 %21\n"
           "%35 = OpULessThan %3 %34 %7\n%36 = OpSelect %4 %35 %6 %7\n%41 = OpULessThan %3 %25 "
           "%7\n%42 = OpSelect %4 %41 %5 %36\n%32 = OpCopyObject %4 %42\n"
           "OpStore %22 %31\nOpSwitch %31 %37 0 %38 1 %39 9 %40\n"
           "%38 = OpLabel\nOpStore %22 %5\nOpBranch %33\n"
           "%39 = OpLabel\nOpStore %22 %6\nOpBranch %33\n"
           "%40 = OpLabel\nOpStore %22 %7\nOpBranch %33\n"
           "%33 = OpLabel\nOpStore %23 %34\nOpBranch %30\n%37 = OpLabel\n",
           8, 4);
}

/* A selector that does not change in the loop: a lane that has taken a new case is not led back to
 * the start for another one before the case has been covered. */
static void test_lasting_selector(void **state) {
  (void)state;
#define LASTING                                                                                    \
  "%30 = OpULessThan %3 %25 %7\nOpBranch %31\n"                                                    \
  "%31 = OpLabel\nOpStore %22 %5\nOpBranchConditional %30 %33 %32\n"                               \
  "%32 = OpLabel\nOpStore %22 %6\nOpSwitch %24 %34 8 %31 9 %32 10 %35 11 %36\n"                    \
  "%35 = OpLabel\nOpStore %22 %7\nOpBranch %31\n"                                                  \
  "%36 = OpLabel\nOpStore %23 %7\nOpBranch %31\n"                                                  \
  "%33 = OpLabel\nOpStore %22 %7\nOpSwitch %25 %34 8 %37\n"                                        \
  "%37 = OpLabel\nOpStore %22 %6\nOpBranch %33\n%34 = OpLabel\n"
  spvreconv_check c = pair_compare(BODY(LASTING), WITH_BLOCK(LASTING), NULL);
  assert_int_equal(c.edges, 13);
  assert_int_equal(c.edges_covered, 13);
}

/* ---- nests ---- */

enum { DEPTH = 16 };

/* Blocks 100, 101, ... test the same number: the value that would lead a lane out of an inner block
 * keeps it from reaching that block. The code after them is covered nevertheless. */
static char *nest(const char *stored) {
  char *text = malloc(1 << 16), *at = text;
  const char *whole =
      BODY("OpStore %23 %24\nOpBranch %100\nNEST\n"
           "OpBranchConditional %40 %31 %33\n%31 = OpLabel\n%41 = OpIEqual %3 %25 %6\n"
           "OpBranchConditional %41 %32 %33\n%32 = OpLabel\nOpStore %22 STORED\n"
           "OpBranch %33\n%33 = OpLabel\n");
  const char *hole = strstr(whole, "NEST"), *value = strstr(whole, "STORED");
  at += sprintf(at, "%.*s", (int)(hole - whole), whole);
  for (int i = 0; i < DEPTH; i++)
    at += sprintf(at,
                  "%%%d = OpLabel\n%%%d = OpULessThan %%3 %%24 %%7\n"
                  "OpBranchConditional %%%d %%%d %%33\n",
                  100 + i, 200 + i, 200 + i, 101 + i);
  at += sprintf(at, "%%%d = OpLabel\n%%40 = OpIEqual %%3 %%25 %%7", 100 + DEPTH);
  hole += strlen("NEST");
  sprintf(at, "%.*s%s%s", (int)(value - hole), hole, stored, value + strlen("STORED"));
  return text;
}

static void test_nests(void **state) {
  (void)state;
  char *before = nest("%7"), *after = nest("%5");
  pair_compare(before, after, "main, block %32: the output differs from the input: an operand");
  free(before);
  free(after);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tested_before),
      cmocka_unit_test(test_tested_again),
      cmocka_unit_test(test_constant_choices),
      cmocka_unit_test(test_select_by_a_number),
      cmocka_unit_test(test_default_says_nothing),
      cmocka_unit_test(test_constant_comparisons),
      cmocka_unit_test(test_machine),
      cmocka_unit_test(test_lasting_selector),
      cmocka_unit_test(test_nests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
