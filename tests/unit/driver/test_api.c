/* SPDX-License-Identifier: Apache-2.0 */
/* The public C API: results, options, memory, threads. */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An irreducible cycle (12, 13) after a branch; DEBUG marks where names and lines may be. */
#define MODULE(DEBUG, LINE, BODY)                                                                  \
  "; Version: 1.3\n"                                                                               \
  "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"                                           \
  "OpEntryPoint GLCompute %4 \"main\"\nOpExecutionMode %4 LocalSize 1 1 1\n" DEBUG                 \
  "%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%6 = OpTypeBool\n%8 = OpConstantTrue %6\n"             \
  "%4 = OpFunction %2 None %3\n%10 = OpLabel\n" LINE BODY "OpReturn\nOpFunctionEnd\n"
#define CYCLE                                                                                      \
  "OpBranchConditional %8 %12 %13\n"                                                               \
  "%12 = OpLabel\nOpBranchConditional %8 %13 %14\n"                                                \
  "%13 = OpLabel\nOpBranchConditional %8 %12 %14\n"                                                \
  "%14 = OpLabel\n"

static const char irreducible[] = MODULE("", "", CYCLE);
static const char straight[] = MODULE("", "", "");
static const char named[] =
    MODULE("%1 = OpString \"file\"\nOpName %4 \"main\"\n", "OpLine %1 1 1\n", "");

static spvreconv_options defaults(void) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  return o;
}

/* The words of a text, allocated with malloc. */
static uint32_t *words_of(const char *text, size_t *count) {
  spvreconv_options o = defaults();
  spvreconv_result *r;
  o.transform = "none";
  assert_int_equal(spvreconv_run_text(&o, text, strlen(text), &r), SPVRECONV_OK);
  const uint32_t *words = spvreconv_result_words(r, count);
  uint32_t *copy = malloc(*count * sizeof *copy);
  memcpy(copy, words, *count * sizeof *copy);
  spvreconv_result_destroy(r);
  return copy;
}

static void expect_words(const spvreconv_result *r, const uint32_t *words, size_t count) {
  size_t n;
  const uint32_t *out = spvreconv_result_words(r, &n);
  assert_int_equal(n, count);
  assert_memory_equal(out, words, count * sizeof *words);
}

/* ---- results ---- */

static void test_structurizes(void **state) {
  (void)state;
  size_t count, n;
  uint32_t *words = words_of(irreducible, &count);
  spvreconv_result *r, *again;
  assert_int_equal(spvreconv_run(NULL, words, count, &r), SPVRECONV_OK);
  assert_true(spvreconv_result_changed(r));
  assert_int_equal(spvreconv_result_input_words(r), count);
  assert_string_equal(spvreconv_result_message(r), "");
  memset(words, 0xff, count * sizeof *words); /* the result does not need its input */
  free(words);
  const uint32_t *out = spvreconv_result_words(r, &n);
  assert_int_equal(spvreconv_run(NULL, out, n, &again), SPVRECONV_OK);
  assert_false(spvreconv_result_changed(again));
  expect_words(again, out, n);
  spvreconv_result_destroy(again);
  spvreconv_result_destroy(r);
}

static void test_unchanged_in_either_byte_order(void **state) {
  (void)state;
  size_t count;
  uint32_t *words = words_of(straight, &count);
  for (int round = 0; round < 2; round++) {
    spvreconv_result *r;
    assert_int_equal(spvreconv_run(NULL, words, count, &r), SPVRECONV_OK);
    assert_false(spvreconv_result_changed(r));
    expect_words(r, words, count);
    spvreconv_result_destroy(r);
    for (size_t i = 0; i < count; i++)
      words[i] = __builtin_bswap32(words[i]);
  }
  free(words);
}

static void test_other_byte_order_is_transformed(void **state) {
  (void)state;
  size_t count, n;
  uint32_t *words = words_of(irreducible, &count);
  spvreconv_result *host, *other;
  assert_int_equal(spvreconv_run(NULL, words, count, &host), SPVRECONV_OK);
  for (size_t i = 0; i < count; i++)
    words[i] = __builtin_bswap32(words[i]);
  assert_int_equal(spvreconv_run(NULL, words, count, &other), SPVRECONV_OK);
  const uint32_t *expected = spvreconv_result_words(host, &n);
  expect_words(other, expected, n);
  spvreconv_result_destroy(host);
  spvreconv_result_destroy(other);
  free(words);
}

