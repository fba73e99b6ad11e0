/* SPDX-License-Identifier: Apache-2.0 */
/* What bound-loops tells the caller of loops, and the code that records lanes that leave early:
 * valid modules of several stages, versions and memory models. That lanes record themselves is
 * tested on devices (tests/layer/hang.sh). */
#include "tests/unit/unit.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8, ROOM = 4096 };

typedef struct Told {
  spvreconv_bounded loop[MOST];
  char function[MOST][16], file[MOST][16];
  uint32_t count;
  uint64_t address;
} Told;

static uint64_t tell(void *user, const spvreconv_bounded *loop) {
  Told *t = user;
  assert_true(t->count < MOST);
  t->loop[t->count] = *loop;
  snprintf(t->function[t->count], sizeof *t->function, "%s", loop->function);
  snprintf(t->file[t->count], sizeof *t->file, "%s", loop->file ? loop->file : "none");
  t->count++;
  return t->address;
}

/* A module's parts that differ. */
typedef struct Stage {
  const char *version, *memory, *model, *variable, *mode, *decoration, *declaration;
} Stage;

static const Stage stages[] = {
    {"3", "GLSL450", "GLCompute", "", "LocalSize 8 1 1", "", ""},
    {"5", "GLSL450", "GLCompute", "%90", "LocalSize 8 1 1",
     "OpDecorate %90 BuiltIn GlobalInvocationId",
     "%91 = OpTypeVector %7 3\n%92 = OpTypePointer Input %91\n%90 = OpVariable %92 Input"},
    {"6", "Vulkan", "GLCompute", "", "LocalSize 8 1 1", "", ""},
    {"3", "GLSL450", "Fragment", "", "OriginUpperLeft", "", ""},
    {"4", "GLSL450", "Fragment", "%90", "OriginUpperLeft", "OpDecorate %90 BuiltIn FragCoord",
     "%93 = OpTypeFloat 32\n%91 = OpTypeVector %93 4\n%92 = OpTypePointer Input %91\n"
     "%90 = OpVariable %92 Input"},
    {"0", "GLSL450", "Vertex", "", "", "", ""},
    {"3", "GLSL450", "Vertex", "%90", "", "OpDecorate %90 BuiltIn VertexIndex",
     "%91 = OpTypeInt 32 1\n%92 = OpTypePointer Input %91\n%90 = OpVariable %92 Input"},
    {"3", "GLSL450", "TessellationEvaluation", "", "Triangles", "", ""},
};

/* A loop of one block, after which a loop without an exit contains a loop. */
static const char body[] = "%1 = OpFunction %5 None %6\n"
                           "%10 = OpLabel\n"
                           "OpBranch %11\n"
                           "%11 = OpLabel\n"
                           "OpLine %3 7 0\n"
                           "OpLoopMerge %12 %11 None\n"
                           "OpBranchConditional %9 %11 %12\n"
                           "%12 = OpLabel\n"
                           "OpBranch %13\n"
                           "%13 = OpLabel\n"
                           "OpLoopMerge %14 %15 None\n"
                           "OpBranch %16\n"
                           "%16 = OpLabel\n"
                           "OpLine %3 9 0\n"
                           "OpLoopMerge %17 %18 None\n"
                           "OpBranchConditional %9 %18 %17\n"
                           "%18 = OpLabel\n"
                           "OpBranch %16\n"
                           "%17 = OpLabel\n"
                           "OpBranch %15\n"
                           "%15 = OpLabel\n"
                           "OpBranch %13\n"
                           "%14 = OpLabel\n"
                           "OpUnreachable\n"
                           "OpFunctionEnd\n";

