/* SPDX-License-Identifier: Apache-2.0 */
/* Which values a load gives, by the storage class and the writes to the variable: rows of uniform_rules.h.
 * Also the operations that compute uniform values from uniform values, and the builtins. */
#include "tests/unit/analysis/uniform_rules.h"

#include <stdio.h>

#define TAKE_WORD "%take_word = OpTypeFunction %uint %p_word\n"
#define READ_WORD                                                                                  \
  "%fn = OpFunction %uint None %take_word\n%fp = OpFunctionParameter %p_word\n%fe = OpLabel\n"     \
  "%1000 = OpLoad %uint %fp\nOpReturnValue %1000\nOpFunctionEnd\n"

static const Row rows[] = {
    /* ---- data ---- */
    {BOTH, "sum of uniform values", "%1000 = OpIAdd %uint %u %c1\n", 0, 0},
    {NONE, "sum with a lane's number", "%1000 = OpIAdd %uint %u %lane\n", 0, 0},
    {NONE, "selected by a lane's number", "%1000 = OpSelect %uint %t %c0 %c1\n", 0, 0},
    {BOTH, "undefined value", "%1000 = OpUndef %uint\n", 0, 0},
    {NONE, "clock, or what else is not known", "%1000 = OpReadClockKHR %uint2 %c3\n", 0, 0},
    {BOTH, "extended instruction", "%1000 = OpExtInst %uint %glsl UMin %u %c1\n", 0, 0},
    {NONE, "extended instruction on a lane's number",
     "%1000 = OpExtInst %uint %glsl UMin %lane %c1\n", 0, 0},
    {NONE, "extended instruction with a pointer",
     "%1000 = OpExtInst %float %glsl Modf %f1 %fraction\n", 0, 0},
    {NONE, "extended instruction of another set",
     "%1000 = OpExtInst %uint %amd WriteInvocationAMD %u %c1 %c2\n", 0, 0},

    /* ---- memory by storage class ---- */
    {BOTH, "push constant", ASK("%push"), 0, 0},
    {BOTH, "constant memory", ASK("%k"), "%k = OpVariable %p_const UniformConstant\n", 0},
    {BOTH, "uniform buffer", ASK("%k"), "%k = OpVariable %p_uni Uniform\n", 0},
    {BOTH, "buffer that is not written", ASK("%at"), 0, 0},
    {NONE, "buffer at a lane's address", ASK("%atl"), 0, 0},
    {NONE, "input of a stage", ASK("%k"), "%k = OpVariable %p_in Input\n", 0},
    {NONE, "output", ASK("%k"), "%k = OpVariable %p_out Output\n", 0},
    {BOTH, "workgroup memory that is not written", ASK("%k"),
     "%k = OpVariable %p_group Workgroup\n", 0},
    {NONE, "workgroup memory", "OpStore %k %u\n" ASK("%k"), "%k = OpVariable %p_group Workgroup\n",
     0},
    {NONE, "physical address",
     "%p = OpConvertUToPtr %p_phys %u\n%1000 = OpLoad %uint %p Aligned 4\n", 0, 0},

    /* ---- what writes do to a buffer ---- */
    {NONE, "buffer that is written", "OpStore %at %u\n" ASK("%at"), 0, 0},
    {NONE, "buffer that is written afterwards", ASK("%at") "OpStore %at %u\n", 0, 0},
    {NONE, "buffer that another function writes", ASK("%at"), 0,
     "%w = OpFunction %void None %proc\n%we = OpLabel\n"
     "%wa = OpAccessChain %p_word %buffer %c0 %c2\nOpStore %wa %c1\nOpReturn\nOpFunctionEnd\n"},
    {BOTH, "another buffer is written", "OpStore %at2 %u\n" ASK("%at"), 0, 0},
    {NONE, "another buffer of the same binding is written",
     "%p = OpAccessChain %p_word %twin %c0 %c2\nOpStore %p %u\n" ASK("%at"),
     "OpDecorate %twin DescriptorSet 0\nOpDecorate %twin Binding 0\n"
     "%twin = OpVariable %p_Data StorageBuffer\n",
     0},
    {BOTH, "a buffer of another set is written",
     "%p = OpAccessChain %p_word %twin %c0 %c2\nOpStore %p %u\n" ASK("%at"),
     "OpDecorate %twin DescriptorSet 1\nOpDecorate %twin Binding 0\n"
     "%twin = OpVariable %p_Data StorageBuffer\n",
     0},
    {NONE, "aliased buffer, and another is written", "OpStore %at2 %u\n" ASK("%at"),
     "OpDecorate %buffer Aliased\n", 0},
    {BOTH, "aliased buffer, and none is written", ASK("%at"), "OpDecorate %buffer Aliased\n", 0},
    {NONE, "aliased block, and another is written",
     "%p = OpAccessChain %p_word %open %c0 %c1\nOpStore %at2 %u\n" ASK("%p"),
     "OpMemberDecorate %Open 0 Aliased\n%Open = OpTypeStruct %words\n"
     "%p_Open = OpTypePointer StorageBuffer %Open\n%open = OpVariable %p_Open StorageBuffer\n",
     0},
    {NONE, "volatile buffer", ASK("%at"), "OpDecorate %buffer Volatile\n", 0},
    {NONE, "volatile member", ASK("%at"), "OpMemberDecorate %Data 0 Volatile\n", 0},
    {NONE, "volatile member of a block in an array",
     "%p = OpAccessChain %p_word %open %c1 %c0 %c1\n" ASK("%p"),
     "OpMemberDecorate %Open 0 Volatile\n%Open = OpTypeStruct %words\n"
     "%Opens = OpTypeArray %Open %c2\n%p_Open = OpTypePointer StorageBuffer %Opens\n"
     "%open = OpVariable %p_Open StorageBuffer\n",
     0},
    {NONE, "volatile by a group of decorations", ASK("%at"),
     "OpDecorate %group Volatile\n%group = OpDecorationGroup\nOpGroupDecorate %group %buffer\n", 0},
    {BOTH, "buffer by a parameter", "%z = OpFunctionCall %uint %fn %at\n", TAKE_WORD, READ_WORD},
    {NONE, "volatile buffer by a parameter", "%z = OpFunctionCall %uint %fn %at\n",
     "OpDecorate %buffer Volatile\n" TAKE_WORD, READ_WORD},
    {NONE, "volatile load", "%1000 = OpLoad %uint %at Volatile\n", 0, 0},
    {NONE, "volatile push constant", ASK("%push"), "OpDecorate %push Volatile\n", 0},
    {NONE, "atomic load", "%1000 = OpAtomicLoad %uint %at %c1 %c0\n", 0, 0},
    {NONE, "result of an atomic", "%1000 = OpAtomicIAdd %uint %at %c1 %c0 %c1\n", 0, 0},
    {NONE, "buffer that an atomic writes", "%z = OpAtomicIAdd %uint %at %c1 %c0 %c1\n" ASK("%at"),
     0, 0},
    {BOTH, "buffer that an atomic only loads", "%z = OpAtomicLoad %uint %at %c1 %c0\n" ASK("%at"),
     0, 0},
    {NONE, "buffer that is copied to", "OpCopyMemory %at %at2\n" ASK("%at"), 0, 0},
    {BOTH, "buffer that is copied from", "OpCopyMemory %at2 %at\n" ASK("%at"), 0, 0},
    {NONE, "written through a copy of the pointer",
     "%p = OpCopyObject %p_word %at\nOpStore %p %u\n" ASK("%at"), 0, 0},
    {BOTH, "another buffer is written through a copy of its pointer",
     "%p = OpCopyObject %p_word %at2\nOpStore %p %u\n" ASK("%at"), 0, 0},
    {BOTH, "another buffer is written through a pointer moved on",
     "%p = OpPtrAccessChain %p_word %at2 %c1\nOpStore %p %u\n" ASK("%at"), 0, 0},
    {NONE, "builtin through a selected pointer", "%p = OpSelect %p_in %ut %k %k\n" ASK("%p"),
     "OpDecorate %k BuiltIn NumWorkgroups\n%k = OpVariable %p_in Input\n", 0},
    {NONE, "written through a pointer moved on",
     "%p = OpPtrAccessChain %p_word %at %c1\nOpStore %p %u\n" ASK("%at"), 0, 0},
    {NONE, "written through a selected pointer",
     "%p = OpSelect %p_word %ut %at %at2\nOpStore %p %u\n" ASK("%at"), 0, 0},
    {NONE, "written through a pointer that was stored",
     "OpStore %kept %at2\n%p = OpLoad %p_word %kept\nOpStore %p %u\n" ASK("%at"),
     "%kept = OpVariable %p_own_word Private\n", 0},
    {NONE, "read through a selected pointer, one side written",
     "OpStore %at2 %u\n%p = OpSelect %p_word %ut %at %at2\n" ASK("%p"), 0, 0},
    {NONE, "written through a physical address",
     "%p = OpConvertUToPtr %p_phys %u\nOpStore %p %c1 Aligned 4\n" ASK("%at"), 0, 0},
    {NONE, "atomic through a physical address",
     "%p = OpConvertUToPtr %p_phys %u\n%z = OpAtomicIAdd %uint %p %c1 %c0 %c1\n" ASK("%at"), 0, 0},
    {BOTH, "read through a physical address",
     "%p = OpConvertUToPtr %p_phys %u\n%z = OpLoad %uint %p Aligned 4\n" ASK("%at"), 0, 0},
    {BOTH, "uniform buffer, and a write through a physical address",
     "%p = OpConvertUToPtr %p_phys %u\nOpStore %p %c1 Aligned 4\n" ASK("%k"),
     "%k = OpVariable %p_uni Uniform\n", 0},
    {NONE, "old storage buffer, and a write through a physical address",
     "%p = OpConvertUToPtr %p_phys %u\nOpStore %p %c1 Aligned 4\n"
     "%k = OpAccessChain %p_uni %old %c0 %c1\n" ASK("%k"),
     "OpDecorate %Old BufferBlock\n%Old = OpTypeStruct %words\n"
     "%p_Old = OpTypePointer Uniform %Old\n%old = OpVariable %p_Old Uniform\n",
     0},
    {NONE, "old storage buffer that is written",
     "%k = OpAccessChain %p_uni %old %c0 %c1\nOpStore %k %u\n" ASK("%k"),
     "OpDecorate %Old BufferBlock\n%Old = OpTypeStruct %words\n"
     "%p_Old = OpTypePointer Uniform %Old\n%old = OpVariable %p_Old Uniform\n",
     0},

    /* ---- variables of a lane ---- */
    {BOTH, "variable", "OpStore %mine %u\n" ASK("%mine"), 0, 0},
    {NONE, "variable that holds a lane's number", "OpStore %mine %lane\n" ASK("%mine"), 0, 0},
    {NONE, "private variable that holds a lane's number", "OpStore %own %lane\n" ASK("%own"), 0, 0},
    {BOTH, "private variable", "OpStore %own %u\n" ASK("%own"), 0, 0},
    {NONE, "variable that some lanes store", IF("%t", "OpStore %mine %c1") ASK("%mine"), 0, 0},
    {BOTH, "variable that all lanes store, or none", IF("%ut", "OpStore %mine %c1") ASK("%mine"), 0,
     0},
    {NONE, "variable that an atomic changes",
     "%z = OpAtomicIAdd %uint %mine %c1 %c0 %c1\n" ASK("%mine"), 0, 0},
    {NONE, "variable that is copied to", "OpCopyMemory %mine %atl\n" ASK("%mine"), 0, 0},
    {NONE, "variable through a selected pointer",
     "OpStore %mine %c1\n%p = OpSelect %p_mine %t %mine %mine\n" ASK("%p"), 0, 0},
    {NONE, "variable of a callee's parameter, which stores a lane's number",
     "%z = OpFunctionCall %uint %store %mine\n" ASK("%mine"), 0,
     "%store = OpFunction %uint None %take\n%sp = OpFunctionParameter %p_mine\n%se = OpLabel\n"
     "%sl = OpLoad %uint %lane_in\nOpStore %sp %sl\nOpReturnValue %c1\nOpFunctionEnd\n"},
    {BOTH, "variable of a callee's parameter, which stores a constant",
     "%z = OpFunctionCall %uint %store %mine\n" ASK("%mine"), 0,
     "%store = OpFunction %uint None %take\n%sp = OpFunctionParameter %p_mine\n%se = OpLabel\n"
     "OpStore %sp %c2\nOpReturnValue %c1\nOpFunctionEnd\n"},
    {NONE, "variable given to a function without a body",
     "%z = OpFunctionCall %uint %store %mine\n" ASK("%mine"),
     "OpDecorate %store LinkageAttributes \"store\" Import\n",
     "%store = OpFunction %uint None %take\n%sp = OpFunctionParameter %p_mine\nOpFunctionEnd\n"},

    /* ---- builtins by group ---- */
    {SUBGROUP, "number of the subgroup", ASK("%k"),
     "OpDecorate %k BuiltIn SubgroupId\n%k = OpVariable %p_in Input\n", 0},
    {BOTH, "builtin by a group of decorations", ASK("%k"),
     "OpDecorate %group BuiltIn NumSubgroups\n%group = OpDecorationGroup\n"
     "OpGroupDecorate %group %k\n%k = OpVariable %p_in Input\n",
     0},
};

