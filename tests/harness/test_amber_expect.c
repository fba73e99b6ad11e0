/* SPDX-License-Identifier: Apache-2.0 */
/* EXPECTs, evaluated on bytes. */
#include "tests/unit/unit.h"

#include "tests/harness/amber_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING_RAN "; nothing ran before it: a RUN is missing"

/* Evaluates the last command of the script on its initial contents; returns the message, "" if the
 * EXPECT passes. */
static char *judge_all(const char *text) {
  static char said[300];
  AmberScript *script = amber_text_good(text);
  AmberContents *contents = calloc(script->buffer_count, sizeof *contents);
  said[0] = '\0';
  for (uint32_t i = 0; i < script->buffer_count; i++)
    contents[i] = (AmberContents){script->buffers[i].bytes, script->buffers[i].size};
  const AmberCommand *last = &script->commands[script->command_count - 1];
  bool holds = amber_expect_check(script, last, contents, said, sizeof said);
  assert_int_equal(holds, said[0] == '\0');
  free(contents);
  amber_destroy(script);
  return said;
}

/* The same without what all messages here end in: no script has a RUN. */
static const char *judge(const char *text) {
  char *said = judge_all(text), *end = strstr(said, NOTHING_RAN);
  if (end)
    *end = '\0';
  return said;
}

static void expect_holds(const char *buffer, const char *expect, bool wanted) {
  char text[1000];
  snprintf(text, sizeof text, "%s\n%s", buffer, expect);
  const char *said = judge(text);
  if (!*said != wanted)
    fail_msg("%s\n%s\nsaid: %s", buffer, expect, said);
}

/* A case whose RUN was forgotten; a command that writes nothing of this buffer is one, too. */
static void nothing_ran(void **state) {
  (void)state;
  static const char b[] = "BUFFER b DATA_TYPE uint8 SIZE 4 FILL 0\n";
  char text[300];
  snprintf(text, sizeof text, "%s%s", b, "EXPECT b IDX 0 EQ 0\nEXPECT b IDX 0 EQ 1");
  assert_string_equal(judge_all(text),
                      "line 4: b at byte 0 (element 0, value 0) is 0, expected EQ 1" NOTHING_RAN);
  snprintf(text, sizeof text, "%sBUFFER c DATA_TYPE uint8 SIZE 4 FILL 0\nCOPY c TO b\n%s", b,
           "EXPECT b IDX 0 EQ 1");
  assert_null(strstr(judge_all(text), "nothing ran"));
}

static void integers(void **state) {
  (void)state;
  static const char b[] = "BUFFER b DATA_TYPE int32 DATA -5 7 2000000000 END";
  expect_holds(b, "EXPECT b IDX 0 EQ -5 7 2000000000", true);
  expect_holds(b, "EXPECT b IDX 4 EQ 8", false);
  expect_holds(b, "EXPECT b IDX 0 NE 5", true);
  expect_holds(b, "EXPECT b IDX 0 LT -4", true);
  expect_holds(b, "EXPECT b IDX 0 LT -5", false);
  expect_holds(b, "EXPECT b IDX 0 LE -5", true);
  expect_holds(b, "EXPECT b IDX 0 GT -6", true);
  expect_holds(b, "EXPECT b IDX 0 GE -5 7 1999999999", true);
  expect_holds(b, "EXPECT b IDX 0 GE -4", false);
  expect_holds(b, "EXPECT b IDX 4 TOLERANCE 1 EQ 8", true);
  expect_holds(b, "EXPECT b IDX 4 TOLERANCE 1 EQ 9", false);
  expect_holds(b, "EXPECT b IDX 8 TOLERANCE 1% EQ 2010000000", true);
  expect_holds(b, "EXPECT b IDX 8 TOLERANCE 0.1% EQ 2010000000", false);
  expect_holds("BUFFER b DATA_TYPE uint64 DATA 18446744073709551615 END",
               "EXPECT b IDX 0 EQ 18446744073709551615", true);
  expect_holds("BUFFER b DATA_TYPE uint64 DATA 18446744073709551615 END",
               "EXPECT b IDX 0 EQ 18446744073709551614", false);
  /* As doubles these two would be equal. */
  static const char wide[] = "BUFFER b DATA_TYPE uint64 DATA 9007199254740993 END";
  expect_holds(wide, "EXPECT b IDX 0 TOLERANCE 0 EQ 9007199254740992", false);
  expect_holds(wide, "EXPECT b IDX 0 TOLERANCE 1 EQ 9007199254740992", true);
  expect_holds(wide, "EXPECT b IDX 0 TOLERANCE 1e30 EQ 0", true);
  expect_holds("BUFFER b DATA_TYPE int64 DATA -9223372036854775808 END",
               "EXPECT b IDX 0 TOLERANCE 1e19 EQ 9223372036854775807", false);
}

