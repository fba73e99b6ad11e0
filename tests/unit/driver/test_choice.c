/* SPDX-License-Identifier: Apache-2.0 */
/* Transform best through the C API: what it reports, with a profile that changes the choice and
 * with profiles that are refused. tests/equiv/test_best.c runs it on random modules. */
#include "tests/unit/unit.h"

#include <spvreconv/spvreconv.h>
#include <string.h>

/* A short circuit: %11 and %12 lead to %13, which is large; %12 also to %14. */
static const char text[] = "OpCapability Shader\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint GLCompute %1 \"main\" %8\n"
                           "OpExecutionMode %1 LocalSize 8 1 1\n"
                           "OpDecorate %8 BuiltIn LocalInvocationIndex\n"
                           "%2 = OpTypeVoid\n"
                           "%3 = OpTypeFunction %2\n"
                           "%4 = OpTypeBool\n"
                           "%5 = OpTypeInt 32 0\n"
                           "%6 = OpConstant %5 3\n"
                           "%7 = OpTypePointer Input %5\n"
                           "%8 = OpVariable %7 Input\n"
                           "%1 = OpFunction %2 None %3\n"
                           "%11 = OpLabel\n"
                           "%20 = OpLoad %5 %8\n"
                           "%21 = OpUGreaterThan %4 %20 %6\n"
                           "OpBranchConditional %21 %13 %12\n"
                           "%12 = OpLabel\n"
                           "%22 = OpIEqual %4 %20 %6\n"
                           "OpBranchConditional %22 %13 %14\n"
                           "%13 = OpLabel\n"
                           "%23 = OpIMul %5 %20 %6\n"
                           "%24 = OpIMul %5 %23 %20\n"
                           "%25 = OpIMul %5 %24 %23\n"
                           "%26 = OpIMul %5 %25 %24\n"
                           "%27 = OpIMul %5 %26 %25\n"
                           "OpBranch %14\n"
                           "%14 = OpLabel\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n";

/* Two lanes: 11 13 14, and 11 12 14. */
static const uint32_t functions[] = {1, 1, 1, 1}, labels[] = {11, 12, 13, 14}, parts[4];
static const uint32_t issues[] = {3, 2, 6, 1}, blocks[] = {0, 2, 3, 0, 1, 3};
static const uint32_t path_end[] = {3, 6}, subgroup_end[] = {2};
static const bool no_barrier[4];

static spvreconv_profile make_profile(void) {
  return (spvreconv_profile){.size = sizeof(spvreconv_profile),
                             .block_count = 4,
                             .path_count = 2,
                             .subgroup_count = 1,
                             .issues = issues,
                             .reaches_barrier = no_barrier,
                             .blocks = blocks,
                             .path_end = path_end,
                             .subgroup_end = subgroup_end,
                             .functions = functions,
                             .labels = labels,
                             .parts = parts};
}

static spvreconv_result *run(const char *transform, const spvreconv_profile *profile,
                             spvreconv_status expected) {
  spvreconv_options options;
  spvreconv_result *r;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transform;
  options.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CHECK;
  options.profiles = &profile;
  options.profile_count = profile ? 1 : 0;
  assert_int_equal(spvreconv_run_text(&options, text, strlen(text), &r), expected);
  return r;
}

static uint64_t sum(const spvreconv_cost *c) {
  return c->frontier_issues + c->stack_issues;
}

static void test_supposed(void **state) {
  (void)state;
  spvreconv_result *r = run("best", NULL, SPVRECONV_OK);
  const spvreconv_function *f = spvreconv_result_function(r, 0);
  assert_non_null(f->choice);
  assert_false(f->choice->recorded);
  assert_true(f->after->structured);
  assert_true(sum(f->choice->chosen) <= sum(f->choice->structurize));
  assert_int_equal(f->choice->chosen->instructions, f->after->instructions);
  assert_int_equal(f->choice->input->instructions, f->before->instructions);
  spvreconv_result_destroy(r);
}

/* The issues of these two lanes in the input, counted by hand: under thread frontiers every block
 * once, and so under the stack, since %14 post-dominates the first branch. */
static void test_recorded(void **state) {
  (void)state;
  const spvreconv_profile profile = make_profile();
  spvreconv_result *r = run("best:profile:p", &profile, SPVRECONV_OK);
  const spvreconv_choice *c = spvreconv_result_function(r, 0)->choice;
  assert_non_null(c);
  assert_true(c->recorded);
  assert_int_equal(c->lanes, 2);
  assert_int_equal(c->input->frontier_issues, 3 + 2 + 6 + 1);
  assert_int_equal(c->input->stack_issues, 3 + 2 + 6 + 1);
  assert_true(sum(c->chosen) < sum(c->structurize));
  spvreconv_result_destroy(r);
}

static void test_refused(void **state) {
  (void)state;
  static const uint32_t others[] = {11, 12, 13, 99};
  spvreconv_profile profile = make_profile();
  spvreconv_result_destroy(run("best:profile:p", NULL, SPVRECONV_BAD_OPTION));
  profile.labels = others;
  spvreconv_result_destroy(run("best:profile:p", &profile, SPVRECONV_BAD_INPUT));
  profile.labels = NULL;
  spvreconv_result_destroy(run("best:profile:p", &profile, SPVRECONV_BAD_OPTION));
  profile.size = 1;
  spvreconv_result_destroy(run("best:profile:p", &profile, SPVRECONV_BAD_OPTION));
}

/* A profile counts only if the transform asks for it. */
static void test_not_asked(void **state) {
  (void)state;
  const spvreconv_profile profile = make_profile();
  spvreconv_result *r = run("best", &profile, SPVRECONV_OK);
  assert_false(spvreconv_result_function(r, 0)->choice->recorded);
  spvreconv_result_destroy(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_supposed),
      cmocka_unit_test(test_recorded),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_not_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