static spvreconv_result *assembly_of(const uint32_t *words, size_t count) {
  spvreconv_options o = defaults();
  spvreconv_result *r;
  o.transform = "none";
  o.want = SPVRECONV_WANT_ASSEMBLY;
  assert_int_equal(spvreconv_run(&o, words, count, &r), SPVRECONV_OK);
  return r;
}

static void test_text_keeps_ids_and_version(void **state) {
  (void)state;
  size_t count;
  uint32_t *words = words_of(irreducible, &count);
  assert_int_equal(words[1], 0x00010300);
  spvreconv_result *r = assembly_of(words, count);
  const char *text = spvreconv_result_text(r, SPVRECONV_WANT_ASSEMBLY);
  assert_non_null(text);
  assert_non_null(strstr(text, "OpBranchConditional %8 %12 %13"));
  size_t n;
  uint32_t *again = words_of(text, &n);
  assert_int_equal(n, count);
  assert_memory_equal(again, words, count * sizeof *words);
  for (size_t i = 0; i < count; i++)
    words[i] = __builtin_bswap32(words[i]);
  spvreconv_result *swapped = assembly_of(words, count);
  assert_string_equal(spvreconv_result_text(swapped, SPVRECONV_WANT_ASSEMBLY), text);
  spvreconv_result_destroy(swapped);
  spvreconv_result_destroy(r);
  free(again);
  free(words);
}

