/* SPDX-License-Identifier: Apache-2.0 */
/* How far the numbers of a captured shader may differ on another device. */
#include "tests/unit/unit.h"

#include "harness/capture/shader_face.h"
#include "tests/layer/words.h"

#include <stdio.h>
#include <stdlib.h>

static bool no_value(void *user, uint32_t id, uint32_t *value) {
  (void)user, (void)id, (void)value;
  return false;
}

/* The error of a shader with one more capability, a call of `function` of GLSL.std.450, and a decoration of it. */
static double error_of(const char *capability, const char *function, const char *decoration) {
  char text[600];
  snprintf(text, sizeof text,
           "OpCapability Shader\nOpCapability %s\n%%glsl = OpExtInstImport \"GLSL.std.450\"\n"
           "OpMemoryModel Logical GLSL450\nOpDecorate %%y %s\n%%void = OpTypeVoid\n"
           "%%type = OpTypeFunction %%void\n%%float = OpTypeFloat 32\n"
           "%%x = OpConstant %%float 1\n%%main = OpFunction %%void None %%type\n"
           "%%entry = OpLabel\n%%y = OpExtInst %%float %%glsl %s\nOpReturn\nOpFunctionEnd\n",
           capability, decoration, function);
  Words words = words_of_text(text);
  CpFace *face = cp_face_read(words.at, words.bytes / sizeof *words.at, no_value, NULL);
  assert_non_null(face);
  double error = face->error;
  cp_face_free(face);
  free(words.at);
  return error;
}

static void test_errors(void **state) {
  (void)state;
  assert_true(error_of("Matrix", "Sqrt %x", "NoContraction") == 1e-4);
  assert_true(error_of("Matrix", "Pow %x %x", "NoContraction") == 1e-4);
  assert_true(error_of("Matrix", "Sin %x", "NoContraction") == 1e-3);
  assert_true(error_of("Matrix", "Atan2 %x %x", "NoContraction") == 1e-3);
  assert_true(error_of("Matrix", "Sqrt %x", "RelaxedPrecision") == 1e-2);
  assert_true(error_of("Float16", "Sin %x", "NoContraction") == 1e-2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