static void floats(void **state) {
  (void)state;
  static const char b[] = "BUFFER b DATA_TYPE float DATA 0.1 1e30 nan inf -inf 0 END";
  expect_holds(b, "EXPECT b IDX 0 EQ 0.1", true);
  expect_holds(b, "EXPECT b IDX 0 EQ 0.1000001", false);
  expect_holds(b, "EXPECT b IDX 20 EQ 1e-30", false);
  expect_holds(b, "EXPECT b IDX 20 NE 1e-30", true);
  expect_holds(b, "EXPECT b IDX 4 EQ 1e30", true);
  expect_holds(b, "EXPECT b IDX 4 TOLERANCE 10% EQ 1.1e30", true);
  expect_holds(b, "EXPECT b IDX 8 EQ nan", true);
  expect_holds(b, "EXPECT b IDX 8 EQ 0", false);
  expect_holds(b, "EXPECT b IDX 8 TOLERANCE 1e9 EQ 0", false);
  expect_holds(b, "EXPECT b IDX 8 LT 0", false);
  expect_holds(b, "EXPECT b IDX 8 GE 0", false);
  expect_holds(b, "EXPECT b IDX 8 NE 0", true);
  expect_holds(b, "EXPECT b IDX 12 EQ inf -inf -0.0", true);
  expect_holds(b, "EXPECT b IDX 12 EQ -inf", false);
  expect_holds(b, "EXPECT b IDX 12 TOLERANCE 1e30 EQ 5", false);
  static const char wide[] = "BUFFER b DATA_TYPE double DATA 1 END";
  expect_holds(wide, "EXPECT b IDX 0 EQ 1.000000009", true);
  expect_holds(wide, "EXPECT b IDX 0 EQ 1.00000002", false);
  /* The nth of several tolerances is for component n; components without one have the default. */
  expect_holds("BUFFER b DATA_TYPE vec4<float> DATA 1 2 3 4 5 6 7 8 END",
               "EXPECT b IDX 0 TOLERANCE 1 2 EQ 2 4 3 4 6 8 7 8", true);
  expect_holds("BUFFER b DATA_TYPE vec4<float> DATA 1 2 3 4 5 6 7 8 END",
               "EXPECT b IDX 0 TOLERANCE 1 2 EQ 1 2 3.5 4", false);
}

