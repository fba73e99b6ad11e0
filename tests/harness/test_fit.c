/* SPDX-License-Identifier: Apache-2.0 */
/* test_fit: the line with steps through times, and the judgement of logs written by hand. */
#include "harness/fit/fit_judge.h"
#include "harness/fit/fit_line.h"
#include "harness/fit/fit_report.h"
#include "harness/observe/instrument.h"
#include "tests/unit/unit.h"

#include <string.h>

/* ---- times ---- */

/* Lanes that leave alone cost 32 cycles; of a stack of 16 entries four are spilled when a push would
 * overflow it, which costs 84 (Bialas and Strzelecki 2015). */
static double stack_time(uint32_t m) {
  uint32_t spills = m < 16 ? 0 : (m + 1 - 16 + 3) / 4;
  return 400 + 32.0 * m + 84.0 * spills;
}

static void finds_steps(void **state) {
  (void)state;
  double time[32];
  for (uint32_t m = 0; m < 32; m++)
    time[m] = stack_time(m);
  FtLine line = ft_line(time, 32);
  assert_true(line.certain);
  assert_float_equal(line.slope, 32, 1e-6);
  assert_float_equal(line.start, 400, 1e-6);
  assert_float_equal(line.step, 84, 1e-6);
  assert_int_equal(line.steps, 4);
  for (uint32_t i = 0; i < line.steps; i++)
    assert_int_equal(line.at[i], 16 + 4 * i);
}

/* Where a compiler has unrolled the loop by four, only every fourth lane costs; the last step is twice
 * as high (seen on an NVIDIA H200). */
static void finds_stairs(void **state) {
  (void)state;
  double time[32];
  for (uint32_t m = 0; m < 32; m++)
    time[m] = 465.5 + 13.0 * ((m + 3) / 4) + (m > 28 ? 13 : 0) + (m * 7 % 5) * 0.003;
  FtLine line = ft_line(time, 32);
  assert_false(line.certain);
  assert_int_equal(line.steps, 8);
  for (uint32_t i = 0; i < line.steps; i++)
    assert_int_equal(line.at[i], 1 + 4 * i);
  assert_true(line.step > 13 && line.step < 16);
}

/* Noise is no step, and no slope. */
static void sees_noise(void **state) {
  (void)state;
  double time[32];
  for (uint32_t m = 0; m < 32; m++)
    time[m] = 400 + 32.0 * m + (m * 7 % 5) * 3.0;
  FtLine line = ft_line(time, 32);
  assert_true(line.certain);
  assert_true(line.slope > 28 && line.slope < 36);
  assert_int_equal(line.steps, 0);
  for (uint32_t m = 0; m < 32; m++)
    time[m] = 400 + (m * 7 % 5) * 3.0;
  assert_false(ft_line(time, 32).certain);
  time[20] += 500; /* a late measurement */
  assert_int_equal(ft_line(time, 32).steps, 0);
  time[0] = 5;
  time[1] = 5;
  line = ft_line(time, 2);
  assert_false(line.certain);
}

static void says_what_is_unknown(void **state) {
  (void)state;
  const FtTimes times = {.measured = true,
                         .unit = "cycles",
                         .count = 8,
                         .at = {58},
                         .line = {.slope = -1.99, .error = 6.6}};
  char text[160] = "";
  FILE *out = fmemopen(text, sizeof text, "w");
  assert_non_null(out);
  ft_put_times(&times, out);
  fclose(out);
  assert_string_equal(text,
                      "no cost of a lane that leaves a loop alone can be measured (-1.99 cycles, "
                      "error 6.6); 8 iterations take 58");
}

/* ---- tangles ---- */

enum { LANES = 4, RECORDS = 4, WORDS = LANES * (OB_HEAD + (RECORDS + 1) * OB_RECORD) };

/* One block that branches to one of two, and a block where both end. */
static ObPoint at[] = {
    {.block = 10, .end = OB_SPLITS, .first_successor = 0, .successor_count = 2},
    {.block = 11, .end = OB_BRANCHES, .first_successor = 2, .successor_count = 1},
    {.block = 12, .end = OB_BRANCHES, .first_successor = 2, .successor_count = 1},
    {.block = 13, .end = OB_ENDS, .line = 7}};
static uint32_t successors[] = {1, 2, 3};
static const ObPoints points = {at, 4, successors, 0};

