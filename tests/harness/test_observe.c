/* SPDX-License-Identifier: Apache-2.0 */
/* test_observe: the points of a shader, the log that is added to it, and the judgement of logs that
 * are written here by hand, for paths and tangles that no correct device has. */
#include "harness/observe/instrument.h"
#include "harness/observe/observe_judge.h"
#include "harness/run/bare.h"
#include "harness/shader/case_validate.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 4, RECORDS = 16 };

static HnModule *made;
static HnModule logged;
static ObPoints points;

/* The points of `shape`, below. */
enum { FIRST, HEAD, BODY, ODD, NEXT, TURN, AFTER, SELECT, ZERO, ONE, LAST, CALLED, POINTS };

/* for (…) { if (…) continue; } switch (…) { case 0: …; case 1: … } f(); and f. */
static const char shape[] =
    "; Version: 1.0\n"
    "OpCapability Shader\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %index\n"
    "OpEntryPoint GLCompute %other \"other\"\n"
    "OpExecutionMode %main LocalSize 4 1 1\n"
    "OpExecutionMode %other LocalSize 1 1 1\n"
    "OpDecorate %index BuiltIn LocalInvocationIndex\n"
    "%void = OpTypeVoid\n"
    "%call = OpTypeFunction %void\n"
    "%bool = OpTypeBool\n"
    "%int = OpTypeInt 32 1\n"
    "%in = OpTypePointer Input %int\n"
    "%true = OpConstantTrue %bool\n"
    "%zero = OpConstant %int 0\n"
    "%index = OpVariable %in Input\n"
    "%main = OpFunction %void None %call\n"
    "%first = OpLabel\n%lane = OpLoad %int %index\n%odd = OpSGreaterThan %bool %lane %zero\n"
    "OpBranch %head\n"
    "%head = OpLabel\nOpLoopMerge %after %turn None\nOpBranchConditional %odd %body %after\n"
    "%body = OpLabel\nOpSelectionMerge %next None\nOpBranchConditional %odd %skip %next\n"
    "%skip = OpLabel\nOpBranch %turn\n"
    "%next = OpLabel\nOpBranch %turn\n"
    "%turn = OpLabel\nOpBranch %head\n"
    "%after = OpLabel\nOpSelectionMerge %last None\nOpSwitch %lane %last 0 %null 1 %one\n"
    "%null = OpLabel\nOpBranch %one\n"
    "%one = OpLabel\nOpBranch %last\n"
    "%last = OpLabel\n%done = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n"
    "%f = OpFunction %void None %call\n%inner = OpLabel\nOpReturn\nOpFunctionEnd\n"
    "%other = OpFunction %void None %call\n%rest = OpLabel\nOpReturn\nOpFunctionEnd\n";

enum { INNER = CALLED + 1, REST, ALL };

static int begin(void **state) {
  const ObLog log = {.set = 1, .binding = 3, .invocations = LANES, .records = RECORDS};
  char *message;
  (void)state;
  if (!hn_bare_make((const uint8_t *)shape, strlen(shape), &made, &message) ||
      !ob_instrument(made[0], "main", &log, &logged, &points, &message)) {
    printf("%s\n", message);
    free(message);
    return -1;
  }
  return 0;
}

static int end(void **state) {
  (void)state;
  ob_points_free(&points);
  free((void *)logged.words);
  hn_shaders_free(made, 1);
  return 0;
}

/* ---- the module ---- */

static void has_points(void **state) {
  (void)state;
  assert_int_equal(points.count, ALL);
  assert_int_equal(points.entry, FIRST);
  assert_int_equal(points.at[SELECT].kind, OB_SELECTOR);
  assert_int_equal(points.at[CALLED].kind, OB_RETURN);
  assert_int_equal(points.at[LAST].callee, INNER);
  assert_int_equal(points.at[LAST].next, CALLED);
  assert_int_equal(points.at[HEAD].merge, AFTER);
  assert_int_equal(points.at[HEAD].target, TURN);
  assert_int_equal(points.at[AFTER].merge, LAST);
  assert_int_equal(points.at[SELECT].end, OB_SWITCHES);
  assert_int_equal(points.at[SELECT].successor_count, 3);
  assert_non_null(strstr(points.at[CALLED].text, "after OpFunctionCall"));
}

/* One entry point, SPIR-V 1.3, valid; the shader's own signed LocalInvocationIndex is used. */
static void is_valid(void **state) {
  (void)state;
  char *message = NULL;
  uint32_t entries = 0, indices = 0;
  if (!hn_validate(&hn_bare_script, logged, &message))
    fail_msg("%s", message);
  assert_int_equal(logged.words[1], 0x00010300);
  for (size_t at = 5; at < logged.count; at += logged.words[at] >> 16) {
    const uint32_t *w = logged.words + at;
    entries += (w[0] & 0xffff) == 15;
    indices += (w[0] & 0xffff) == 71 && w[2] == 11 && w[3] == 29;
  }
  assert_int_equal(entries, 1);
  assert_int_equal(indices, 1);
}

