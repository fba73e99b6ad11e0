/* SPDX-License-Identifier: Apache-2.0 */
/* test_converge: the model of spv-harness converge on small programs, whose tangles are worked out
 * by hand from the text of the specification. */
#include "harness/converge/converge_judge.h"
#include "harness/converge/generate.h"
#include "tests/unit/unit.h"

#include <string.h>

enum { SIZE = 4 };

/* Rows of the table for lanes 0 to 3 of subgroups of 4: 12: 0 1 2 3; 16: 0 0 1 1. */
enum { EACH = 12, PAIRS = 16, ALWAYS = 1 };

static CvProgram program;
static CvExpected expected;

static uint32_t add(CvStatement s) {
  s.next = CV_NONE;
  program.at[program.count] = s;
  return program.count++;
}

static CvStatement make(CvKind kind, uint8_t row) {
  return (CvStatement){
      .kind = (uint8_t)kind, .row = row, .parts = {CV_NONE, CV_NONE, CV_NONE, CV_NONE}};
}

static uint32_t tell(void) {
  return add(make(CV_TELL, 0));
}

/* A block of statements; returns the first. */
static uint32_t block(uint32_t a, uint32_t b, uint32_t c) {
  program.at[a].next = b;
  if (b != CV_NONE)
    program.at[b].next = c;
  return a;
}

static uint32_t either(uint8_t row, uint32_t then, uint32_t other) {
  CvStatement s = make(CV_IF, row);
  s.parts[0] = then;
  s.parts[1] = other;
  return add(s);
}

static void begin(void) {
  memset(&program, 0, sizeof program);
  program.function_count = 1;
}

static void run(CvMode mode, uint32_t first) {
  program.functions[program.function_count - 1] = first;
  assert_true(cv_is_valid(&program));
  assert_true(cv_model_fits(&program));
  cv_model(&program, mode, SIZE, &expected);
}

/* Checks the k-th observation of a lane of the first subgroup. */
static void check(uint32_t lane, uint32_t k, uint32_t point, uint32_t must, uint32_t may) {
  assert_true(k < expected.count[lane]);
  assert_int_equal(expected.record[lane][k].point, point);
  assert_int_equal(expected.record[lane][k].must.word[0], must);
  assert_int_equal(expected.record[lane][k].may.word[0], may);
}

static void table_is_known(void **state) {
  (void)state;
  for (uint32_t lane = 0; lane < SIZE; lane++) {
    assert_int_equal(cv_value(EACH, lane, SIZE), lane);
    assert_int_equal(cv_value(PAIRS, lane, SIZE), lane / 2);
  }
}

/* if (pairs) tell else tell; tell */
static void selection(void **state) {
  (void)state;
  begin();
  uint32_t a = tell(), b = tell(), after = tell();
  run(CV_MAXIMAL, block(either(PAIRS, a, b), after, CV_NONE));
  check(3, 0, a, 0xc, 0xc);
  check(0, 0, b, 0x3, 0x3);
  check(1, 1, after, 0xf, 0xf);
  assert_int_equal(expected.record[1][1].event, CV_AT_JOIN);
  run(CV_UNIFORM, program.functions[0]);
  check(3, 0, a, 0x8, 0xc); /* diverged: nothing is promised but the lane itself */
  check(1, 1, after, 0xf, 0xf);
}

/* for (k < each) { tell; if (pairs) continue; tell } tell: an iteration ends for all at its
 * continue target; lanes that jumped to it have left uniform control flow. */
static void loop(void **state) {
  (void)state;
  begin();
  uint32_t head = tell(), rest = tell(), after = tell(), jump = add(make(CV_CONTINUE, 0));
  CvStatement s = make(CV_LOOP, EACH);
  s.parts[0] = block(head, either(PAIRS, jump, CV_NONE), rest);
  run(CV_MAXIMAL, block(add(s), after, CV_NONE));
  check(3, 0, head, 0xe, 0xe);
  check(3, 1, head, 0xc, 0xc);
  check(3, 2, head, 0x8, 0x8);
  check(1, 1, rest, 0x2, 0x2);
  check(0, 0, after, 0xf, 0xf);
  assert_int_equal(expected.record[0][0].event, CV_AT_EXIT);
  program.at[program.functions[0]].row = ALWAYS + 1; /* two iterations of all lanes */
  run(CV_UNIFORM, program.functions[0]);
  check(0, 0, head, 0xf, 0xf);
  check(0, 2, head, 0x1, 0xf); /* not uniform after the `continue` of others */
  check(0, 4, after, 0xf, 0xf);
}