/* A percentage of a negative number is that of its absolute value. */
static void tolerances_of_negative_numbers(void **state) {
  (void)state;
  static const char i[] = "BUFFER b DATA_TYPE int32 DATA -100 100 0 END";
  expect_holds(i, "EXPECT b IDX 0 TOLERANCE 10% EQ -110", true);
  expect_holds(i, "EXPECT b IDX 0 TOLERANCE 10% EQ -91", true);
  expect_holds(i, "EXPECT b IDX 0 TOLERANCE 10% EQ -112", false);
  expect_holds(i, "EXPECT b IDX 0 TOLERANCE 10% EQ -90", false);
  expect_holds(i, "EXPECT b IDX 0 TOLERANCE 10% EQ 100", false);
  expect_holds(i, "EXPECT b IDX 0 TOLERANCE 3 EQ -97", true);
  expect_holds(i, "EXPECT b IDX 0 TOLERANCE 3 EQ -103", true);
  expect_holds(i, "EXPECT b IDX 0 TOLERANCE 3 EQ -104", false);
  expect_holds(i, "EXPECT b IDX 8 TOLERANCE 50% EQ -1", false); /* half of 1 is less than 1 */
  expect_holds(i, "EXPECT b IDX 8 TOLERANCE 100% EQ -1", true);
  static const char f[] = "BUFFER b DATA_TYPE float DATA -1 1 -0.0 END";
  expect_holds(f, "EXPECT b IDX 0 TOLERANCE 10% EQ -1.09", true);
  expect_holds(f, "EXPECT b IDX 0 TOLERANCE 10% EQ -0.92", true);
  expect_holds(f, "EXPECT b IDX 0 TOLERANCE 10% EQ -1.12", false);
  expect_holds(f, "EXPECT b IDX 0 TOLERANCE 10% EQ -0.9", false);
  expect_holds(f, "EXPECT b IDX 0 TOLERANCE 10% EQ 1", false);
  expect_holds(f, "EXPECT b IDX 8 TOLERANCE 10% EQ 0", true);
  static const char wide[] = "BUFFER b DATA_TYPE double DATA -1 END";
  expect_holds(wide, "EXPECT b IDX 0 EQ -1.000000009", true);
  expect_holds(wide, "EXPECT b IDX 0 EQ -0.999999991", true);
  expect_holds(wide, "EXPECT b IDX 0 EQ -1.00000002", false);
  expect_holds("BUFFER b DATA_TYPE float16 DATA -2 END", "EXPECT b IDX 0 TOLERANCE 1% EQ -2.01",
               true);
  expect_holds("BUFFER b DATA_TYPE int8 DATA -128 END", "EXPECT b IDX 0 TOLERANCE 1 EQ 127", false);
  expect_holds("BUFFER b DATA_TYPE uint8 DATA 0 END", "EXPECT b IDX 0 TOLERANCE 1 EQ 255", false);
}

/* NaN is within no tolerance of a number; infinity only of infinity with the same sign. */
static void tolerances_of_no_numbers(void **state) {
  (void)state;
  static const char b[] = "BUFFER b DATA_TYPE float DATA nan inf -inf 3e38 END";
  expect_holds(b, "EXPECT b IDX 0 TOLERANCE 100% EQ 1", false);
  expect_holds(b, "EXPECT b IDX 0 TOLERANCE 100% EQ inf", false);
  expect_holds(b, "EXPECT b IDX 0 TOLERANCE 100% EQ nan", true);
  expect_holds(b, "EXPECT b IDX 0 NE nan", false);
  expect_holds(b, "EXPECT b IDX 0 LE nan", false);
  expect_holds(b, "EXPECT b IDX 0 GT -inf", false);
  expect_holds(b, "EXPECT b IDX 4 TOLERANCE 100% EQ inf", true);
  expect_holds(b, "EXPECT b IDX 4 TOLERANCE 1000% EQ -inf", false);
  expect_holds(b, "EXPECT b IDX 4 TOLERANCE 1000% EQ 3e38", false);
  expect_holds(b, "EXPECT b IDX 8 TOLERANCE 1000% EQ inf", false);
  expect_holds(b, "EXPECT b IDX 12 TOLERANCE 1000% EQ inf", false);
  expect_holds(b, "EXPECT b IDX 12 TOLERANCE 1% EQ nan", false);
  expect_holds(b, "EXPECT b IDX 4 GT 3e38", true);
  expect_holds(b, "EXPECT b IDX 8 LT -3e38", true);
  static const char two[] = "BUFFER a DATA_TYPE float DATA 1 nan END\n"
                            "BUFFER b DATA_TYPE float DATA 1 nan END\n"
                            "BUFFER c DATA_TYPE float DATA -1 -5 END\n"
                            "BUFFER d DATA_TYPE float DATA -1 5 END";
  expect_holds(two, "EXPECT a RMSE_BUFFER b TOLERANCE 1e30", false);
  expect_holds(two, "EXPECT a EQ_BUFFER b", true);
  expect_holds(two, "EXPECT c RMSE_BUFFER d TOLERANCE 7.0711", true); /* sqrt(100 / 2) */
  expect_holds(two, "EXPECT c RMSE_BUFFER d TOLERANCE 7.071", false);
}