static void refuses_large(void **state) {
  const ObLog log = {.invocations = 1, .records = RECORDS};
  char *text = NULL, *message;
  size_t size;
  HnModule *large, out = {0};
  ObPoints none;
  (void)state;
  FILE *f = open_memstream(&text, &size);
  fputs("; Version: 1.3\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint GLCompute %4 \"main\"\nOpExecutionMode %4 LocalSize 1 1 1\n"
        "%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%4 = OpFunction %2 None %3\n%5 = OpLabel\n",
        f);
  for (int i = 0; i < 65536; i++)
    fprintf(f, "OpBranch %%%d\n%%%d = OpLabel\n", i + 10, i + 10);
  fputs("OpReturn\nOpFunctionEnd\n", f);
  fclose(f);
  assert_true(hn_bare_make((const uint8_t *)text, size, &large, &message));
  assert_false(ob_instrument(large[0], "main", &log, &out, &none, &message));
  assert_non_null(strstr(message, "more than 65536 points"));
  free(message);
  ob_points_free(&none);
  assert_false(ob_instrument(large[0], "other", &log, &out, &none, &message));
  assert_string_equal(message, "no compute entry point 'other'");
  free(message);
  ob_points_free(&none);
  hn_shaders_free(large, 1);
  free(text);
}

/* ---- logs ---- */

static uint32_t log_words[2 * LANES * (OB_HEAD + (RECORDS + 1) * OB_RECORD)];
static ObTotals totals;

static uint32_t *part(uint32_t lane) {
  return log_words + lane * ob_part_words(RECORDS);
}

static void tell(uint32_t lane, uint32_t point, uint32_t word) {
  uint32_t *p = part(lane), slot = p[0] < RECORDS ? p[0] : RECORDS;
  uint32_t *record = p + OB_HEAD + slot * OB_RECORD;
  p[0]++;
  record[0] = point + 1;
  record[1] = word;
}

/* All lanes of the set go to the point, in one tangle. */
static void go(uint32_t lanes, uint32_t point) {
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (lanes >> lane & 1)
      tell(lane, point, lanes);
}

static void start(void) {
  memset(log_words, 0, sizeof log_words);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    part(lane)[2] = lane;
    part(lane)[3] = LANES;
  }
  go(0xf, FIRST);
  go(0xf, HEAD);
}

static void finish(void) {
  go(0xf, LAST);
  go(0xf, INNER);
  go(0xf, CALLED);
}

static void to_last(void) {
  go(0xf, AFTER);
  for (uint32_t lane = 0; lane < LANES; lane++)
    tell(lane, SELECT, 9);
  finish();
}

static void judge(CvMode mode, const uint32_t *reference) {
  const ObCase c = {
      .points = &points, .mode = mode, .invocations = LANES, .workgroups = 1, .records = RECORDS};
  free(totals.at);
  assert_true(ob_judge(&c, log_words, reference, &totals));
}

/* Only this point is wrong, if any. */
static const CvVerdict *only(uint32_t point) {
  for (uint32_t i = 0; i < points.count; i++)
    if ((i == point) != (totals.at[i].wrong != 0))
      fail_msg("point %u: %zu wrong", i, totals.at[i].wrong);
  return point == CV_NONE ? NULL : &totals.at[point].first;
}

/* Lanes 1 and 3 continue, the others reach the merge block of the selection. */
static void loop_with(uint32_t at_turn) {
  go(0xf, BODY);
  go(0xa, ODD);
  go(0x5, NEXT);
  go(at_turn, TURN);
  if (at_turn != 0xf)
    go(0xf & ~at_turn, TURN);
}

static void accepts_right_tangles(void **state) {
  (void)state;
  start();
  loop_with(0xf);
  go(0xf, HEAD);
  to_last();
  for (int mode = 0; mode < CV_MODES; mode++) {
    judge((CvMode)mode, log_words);
    only(CV_NONE);
    assert_int_equal(totals.observations, LANES * 11 - LANES);
  }
}

/* Lanes that continue apart: a fault in mode maximal only. */
static void finds_missing_lanes(void **state) {
  (void)state;
  start();
  loop_with(0xa);
  go(0xf, HEAD);
  to_last();
  judge(CV_UNIFORM, NULL);
  only(CV_NONE);
  judge(CV_MAXIMAL, NULL);
  const CvVerdict *v = only(TURN);
  assert_int_equal(v->fault, CV_MISSING);
  assert_int_equal(v->event, CV_AT_CONTINUE);
  assert_int_equal(v->must.word[0], 0xf);
}