static void begin_points(void) {
  for (int i = 0; i < 4; i++) {
    at[i].next = at[i].callee = at[i].merge = at[i].target = SR_NONE;
    at[i].text = (char *)"a place";
  }
  at[0].merge = 3;
}

static void put(uint32_t *words, uint32_t lane, uint32_t point, uint32_t ballot) {
  uint32_t *part = words + lane * ob_part_words(RECORDS);
  uint32_t *record = part + OB_HEAD + part[0]++ * OB_RECORD;
  part[2] = lane;
  part[3] = LANES;
  record[0] = point + 1;
  record[1] = ballot;
}

/* Even lanes take the first side; they are together again at the end if `joins`. */
static void make(uint32_t words[WORDS], bool joins) {
  memset(words, 0, WORDS * sizeof *words);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint32_t side = lane % 2 ? 0xa : 0x5;
    put(words, lane, 0, 0xf);
    put(words, lane, 1 + lane % 2, side);
    put(words, lane, 3, joins ? 0xf : side);
  }
}

static FtScore judge(const uint32_t *device, const uint32_t *policy, const char *why) {
  FtLog log = {.points = &points, .invocations = LANES, .records = RECORDS, .words = device};
  FtScore score = {0};
  char text[160];
  begin_points();
  assert_true(ft_log_read(&log, text));
  assert_int_equal(log.observations, 3 * LANES);
  assert_true(ft_judge(&log, policy, why, &score));
  ft_log_free(&log);
  return score;
}

static void explains(void **state) {
  (void)state;
  uint32_t joined[WORDS], apart[WORDS];
  make(joined, true);
  make(apart, false);
  FtScore score = judge(joined, joined, NULL), other = judge(joined, apart, NULL);
  assert_int_equal(score.explained, 12);
  assert_int_equal(score.count, 0);
  assert_int_equal(other.explained, 8);
  assert_int_equal(other.count, 1);
  assert_int_equal(other.places[0].count, 4);
  assert_int_equal(other.places[0].line, 7);
  assert_int_equal(other.places[0].first.fault, CV_EXTRA);
  assert_int_equal(other.places[0].first.event, CV_AT_JOIN);
  assert_true(score.hash != other.hash);
  ft_score_free(&score);
  ft_score_free(&other);
  other = judge(apart, joined, NULL);
  assert_int_equal(other.places[0].first.fault, CV_MISSING);
  ft_score_free(&other);
}

/* What follows another path is not explained, whatever it is; nor is anything if the policy's run
 * does not end. */
static void leaves(void **state) {
  (void)state;
  uint32_t device[WORDS], policy[WORDS];
  make(device, true);
  make(policy, true);
  policy[ob_part_words(RECORDS) + OB_HEAD + OB_RECORD] = 2; /* lane 1 on the other side */
  FtScore score = judge(device, policy, NULL);
  assert_int_equal(score.explained, 10);
  assert_int_equal(score.count, 1);
  assert_int_equal(score.places[0].first.fault, CV_PATH);
  assert_int_equal(score.places[0].count, 2);
  ft_score_free(&score);
  make(policy, true);
  put(policy, 2, 3, 0xf); /* lane 2 goes on */
  score = judge(device, policy, NULL);
  assert_int_equal(score.explained, 11);
  ft_score_free(&score);
  score = judge(device, NULL, "livelock: it does not end");
  assert_int_equal(score.explained, 0);
  assert_int_equal(score.places[0].count, 12);
  ft_score_free(&score);
}

/* A device whose subgroups are not full, or that numbers its lanes twice. */
static void refuses(void **state) {
  (void)state;
  uint32_t device[WORDS];
  char why[160];
  FtLog log = {.points = &points, .invocations = LANES, .records = RECORDS, .words = device};
  begin_points();
  make(device, true);
  device[ob_part_words(RECORDS) + 1] = 1; /* lane 1 in a subgroup that has no room */
  assert_false(ft_log_read(&log, why));
  assert_string_equal(why, "its subgroups are not 4 invocations each");
  ft_log_free(&log);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_steps), cmocka_unit_test(finds_stairs),
      cmocka_unit_test(sees_noise),  cmocka_unit_test(says_what_is_unknown),
      cmocka_unit_test(explains),    cmocka_unit_test(leaves),
      cmocka_unit_test(refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