static void padding_is_skipped(void **state) {
  (void)state;
  expect_holds("BUFFER b DATA_TYPE vec3<float> DATA 1 2 3 4 5 6 END", "EXPECT b IDX 4 EQ 2 3 4 5 6",
               true);
  assert_string_equal(judge("BUFFER b DATA_TYPE vec3<float> DATA 1 2 3 4 5 6 END\n"
                            "EXPECT b IDX 8 EQ 3 4 0.5"),
                      "line 3: b at byte 20 (element 1, value 1) is 5, expected EQ 0.5");
  assert_string_equal(judge("STRUCT s\nint8 a\ndouble b\nEND\nBUFFER b DATA_TYPE s DATA 1 2 END\n"
                            "EXPECT b IDX 0 GT -3 2"),
                      "line 7: b at byte 8 (element 0, value 1) is 2, expected GT 2");
}

static const char image[] = "IMAGE i FORMAT B8G8R8A8_UNORM DIM_2D WIDTH 2 HEIGHT 2 DATA\n"
                            "1 2 3 255  1 2 3 255\n"
                            "1 2 3 255  9 2 3 128\nEND";

static void pixels(void **state) {
  (void)state;
  expect_holds(image, "EXPECT i IDX 0 0 SIZE 2 1 EQ_RGB 3 2 1", true);
  expect_holds(image, "EXPECT i IDX 0 0 SIZE 2 2 EQ_RGB 3 2 1", false);
  expect_holds(image, "EXPECT i IDX 0 0 SIZE 2 2 EQ_RGB 3 2 1 TOLERANCE 0.032", true);
  expect_holds(image, "EXPECT i IDX 0 0 SIZE 2 2 EQ_RGB 3 2 1 TOLERANCE 0.031", false);
  expect_holds(image, "EXPECT i IDX 0 0 SIZE 2 2 TOLERANCE 0 0 0.03 EQ_RGB 3 2 1", false);
  expect_holds(image, "EXPECT i IDX 0 0 SIZE 1 2 EQ_RGBA 3 2 1 255", true);
  expect_holds(image, "EXPECT i IDX 1 1 SIZE 1 1 EQ_RGBA 3 2 9 255", false);
  expect_holds(image, "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGB 3.4 2 1", true);
  expect_holds(image, "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGB 4 2 1", false);
  char text[400];
  snprintf(text, sizeof text, "%s\nEXPECT i IDX 0 0 SIZE 2 2 EQ_RGBA 3 2 1 255", image);
  assert_string_equal(judge(text),
                      "line 6: i at pixel 1, 1 is 3 2 9 128, expected EQ_RGBA 3 2 1 255");
  expect_holds("IMAGE i FORMAT R32G32B32A32_SFLOAT DIM_2D WIDTH 1 HEIGHT 1 DATA 1 0.5 nan 1 END",
               "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGB 255 127.5 0", false);
}

/* Integers are compared unchanged with the expected number over 255. */
static void integer_pixels(void **state) {
  (void)state;
  static const char narrow[] =
      "IMAGE i FORMAT R8G8B8A8_UINT DIM_2D WIDTH 1 HEIGHT 1 DATA 1 0 1 7 END";
  expect_holds(narrow, "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGB 255 0 255", true);
  expect_holds(narrow, "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGBA 255 0 255 7", false);
  char text[400];
  snprintf(text, sizeof text, "%s\nEXPECT i IDX 0 0 SIZE 1 1 EQ_RGBA 255 0 255 255", narrow);
  assert_string_equal(judge(text), "line 3: i at pixel 0, 0 is 1 0 1 7, expected EQ_RGBA 1 0 1 1");
  expect_holds("IMAGE i FORMAT R32G32B32A32_UINT DIM_2D WIDTH 1 HEIGHT 1 DATA 255 7 9 255 END",
               "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGBA 0 0 0 0", false);
  expect_holds("IMAGE i FORMAT R16_SINT DIM_2D WIDTH 1 HEIGHT 1 DATA -1 END",
               "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGBA 0 0 0 0", false);
}