/* A switch: lanes with one selector stay together, others may join them until its merge. */
static void switches(void **state) {
  (void)state;
  begin();
  uint32_t a = tell(), b = tell(), other = tell(), after = tell();
  CvStatement s = make(CV_SWITCH, EACH);
  s.cases = 3;
  s.falls = 1;
  s.has_other = true;
  s.parts[0] = a;
  s.parts[1] = b;
  s.parts[2] = other;
  run(CV_MAXIMAL, block(add(s), after, CV_NONE));
  check(0, 0, a, 0x1, 0x1);
  check(0, 1, b, 0x1, 0x3); /* has fallen into the case of lane 1 */
  check(1, 0, b, 0x2, 0x3);
  check(2, 0, other, 0x4, 0xc); /* two selectors, one case */
  check(3, 1, after, 0xf, 0xf);
}

/* f() { if (pairs) return; tell } tell after the call: all lanes. */
static void early_return(void **state) {
  (void)state;
  begin();
  program.function_count = 2;
  uint32_t inner = tell(), after = tell(), jump = add(make(CV_RETURN, 0)),
           call = add(make(CV_CALL, 0));
  program.functions[0] = block(either(PAIRS, jump, CV_NONE), inner, CV_NONE);
  run(CV_MAXIMAL, block(call, after, CV_NONE));
  check(0, 0, inner, 0x3, 0x3);
  check(3, 0, after, 0xf, 0xf);
  assert_int_equal(expected.record[3][0].event, CV_AT_RETURN);
}

/* for (;;) { tell; if (elect) { tell; break } } tell */
static void election(void **state) {
  (void)state;
  begin();
  uint32_t each = tell(), one = tell(), after = tell();
  CvStatement s = make(CV_ELECT, 0);
  s.parts[0] = one;
  s.parts[1] = each;
  run(CV_MAXIMAL, block(add(s), after, CV_NONE));
  check(0, 0, each, 0xf, 0xf);
  check(2, 1, each, 0xe, 0xe);
  check(2, 3, one, 0x4, 0x4);
  check(0, 2, after, 0xf, 0xf);
}

/* Uniform for one of two subgroups only: that is enough for `uniform`, not for `none`. */
static void groups(void **state) {
  (void)state;
  begin();
  uint32_t a = tell();
  run(CV_UNIFORM, either(6, a, CV_NONE)); /* row 6: 2 in the first subgroup, 3 in the second */
  check(0, 0, a, 0xf, 0xf);
  program.at[program.functions[0]].row = 7; /* 3, and 0 */
  run(CV_UNIFORM, program.functions[0]);
  check(0, 0, a, 0xf, 0xf);
  run(CV_NO_PROMISE, program.functions[0]);
  check(0, 0, a, 0x1, 0xf);
}

/* Field by field, as far as that matters: structs have bytes between their fields. */
static void assert_same(const CvProgram *a, const CvProgram *b) {
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->function_count, b->function_count);
  assert_int_equal(a->two_exits, b->two_exits);
  assert_memory_equal(a->functions, b->functions, sizeof a->functions);
  for (uint32_t i = 0; i < a->count; i++)
    assert_memory_equal(&a->at[i], &b->at[i],
                        offsetof(CvStatement, has_other) + sizeof a->at[i].has_other);
}

/* Generated programs are valid, and the same for the same seed. */
static void generated(void **state) {
  static CvProgram again;
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    cv_generate(seed, CV_MAXIMAL, false, &program);
    cv_generate(seed, CV_MAXIMAL, false, &again);
    assert_true(cv_is_valid(&program));
    assert_same(&program, &again);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_is_known), cmocka_unit_test(selection),    cmocka_unit_test(loop),
      cmocka_unit_test(switches),       cmocka_unit_test(early_return), cmocka_unit_test(election),
      cmocka_unit_test(groups),         cmocka_unit_test(generated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