/* After the loop all are together again, in every mode. */
static void finds_lanes_lost_in_a_loop(void **state) {
  (void)state;
  start();
  loop_with(0xf);
  go(0xf, HEAD);
  go(0x3, AFTER);
  go(0xc, AFTER);
  for (uint32_t lane = 0; lane < LANES; lane++)
    tell(lane, SELECT, 9);
  finish();
  for (int mode = 0; mode < CV_MODES; mode++) {
    judge((CvMode)mode, NULL);
    assert_int_equal(only(AFTER)->event, CV_AT_EXIT);
  }
}

/* Ballots with lanes that took the other branch, and with lanes that got another ballot. */
static void finds_extra_lanes(void **state) {
  (void)state;
  start();
  go(0xf, BODY);
  go(0xa, ODD);
  tell(0, NEXT, 0xf);
  tell(2, NEXT, 0xf);
  go(0xf, TURN);
  go(0xf, HEAD);
  to_last();
  for (int mode = 0; mode < CV_MODES; mode++) {
    judge((CvMode)mode, NULL);
    assert_int_equal(only(NEXT)->fault, CV_EXTRA);
    assert_int_equal(totals.at[NEXT].first.event, CV_AT_JOIN);
  }
  start();
  go(0xf, BODY);
  go(0xa, ODD);
  go(0x5, NEXT);
  for (uint32_t lane = 0; lane < LANES; lane++)
    tell(lane, TURN, lane & 1 ? 0xf : 0x5);
  go(0xf, HEAD);
  to_last();
  judge(CV_NO_PROMISE, NULL);
  assert_int_equal(only(TURN)->fault, CV_UNEQUAL);
}

/* Selectors 0, 1, 1 and 0: lanes 0 and 3 fall into the case of the others, and may join them. */
static void keeps_selectors_apart(void **state) {
  static const uint32_t joined[] = {0xf, 0x9, 0x8, 0xe};
  (void)state;
  for (int i = 0; i < 4; i++) {
    start();
    go(0xf, AFTER);
    for (uint32_t lane = 0; lane < LANES; lane++)
      tell(lane, SELECT, lane == 1 || lane == 2);
    go(0x9, ZERO);
    go(joined[i], ONE);
    if (joined[i] != 0xf)
      go(0xf & ~joined[i], ONE);
    finish();
    judge(CV_MAXIMAL, NULL);
    only(i < 2 ? CV_NONE : ONE);
  }
  assert_int_equal(totals.at[ONE].first.must.word[0], 0x9);
  assert_int_equal(totals.at[ONE].first.may.word[0], 0xf);
}

static void finds_other_paths(void **state) {
  static uint32_t reference[sizeof log_words / sizeof *log_words];
  (void)state;
  start();
  to_last();
  memcpy(reference, log_words, sizeof reference);
  start();
  go(0xe, BODY);
  go(0xe, NEXT);
  go(0xe, TURN);
  go(0xe, HEAD);
  to_last();
  judge(CV_MAXIMAL, reference);
  const CvVerdict *v = only(HEAD);
  assert_int_equal(v->fault, CV_PATH);
  assert_int_equal(v->point, BODY);
  assert_int_equal(totals.at[HEAD].wrong, 3);
  assert_int_equal(totals.at[HEAD].other, AFTER);
  start();
  go(0xf, ONE);
  judge(CV_MAXIMAL, NULL);
  assert_true(totals.at[HEAD].impossible);
}

/* A lane whose log is full may be in every later tangle. */
static void excuses_full_logs(void **state) {
  (void)state;
  start();
  for (int i = 0; i < 4; i++) {
    go(0x4, BODY);
    go(0x4, NEXT);
    go(0x4, TURN);
    go(0x4, HEAD);
  }
  to_last();
  judge(CV_MAXIMAL, NULL);
  only(CV_NONE);
  assert_int_equal(totals.cut, 1);
}

/* Two invocations with one number: nothing is judged. */
static void finds_equal_numbers(void **state) {
  (void)state;
  start();
  to_last();
  part(1)[2] = 0;
  judge(CV_MAXIMAL, NULL);
  assert_true(totals.broken);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(has_points),          cmocka_unit_test(is_valid),
      cmocka_unit_test(refuses_large),       cmocka_unit_test(accepts_right_tangles),
      cmocka_unit_test(finds_missing_lanes), cmocka_unit_test(finds_lanes_lost_in_a_loop),
      cmocka_unit_test(finds_extra_lanes),   cmocka_unit_test(keeps_selectors_apart),
      cmocka_unit_test(finds_other_paths),   cmocka_unit_test(excuses_full_logs),
      cmocka_unit_test(finds_equal_numbers),
  };
  int failed = cmocka_run_group_tests(tests, begin, end);
  free(totals.at);
  return failed;
}