/* For each list of transforms: does its result need structure? */
static void test_needs_structure(void **state) {
  (void)state;
  static const struct {
    const char *text, *list;
    bool needs;
  } cases[] = {
      {irreducible, "none", false}, /* nothing changed */
      {irreducible, "structurize", false},
      {irreducible, "structurize,strip-merges", true},
      {irreducible, "structurize,strip-merges,none", true},
      {irreducible, "structurize,unstructure:1", true},
      {irreducible, "structurize,unstructure:1,structurize", false},
      {irreducible, "reconverge", true},
      {irreducible, "strip-merges", true},
      {irreducible, "unstructure:1", true},
      {irreducible, "structurize,strip-merges,merge-copies", true},
      {irreducible, "linearize", false},
      {irreducible, "struct-copy", false},
      {straight, "strip-merges", false},
      {straight, "unstructure:1", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    spvreconv_options o = defaults();
    spvreconv_result *r;
    o.transform = cases[i].list;
    o.validate = SPVRECONV_VALIDATE_NONE;
    assert_int_equal(spvreconv_run_text(&o, cases[i].text, strlen(cases[i].text), &r),
                     SPVRECONV_OK);
    if (spvreconv_result_needs_structure(r) != cases[i].needs)
      fail_msg("%s: needs structure: %s", cases[i].list, cases[i].needs ? "no" : "yes");
    spvreconv_result_destroy(r);
  }
}

/* ---- options ---- */

static void expect_failure(const spvreconv_options *o, const char *text, spvreconv_status status,
                           const char *message) {
  spvreconv_result *r;
  size_t n;
  assert_int_equal(spvreconv_run_text(o, text, strlen(text), &r), status);
  assert_non_null(r);
  assert_int_equal(spvreconv_result_status(r), status);
  if (!strstr(spvreconv_result_message(r), message))
    fail_msg("'%s' does not hold '%s'", spvreconv_result_message(r), message);
  assert_null(spvreconv_result_words(r, &n));
  assert_int_equal(n, 0);
  spvreconv_result_destroy(r);
}

static void test_bad_options(void **state) {
  (void)state;
  spvreconv_options o = defaults();
  o.transform = "none,polish";
  expect_failure(&o, straight, SPVRECONV_BAD_OPTION,
                 "unknown transform 'polish'; there are: none,");
  o.transform = "";
  expect_failure(&o, straight, SPVRECONV_BAD_OPTION, "unknown transform ''");
  o = defaults();
  o.target_env = "vulkan9";
  expect_failure(&o, straight, SPVRECONV_BAD_OPTION, "vulkan9");
  o = defaults();
  o.uniformity = "maybe";
  expect_failure(&o, straight, SPVRECONV_BAD_OPTION, "analysis, divergent, uniform");
  o = defaults();
  o.scope = "planet";
  expect_failure(&o, straight, SPVRECONV_BAD_OPTION, "subgroup, workgroup");
  o = defaults();
  o.order = "chaos";
  expect_failure(&o, straight, SPVRECONV_BAD_OPTION, "unknown order 'chaos'; there are: df, dfpd");
  o = defaults();
  o.want = 1u << 20 | SPVRECONV_WANT_STATS;
  expect_failure(&o, straight, SPVRECONV_BAD_OPTION, "unknown wants 0x100000");
  o = defaults();
  o.validate = (spvreconv_validate)7;
  expect_failure(&o, straight, SPVRECONV_BAD_OPTION, "unknown kind of validation 7");
}

static void test_bad_input(void **state) {
  (void)state;
  spvreconv_options o = defaults();
  expect_failure(&o, "OpNonsense", SPVRECONV_BAD_INPUT, "line 1, column 1");
  expect_failure(&o, "", SPVRECONV_BAD_INPUT, "");
  o.transform = "strip-merges,none"; /* leaves the cycle as it is, and must not */
  expect_failure(&o, irreducible, SPVRECONV_BAD_INPUT,
                 "function main, block %13: the input is not");
  spvreconv_result *r;
  assert_int_equal(spvreconv_run(NULL, NULL, 0, &r), SPVRECONV_BAD_INPUT);
  spvreconv_result_destroy(r);
  const uint32_t other[] = {0x12345678, 0x10000, 0, 1, 0}, *none = NULL;
  assert_int_equal(spvreconv_run(NULL, other, 5, &r), SPVRECONV_BAD_INPUT);
  assert_string_equal(spvreconv_result_message(r), "not a SPIR-V module: bad magic number");
  spvreconv_result_destroy(r);
  assert_int_equal(spvreconv_compare(NULL, other, 5, none, 0, &r), SPVRECONV_BAD_INPUT);
  assert_string_equal(spvreconv_result_message(r), "two modules are compared: one is NULL");
  spvreconv_result_destroy(r);
}

static void test_validation(void **state) {
  (void)state;
  spvreconv_options o = defaults();
  o.target_env = "opencl2.0";
  expect_failure(&o, straight, SPVRECONV_BAD_INPUT, "spirv-val says");
  spvreconv_result *r;
  o.validate = SPVRECONV_VALIDATE_NONE;
  assert_int_equal(spvreconv_run_text(&o, straight, strlen(straight), &r), SPVRECONV_OK);
  spvreconv_result_destroy(r);
  o = defaults();
  o.transform = "none"; /* accepts anything, validates on request */
  assert_int_equal(spvreconv_run_text(&o, irreducible, strlen(irreducible), &r), SPVRECONV_OK);
  spvreconv_result_destroy(r);
  o.validate = SPVRECONV_VALIDATE_FULL;
  expect_failure(&o, irreducible, SPVRECONV_BAD_INPUT, "the input is not valid, spirv-val says");
}

static void test_older_options_struct(void **state) {
  (void)state;
  spvreconv_options o;
  spvreconv_result *r;
  /* Every size that ends after a field; fields that an older caller does not have are not read. */
  static const size_t sizes[] = {
      offsetof(spvreconv_options, transform),  offsetof(spvreconv_options, order),
      offsetof(spvreconv_options, target_env), offsetof(spvreconv_options, want),
      offsetof(spvreconv_options, resize),     offsetof(spvreconv_options, lowering),
      offsetof(spvreconv_options, drawing),    sizeof o};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    memset(&o, 0xff, sizeof o);
    spvreconv_options_init(&o, sizes[i]);
    assert_int_equal(spvreconv_run_text(&o, straight, strlen(straight), &r), SPVRECONV_OK);
    spvreconv_result_destroy(r);
  }
}

