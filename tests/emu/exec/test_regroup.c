/* SPDX-License-Identifier: Apache-2.0 */
/* Policies that regroup the lanes of a workgroup: the example of the paper on dynamic warp
 * formation (Fung et al., MICRO 2007, figure 1), two subgroups of four lanes:
 *
 *       A  1111 1111           B, C, … run by these lanes of the two subgroups. C, D, F and G store
 *     B     F                  a word of each lane; a subgroup's words are one segment of memory.
 *    C D    |
 *     E     |    B 1110 0011   C 1000 0010   D 0110 0001   F 0001 1100
 *       G
 *
 * The lanes of C are in different columns, and so are those of D and F: these are packed into one
 * subgroup. Those of B are not: lanes 2 and 6 are both in column 2. */
#include "tests/unit/unit.h"

#include <spirv-tools/libspirv.h>
#include <spv-emu/spv_emu.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 8, SIZE = 4, SEGMENT = 16, F_LANES = 0x38, D_LANES = 0x86, TEXT = 8192 };

/* ---- the shader ------------------------------------------------------------------------------ */

static const char head[] =
    "OpCapability Shader\nOpCapability GroupNonUniform\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %index\nOpExecutionMode %main LocalSize 8 1 1\n"
    "OpDecorate %index BuiltIn LocalInvocationIndex\nOpDecorate %words ArrayStride 4\n"
    "OpDecorate %Data Block\nOpMemberDecorate %Data 0 Offset 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
    "%void = OpTypeVoid\n%proc = OpTypeFunction %void\n%bool = OpTypeBool\n"
    "%uint = OpTypeInt 32 0\n%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n"
    "%c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n%c264 = OpConstant %uint 264\n"
    "%F_lanes = OpConstant %uint 56\n%D_lanes = OpConstant %uint 134\n"
    "%words = OpTypeRuntimeArray %uint\n%Data = OpTypeStruct %words\n"
    "%p_data = OpTypePointer StorageBuffer %Data\n%p_word = OpTypePointer StorageBuffer %uint\n"
    "%out = OpVariable %p_data StorageBuffer\n%p_in = OpTypePointer Input %uint\n"
    "%index = OpVariable %p_in Input\n%main = OpFunction %void None %proc\n"
    "%A = OpLabel\n%i = OpLoad %uint %index\n"
    "%at = OpAccessChain %p_word %out %c0 %i\n"
    "%f = OpShiftRightLogical %uint %F_lanes %i\n%f1 = OpBitwiseAnd %uint %f %c1\n"
    "%isF = OpIEqual %bool %f1 %c1\n%d = OpShiftRightLogical %uint %D_lanes %i\n"
    "%d1 = OpBitwiseAnd %uint %d %c1\n%isD = OpIEqual %bool %d1 %c1\n";

/* `in_c` and `in_g`: an instruction in these blocks, or nothing. */
static spv_emu_program *make(const char *in_c, const char *in_g) {
  char text[TEXT], message[300];
  snprintf(text, sizeof text,
           "%sOpSelectionMerge %%G None\nOpBranchConditional %%isF %%F %%B\n"
           "%%B = OpLabel\nOpSelectionMerge %%E None\nOpBranchConditional %%isD %%D %%C\n"
           "%%C = OpLabel\nOpStore %%at %%c1\n%sOpBranch %%E\n"
           "%%D = OpLabel\nOpStore %%at %%c2\nOpBranch %%E\n"
           "%%E = OpLabel\nOpBranch %%G\n"
           "%%F = OpLabel\nOpStore %%at %%c3\nOpBranch %%G\n"
           "%%G = OpLabel\n%%old = OpLoad %%uint %%at\n%s"
           "%%new = OpIAdd %%uint %%old %%i\nOpStore %%at %%new\nOpReturn\nOpFunctionEnd\n",
           head, in_c, in_g);
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
  spv_binary binary = NULL;
  spv_diagnostic diagnostic = NULL;
  if (spvTextToBinary(context, text, strlen(text), &binary, &diagnostic) != SPV_SUCCESS)
    fail_msg("%s", diagnostic ? diagnostic->error : "spvTextToBinary");
  const spv_emu_load_options options = {.subgroup_size = SIZE};
  spv_emu_program *program;
  if (spv_emu_load(binary->code, binary->wordCount, &options, &program, message, sizeof message) !=
      SPV_EMU_OK)
    fail_msg("%s", message);
  spvBinaryDestroy(binary);
  spvContextDestroy(context);
  return program;
}

