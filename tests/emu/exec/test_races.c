/* SPDX-License-Identifier: Apache-2.0 */
/* Races of workgroups, and of invocations of one: small programs, each with and without one. */
#include "tests/unit/unit.h"

#include <spv-emu/spv_emu.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 4096, INVOCATIONS = 8, SUBGROUP = 4, WORDS = 16 };

/* %cell: word %i of the buffer; %there: the word of the workgroup's memory; %other: 7 - %i. */
static const char head[] = "OpCapability Shader\n"
                           "OpCapability GroupNonUniform\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint GLCompute %main \"main\" %index\n"
                           "OpExecutionMode %main LocalSize 8 1 1\n"
                           "OpDecorate %index BuiltIn LocalInvocationIndex\n"
                           "OpDecorate %words ArrayStride 4\n"
                           "OpMemberDecorate %block 0 Offset 0\n"
                           "OpDecorate %block Block\n"
                           "OpDecorate %out DescriptorSet 0\n"
                           "OpDecorate %out Binding 0\n"
                           "%void = OpTypeVoid\n"
                           "%fn = OpTypeFunction %void\n"
                           "%uint = OpTypeInt 32 0\n"
                           "%words = OpTypeRuntimeArray %uint\n"
                           "%block = OpTypeStruct %words\n"
                           "%buffer = OpTypePointer StorageBuffer %block\n"
                           "%word = OpTypePointer StorageBuffer %uint\n"
                           "%input = OpTypePointer Input %uint\n"
                           "%n0 = OpConstant %uint 0\n"
                           "%n1 = OpConstant %uint 1\n"
                           "%n2 = OpConstant %uint 2\n"
                           "%n3 = OpConstant %uint 3\n"
                           "%n7 = OpConstant %uint 7\n"
                           "%n8 = OpConstant %uint 8\n"
                           "%n264 = OpConstant %uint 264\n"
                           "%array = OpTypeArray %uint %n8\n"
                           "%all = OpTypePointer Workgroup %array\n"
                           "%one = OpTypePointer Workgroup %uint\n"
                           "%memory = OpVariable %all Workgroup\n"
                           "%out = OpVariable %buffer StorageBuffer\n"
                           "%index = OpVariable %input Input\n"
                           "%main = OpFunction %void None %fn\n"
                           "%entry = OpLabel\n"
                           "%i = OpLoad %uint %index\n"
                           "%flipped = OpISub %uint %n7 %i\n"
                           "%next = OpBitwiseXor %uint %i %n1\n"
                           "%cell = OpAccessChain %word %out %n0 %i\n"
                           "%first = OpAccessChain %word %out %n0 %n0\n"
                           "%there = OpAccessChain %one %memory %i\n"
                           "%across = OpAccessChain %one %memory %flipped\n"
                           "%beside = OpAccessChain %one %memory %next\n";

#define BARRIER "OpControlBarrier %n2 %n2 %n264\n"
#define SUBGROUP_BARRIER "OpControlBarrier %n3 %n3 %n264\n"

typedef struct Case {
  const char *body;
  uint32_t groups;
  bool races, lane_races;
} Case;

static const Case cases[] = {
    {"OpStore %cell %i\n", 1, false, false},
    {"OpStore %cell %i\n", 2, false, false}, /* the second group stores what is there */
    {"%x = OpLoad %uint %cell\n%y = OpIAdd %uint %x %n1\nOpStore %cell %y\n", 2, true, false},
    {"OpStore %first %i\n", 1, false, true},
    {"OpStore %first %n7\n", 1, false, false},
    {"%x = OpAtomicIAdd %uint %first %n1 %n0 %i\n", 2, false, false},
    {"%x = OpAtomicIAdd %uint %first %n1 %n0 %n1\n%y = OpLoad %uint %first\n", 1, false, true},
    {"OpStore %there %n1\n%x = OpLoad %uint %across\n", 1, false, true},
    {"OpStore %there %n1\n" BARRIER "%x = OpLoad %uint %across\n", 2, false, false},
    {"OpStore %there %n1\n" BARRIER "%x = OpLoad %uint %across\nOpStore %there %n2\n", 1, false,
     true},
    {"OpStore %there %n1\n%x = OpLoad %uint %beside\n", 1, false, true},
    {"OpStore %there %n1\n" SUBGROUP_BARRIER "%x = OpLoad %uint %beside\n", 1, false, false},
    {"OpStore %there %n1\n" SUBGROUP_BARRIER "%x = OpLoad %uint %across\n", 1, false, true},
};

static spv_emu_program *load(const char *body) {
  char text[TEXT], message[256];
  int length = snprintf(text, sizeof text, "%s%sOpReturn\nOpFunctionEnd\n", head, body);
  assert_true(length > 0 && (size_t)length < sizeof text);
  spvreconv_options none;
  spvreconv_options_init(&none, sizeof none);
  none.transform = "none";
  spvreconv_result *assembled;
  if (spvreconv_run_text(&none, text, (size_t)length, &assembled) != SPVRECONV_OK)
    fail_msg("%s", spvreconv_result_message(assembled));
  size_t count;
  const uint32_t *words = spvreconv_result_words(assembled, &count);
  const spv_emu_load_options options = {.subgroup_size = SUBGROUP};
  spv_emu_program *program;
  if (spv_emu_load(words, count, &options, &program, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s", message);
  spvreconv_result_destroy(assembled);
  return program;
}

static void check(const Case *c) {
  uint32_t words[WORDS] = {0};
  char message[256];
  spv_emu_program *program = load(c->body);
  const spv_emu_buffer buffer = {0, 0, 0, words, sizeof words};
  const spv_emu_run_options options = {
      .groups = {c->groups, 1, 1}, .buffers = &buffer, .buffer_count = 1, .races = true};
  spv_emu_result *r;
  if (spv_emu_run(program, &options, &r, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s", message);
  if ((r->races != 0) != c->races || (r->lane_races != 0) != c->lane_races)
    fail_msg("%llu and %llu races, not %d and %d: %s", (unsigned long long)r->races,
             (unsigned long long)r->lane_races, c->races, c->lane_races, c->body);
  spv_emu_result_free(r);
  spv_emu_free(program);
}

static void races_are_found(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check(&cases[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(races_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
