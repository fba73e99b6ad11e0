/* SPDX-License-Identifier: Apache-2.0 */
/* Compares layouts with the tables of google/amber's docs/memory_layout.md and the GLSL rules. */
#include "tests/unit/unit.h"

#include "tests/harness/amber_text.h"

#include <stdio.h>
#include <string.h>

typedef struct Case {
  const char *type;
  const char *rules;
  uint32_t stride;
  const char *offsets;
} Case;

static const Case cases[] = {
    {"uint8", "STD430", 1, "0"},
    {"uint8", "STD140", 1, "0"},
    {"uint8[]", "STD140", 16, "0"},
    {"uint8[]", "STD430", 1, "0"},
    {"double[]", "STD140", 16, "0"},
    {"vec2<float>", "STD140", 8, "0 4"},
    {"vec2<float>[]", "STD140", 16, "0 4"},
    {"vec3<float>", "STD430", 16, "0 4 8"},
    {"vec3<float>", "SCALAR", 12, "0 4 8"},
    {"vec3<int8>[]", "STD430", 4, "0 1 2"},
    {"vec3<int16>[]", "STD140", 16, "0 2 4"},
    {"vec4<double>", "STD430", 32, "0 8 16 24"},
    {"mat2x2<float>", "STD140", 32, "0 4 16 20"},
    {"mat2x2<float>", "STD430", 16, "0 4 8 12"},
    {"mat2x3<float>", "STD430", 32, "0 4 8 16 20 24"},
    {"mat2x2<float16>", "STD430", 8, "0 2 4 6"},
    {"mat3x2<float>[]", "STD430", 24, "0 4 8 12 16 20"},
    {"float[3]", "STD140", 48, "0 16 32"},
    {"float[3]", "STD430", 12, "0 4 8"},
    {"R8G8B8_UNORM", "STD140", 3, "0 1 2"},
    {"R5G6B5_UNORM_PACK16", "STD430", 2, "0"},
};

static void expect_layout(const EmuElementLayout *layout, uint32_t stride, const char *offsets) {
  char text[256] = "", *at = text;
  for (uint32_t i = 0; i < layout->field_count; i++)
    at += sprintf(at, "%s%u", i ? " " : "", layout->fields[i].offset);
  assert_string_equal(text, offsets);
  assert_int_equal(layout->stride, stride);
}

static void plain_types(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[200];
    snprintf(text, sizeof text, "BUFFER b DATA_TYPE %s %s SIZE 1 FILL 1\n", cases[i].type,
             cases[i].rules);
    AmberScript *script = amber_text_good(text);
    expect_layout(&script->buffers[0].layout, cases[i].stride, cases[i].offsets);
    amber_destroy(script);
  }
}

static void expect_struct(const char *members, const char *rules, uint32_t stride,
                          const char *offsets) {
  char text[600];
  snprintf(text, sizeof text,
           "STRUCT in\n int32 a\n int32 b\n float[3] c\nEND\n"
           "STRUCT s%s\nEND\nBUFFER b DATA_TYPE s %s SIZE 2 FILL 1\n",
           members, rules);
  AmberScript *script = amber_text_good(text);
  expect_layout(&script->buffers[0].layout, stride, offsets);
  assert_int_equal(script->buffers[0].size, 2 * stride);
  amber_destroy(script);
}