/* `policy`: a name, or "dwf-" and an order. */
static spv_emu_result *run(const spv_emu_program *program, const char *policy, uint32_t *out) {
  bool ordered = strncmp(policy, "dwf-", 4) == 0;
  spv_emu_buffer buffer = {.bytes = out, .size = LANES * sizeof *out};
  const spv_emu_run_options options = {
      .policy = ordered ? "dwf" : policy,
      .choices = &(spv_emu_choice){"--dwf-order", ordered ? policy + 4 : NULL},
      .choice_count = ordered,
      .groups = {1, 1, 1},
      .buffers = &buffer,
      .buffer_count = 1,
      .segment_bytes = SEGMENT};
  spv_emu_result *result;
  char message[300];
  memset(out, 0, LANES * sizeof *out);
  if (spv_emu_run(program, &options, &result, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s: %s", policy, message);
  return result;
}

/* Blocks in their order, how often each was issued: "2222222". */
static void expect(const char *in_g, const char *policy, const char *blocks, uint64_t issues,
                   uint64_t transactions) {
  uint32_t out[LANES];
  spv_emu_program *program = make("", in_g);
  spv_emu_result *r = run(program, policy, out);
  if (r->outcome != SPV_EMU_RAN)
    fail_msg("%s: %s", policy, r->message);
  assert_int_equal(r->block_count, strlen(blocks));
  for (uint32_t b = 0; b < r->block_count; b++)
    if (r->blocks[b].executions != (uint64_t)(blocks[b] - '0'))
      fail_msg("%s: block %c is issued %llu times, not %c", policy, "ABCDEFG"[b],
               (unsigned long long)r -> blocks[b].executions, blocks[b]);
  assert_int_equal(r->memory_issues, issues);
  assert_int_equal(r->memory_transactions, transactions);
  assert_int_equal(r->subgroups, 2);
  for (uint32_t i = 0; i < LANES; i++)
    assert_int_equal(out[i], (F_LANES >> i & 1 ? 3 : D_LANES >> i & 1 ? 2 : 1) + i);
  spv_emu_result_free(r);
  spv_emu_free(program);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Memory issues are those of C, D and F, and two for each of G. */
static void the_figure(void **state) {
  (void)state;
  expect("", "pdom", "2222222", 6 + 4, 6 + 4);
  expect("", "tbc", "2211212", 3 + 4, 6 + 4);
  expect("", "tbc-lcp", "2211212", 3 + 4, 6 + 4);
  /* F has more lanes than C, and is older than D; then D, G of F's lanes, E of D's lanes, G of
   * these, and C, E and G at last. */
  expect("", "dwf", "2211213", 3 + 6, 6 + 12);
  expect("", "dwf-majority", "2211213", 3 + 6, 6 + 12);
}

/* The pool after each block, with the lanes of each PC, in the order in which they came. */
static void orders_of_the_pool(void **state) {
  (void)state;
  /* F 345, B 01267 · F, D 127, C 06 · F, D, E 06 · F, E 01267 · F, G 01267 · G: as on a stack,
   * since the layout has every block before those that it leads to. */
  expect("", "dwf-pc", "2211212", 3 + 4, 6 + 4);
  /* F, B · B, G 345 · B · D, C · D, E 06 · D, G 06 · D · E 127 · G 127: the smallest group runs
   * alone to its end. */
  expect("", "dwf-minority", "2211213", 3 + 6, 6 + 12);
  /* F, B · B, G 345 · G, D, C · D, C · C, E 127 · E 01267 · G 01267: lanes 0 and 6 reach E before
   * its turn comes, and G runs for the lanes of F alone. G of the others touches three segments. */
  expect("", "dwf-time-stamp", "2211213", 3 + 6, 6 + 4 + 6);
}

/* Nobody runs G until all lanes are there; so the pool has them all together. */
static void a_barrier_in_g(void **state) {
  (void)state;
  static const char barrier[] = "OpControlBarrier %c2 %c2 %c264\n";
  expect(barrier, "pdom", "2222222", 6 + 4, 6 + 4);
  expect(barrier, "tbc", "2211212", 3 + 4, 6 + 4);
  expect(barrier, "dwf", "2211212", 3 + 4, 6 + 4);
}

static void expect_end(const char *in_c, const char *policy, spv_emu_outcome outcome,
                       const char *said) {
  uint32_t out[LANES];
  spv_emu_program *program = make(in_c, "");
  spv_emu_result *r = run(program, policy, out);
  assert_int_equal(r->outcome, outcome);
  if (!strstr(r->message, said))
    fail_msg("%s: %s", policy, r->message);
  spv_emu_result_free(r);
  spv_emu_free(program);
}

/* On the stack the others wait for the lanes of C; in the pool they run, end, and are not waited
 * for. */
static void a_barrier_that_some_lanes_reach(void **state) {
  (void)state;
  static const char barrier[] = "OpControlBarrier %c2 %c2 %c264\n";
  static const char *const stacks[] = {"pdom", "tbc", "tbc-lcp"};
  for (uint32_t i = 0; i < 3; i++)
    expect_end(barrier, stacks[i], SPV_EMU_DEADLOCK, "1 lane (0) at the barrier");
  expect_end(barrier, "dwf", SPV_EMU_RAN, "");
}

static void operations_of_the_subgroup_are_refused(void **state) {
  (void)state;
  static const char *const policies[] = {"tbc", "tbc-lcp", "dwf"};
  for (uint32_t i = 0; i < 3; i++)
    expect_end("%first = OpGroupNonUniformElect %bool %c3\n", policies[i], SPV_EMU_SKIP,
               "OpGroupNonUniformElect is defined by SPIR-V's subgroups");
  expect_end("%first = OpGroupNonUniformElect %bool %c3\n", "pdom", SPV_EMU_RAN, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_figure),
      cmocka_unit_test(orders_of_the_pool),
      cmocka_unit_test(a_barrier_in_g),
      cmocka_unit_test(a_barrier_that_some_lanes_reach),
      cmocka_unit_test(operations_of_the_subgroup_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