static void write_module(const Stage *s, char text[ROOM]) {
  bool vulkan = !strcmp(s->memory, "Vulkan");
  snprintf(text, ROOM,
           "; Version: 1.%s\nOpCapability Shader\n%s%sOpMemoryModel Logical %s\n"
           "OpEntryPoint %s %%1 \"main\" %s\n%s%s\n%%3 = OpString \"a.comp\"\n%s\n"
           "%%5 = OpTypeVoid\n%%6 = OpTypeFunction %%5\n%%7 = OpTypeInt 32 0\n%%8 = OpTypeBool\n"
           "%%9 = OpConstantTrue %%8\n%s\n%s",
           s->version, vulkan ? "OpCapability VulkanMemoryModel\n" : "",
           strcmp(s->model, "TessellationEvaluation") ? "" : "OpCapability Tessellation\n",
           s->memory, s->model, s->variable, *s->mode ? "OpExecutionMode %1 " : "", s->mode,
           s->decoration, s->declaration, body);
}

static uint32_t count_op(const spvreconv_result *result, SpvOp op) {
  size_t count, found = 0;
  const uint32_t *words = spvreconv_result_words(result, &count);
  for (size_t i = 5; i < count; i += words[i] >> 16)
    found += (words[i] & 0xffff) == (uint32_t)op;
  return (uint32_t)found;
}

static spvreconv_result *bound(const Stage *s, const char *transform, Told *told) {
  char text[ROOM];
  spvreconv_options options;
  spvreconv_result *result;
  write_module(s, text);
  spvreconv_options_init(&options, sizeof options);
  options.transform = transform;
  options.target_env = "vulkan1.3";
  options.validate = SPVRECONV_VALIDATE_FULL;
  options.bounded = tell;
  options.bounded_user = told;
  if (spvreconv_run_text(&options, text, strlen(text), &result) != SPVRECONV_OK)
    fail_msg("%s 1.%s, %s: %s", s->model, s->version, transform, spvreconv_result_message(result));
  return result;
}

static void test_stages(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    Told told = {.address = 0x123456789abc};
    spvreconv_result *result = bound(&stages[i], "bound-loops:5", &told);
    assert_int_equal(told.count, 3);
    assert_int_equal(count_op(result, SpvOpAtomicIAdd), 3);
    bool tess = i + 1 == sizeof stages / sizeof *stages;
    bool fragment = !strcmp(stages[i].model, "Fragment"),
         vertex = !strcmp(stages[i].model, "Vertex");
    assert_int_equal(count_op(result, SpvOpAtomicStore), tess ? 0 : vertex ? 3 : fragment ? 6 : 9);
    if (tess)
      assert_null(told.loop[0].lane);
    else
      assert_string_equal(told.loop[0].lane, vertex ? "vertex" : fragment ? "pixel" : "invocation");
    spvreconv_result_destroy(result);
  }
}

static void test_loops(void **state) {
  (void)state;
  Told told = {.address = 64};
  spvreconv_result *result = bound(&stages[0], "bound-loops", &told);
  uint32_t lines[MOST] = {0};
  for (uint32_t i = 0; i < told.count; i++) {
    assert_string_equal(told.function[i], "main");
    assert_string_equal(told.file[i], "a.comp");
    assert_int_equal(told.loop[i].function_id, 1);
    assert_true(told.loop[i].block < MOST + 12);
    lines[told.loop[i].block - 11] = told.loop[i].line;
  }
  assert_int_equal(lines[0], 7);
  assert_int_equal(lines[2], 9);
  assert_int_equal(lines[5], 9);
  spvreconv_result_destroy(result);
}

/* Without an address the output is that without a caller who asks. */
static void test_no_record(void **state) {
  (void)state;
  Told told = {0};
  spvreconv_result *result = bound(&stages[0], "bound-loops:5", &told);
  assert_int_equal(told.count, 3);
  assert_int_equal(count_op(result, SpvOpAtomicIAdd), 0);
  assert_int_equal(count_op(result, SpvOpCapability), 1);
  spvreconv_result_destroy(result);
}

static void test_lists(void **state) {
  static const char *const lists[] = {"strip-merges,bound-loops,structurize",
                                      "bound-loops,structurize", "bound-loops:2,best",
                                      "structurize,bound-loops:9"};
  (void)state;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    Told told = {.address = 64};
    spvreconv_result *result = bound(&stages[i], lists[i], &told);
    assert_true(count_op(result, SpvOpAtomicIAdd) >= 3);
    spvreconv_result_destroy(result);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stages),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_no_record),
      cmocka_unit_test(test_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