static void structs(void **state) {
  (void)state;
  expect_struct("\nint32 w\nfloat x", "STD140", 16, "0 4");
  expect_struct("\nint32 w\nfloat x", "STD430", 8, "0 4");
  expect_struct("\nint32 w\nvec2<float> x\nfloat y", "STD140", 32, "0 8 12 16");
  expect_struct("\nint32 w\nvec2<float> x\nfloat y", "STD430", 24, "0 8 12 16");
  expect_struct("\nint32 w\nvec3<float> x\nfloat y", "STD430", 32, "0 16 20 24 28");
  expect_struct("\nint32 w\nvec3<float> x\nfloat y", "SCALAR", 20, "0 4 8 12 16");
  expect_struct("\nint32 w\nmat2x2<float> x\nfloat y", "STD140", 64, "0 16 20 32 36 48");
  expect_struct("\nint32 w\nmat2x2<float> x\nfloat y", "STD430", 32, "0 8 12 16 20 24");
  expect_struct("\nint32 w\nin x\nfloat y", "STD140", 96, "0 16 20 32 48 64 80");
  expect_struct("\nint32 w\nin x\nfloat y", "STD430", 28, "0 4 8 12 16 20 24");
  expect_struct("\nin[2] x", "STD430", 40, "0 4 8 12 16 20 24 28 32 36");
}

static void dictated_places(void **state) {
  (void)state;
  expect_struct(" STRIDE 40\nint8 w OFFSET 3\nfloat[2] x ARRAY_STRIDE 8", "STD430", 40, "3 4 12");
  expect_struct("\nmat2x2<float> x OFFSET 8 MATRIX_STRIDE 12", "STD430", 32, "8 12 20 24");
  amber_text_refused(AMBER_BAD,
                     "STRUCT s STRIDE 4\nfloat a\nfloat b\nEND\n"
                     "BUFFER b DATA_TYPE s SIZE 1 FILL 0",
                     "STRIDE is smaller");
  amber_text_refused(AMBER_BAD, "STRUCT s\nfloat a\nfloat b OFFSET 2\nEND", "OFFSET lies inside");
  amber_text_refused(AMBER_BAD, "STRUCT s\nfloat[4] a ARRAY_STRIDE 2\nEND", "stride is smaller");
  amber_text_refused(AMBER_BAD, "STRUCT s\ns a\nEND", "cannot hold itself");
  amber_text_refused(AMBER_BAD, "STRUCT s\nfloat[] a\nEND", "needs a length");
  amber_text_refused(AMBER_BAD, "STRUCT s\nEND", "needs members");
}

/* Nested types whose sizes multiply must give a message, not exhaust memory. */
static void towers(void **state) {
  (void)state;
  char text[8000], *at = text;
  at += sprintf(at, "STRUCT s0\nuint8[16] a\nEND\n");
  for (int i = 1; i < 40; i++)
    at += sprintf(at, "STRUCT s%d\ns%d[16] a\nEND\n", i, i - 1);
  amber_text_refused(AMBER_BAD, text, "too many numbers");
  amber_text_refused(AMBER_BAD, "BUFFER b DATA_TYPE float[65537] SIZE 1 FILL 0", "from 1 to 65536");
  amber_text_refused(AMBER_BAD, "BUFFER b DATA_TYPE mat2x2<float SIZE 1 FILL 0", "> is missing");
  amber_text_refused(AMBER_BAD, "BUFFER b DATA_TYPE vec5<float> SIZE 1 FILL 0", "no such type");
}

static void formats_of_types(void **state) {
  (void)state;
  AmberScript *script = amber_text_good("BUFFER a DATA_TYPE vec3<float> SIZE 1 FILL 0\n"
                                        "BUFFER b DATA_TYPE mat2x2<float> SIZE 1 FILL 0\n"
                                        "BUFFER c DATA_TYPE uint8 SIZE 1 FILL 0\n"
                                        "IMAGE d DATA_TYPE vec3<float> DIM_1D WIDTH 2 FILL 0\n");
  assert_string_equal(script->buffers[0].format->name, "R32G32B32_SFLOAT");
  assert_int_equal(script->buffers[0].layout.stride, 16);
  assert_null(script->buffers[1].format);
  assert_string_equal(script->buffers[2].format->name, "R8_UINT");
  assert_int_equal(script->buffers[3].layout.stride, 12);
  amber_destroy(script);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_types),      cmocka_unit_test(structs),
      cmocka_unit_test(dictated_places),  cmocka_unit_test(towers),
      cmocka_unit_test(formats_of_types),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