static void test_newer_options_struct(void **state) {
  (void)state;
  struct {
    spvreconv_options known;
    const void *news[2];
  } o;
  spvreconv_result *r;
  spvreconv_options_init(&o.known, sizeof o);
  o.known.transform = "none";
  assert_int_equal(spvreconv_run_text(&o.known, straight, strlen(straight), &r), SPVRECONV_OK);
  spvreconv_result_destroy(r);
  o.news[1] = &o;
  expect_failure(&o.known, straight, SPVRECONV_BAD_OPTION,
                 "something that version " SPVRECONV_VERSION " does not know");
}

static void test_senseless_options_size(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, 5000, SIZE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    spvreconv_options o;
    memset(&o, 0xff, sizeof o); /* nothing else may be read */
    o.size = sizes[i];
    expect_failure(&o, straight, SPVRECONV_BAD_OPTION, "spvreconv_options_init sets it");
  }
}

static void test_version(void **state) {
  (void)state;
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", SPVRECONV_VERSION_MAJOR, SPVRECONV_VERSION_MINOR,
           SPVRECONV_VERSION_PATCH);
  assert_string_equal(spvreconv_version_string(), text);
  assert_string_equal(SPVRECONV_VERSION, text);
  assert_int_equal(spvreconv_version(), SPVRECONV_VERSION_NUMBER);
  assert_true(SPVRECONV_MAKE_VERSION(0, 9, 255) < SPVRECONV_MAKE_VERSION(0, 10, 0));
  assert_true(SPVRECONV_MAKE_VERSION(0, 255, 0) < SPVRECONV_MAKE_VERSION(1, 0, 0));
}

/* Assembly has the version that its leading comment names, whatever the target environment is; else
 * that of the environment. */
static void test_text_versions(void **state) {
  (void)state;
  static const char version[] = "; Version: 1.3\n";
  const char *rest = straight + strlen(version);
  spvreconv_options o = defaults();
  o.validate = SPVRECONV_VALIDATE_NONE;
  o.target_env = "vulkan1.1";
  for (unsigned minor = 0; minor <= 7; minor++) {
    char text[4000];
    spvreconv_result *r;
    size_t n;
    snprintf(text, sizeof text, "; SPIR-V\n; Version: 1.%u\n%s", minor, rest);
    assert_int_equal(spvreconv_run_text(&o, text, strlen(text), &r), SPVRECONV_OK);
    assert_int_equal(spvreconv_result_words(r, &n)[1] >> 8 & 0xff, minor <= 6 ? minor : 3);
    spvreconv_result_destroy(r);
  }
}

static void test_strip_debug(void **state) {
  (void)state;
  spvreconv_options o = defaults();
  o.strip_debug = true;
  o.want = SPVRECONV_WANT_ASSEMBLY;
  spvreconv_result *r;
  size_t count, n;
  assert_int_equal(spvreconv_run_text(&o, named, strlen(named), &r), SPVRECONV_OK);
  spvreconv_result_words(r, &n);
  const char *text = spvreconv_result_text(r, SPVRECONV_WANT_ASSEMBLY);
  assert_null(strstr(text, "OpName"));
  assert_null(strstr(text, "OpString"));
  assert_null(strstr(text, "OpLine"));
  uint32_t *plain = words_of(straight, &count);
  assert_int_equal(n, count);
  free(plain);
  spvreconv_result_destroy(r);
}

/* strip-debug removes the instructions of each set for debugging, wherever lines are, and keeps a
 * string that another instruction needs. */
