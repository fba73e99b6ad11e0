/* SPDX-License-Identifier: Apache-2.0 */
/* spvreconv_context runs the registered transforms, with the same result as spvreconv_run with that
 * list. */
#include "tests/unit/unit.h"

#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

/* A loop whose merge is in the module; %12 is its header. */
static const char module[] =
    "; Version: 1.3\n"
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %4 \"main\"\nOpExecutionMode %4 LocalSize 1 1 1\n"
    "OpName %4 \"main\"\n"
    "%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%6 = OpTypeBool\n%8 = OpConstantTrue %6\n"
    "%4 = OpFunction %2 None %3\n%10 = OpLabel\nOpBranch %12\n"
    "%12 = OpLabel\nOpLoopMerge %14 %13 None\nOpBranchConditional %8 %13 %14\n"
    "%13 = OpLabel\nOpBranch %12\n%14 = OpLabel\nOpReturn\nOpFunctionEnd\n";

typedef struct Heard {
  unsigned lines;
  char last[512];
} Heard;

static void hear(void *user, const char *line) {
  Heard *h = user;
  h->lines++;
  strncpy(h->last, line, sizeof h->last - 1);
}

static spvreconv_result *run_list(const char *list, bool strip, const uint32_t *words,
                                  size_t count) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = list;
  o.strip_debug = strip;
  spvreconv_result *r;
  spvreconv_status status = words ? spvreconv_run(&o, words, count, &r)
                                  : spvreconv_run_text(&o, module, strlen(module), &r);
  assert_int_equal(status, SPVRECONV_OK);
  return r;
}

static void expect_same(const spvreconv_result *a, const spvreconv_result *b) {
  size_t n, m;
  const uint32_t *x = spvreconv_result_words(a, &n), *y = spvreconv_result_words(b, &m);
  assert_int_equal(n, m);
  assert_memory_equal(x, y, n * sizeof *x);
}

static void test_registered_transforms_run_in_order(void **state) {
  (void)state;
  spvreconv_result *in = run_list("none", false, NULL, 0), *r, *direct;
  size_t count;
  const uint32_t *words = spvreconv_result_words(in, &count);
  spvreconv_context *c = spvreconv_context_create(NULL);
  assert_int_equal(spvreconv_context_run(c, words, count, &r), SPVRECONV_OK);
  assert_false(spvreconv_result_changed(r)); /* nothing registered: auto */
  spvreconv_result_destroy(r);
  char flag[] = "--strip-merges";
  assert_int_equal(spvreconv_context_register(c, flag), SPVRECONV_OK);
  memset(flag, 'x', sizeof flag - 1); /* not kept */
  assert_int_equal(spvreconv_context_register(c, "unstructure:3,structurize"), SPVRECONV_OK);
  direct = run_list("strip-merges,unstructure:3,structurize", false, words, count);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(spvreconv_context_run(c, words, count, &r), SPVRECONV_OK);
    assert_true(spvreconv_result_changed(r));
    expect_same(r, direct);
    spvreconv_result_destroy(r);
  }
  spvreconv_context_destroy(c);
  spvreconv_result_destroy(direct);
  spvreconv_result_destroy(in);
}

static void test_options_are_copied(void **state) {
  (void)state;
  spvreconv_result *in = run_list("none", false, NULL, 0), *r, *direct;
  size_t count;
  const uint32_t *words = spvreconv_result_words(in, &count);
  char first[] = "strip-merges", env[] = "vulkan1.1";
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = first;
  o.target_env = env;
  o.strip_debug = true;
  spvreconv_context *c = spvreconv_context_create(&o);
  memset(first, 'x', sizeof first - 1);
  memset(env, 'x', sizeof env - 1);
  memset(&o, 0xff, sizeof o);
  assert_int_equal(spvreconv_context_register(c, "structurize"), SPVRECONV_OK);
  assert_int_equal(spvreconv_context_run(c, words, count, &r), SPVRECONV_OK);
  direct = run_list("strip-merges,structurize", true, words, count);
  expect_same(r, direct);
  spvreconv_result_destroy(r);
  spvreconv_result_destroy(direct);
  spvreconv_result_destroy(in);
  spvreconv_context_destroy(c);
}