static void other_pixels(void **state) {
  (void)state;
  /* 188 of 255 in sRGB is 0.5 linearised. */
  static const char srgb[] =
      "IMAGE i FORMAT R8G8B8A8_SRGB DIM_2D WIDTH 1 HEIGHT 1 DATA 188 0 255 188 END";
  expect_holds(srgb, "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGBA 128 0 255 188", true);
  expect_holds(srgb, "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGBA 188 0 255 188", false);
  /* Channels that the format lacks are ignored. */
  static const char two[] = "IMAGE i FORMAT R16G16_SFLOAT DIM_2D WIDTH 1 HEIGHT 1 DATA 1 0.5 END";
  expect_holds(two, "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGBA 255 127.5 77 3", true);
  expect_holds(two, "EXPECT i IDX 0 0 SIZE 1 1 EQ_RGBA 255 0 77 3", false);
  char text[400];
  snprintf(text, sizeof text, "%s\nEXPECT i IDX 0 0 SIZE 1 1 EQ_RGBA 255 0 77 3", two);
  assert_string_equal(judge(text), "line 3: i at pixel 0, 0 is 1 0.5, expected EQ_RGBA 1 0");
}

/* The pixels that would pass an EXPECT: EQ_RGB leaves alpha as it is. */
static void corrected_pixels(void **state) {
  (void)state;
  static const struct {
    const char *expect;
    uint8_t wanted[4];
  } cases[] = {{"EQ_RGB 10 20 30", {10, 20, 30, 7}}, {"EQ_RGBA 10 20 30 40", {10, 20, 30, 40}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "IMAGE i FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 1 HEIGHT 1 DATA 1 2 3 7 END\n"
             "EXPECT i IDX 0 0 SIZE 1 1 %s",
             cases[i].expect);
    AmberScript *script = amber_text_good(text);
    uint8_t is[4] = {1, 2, 3, 7}, expected[4] = {1, 2, 3, 7};
    const AmberContents contents = {is, sizeof is};
    amber_expect_correct(script, &script->commands[0], &contents, expected);
    assert_memory_equal(expected, cases[i].wanted, sizeof expected);
    amber_destroy(script);
  }
}

static void whole_buffers(void **state) {
  (void)state;
  static const char two[] = "BUFFER a DATA_TYPE vec3<float> DATA 1 2 3 4 5 6 END\n"
                            "BUFFER b DATA_TYPE vec3<float> DATA 1 2 3 4 7 6 END";
  expect_holds(two, "EXPECT a EQ_BUFFER a", true);
  expect_holds(two, "EXPECT a EQ_BUFFER b", false);
  expect_holds(two, "EXPECT a RMSE_BUFFER b TOLERANCE 0.8165", true); /* sqrt(4 / 6) */
  expect_holds(two, "EXPECT a RMSE_BUFFER b TOLERANCE 0.8164", false);
  char text[400];
  snprintf(text, sizeof text, "%s\nEXPECT a EQ_BUFFER b", two);
  assert_string_equal(judge(text),
                      "line 4: a at byte 20 (element 1, value 1) is 5, expected as in b: 7");
}

