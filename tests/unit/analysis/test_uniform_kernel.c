/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of kernels: pointers that are arguments, generic pointers and pointers made from numbers. Rows of
 * uniform_rules.h. */
#include "tests/unit/analysis/uniform_rules.h"

/* %p and %q point to global memory, %l to local memory, %g to either. */

static const char kernel_head[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
    "OpCapability GenericPointer\n%cl = OpExtInstImport \"OpenCL.std\"\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %main \"main\" %lane_in\n"
    "OpDecorate %lane_in BuiltIn SubgroupLocalInvocationId\n";

static const char kernel_types[] =
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n"
    "%p_in = OpTypePointer Input %uint\n%p_far = OpTypePointer CrossWorkgroup %uint\n"
    "%p_group = OpTypePointer Workgroup %uint\n%p_any = OpTypePointer Generic %uint\n"
    "%p_mine = OpTypePointer Function %uint\n%p_const = OpTypePointer UniformConstant %uint\n"
    "%kernel = OpTypeFunction %void %p_far %p_far %p_group %p_const %uint\n"
    "%take = OpTypeFunction %uint %p_any\n%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n"
    "%c2 = OpConstant %uint 2\n%size = OpConstant %ulong 4\n"
    "%lane_in = OpVariable %p_in Input\n%global = OpVariable %p_far CrossWorkgroup\n";

static const char kernel_main[] =
    "%main = OpFunction %void None %kernel\n%p = OpFunctionParameter %p_far\n"
    "%q = OpFunctionParameter %p_far\n%l = OpFunctionParameter %p_group\n"
    "%k = OpFunctionParameter %p_const\n%n = OpFunctionParameter %uint\n%entry = OpLabel\n"
    "%mine = OpVariable %p_mine Function\n"
    "%lane = OpLoad %uint %lane_in\n%t = OpIEqual %bool %lane %c0\n%ut = OpIEqual %bool %n %c0\n"
    "%g = OpPtrCastToGeneric %p_any %q\n%gm = OpPtrCastToGeneric %p_any %mine\n";

static const Row rows[] = {
    {BOTH, "argument of a kernel", "%1000 = OpIAdd %uint %n %c1\n", 0, 0},
    {BOTH, "global memory that is not written", ASK("%p"), 0, 0},
    {NONE, "global memory at a lane's address",
     "%a = OpInBoundsPtrAccessChain %p_far %p %lane\n" ASK("%a"), 0, 0},
    {NONE, "global memory, and another argument is written", "OpStore %q %n\n" ASK("%p"), 0, 0},
    {NONE, "global memory, and a variable is written", "OpStore %global %n\n" ASK("%p"), 0, 0},
    {NONE, "global variable, and an argument is written", "OpStore %q %n\n" ASK("%global"), 0, 0},
    {BOTH, "global variable that is not written", ASK("%global"), 0, 0},
    {BOTH, "constant memory, and global memory is written", "OpStore %q %n\n" ASK("%k"), 0, 0},
    {BOTH, "local memory that is not written", ASK("%l"), 0, 0},
    {BOTH, "local memory, and global memory is written", "OpStore %q %n\n" ASK("%l"), 0, 0},
    {NONE, "local memory that is written", "OpStore %l %n\n" ASK("%l"), 0, 0},
    {NONE, "global memory, and a pointer from a number is written",
     "%a = OpConvertUToPtr %p_far %size\nOpStore %a %n\n" ASK("%p"), 0, 0},
    {NONE, "global memory, and a generic pointer from a number is written",
     "%a = OpConvertUToPtr %p_any %size\nOpStore %a %n\n" ASK("%p"), 0, 0},
    {NONE, "global variable, and a generic pointer from a number is written",
     "%a = OpConvertUToPtr %p_any %size\nOpStore %a %n\n" ASK("%global"), 0, 0},
    {NONE, "local memory, and a generic pointer from a number is written",
     "%a = OpConvertUToPtr %p_any %size\nOpStore %a %n\n" ASK("%l"), 0, 0},
    {NONE, "global memory, and a generic pointer to it is written", "OpStore %g %n\n" ASK("%p"), 0,
     0},
    {NONE, "global memory that is copied to", "OpCopyMemorySized %q %p %size\n" ASK("%p"), 0, 0},
    {NONE, "generic pointer from a number", "%a = OpConvertUToPtr %p_any %size\n" ASK("%a"), 0, 0},
    {BOTH, "variable through a generic pointer", "OpStore %gm %n\n" ASK("%mine"), 0, 0},
    {NONE, "variable, a lane's number stored through a generic pointer",
     "OpStore %gm %lane\n" ASK("%mine"), 0, 0},
    {NONE, "variable that some lanes store through a generic pointer",
     IF("%t", "OpStore %gm %c1") ASK("%mine"), 0, 0},
    {NONE, "variable whose address became a number",
     "%a = OpConvertPtrToU %ulong %mine\nOpStore %mine %n\n" ASK("%mine"), 0, 0},
    {NONE, "variable whose address was bit-cast to a number",
     "%a = OpBitcast %ulong %mine\nOpStore %mine %n\n" ASK("%mine"), 0, 0},
    {BOTH, "variable through a bit-cast pointer",
     "%a = OpBitcast %p_mine %mine\nOpStore %a %n\n" ASK("%mine"), 0, 0},
    {NONE, "variable, a lane's number stored through a bit-cast pointer",
     "%a = OpBitcast %p_mine %mine\nOpStore %a %lane\n" ASK("%mine"), 0, 0},
    {NONE, "variable given to a callee as a generic pointer",
     "%z = OpFunctionCall %uint %store %gm\n" ASK("%mine"), 0,
     "%store = OpFunction %uint None %take\n%sp = OpFunctionParameter %p_any\n%se = OpLabel\n"
     "%sl = OpLoad %uint %lane_in\nOpStore %sp %sl\nOpReturnValue %c1\nOpFunctionEnd\n"},
    {BOTH, "variable given to a callee as a generic pointer, which stores a constant",
     "%z = OpFunctionCall %uint %store %gm\n" ASK("%mine"), 0,
     "%store = OpFunction %uint None %take\n%sp = OpFunctionParameter %p_any\n%se = OpLabel\n"
     "OpStore %sp %c2\nOpReturnValue %c1\nOpFunctionEnd\n"},
    {NONE, "variable whose address was stored",
     "OpStore %slot %mine\n%a = OpLoad %p_mine %slot\nOpStore %a %lane\n" ASK("%mine"),
     "%p_slot = OpTypePointer CrossWorkgroup %p_mine\n%slot = OpVariable %p_slot CrossWorkgroup\n",
     0},
    {NONE, "global memory given to a callee as a generic pointer",
     "%z = OpFunctionCall %uint %store %g\n" ASK("%p"), 0,
     "%store = OpFunction %uint None %take\n%sp = OpFunctionParameter %p_any\n%se = OpLabel\n"
     "OpStore %sp %c1\nOpReturnValue %c1\nOpFunctionEnd\n"},
    {NONE, "generic parameter read, to which lanes may give several variables",
     "%z = OpFunctionCall %uint %fetch %g\n", 0,
     "%fetch = OpFunction %uint None %take\n%sp = OpFunctionParameter %p_any\n%se = OpLabel\n"
     "%1000 = OpLoad %uint %sp\nOpReturnValue %1000\nOpFunctionEnd\n"},
};

static void rules(void **state) {
  (void)state;
  check_rows(&(Frame){kernel_head, kernel_types, kernel_main}, rows, sizeof rows / sizeof *rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
