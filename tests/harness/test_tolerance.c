/* SPDX-License-Identifier: Apache-2.0 */
/* Compares contents of two devices: bit for bit, within units in the last place, and within the
 * range of several runs. A script declares the two sides as buffers of one type. */
#include "tests/unit/unit.h"

#include "harness/backend/compare.h"
#include "harness/backend/range.h"
#include "tests/harness/amber_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

/* Sides of one type, each a line of DATA. */
typedef struct Sides {
  AmberScript *script;
  HnContents contents[MOST];
  HnReport report[MOST]; /* with one buffer each, taken for buffer 0 */
  char *message;
} Sides;

static Sides sides_of(const char *type, const char *const *data, uint32_t count) {
  char text[2000];
  size_t used = 0;
  for (uint32_t i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "BUFFER b%u DATA_TYPE %s DATA %s END\n", i, type, data[i]);
  Sides s = {.script = amber_text_good(text)};
  for (uint32_t i = 0; i < count; i++)
    s.contents[i] = (HnContents){s.script->buffers[i].bytes, s.script->buffers[i].size};
  s.script->buffer_count = 1; /* only the first is compared */
  return s;
}

static HnReport *side(Sides *s, uint32_t i) {
  s->report[i] = (HnReport){.buffers = &s->contents[i], .buffer_count = 1};
  return &s->report[i];
}

static void sides_free(Sides *s, uint32_t count) {
  s->script->buffer_count = count;
  amber_destroy(s->script);
  free(s->message);
}

/* Are the sides within that many units, in both directions? `said`: a part of the message, if they
 * are not. */
static void expect_within(const char *type, const char *a, const char *b, uint64_t ulps,
                          const char *said) {
  for (int turned = 0; turned < 2; turned++) {
    const char *const data[] = {turned ? b : a, turned ? a : b};
    Sides s = sides_of(type, data, 2);
    bool holds = hn_compare_within(s.script, side(&s, 0), side(&s, 1), "there", ulps, &s.message);
    if (holds != !said || (said && !turned && !strstr(s.message, said)))
      fail_msg("%s: %s and %s, %llu ulps: %s", type, data[0], data[1], (unsigned long long)ulps,
               s.message ? s.message : "holds");
    sides_free(&s, 2);
  }
}

static void units_in_the_last_place(void **state) {
  (void)state;
  expect_within("float", "1 2 3", "1 2 3", 0, NULL);
  expect_within("float", "1 2 3", "1 2 3.0000002", 0,
                "buffer b0, element 2 (byte 8): 3, but 3.00000024 on there, 1 ulps apart");
  expect_within("float", "1 2 3", "1 2 3.0000002", 1, NULL);
  expect_within("float", "-3", "-3.0000005", 1, ", 2 ulps apart");
  expect_within("float", "-3", "-3.0000005", 2, NULL);
  expect_within("float", "0", "-0", 0, NULL);
  expect_within("float", "1e-45", "-1e-45", 1, ", 2 ulps apart");
  expect_within("float", "1e-45", "-1e-45", 2, NULL);
  expect_within("double", "1", "1.0000000000000002", 0, ", 1 ulps apart");
  expect_within("double", "1", "1.0000000000000002", 1, NULL);
  expect_within("float16", "1", "1.001", 0, ", 1 ulps apart");
  expect_within("float16", "1", "1.001", 1, NULL);
  /* The largest distance is named, not the first. */
  expect_within("float", "1 1 1", "1.0000001 1.0000004 1.0000001", 1, "element 1 (byte 4)");
}

static void numbers_without_a_distance(void **state) {
  (void)state;
  expect_within("float", "nan", "nan", 0, NULL);
  expect_within("float", "nan", "-nan", 0, NULL);
  expect_within("float", "1 nan", "1 0", UINT64_MAX - 1, "element 1 (byte 4): nan, but 0 on there");
  expect_within("float", "nan", "inf", UINT64_MAX - 1, "nan, but inf on there");
  expect_within("float", "inf", "3.4028235e38", 0, ", 1 ulps apart");
  expect_within("float", "inf", "3.4028235e38", 1, NULL);
  expect_within("int32", "5", "6", UINT64_MAX - 1, "5, but 6 on there");
  expect_within("uint8", "255", "0", UINT64_MAX - 1, "255, but 0 on there");
  expect_within("int32", "-5 6", "-5 6", 0, NULL);
}