/* An extension: floats and normalised numbers may differ, integers may not. */
static void whole_buffers_with_tolerance(void **state) {
  (void)state;
  static const char floats[] = "BUFFER a DATA_TYPE float DATA 1 200 nan END\n"
                               "BUFFER b DATA_TYPE float DATA 1.5 200.5 nan END";
  static const char integers[] = "BUFFER a DATA_TYPE uint32 DATA 10 END\n"
                                 "BUFFER b DATA_TYPE uint32 DATA 11 END";
  static const char pixels[] = "BUFFER a FORMAT R8G8_UNORM DATA 10 20 END\n"
                               "BUFFER b FORMAT R8G8_UNORM DATA 11 20 END";
  static const char packed[] = "BUFFER a FORMAT A2B10G10R10_UNORM_PACK32 DATA 0x00100400 END\n"
                               "BUFFER b FORMAT A2B10G10R10_UNORM_PACK32 DATA 0x00200400 END";
  expect_holds(floats, "EXPECT a EQ_BUFFER b TOLERANCE 0.5", true);
  expect_holds(floats, "EXPECT a EQ_BUFFER b TOLERANCE 0.49", false);
  expect_holds(integers, "EXPECT a EQ_BUFFER b TOLERANCE 5", false);
  expect_holds(pixels, "EXPECT a EQ_BUFFER b TOLERANCE 0.004", true);
  expect_holds(pixels, "EXPECT a EQ_BUFFER b TOLERANCE 0.003", false);
  expect_holds(packed, "EXPECT a EQ_BUFFER b TOLERANCE 0.001", true);
  expect_holds(packed, "EXPECT a EQ_BUFFER b TOLERANCE 0.0009", false);
}

static void histograms(void **state) {
  (void)state;
  static const char images[] =
      "IMAGE a FORMAT R8_UNORM DIM_2D WIDTH 4 HEIGHT 1 DATA 10 10 20 20 END\n"
      "IMAGE b FORMAT R8_UNORM DIM_2D WIDTH 4 HEIGHT 1 DATA 20 10 20 10 END\n"
      "IMAGE c FORMAT R8_UNORM DIM_2D WIDTH 4 HEIGHT 1 DATA 10 10 20 36 END";
  expect_holds(images, "EXPECT a EQ_HISTOGRAM_EMD_BUFFER b TOLERANCE 0", true);
  /* A quarter of the pixels moves 16 of 256 bins. */
  expect_holds(images, "EXPECT a EQ_HISTOGRAM_EMD_BUFFER c TOLERANCE 0.015625", true);
  expect_holds(images, "EXPECT a EQ_HISTOGRAM_EMD_BUFFER c TOLERANCE 0.0156", false);
  /* The same in reverse. */
  expect_holds(images, "EXPECT c EQ_HISTOGRAM_EMD_BUFFER a TOLERANCE 0.015625", true);
  expect_holds(images, "EXPECT c EQ_HISTOGRAM_EMD_BUFFER a TOLERANCE 0.0156", false);
}

static void missing_contents(void **state) {
  (void)state;
  AmberScript *script = amber_text_good("BUFFER b DATA_TYPE uint8 SIZE 4 FILL 0\n"
                                        "EXPECT b IDX 0 EQ 0");
  char said[100] = "";
  AmberContents none = {0}, small = {"xyz", 3};
  assert_false(amber_expect_check(script, script->commands, &none, said, sizeof said));
  assert_string_equal(said, "line 3: there are no contents of b to compare");
  assert_false(amber_expect_check(script, script->commands, &small, said, sizeof said));
  amber_destroy(script);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_ran),
      cmocka_unit_test(integers),
      cmocka_unit_test(floats),
      cmocka_unit_test(pixels),
      cmocka_unit_test(padding_is_skipped),
      cmocka_unit_test(integer_pixels),
      cmocka_unit_test(other_pixels),
      cmocka_unit_test(corrected_pixels),
      cmocka_unit_test(whole_buffers),
      cmocka_unit_test(whole_buffers_with_tolerance),
      cmocka_unit_test(histograms),
      cmocka_unit_test(missing_contents),
      cmocka_unit_test(tolerances_of_negative_numbers),
      cmocka_unit_test(tolerances_of_no_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