/* A text that the context had not copied would be an unknown choice. */
static void test_choices_are_copied(void **state) {
  (void)state;
  spvreconv_result *in = run_list("none", false, NULL, 0), *r;
  size_t count;
  const uint32_t *words = spvreconv_result_words(in, &count);
  char uniformity[] = "uniform", scope[] = "workgroup", goal[] = "size", structure[] = "portable";
  char phis[] = "variables", lowering[] = "needed-skips";
  char *texts[] = {uniformity, scope, goal, structure, phis, lowering};
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.uniformity = uniformity;
  o.scope = scope;
  o.goal = goal;
  o.structure = structure;
  o.phis = phis;
  o.lowering = lowering;
  spvreconv_context *c = spvreconv_context_create(&o);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    memset(texts[i], 'x', strlen(texts[i]));
  assert_int_equal(spvreconv_context_run(c, words, count, &r), SPVRECONV_OK);
  spvreconv_result_destroy(r);
  spvreconv_result_destroy(in);
  spvreconv_context_destroy(c);
}

static void test_failures_are_told(void **state) {
  (void)state;
  Heard heard = {0};
  spvreconv_result *in = run_list("none", false, NULL, 0), *r;
  size_t count;
  const uint32_t *words = spvreconv_result_words(in, &count);
  spvreconv_context *c = spvreconv_context_create(NULL);
  spvreconv_context_set_message(c, hear, &heard);
  assert_int_equal(spvreconv_context_register(c, "--polish"), SPVRECONV_BAD_OPTION);
  assert_int_equal(heard.lines, 1);
  assert_non_null(strstr(heard.last, "unknown transform 'polish'; there are: none,"));
  assert_int_equal(spvreconv_context_register(c, "structurize,"), SPVRECONV_BAD_OPTION);
  assert_int_equal(spvreconv_context_run(c, words, count, &r), SPVRECONV_OK); /* list as it was */
  assert_int_equal(heard.lines, 2);
  spvreconv_result_destroy(r);
  assert_int_equal(spvreconv_context_run(c, words, 3, &r), SPVRECONV_BAD_INPUT);
  assert_int_equal(heard.lines, 3);
  assert_string_equal(heard.last, spvreconv_result_message(r));
  spvreconv_result_destroy(r);
  spvreconv_context_destroy(c);
  spvreconv_result_destroy(in);
}

/* Such options are reported by the run, in the same words as by spvreconv_run. */
static void test_options_of_other_sizes(void **state) {
  (void)state;
  struct {
    spvreconv_options known;
    size_t news;
  } o;
  uint32_t word = 0;
  static const size_t sizes[] = {0, offsetof(spvreconv_options, order), sizeof o.known, sizeof o};
  for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
    memset(&o, 0, sizeof o);
    o.known.size = sizes[i / 2];
    o.news = i % 2;
    spvreconv_context *c = spvreconv_context_create(&o.known);
    spvreconv_result *by_context, *direct;
    assert_int_equal(spvreconv_context_run(c, &word, 1, &by_context),
                     spvreconv_run(&o.known, &word, 1, &direct));
    assert_string_equal(spvreconv_result_message(by_context), spvreconv_result_message(direct));
    spvreconv_result_destroy(by_context);
    spvreconv_result_destroy(direct);
    spvreconv_context_destroy(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_registered_transforms_run_in_order),
      cmocka_unit_test(test_options_are_copied),
      cmocka_unit_test(test_choices_are_copied),
      cmocka_unit_test(test_failures_are_told),
      cmocka_unit_test(test_options_of_other_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