static void test_strip_debug_sets(void **state) {
  (void)state;
  static const char *const sets[] = {"DebugInfo", "OpenCL.DebugInfo.100",
                                     "NonSemantic.Shader.DebugInfo.100"};
  static const char form[] =
      "OpCapability Shader\nOpCapability Linkage\nOpExtension \"SPV_KHR_non_semantic_info\"\n"
      "%%20 = OpExtInstImport \"%s\"\n%%21 = OpExtInstImport \"NonSemantic.DebugPrintf\"\n"
      "OpMemoryModel Logical GLSL450\n%%1 = OpString \"file\"\n%%2 = OpString \"said\"\n"
      "%%3 = OpTypeVoid\n%%10 = OpTypeInt 32 0\n%%4 = OpTypeFunction %%3 %%10\n"
      "%%22 = OpExtInst %%3 %%20 DebugInfoNone\n"
      "OpLine %%1 1 1\n%%5 = OpFunction %%3 None %%4\nOpLine %%1 2 1\n"
      "%%6 = OpFunctionParameter %%10\nOpLine %%1 3 1\n%%7 = OpLabel\nOpLine %%1 4 1\n"
      "%%8 = OpExtInst %%3 %%21 1 %%2\nOpNoLine\nOpReturn\nOpLine %%1 5 1\nOpFunctionEnd\n"
      "OpLine %%1 6 1\n";
  spvreconv_options o = defaults();
  o.strip_debug = true;
  o.validate = SPVRECONV_VALIDATE_NONE;
  o.want = SPVRECONV_WANT_ASSEMBLY;
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    char given[2000];
    spvreconv_result *r;
    snprintf(given, sizeof given, form, sets[i]);
    assert_int_equal(spvreconv_run_text(&o, given, strlen(given), &r), SPVRECONV_OK);
    const char *text = spvreconv_result_text(r, SPVRECONV_WANT_ASSEMBLY);
    assert_null(strstr(text, sets[i]));
    assert_null(strstr(text, "DebugInfoNone"));
    assert_null(strstr(text, "OpLine"));
    assert_null(strstr(text, "OpNoLine"));
    assert_null(strstr(text, "\"file\""));
    assert_non_null(strstr(text, "\"said\""));
    assert_non_null(strstr(text, "NonSemantic.DebugPrintf"));
    spvreconv_result_destroy(r);
  }
}

static void test_transform_info(void **state) {
  (void)state;
  const char *name, *purpose;
  size_t n = 0;
  bool found = false;
  for (; spvreconv_transform_info(n, &name, &purpose); n++)
    found = found || strcmp(name, "structurize") == 0;
  assert_true(found);
  assert_null(name);
}

/* ---- reports ---- */

static void test_wants(void **state) {
  (void)state;
  spvreconv_options o = defaults();
  o.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CFG_DOT | SPVRECONV_WANT_UNIFORMITY;
  spvreconv_result *r;
  assert_int_equal(spvreconv_run_text(&o, irreducible, strlen(irreducible), &r), SPVRECONV_OK);
  const spvreconv_function *f = spvreconv_result_function(r, 0);
  assert_null(spvreconv_result_function(r, 1));
  assert_string_equal(f->name, "main");
  assert_int_equal(f->id, 4);
  assert_int_equal(f->before->blocks, 4);
  assert_int_equal(f->before->irreducible_loops, 1);
  assert_false(f->before->structured);
  assert_true(f->after->structured);
  assert_int_equal(f->after->blocks, f->before->blocks + f->transform->added_blocks);
  assert_int_equal(f->order_count, 4);
  assert_int_equal(f->order[0], 10);
  assert_non_null(strstr(spvreconv_result_text(r, SPVRECONV_WANT_CFG_DOT), "subgraph cluster_4"));
  assert_non_null(strstr(spvreconv_result_text(r, SPVRECONV_WANT_UNIFORMITY), "; uniform branch"));
  assert_null(spvreconv_result_text(r, SPVRECONV_WANT_EXPLAIN));
  assert_string_equal(spvreconv_result_pass(r, 0)->name, "read");
  assert_null(spvreconv_result_pass(r, 1000));
  spvreconv_result_destroy(r);
}

