/* SPDX-License-Identifier: Apache-2.0 */
/* The version of SPIR-V of a text: what a comment states, else the lowest that accepts the text. */
#include "passes/assembly/assembly.h"
#include "tests/unit/unit.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <string.h>

enum { NONE = 99 };

static void expect_stated(const char *text, uint32_t wanted) {
  uint32_t minor = NONE;
  bool stated = sr_assembly_version(text, strlen(text), &minor);
  assert_int_equal(stated ? minor : NONE, wanted);
}

static void stated_version(void **state) {
  (void)state;
  expect_stated("; Version: 1.3\nOpCapability Shader\n", 3);
  expect_stated("; SPIR-V\n; Version: 1.0", 0);
  expect_stated("\n\n  ; what it shows\r\n\t\r\n ;Version:  1.6 \r\nOpCapability Shader\n", 6);
  expect_stated("; Version: 1.2\n; Version: 1.5\n", 2);
  expect_stated("", NONE);
  expect_stated("; Version: 1.7\n", NONE);
  expect_stated("; Version: 2.0\n", NONE);
  expect_stated("; Version: 1.", NONE);
  expect_stated("; Version:", NONE);
  expect_stated("; the Version: 1.3\n", NONE);
  expect_stated("OpCapability Shader\n; Version: 1.3\n", NONE);
  expect_stated("OpCapability Shader ; Version: 1.3\n", NONE);
}

/* By minor version, 'g': accepted, 'n': with a notice, 'w': refused, 'l': too large, 'm': out of
 * memory. */
static SrFit answer(void *user, const uint32_t *words, size_t count) {
  const char *answers = user;
  assert_true(count >= 5);
  char this = answers[words[1] >> 8 & 0xff];
  return this == 'g'   ? SR_FIT_GOOD
         : this == 'n' ? SR_FIT_NOTICE
         : this == 'w' ? SR_FIT_WRONG
         : this == 'l' ? SR_FIT_TOO_LARGE
                       : SR_FIT_NO_MEMORY;
}

static void expect_lowest(const char *text, const char *answers, uint32_t wanted) {
  char copy[8];
  spv_target_env env;
  strcpy(copy, answers);
  bool found = sr_assembly_lowest(text, strlen(text), answer, copy, &env);
  assert_int_equal(found, wanted != NONE);
  if (found)
    assert_int_equal(env, sr_assembly_env(wanted));
}

static void choice_of_version(void **state) {
  (void)state;
  static const char any[] = "OpCapability Shader\n", from_4[] = "%1 = OpCopyLogical %2 %2\n";
  expect_lowest(any, "ggggggg", 0);
  expect_lowest(any, "wnngwnn", 3);
  expect_lowest(any, "wnwnwww", 1);
  expect_lowest(any, "wlgmmmm", 1);
  expect_lowest(any, "wwwwwww", 6);
  expect_lowest(any, "wnwmggg", NONE);
  expect_lowest(from_4, "ggggggg", 4);
  expect_lowest("OpNonsense", "ggggggg", 6);
}

/* A shader whose interface is `interface`, with `before` the memory model and `body` in main. */
static void expect_version(const char *first, const char *before, const char *interface,
                           const char *body, uint32_t wanted) {
  char text[2000];
  snprintf(
      text, sizeof text,
      "%sOpCapability Shader\n%sOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %%main \"main\" %s\nOpExecutionMode %%main LocalSize 1 1 1\n"
      "%%void = OpTypeVoid\n%%f = OpTypeFunction %%void\n%%bool = OpTypeBool\n"
      "%%true = OpConstantTrue %%bool\n%%uint = OpTypeInt 32 0\n%%three = OpConstant %%uint 3\n"
      "%%p = OpTypePointer Workgroup %%uint\n%%w = OpVariable %%p Workgroup\n"
      "%%main = OpFunction %%void None %%f\n%%entry = OpLabel\n%%v = OpLoad %%uint %%w\n%s"
      "OpReturn\nOpFunctionEnd\n",
      first, before, interface, body);
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *result;
  size_t count;
  assert_int_equal(spvreconv_run_text(&options, text, strlen(text), &result), SPVRECONV_OK);
  const uint32_t *words = spvreconv_result_words(result, &count);
  assert_true(count > 5);
  assert_int_equal(words[1] >> 8 & 0xff, wanted);
  spvreconv_result_destroy(result);
}

/* Interfaces have all variables of a module from 1.4 on. An unstructured module counts as valid if
 * it is valid once it is structured. */
static void lowest_version(void **state) {
  (void)state;
  static const char branch[] = "OpBranchConditional %true %a %b\n%a = OpLabel\nOpBranch %b\n"
                               "%b = OpLabel\n";
  static const char vote[] = "OpCapability GroupNonUniformVote\n";
  static const char all[] = "%x = OpGroupNonUniformAll %bool %three %true\n";
  expect_version("", "", "", "", 0);
  expect_version("", "", "%w", "", 4);
  expect_version("", "", "", branch, 0);
  expect_version("", "", "%w", branch, 4);
  expect_version("", vote, "", all, 3);
  expect_version("; a vote\n\n; Version: 1.5\n", vote, "%w", all, 5);
  expect_version("", "OpExtension \"SPV_KHR_terminate_invocation\"\n", "", "", 0);
  expect_version("", "", "", "OpExecutionMode %main LocalSize 2 1 1\n", 6); /* valid in none */
}

/* A mode that SPIRV-Tools does not know is no reason to take another version. */
static void newer_mode(void **state) {
  (void)state;
  static const char text[] = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
                             "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main !65000\n"
                             "%void = OpTypeVoid\n%f = OpTypeFunction %void\n"
                             "%main = OpFunction %void None %f\n%entry = OpLabel\nOpReturn\n"
                             "OpFunctionEnd\n";
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  spvreconv_result *result;
  size_t count;
  assert_int_equal(spvreconv_run_text(&options, text, strlen(text), &result), SPVRECONV_OK);
  assert_int_equal(spvreconv_result_words(result, &count)[1], 0x10000);
  spvreconv_result_destroy(result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stated_version),
      cmocka_unit_test(choice_of_version),
      cmocka_unit_test(lowest_version),
      cmocka_unit_test(newer_mode),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