static void rules(void **state) {
  (void)state;
  check_rows(shader_frame(), rows, sizeof rows / sizeof *rows);
}

/* All builtins of inputs that a lane of a compute shader or kernel, or of a graphics stage, has. */
static void builtins_by_scope(void **state) {
  (void)state;
  uint32_t wrong = 0;
  static const struct {
    const char *name;
    Expect expect;
  } builtins[] = {
      {"NumWorkgroups", BOTH},      {"WorkgroupSize", BOTH},
      {"WorkgroupId", BOTH},        {"WorkDim", BOTH},
      {"GlobalSize", BOTH},         {"EnqueuedWorkgroupSize", BOTH},
      {"GlobalOffset", BOTH},       {"SubgroupMaxSize", BOTH},
      {"NumSubgroups", BOTH},       {"NumEnqueuedSubgroups", BOTH},
      {"DeviceIndex", BOTH},        {"SubgroupSize", SUBGROUP},
      {"SubgroupId", SUBGROUP},     {"LocalInvocationId", NONE},
      {"GlobalInvocationId", NONE}, {"LocalInvocationIndex", NONE},
      {"GlobalLinearId", NONE},     {"SubgroupLocalInvocationId", NONE},
      {"SubgroupEqMask", NONE},     {"SubgroupGeMask", NONE},
      {"SubgroupGtMask", NONE},     {"SubgroupLeMask", NONE},
      {"SubgroupLtMask", NONE},     {"VertexIndex", NONE},
      {"InstanceIndex", NONE},      {"PrimitiveId", NONE},
      {"InvocationId", NONE},       {"Layer", NONE},
      {"ViewportIndex", NONE},      {"FragCoord", NONE},
      {"FrontFacing", NONE},        {"SampleId", NONE},
      {"SampleMask", NONE},         {"HelperInvocation", NONE},
      {"DrawIndex", NONE},          {"BaseVertex", NONE},
      {"BaseInstance", NONE},       {"ViewIndex", NONE},
      {"TessCoord", NONE},          {"PatchVertices", NONE},
  };
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
    char globals[200];
    snprintf(globals, sizeof globals, "OpDecorate %%k BuiltIn %s\n%%k = OpVariable %%p_in Input\n",
             builtins[i].name);
    wrong += !check_row(shader_frame(),
                        &(Row){builtins[i].expect, builtins[i].name, ASK("%k"), globals, NULL});
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules),
      cmocka_unit_test(builtins_by_scope),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