static void test_costs(void **state) {
  (void)state;
  spvreconv_options o = defaults();
  o.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_COST;
  spvreconv_result *r;
  assert_int_equal(spvreconv_run_text(&o, straight, strlen(straight), &r), SPVRECONV_OK);
  const spvreconv_function *f = spvreconv_result_function(r, 0);
  assert_int_equal(f->cost_before->stack_issues, 1);
  assert_int_equal(f->cost_after->frontier_issues, 1);
  assert_int_equal(f->cost_after->instructions, 1);
  spvreconv_result_destroy(r);
  assert_int_equal(spvreconv_run_text(&o, irreducible, strlen(irreducible), &r), SPVRECONV_OK);
  assert_null(spvreconv_result_function(r, 0)->cost_after); /* its lanes never end */
  spvreconv_result_destroy(r);
  o.want = SPVRECONV_WANT_STATS;
  assert_int_equal(spvreconv_run_text(&o, straight, strlen(straight), &r), SPVRECONV_OK);
  assert_null(spvreconv_result_function(r, 0)->cost_after);
  spvreconv_result_destroy(r);
}

static void test_explain(void **state) {
  (void)state;
  spvreconv_options o = defaults();
  o.want = SPVRECONV_WANT_EXPLAIN;
  spvreconv_result *r;
  assert_int_equal(spvreconv_run_text(&o, irreducible, strlen(irreducible), &r), SPVRECONV_OK);
  assert_non_null(strstr(spvreconv_result_text(r, SPVRECONV_WANT_EXPLAIN), "function main"));
  const spvreconv_violation *v = spvreconv_result_violation(r, 0);
  assert_string_equal(v->function, "main");
  assert_string_equal(v->rule, "back_edge_target");
  assert_int_equal(v->entry_count, 2);
  assert_int_equal(v->to, v->construct);
  assert_true(v->entries[0] == v->to || v->entries[1] == v->to);
  assert_null(spvreconv_result_violation(r, 1));
  assert_null(spvreconv_result_violation(NULL, 0));
  spvreconv_result_destroy(r);
  assert_int_equal(spvreconv_run_text(&o, straight, strlen(straight), &r), SPVRECONV_OK);
  assert_string_equal(spvreconv_result_text(r, SPVRECONV_WANT_EXPLAIN), "");
  assert_null(spvreconv_result_violation(r, 0));
  spvreconv_result_destroy(r);
}

/* ---- threads ---- */

static void *structurize_often(void *user) {
  const spvreconv_result *expected = user;
  size_t n, count;
  const uint32_t *words = spvreconv_result_words(expected, &n);
  for (int i = 0; i < 50; i++) {
    spvreconv_result *r;
    if (spvreconv_run_text(NULL, irreducible, strlen(irreducible), &r) != SPVRECONV_OK)
      return NULL;
    const uint32_t *out = spvreconv_result_words(r, &count);
    bool same = count == n && memcmp(out, words, n * sizeof *words) == 0;
    spvreconv_result_destroy(r);
    if (!same)
      return NULL;
  }
  return user;
}

static void test_threads(void **state) {
  (void)state;
  enum { THREADS = 4 };
  spvreconv_result *r;
  assert_int_equal(spvreconv_run_text(NULL, irreducible, strlen(irreducible), &r), SPVRECONV_OK);
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, structurize_often, r), 0);
  for (int i = 0; i < THREADS; i++) {
    void *ok;
    pthread_join(thread[i], &ok);
    assert_non_null(ok);
  }
  spvreconv_result_destroy(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_structurizes),
      cmocka_unit_test(test_unchanged_in_either_byte_order),
      cmocka_unit_test(test_other_byte_order_is_transformed),
      cmocka_unit_test(test_needs_structure),
      cmocka_unit_test(test_text_keeps_ids_and_version),
      cmocka_unit_test(test_bad_options),
      cmocka_unit_test(test_bad_input),
      cmocka_unit_test(test_validation),
      cmocka_unit_test(test_older_options_struct),
      cmocka_unit_test(test_newer_options_struct),
      cmocka_unit_test(test_senseless_options_size),
      cmocka_unit_test(test_version),
      cmocka_unit_test(test_text_versions),
      cmocka_unit_test(test_strip_debug),
      cmocka_unit_test(test_strip_debug_sets),
      cmocka_unit_test(test_transform_info),
      cmocka_unit_test(test_wants),
      cmocka_unit_test(test_costs),
      cmocka_unit_test(test_explain),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