/* Bytes between numbers do not count, and the last element may lack those after it. */
static void padding(void **state) {
  (void)state;
  static const char *const data[] = {"1 2 3 4 5 6", "1 2 3 4 5 7"};
  for (size_t cut = 0; cut <= 4; cut += 4)
    for (uint32_t k = 0; k < 3; k++) {
      Sides s = sides_of("vec3<float>", data, 2);
      assert_int_equal(s.contents[0].size, 32);
      s.contents[0].size -= k == 1 ? 0 : cut;
      s.contents[1].size -= k == 0 ? 0 : cut;
      assert_false(hn_compare_within(s.script, side(&s, 0), side(&s, 1), "there", 8, &s.message));
      assert_non_null(strstr(s.message, "element 1 (byte 24): 6, but 7 on there"));
      sides_free(&s, 2);
    }
  Sides s = sides_of("vec3<float>", (const char *const[]){data[0], data[0]}, 2);
  ((uint8_t *)s.contents[1].bytes)[13] ^= 1;
  assert_true(hn_compare_within(s.script, side(&s, 0), side(&s, 1), "there", 0, &s.message));
  assert_false(hn_compare(s.script, side(&s, 0), side(&s, 1), "there", &s.message));
  assert_non_null(strstr(s.message, "element 0 (byte 13)"));
  sides_free(&s, 2);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* Is the last line in the range of the others? */
static void expect_range(const char *type, const char *const *data, uint32_t count, uint64_t ulps,
                         bool wanted) {
  Sides s = sides_of(type, data, count);
  HnRange *range = hn_range_new(s.script);
  for (uint32_t i = 0; i + 1 < count; i++)
    hn_range_add(range, side(&s, i));
  if (hn_range_holds(range, side(&s, 0), side(&s, count - 1), "there", ulps, &s.message) != wanted)
    fail_msg("%s: %s, ..., %s: %s", type, data[0], data[count - 1],
             s.message ? s.message : "holds");
  hn_range_free(range);
  sides_free(&s, count);
}

#define EXPECT_RANGE(type, ulps, wanted, ...)                                                      \
  expect_range(type, (const char *const[]){__VA_ARGS__},                                           \
               sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), ulps, wanted)

static void ranges(void **state) {
  (void)state;
  EXPECT_RANGE("float", 0, true, "1", "2", "1.5");
  EXPECT_RANGE("float", 0, true, "1", "2", "3"); /* by the range's width on either side */
  EXPECT_RANGE("float", 0, true, "1", "2", "0");
  EXPECT_RANGE("float", 0, false, "1", "2", "3.1");
  EXPECT_RANGE("float", 0, false, "1", "2", "-0.1");
  EXPECT_RANGE("float", 0, true, "2", "1", "4", "7");
  EXPECT_RANGE("float", 0, false, "2", "1", "4", "7.5");
  EXPECT_RANGE("float", 0, false, "3", "3", "3.0000002"); /* no width */
  EXPECT_RANGE("float", 1, true, "3", "3", "3.0000002");
  EXPECT_RANGE("float", 0, false, "1 5", "2 5", "1 6"); /* each number has its own */
  EXPECT_RANGE("float", 0, true, "1 5", "2 9", "0 13");
  EXPECT_RANGE("vec3<float>", 0, false, "1 5 9 1 1 1", "2 5 9 1 1 2", "1 5 9 1 2 1");
  EXPECT_RANGE("vec3<float>", 0, true, "1 5 9 1 1 1", "2 5 9 1 1 2", "3 5 9 1 1 0");
}

static void ranges_without_a_width(void **state) {
  (void)state;
  EXPECT_RANGE("float", 0, true, "1", "nan", "nan");
  EXPECT_RANGE("float", 0, false, "1", "2", "nan");
  EXPECT_RANGE("float", 0, false, "nan", "nan", "1");
  EXPECT_RANGE("float", 0, true, "1", "inf", "inf");
  EXPECT_RANGE("float", 0, true, "1", "inf", "5");
  EXPECT_RANGE("float", 0, false, "1", "inf", "0.5");
  EXPECT_RANGE("float", 0, false, "1", "2", "inf");
  EXPECT_RANGE("int32", 0, true, "4", "6", "4");
  EXPECT_RANGE("int32", 0, false, "4", "6", "5"); /* integers equal those of the first run */
}

/* Mip levels follow each other, each half as wide and high. */
static void levels_of_an_image(void **state) {
  (void)state;
  const AmberBuffer image = {.width = 16,
                             .height = 16,
                             .depth = 1,
                             .mip_levels = 4,
                             .size = 16 * 16 * 4,
                             .layout = {.stride = 4}};
  static const uint32_t sizes[] = {16 * 16 * 4, 8 * 8 * 4, 4 * 4 * 4, 2 * 2 * 4};
  size_t start = 0;
  for (uint32_t level = 0; level < 4; level++) {
    size_t first = start, last = start + sizes[level] - 1;
    assert_int_equal(hn_level_of(&image, &first), level);
    assert_int_equal(first, 0);
    assert_int_equal(hn_level_of(&image, &last), level);
    assert_int_equal(last, sizes[level] - 1);
    start += sizes[level];
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_in_the_last_place),
      cmocka_unit_test(numbers_without_a_distance),
      cmocka_unit_test(padding),
      cmocka_unit_test(levels_of_an_image),
      cmocka_unit_test(ranges),
      cmocka_unit_test(ranges_without_a_width),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
