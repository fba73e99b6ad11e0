/* SPDX-License-Identifier: Apache-2.0 */
/* Each rule of the uniformity analysis, by a module for which only this rule decides: loads by
 * storage class and builtin, the writes that change them, operations with the same result for all
 * lanes, the effects of control flow and calls on values. A row has the answer for value %1000, for
 * every scope:
 *   BOTH     the same for all lanes of a workgroup that run it together
 *   SUBGROUP the same in a subgroup only
 *   NONE     it may differ
 * A missing rule turns a NONE into BOTH (wrong code), or a BOTH into NONE (slow code). */
#include "passes/analysis/uniform/uniform.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASKED = 1000, ROOM = 1 << 14 };

typedef enum Expect { NONE, SUBGROUP, BOTH } Expect;

typedef struct Row {
  Expect expect;
  const char *name, *body; /* after the loads of `main` */
  const char *globals;     /* decorations and variables */
  const char *functions;
} Row;

/* ---- a shader ---- */

/* %lane differs, %u does not; %t and %ut compare them with 0. */

static const char shader_head[] =
    "OpCapability Shader\nOpCapability Linkage\nOpCapability VariablePointers\n"
    "OpCapability GroupNonUniform\n%glsl = OpExtInstImport \"GLSL.std.450\"\n"
    "%amd = OpExtInstImport \"SPV_AMD_shader_ballot\"\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %lane_in %buffer %other %own\n"
    "OpExecutionMode %main LocalSize 8 1 1\n"
    "OpDecorate %lane_in BuiltIn SubgroupLocalInvocationId\n"
    "OpDecorate %Data Block\nOpMemberDecorate %Data 0 Offset 0\n"
    "OpDecorate %words ArrayStride 4\n"
    "OpDecorate %buffer DescriptorSet 0\nOpDecorate %buffer Binding 0\n"
    "OpDecorate %other DescriptorSet 0\nOpDecorate %other Binding 1\n";

static const char shader_types[] =
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n"
    "%uint4 = OpTypeVector %uint 4\n%uint2 = OpTypeVector %uint 2\n"
    "%proc = OpTypeFunction %void\n%get = OpTypeFunction %uint\n%map = OpTypeFunction %uint %uint\n"
    "%words = OpTypeRuntimeArray %uint\n%Data = OpTypeStruct %words\n"
    "%p_Data = OpTypePointer StorageBuffer %Data\n%p_word = OpTypePointer StorageBuffer %uint\n"
    "%p_in = OpTypePointer Input %uint\n%p_own = OpTypePointer Private %uint\n"
    "%p_mine = OpTypePointer Function %uint\n%p_group = OpTypePointer Workgroup %uint\n"
    "%p_uni = OpTypePointer Uniform %uint\n%p_push = OpTypePointer PushConstant %uint\n"
    "%p_const = OpTypePointer UniformConstant %uint\n%p_out = OpTypePointer Output %uint\n"
    "%p_phys = OpTypePointer PhysicalStorageBuffer %uint\n"
    "%p_float = OpTypePointer Function %float\n%p_own_word = OpTypePointer Private %p_word\n"
    "%take = OpTypeFunction %uint %p_mine\n%take_own = OpTypeFunction %uint %p_own\n"
    "%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n"
    "%c3 = OpConstant %uint 3\n%f1 = OpConstant %float 1\n%scope = OpSpecConstant %uint 3\n"
    "%null = OpConstantNull %uint\n"
    "%lane_in = OpVariable %p_in Input\n%buffer = OpVariable %p_Data StorageBuffer\n"
    "%other = OpVariable %p_Data StorageBuffer\n%own = OpVariable %p_own Private\n"
    "%push = OpVariable %p_push PushConstant\n";

static const char shader_main[] =
    "%main = OpFunction %void None %proc\n%entry = OpLabel\n%mine = OpVariable %p_mine Function\n"
    "%fraction = OpVariable %p_float Function\n"
    "%lane = OpLoad %uint %lane_in\n%u = OpLoad %uint %push\n"
    "%t = OpIEqual %bool %lane %c0\n%ut = OpIEqual %bool %u %c0\n"
    "%at = OpAccessChain %p_word %buffer %c0 %c1\n%at2 = OpAccessChain %p_word %other %c0 %c1\n"
    "%atl = OpAccessChain %p_word %buffer %c0 %lane\n";

#define IF(CONDITION, THEN)                                                                        \
  "OpSelectionMerge %after None\nOpBranchConditional " CONDITION " %then %after\n"                 \
  "%then = OpLabel\n" THEN "\nOpBranch %after\n%after = OpLabel\n"
#define ASK(POINTER) "%1000 = OpLoad %uint " POINTER "\n"
/* A loop whose exit tests CONDITION; %i counts. */
#define LOOP(CONDITION, BODY)                                                                      \
  "OpBranch %head\n%head = OpLabel\n%i = OpPhi %uint %c0 %entry %n %next\n"                        \
  "%stop = OpUGreaterThan %bool %i " CONDITION "\nOpLoopMerge %done %next None\n"                  \
  "OpBranchConditional %stop %done %next\n%next = OpLabel\n%n = OpIAdd %uint %i %c1\n" BODY        \
  "OpBranch %head\n%done = OpLabel\n"
/* The same, counted in %mine. */
#define COUNTS(CONDITION, BODY)                                                                    \
  "OpStore %mine %c0\n" LOOP(CONDITION, "%m = OpLoad %uint %mine\n%m2 = OpIAdd %uint %m %c1\n"     \
                                        "OpStore %mine %m2\n" BODY)
/* A struct of two and an array of four, whose parts hold a uniform value. */
#define PAIR_TYPE "%Pair = OpTypeStruct %uint %uint\n%p_Pair = OpTypePointer Function %Pair\n"
#define PAIR                                                                                       \
  "%pair = OpVariable %p_Pair Function\n%m0 = OpAccessChain %p_mine %pair %c0\n"                   \
  "%m1 = OpAccessChain %p_mine %pair %c1\nOpStore %m0 %u\nOpStore %m1 %u\n"
#define ROW_TYPE                                                                                   \
  "%c4 = OpConstant %uint 4\n%Row = OpTypeArray %uint %c4\n%p_Row = OpTypePointer Function %Row\n" \
  "%n_Row = OpConstantNull %Row\n"
#define ROW                                                                                        \
  "%row = OpVariable %p_Row Function %n_Row\n%r0 = OpAccessChain %p_mine %row %c0\n"               \
  "%r1 = OpAccessChain %p_mine %row %c1\n"
/* Functions that are given a variable. */
#define READ_MINE                                                                                  \
  "%read = OpFunction %uint None %take\n%rp = OpFunctionParameter %p_mine\n%re = OpLabel\n"        \
  "%1000 = OpLoad %uint %rp\nOpReturnValue %c1\nOpFunctionEnd\n"
#define STORE_MINE                                                                                 \
  "%store = OpFunction %uint None %take\n%sp = OpFunctionParameter %p_mine\n%se = OpLabel\n"       \
  "OpStore %sp %c2\nOpReturnValue %c1\nOpFunctionEnd\n"
#define STORE_MINE_IF(LOAD)                                                                        \
  "%store = OpFunction %uint None %take\n%sp = OpFunctionParameter %p_mine\n%se = OpLabel\n"       \
  "%sl = " LOAD "\n%st = OpIEqual %bool %sl %c0\nOpSelectionMerge %sx None\n"                      \
  "OpBranchConditional %st %sy %sx\n%sy = OpLabel\nOpStore %sp %c2\nOpBranch %sx\n"                \
  "%sx = OpLabel\nOpReturnValue %c1\nOpFunctionEnd\n"
/* Stores a lane's number through the second parameter, and loads through the first one. */
#define STORE_OTHER                                                                                \
  "%both = OpFunction %uint None %take2\n%bp = OpFunctionParameter %p_mine\n"                      \
  "%bq = OpFunctionParameter %p_mine\n%be = OpLabel\n%bl = OpLoad %uint %lane_in\n"                \
  "OpStore %bq %bl\n%1000 = OpLoad %uint %bp\nOpReturnValue %c1\nOpFunctionEnd\n"
/* Functions that a row calls as %fn, from two places, one of which only some lanes run. */
#define MIXED IF("%t", "%z = OpFunctionCall %uint %fn\n") "%z2 = OpFunctionCall %uint %fn\n"
#define CONSTANT                                                                                   \
  "%fn = OpFunction %uint None %get\n%fe = OpLabel\nOpReturnValue %c1\nOpFunctionEnd\n"
#define READ_OWN                                                                                   \
  "%read = OpFunction %uint None %get\n%re = OpLabel\n%1000 = OpLoad %uint %own\n"                 \
  "OpReturnValue %1000\nOpFunctionEnd\n"
#define CALLS_READ                                                                                 \
  "%fn = OpFunction %uint None %get\n%fe = OpLabel\n%fr = OpFunctionCall %uint %read\n"            \
  "OpReturnValue %fr\nOpFunctionEnd\n"
#define BRANCHED(END)                                                                              \
  "%fn = OpFunction %uint None %get\n%fe = OpLabel\n%fu = OpLoad %uint %push\n"                    \
  "%ft = OpIEqual %bool %fu %c0\nOpSelectionMerge %fx None\nOpBranchConditional %ft %fy %fx\n"     \
  "%fy = OpLabel\nOpBranch %fx\n%fx = OpLabel\n" END "OpFunctionEnd\n"
#define COUNTED_AS(NAME, BODY)                                                                     \
  NAME " = OpFunction %uint None %get\n%ne = OpLabel\n%nu = OpLoad %uint %push\nOpBranch %nh\n"    \
       "%nh = OpLabel\n%ni = OpPhi %uint %c0 %ne %nn %nb\n%nt = OpUGreaterThan %bool %ni %nu\n"    \
       "OpLoopMerge %nx %nb None\nOpBranchConditional %nt %nx %nb\n%nb = OpLabel\n" BODY           \
       "%nn = OpIAdd %uint %ni %c1\nOpBranch %nh\n%nx = OpLabel\n%1000 = OpIAdd %uint %ni %c1\n"   \
       "OpReturnValue %1000\nOpFunctionEnd\n"
#define COUNTED COUNTED_AS("%fn", "")

#define TAKE_WORD "%take_word = OpTypeFunction %uint %p_word\n"
#define READ_WORD                                                                                  \
  "%fn = OpFunction %uint None %take_word\n%fp = OpFunctionParameter %p_word\n%fe = OpLabel\n"     \
  "%1000 = OpLoad %uint %fp\nOpReturnValue %1000\nOpFunctionEnd\n"

static const Row shader_rows[] = {
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

    /* ---- the values that reach a load ---- */
    {BOTH, "variable that held a lane's number before",
     "OpStore %mine %lane\nOpStore %mine %u\n" ASK("%mine"), 0, 0},
    {BOTH, "private variable that held a lane's number before",
     "OpStore %own %lane\nOpStore %own %u\n" ASK("%own"), 0, 0},
    {BOTH, "variable that some lanes store, and then all",
     IF("%t", "OpStore %mine %c1") "OpStore %mine %c2\n" ASK("%mine"), 0, 0},
    {BOTH, "variable that some lanes store, read by them",
     IF("%t", "OpStore %mine %c1\n" ASK("%mine")), 0, 0},
    {BOTH, "variable to which some lanes store what it holds",
     "OpStore %mine %u\n" IF("%t", "OpStore %mine %u") ASK("%mine"), 0, 0},
    {NONE, "variable to which some lanes store another value",
     "OpStore %mine %u\n" IF("%t", "OpStore %mine %c1") ASK("%mine"), 0, 0},
    {NONE, "variable that holds a lane's number on one path",
     IF("%ut", "OpStore %mine %lane") ASK("%mine"), 0, 0},
    {BOTH, "variable that counts a loop that all leave together", COUNTS("%u", "") ASK("%mine"), 0,
     0},
    {NONE, "variable that counts a loop that lanes leave in different iterations",
     COUNTS("%lane", "") ASK("%mine"), 0, 0},
    {BOTH, "variable that counts, inside a loop that lanes leave in different iterations",
     COUNTS("%lane", ASK("%mine")), 0, 0},
    {BOTH, "variable stored before a loop that lanes leave in different iterations",
     "OpStore %mine %u\n" LOOP("%lane", "") ASK("%mine"), 0, 0},
    {NONE, "value stored in a loop that lanes leave in different iterations",
     "OpBranch %head\n%head = OpLabel\n%i = OpPhi %uint %c0 %entry %n %head\n"
     "%n = OpIAdd %uint %i %c1\nOpStore %mine %n\n%off = OpUGreaterThan %bool %n %lane\n"
     "OpLoopMerge %done %head None\nOpBranchConditional %off %done %head\n%done = OpLabel\n" ASK(
         "%mine"),
     0, 0},
    {BOTH, "member beside one that holds a lane's number", PAIR "OpStore %m1 %lane\n" ASK("%m0"),
     PAIR_TYPE, 0},
    {NONE, "member that holds a lane's number", PAIR "OpStore %m1 %lane\n" ASK("%m1"), PAIR_TYPE,
     0},
    {NONE, "struct with a member that holds a lane's number",
     PAIR "OpStore %m1 %lane\n%w = OpLoad %Pair %pair\n"
          "%1000 = OpCompositeExtract %uint %w 1\n",
     PAIR_TYPE, 0},
    {BOTH, "struct stored over a member that held a lane's number",
     PAIR "OpStore %m1 %lane\n%w = OpCompositeConstruct %Pair %u %u\nOpStore %pair %w\n" ASK("%m1"),
     PAIR_TYPE, 0},
    {NONE, "member of a struct that was stored with a lane's number",
     PAIR "%w = OpCompositeConstruct %Pair %u %lane\nOpStore %pair %w\n" ASK("%m1"), PAIR_TYPE, 0},
    {BOTH, "member of a struct in a struct, beside one that holds a lane's number",
     "%outer = OpVariable %p_Outer Function\n%o0 = OpAccessChain %p_mine %outer %c1 %c1\n"
     "%o1 = OpAccessChain %p_mine %outer %c2\nOpStore %o0 %u\nOpStore %o1 %lane\n" ASK("%o0"),
     PAIR_TYPE "%Outer = OpTypeStruct %uint %Pair %uint\n%p_Outer = OpTypePointer Function "
               "%Outer\n",
     0},
    {NONE, "member of a struct in a struct that holds a lane's number",
     "%outer = OpVariable %p_Outer Function\n%o0 = OpAccessChain %p_mine %outer %c1 %c1\n"
     "%oi = OpAccessChain %p_Pair %outer %c1\n%o1 = OpAccessChain %p_mine %oi %c1\n"
     "OpStore %o0 %u\nOpStore %o1 %lane\n" ASK("%o0"),
     PAIR_TYPE "%Outer = OpTypeStruct %uint %Pair %uint\n%p_Outer = OpTypePointer Function "
               "%Outer\n",
     0},
    {BOTH, "element of an array, stored at the same index by all lanes",
     ROW "%e = OpAccessChain %p_mine %row %u\nOpStore %e %u\n" ASK("%r0"), ROW_TYPE, 0},
    {NONE, "element of an array, stored at a lane's index",
     ROW "%e = OpAccessChain %p_mine %row %lane\nOpStore %e %u\n" ASK("%r0"), ROW_TYPE, 0},
    {NONE, "element of an array that holds lanes' numbers",
     ROW "%e = OpAccessChain %p_mine %row %u\nOpStore %e %lane\n" ASK("%r0"), ROW_TYPE, 0},
    {NONE, "element at a lane's index of an array",
     ROW "%e = OpAccessChain %p_mine %row %lane\n"
         "OpStore %r0 %u\n" ASK("%e"),
     ROW_TYPE, 0},
    {NONE, "element of an array beside one that some lanes store",
     ROW IF("%t", "OpStore %r1 %u") ASK("%r0"), ROW_TYPE, 0},
    {BOTH, "parameter, to whose variable all calls store uniform values",
     "OpStore %mine %u\n%z = OpFunctionCall %uint %read %mine\nOpStore %mine %c1\n"
     "%y = OpFunctionCall %uint %read %mine\nOpStore %mine %lane\n",
     0, READ_MINE},
    {NONE, "parameter, to whose variable one call stores a lane's number",
     "OpStore %mine %u\n%z = OpFunctionCall %uint %read %mine\nOpStore %mine %lane\n"
     "%y = OpFunctionCall %uint %read %mine\n",
     0, READ_MINE},
    {NONE, "parameter of a function that lanes call from two places, with one variable each",
     "%ours = OpVariable %p_mine Function\nOpStore %mine %c1\nOpStore %ours %c2\n" IF(
         "%t", "%z = OpFunctionCall %uint %read %mine\n") "%y = OpFunctionCall %uint %read %ours\n",
     0, READ_MINE},
    {BOTH, "variable that a callee only reads",
     "OpStore %mine %u\n%z = OpFunctionCall %uint %twice "
     "%mine\nOpStore %own %lane\n" ASK("%mine"),
     0,
     "%twice = OpFunction %uint None %take\n%tp = OpFunctionParameter %p_mine\n%te = OpLabel\n"
     "%tl = OpLoad %uint %lane_in\n%tv = OpLoad %uint %tp\n%ts = OpIAdd %uint %tl %tv\n"
     "OpReturnValue %ts\nOpFunctionEnd\n"},
    {BOTH, "variable that held a lane's number, and a callee stores",
     "OpStore %mine %lane\n%z = OpFunctionCall %uint %store %mine\n" ASK("%mine"), 0, STORE_MINE},
    {NONE, "variable that a callee stores, which some lanes call",
     IF("%t", "%z = OpFunctionCall %uint %store %mine\n") ASK("%mine"), 0, STORE_MINE},
    {BOTH, "variable that a callee stores two calls deep",
     "OpStore %mine %lane\n%z = OpFunctionCall %uint %mid %mine\n" ASK("%mine"), 0,
     "%mid = OpFunction %uint None %take\n%mp = OpFunctionParameter %p_mine\n%me = OpLabel\n"
     "%mz = OpFunctionCall %uint %store %mp\nOpReturnValue %c1\nOpFunctionEnd\n" STORE_MINE},
    {NONE, "variable that holds a lane's number, which a callee stores on one path",
     "OpStore %mine %lane\n%z = OpFunctionCall %uint %store %mine\n" ASK("%mine"), 0,
     STORE_MINE_IF("OpLoad %uint %push")},
    {NONE, "variable that a callee stores for some lanes",
     "OpStore %mine %u\n%z = OpFunctionCall %uint %store %mine\n" ASK("%mine"), 0,
     STORE_MINE_IF("OpLoad %uint %lane_in")},
    {BOTH, "variable that a callee stores for all lanes, or none",
     "OpStore %mine %u\n%z = OpFunctionCall %uint %store %mine\n" ASK("%mine"), 0,
     STORE_MINE_IF("OpLoad %uint %push")},
    {NONE, "variable that a callee stores in a loop that lanes leave in different iterations",
     "%z = OpFunctionCall %uint %count %mine\n" ASK("%mine"), 0,
     "%count = OpFunction %uint None %take\n%cp = OpFunctionParameter %p_mine\n%ce = OpLabel\n"
     "%cl = OpLoad %uint %lane_in\nOpStore %cp %c0\nOpBranch %ch\n%ch = OpLabel\n"
     "%ci = OpLoad %uint %cp\n%cn = OpIAdd %uint %ci %c1\nOpStore %cp %cn\n"
     "%ct = OpUGreaterThan %bool %cn %cl\nOpLoopMerge %cx %ch None\n"
     "OpBranchConditional %ct %cx %ch\n%cx = OpLabel\nOpReturnValue %c1\nOpFunctionEnd\n"},
    {NONE, "variable given twice, so that two parameters are one place",
     "%z = OpFunctionCall %uint %both %mine %mine\n",
     "%take2 = OpTypeFunction %uint %p_mine %p_mine\n", STORE_OTHER},
    {BOTH, "two variables given, one of which the callee stores",
     "%ours = OpVariable %p_mine Function\nOpStore %ours %u\n"
     "%z = OpFunctionCall %uint %both %ours %mine\n",
     "%take2 = OpTypeFunction %uint %p_mine %p_mine\n", STORE_OTHER},
    {NONE, "member given to a callee that stores a lane's number",
     PAIR "OpStore %m0 %u\n%z = OpFunctionCall %uint %store %m1\n" ASK("%m1"), PAIR_TYPE,
     "%store = OpFunction %uint None %take\n%sp = OpFunctionParameter %p_mine\n%se = OpLabel\n"
     "%sl = OpLoad %uint %lane_in\nOpStore %sp %sl\nOpReturnValue %c1\nOpFunctionEnd\n"},
    {NONE, "variable of a callee, left by an earlier call",
     "%z = OpFunctionCall %uint %left\n%y = OpFunctionCall %uint %left\n", 0,
     "%left = OpFunction %uint None %get\n%le = OpLabel\n%lv = OpVariable %p_mine Function\n"
     "%ll = OpLoad %uint %lane_in\n%1000 = OpLoad %uint %lv\nOpStore %lv %ll\n"
     "OpReturnValue %1000\nOpFunctionEnd\n"},
    {BOTH, "variable of a callee with an initial value",
     "%z = OpFunctionCall %uint %left\n%y = OpFunctionCall %uint %left\n", 0,
     "%left = OpFunction %uint None %get\n%le = OpLabel\n%lv = OpVariable %p_mine Function %c1\n"
     "%ll = OpLoad %uint %lane_in\n%1000 = OpLoad %uint %lv\nOpStore %lv %ll\n"
     "OpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "private variable that a callee stores",
     "OpStore %own %u\n%z = OpFunctionCall %uint %set\n" ASK("%own"), 0,
     "%set = OpFunction %uint None %get\n%se = OpLabel\n%sl = OpLoad %uint %lane_in\n"
     "OpStore %own %sl\nOpReturnValue %c1\nOpFunctionEnd\n"},

    /* ---- builtins by group ---- */
    {SUBGROUP, "number of the subgroup", ASK("%k"),
     "OpDecorate %k BuiltIn SubgroupId\n%k = OpVariable %p_in Input\n", 0},
    {BOTH, "builtin by a group of decorations", ASK("%k"),
     "OpDecorate %group BuiltIn NumSubgroups\n%group = OpDecorationGroup\n"
     "OpGroupDecorate %group %k\n%k = OpVariable %p_in Input\n",
     0},

    /* ---- operations of lanes together ---- */
    {SUBGROUP, "sum over the subgroup", "%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %lane\n", 0,
     0},
    {NONE, "sum up to a lane", "%1000 = OpGroupNonUniformIAdd %uint %c3 InclusiveScan %c1\n", 0, 0},
    {NONE, "sum before a lane", "%1000 = OpGroupNonUniformIAdd %uint %c3 ExclusiveScan %c1\n", 0,
     0},
    {NONE, "sum over a cluster",
     "%1000 = OpGroupNonUniformIAdd %uint %c3 ClusteredReduce %lane %c2\n", 0, 0},
    {NONE, "sum over an unknown scope", "%1000 = OpGroupNonUniformIAdd %uint %scope Reduce %lane\n",
     0, 0},
    {BOTH, "sum over the workgroup", "%1000 = OpGroupIAdd %uint %c2 Reduce %lane\n", 0, 0},
    {SUBGROUP, "any of the subgroup", "%1000 = OpGroupNonUniformAny %bool %c3 %t\n", 0, 0},
    {SUBGROUP, "all of the subgroup", "%1000 = OpGroupNonUniformAll %bool %c3 %t\n", 0, 0},
    {SUBGROUP, "all equal", "%1000 = OpGroupNonUniformAllEqual %bool %c3 %lane\n", 0, 0},
    {SUBGROUP, "ballot", "%1000 = OpGroupNonUniformBallot %uint4 %c3 %t\n", 0, 0},
    {SUBGROUP, "first lane's", "%1000 = OpGroupNonUniformBroadcastFirst %uint %c3 %lane\n", 0, 0},
    {SUBGROUP, "a lane's", "%1000 = OpGroupNonUniformBroadcast %uint %c3 %lane %c1\n", 0, 0},
    {NONE, "each lane's choice of a lane",
     "%1000 = OpGroupNonUniformBroadcast %uint %c3 %lane %lane\n", 0, 0},
    {NONE, "shuffle", "%1000 = OpGroupNonUniformShuffle %uint %c3 %lane %c1\n", 0, 0},
    {NONE, "elected", "%1000 = OpGroupNonUniformElect %bool %c3\n", 0, 0},
    {SUBGROUP, "lanes set in a ballot",
     "%b = OpGroupNonUniformBallot %uint4 %c3 %t\n"
     "%1000 = OpGroupNonUniformBallotBitCount %uint %c3 Reduce %b\n",
     0, 0},
    {NONE, "lanes set in a ballot, up to a lane",
     "%b = OpGroupNonUniformBallot %uint4 %c3 %t\n"
     "%1000 = OpGroupNonUniformBallotBitCount %uint %c3 InclusiveScan %b\n",
     0, 0},
    {SUBGROUP, "old ballot", "%1000 = OpSubgroupBallotKHR %uint4 %t\n", 0, 0},
    {SUBGROUP, "old read of a lane", "%1000 = OpSubgroupReadInvocationKHR %uint %lane %c1\n", 0, 0},
    {NONE, "old read of each lane's choice",
     "%1000 = OpSubgroupReadInvocationKHR %uint %lane %lane\n", 0, 0},
    {NONE, "ballot by some of the lanes, read by all",
     IF("%t", "%b = OpGroupNonUniformIAdd %uint %c3 Reduce %lane\nOpStore %mine %b") ASK("%mine"),
     0, 0},
    {NONE, "sum by some of the lanes",
     IF("%t", "%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %u"), 0, 0},
    {SUBGROUP, "sum by all of the lanes, or none",
     IF("%ut", "%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %u"), 0, 0},

    /* ---- control ---- */
    {NONE, "phi by a lane's number", IF("%t", "") "%1000 = OpPhi %uint %c0 %entry %c1 %then\n", 0,
     0},
    {BOTH, "phi by a lane's number, of one value",
     IF("%t", "") "%1000 = OpPhi %uint %u %entry %u %then\n", 0, 0},
    {BOTH, "phi by a uniform value", IF("%ut", "") "%1000 = OpPhi %uint %c0 %entry %c1 %then\n", 0,
     0},
    {BOTH, "value of a block that some lanes run", IF("%t", "%1000 = OpIAdd %uint %u %c1\n"), 0, 0},
    {BOTH, "count of a loop that all leave together",
     LOOP("%u", "") "%1000 = OpIAdd %uint %i %c1\n", 0, 0},
    {NONE, "count of a loop that lanes leave in different iterations",
     LOOP("%lane", "") "%1000 = OpIAdd %uint %i %c1\n", 0, 0},
    {BOTH, "count inside a loop that lanes leave in different iterations",
     LOOP("%lane", "%1000 = OpIAdd %uint %n %c1\n"), 0, 0},
    {NONE, "variable stored in a loop that lanes leave in different iterations",
     LOOP("%lane", "OpStore %mine %n\n") ASK("%mine"), 0, 0},
    {NONE, "value handed out of a loop to a phi",
     LOOP("%lane", "") "%1000 = OpPhi %uint %i %head\n", 0, 0},
    {NONE, "inner loop that lanes leave in different iterations, only to the outer header",
     "OpBranch %outer\n%outer = OpLabel\n%o = OpPhi %uint %c0 %entry %o2 %inner\n"
     "%k = OpPhi %uint %c0 %entry %j %inner\n%far = OpUGreaterThan %bool %o %c3\n"
     "OpBranchConditional %far %done %inner0\n%inner0 = OpLabel\nOpBranch %inner\n"
     "%inner = OpLabel\n%j = OpPhi %uint %c0 %inner0 %j2 %inner\n%j2 = OpIAdd %uint %j %c1\n"
     "%o2 = OpIAdd %uint %o %c1\n%off = OpUGreaterThan %bool %j %lane\n"
     "OpBranchConditional %off %outer %inner\n%done = OpLabel\n%1000 = OpIAdd %uint %k %c1\n",
     0, 0},
    {NONE, "first value after an inner loop that leads to the outer header",
     "OpBranch %outer\n%outer = OpLabel\n%o = OpPhi %uint %c0 %entry %o2 %inner\n"
     "%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %c1\n"
     "%far = OpUGreaterThan %bool %o %c3\nOpBranchConditional %far %done %inner\n"
     "%inner = OpLabel\n%j = OpPhi %uint %c0 %outer %j2 %inner\n%j2 = OpIAdd %uint %j %c1\n"
     "%o2 = OpIAdd %uint %o %c1\n%off = OpUGreaterThan %bool %j %lane\n"
     "OpBranchConditional %off %outer %inner\n%done = OpLabel\n",
     0, 0},
    {NONE, "cycle with two entries, entered by a lane's number",
     "OpBranchConditional %t %a %b\n%a = OpLabel\n%x = OpPhi %uint %c0 %entry %y %b\n"
     "%x2 = OpIAdd %uint %x %c1\n%s = OpUGreaterThan %bool %x %u\n"
     "OpBranchConditional %s %done %b\n%b = OpLabel\n%y = OpPhi %uint %c1 %entry %x2 %a\n"
     "OpBranch %a\n%done = OpLabel\n%1000 = OpIAdd %uint %x %c1\n",
     0, 0},
    {NONE, "arms of a switch that fall through",
     "OpSelectionMerge %join None\nOpSwitch %lane %join 1 %one 2 %two\n%one = OpLabel\n"
     "OpBranch %two\n%two = OpLabel\n%1000 = OpPhi %uint %c1 %one %c2 %entry\nOpBranch %join\n"
     "%join = OpLabel\n",
     0, 0},

    /* ---- calls ---- */
    {BOTH, "result of a call", "%1000 = OpFunctionCall %uint %same %u\n", 0,
     "%same = OpFunction %uint None %map\n%sp = OpFunctionParameter %uint\n%se = OpLabel\n"
     "OpReturnValue %sp\nOpFunctionEnd\n"},
    {NONE, "result of a call with a lane's number", "%1000 = OpFunctionCall %uint %same %lane\n", 0,
     "%same = OpFunction %uint None %map\n%sp = OpFunctionParameter %uint\n%se = OpLabel\n"
     "OpReturnValue %sp\nOpFunctionEnd\n"},
    {NONE, "results of a function that returns by a lane's number",
     "%1000 = OpFunctionCall %uint %pick\n", 0,
     "%pick = OpFunction %uint None %get\n%pe = OpLabel\n%pl = OpLoad %uint %lane_in\n"
     "%pt = OpIEqual %bool %pl %c0\nOpSelectionMerge %pn None\n"
     "OpBranchConditional %pt %py %pn\n%py = OpLabel\nOpReturnValue %c1\n%pn = OpLabel\n"
     "OpReturnValue %c2\nOpFunctionEnd\n"},
    {BOTH, "results of a function that returns one value from two places",
     "%1000 = OpFunctionCall %uint %pick\n", 0,
     "%pick = OpFunction %uint None %get\n%pe = OpLabel\n%pl = OpLoad %uint %lane_in\n"
     "%pt = OpIEqual %bool %pl %c0\nOpSelectionMerge %pn None\n"
     "OpBranchConditional %pt %py %pn\n%py = OpLabel\nOpReturnValue %c1\n%pn = OpLabel\n"
     "OpReturnValue %c1\nOpFunctionEnd\n"},
    {NONE, "result of a function without a body", "%1000 = OpFunctionCall %uint %far\n",
     "OpDecorate %far LinkageAttributes \"far\" Import\n",
     "%far = OpFunction %uint None %get\nOpFunctionEnd\n"},
    {NONE, "result of a function without a body or a name", "%1000 = OpFunctionCall %uint %far\n",
     0, "%far = OpFunction %uint None %get\nOpFunctionEnd\n"},
    {NONE, "parameter of a function that nothing calls", "", 0,
     "%idle = OpFunction %uint None %map\n%ip = OpFunctionParameter %uint\n%ie = OpLabel\n"
     "%1000 = OpIAdd %uint %ip %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "private variable in a function that others may call", "OpStore %own %c2\n",
     "OpDecorate %api LinkageAttributes \"api\" Export\n",
     "%api = OpFunction %uint None %get\n%ae = OpLabel\n%1000 = OpLoad %uint %own\n"
     "OpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "private variable, stored between two calls that lanes may run together",
     IF("%t", "%y = OpFunctionCall %uint %read\n") "OpStore %own %c2\n"
                                                   "%z = OpFunctionCall %uint %read\n",
     0, READ_OWN},
    {NONE, "private variable in a function called by one that lanes call from two places",
     IF("%t", "%y = OpFunctionCall %uint %fn\n") "OpStore %own %c2\n"
                                                 "%z = OpFunctionCall %uint %fn\n",
     0, CALLS_READ READ_OWN},
    {BOTH, "private variable that is never stored, in a function that lanes call from two places",
     IF("%t", "%y = OpFunctionCall %uint %read\n") "%z = OpFunctionCall %uint %read\n", 0,
     READ_OWN},
    {BOTH, "private variable, stored between two calls by all lanes",
     "%y = OpFunctionCall %uint %read\nOpStore %own %c2\n%z = OpFunctionCall %uint %read\n", 0,
     READ_OWN},
    {NONE, "phi in a function that lanes call from two places", MIXED, 0,
     BRANCHED("%1000 = OpPhi %uint %c0 %fe %c1 %fy\nOpReturnValue %c1\n")},
    {NONE, "sum in a function that lanes call from two places", MIXED, 0,
     BRANCHED("%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %c1\nOpReturnValue %c1\n")},
    {NONE, "results from two places of a function that lanes call from two places",
     IF("%t", "%1000 = OpFunctionCall %uint %fn\n") "%z2 = OpFunctionCall %uint %fn\n", 0,
     "%fn = OpFunction %uint None %get\n%fe = OpLabel\n%fu = OpLoad %uint %push\n"
     "%ft = OpIEqual %bool %fu %c0\nOpSelectionMerge %fn2 None\n"
     "OpBranchConditional %ft %fy %fn2\n%fy = OpLabel\nOpReturnValue %c1\n%fn2 = OpLabel\n"
     "OpReturnValue %c2\nOpFunctionEnd\n"},
    {BOTH, "results from two places of a function that all lanes call",
     "%1000 = OpFunctionCall %uint %fn\n", 0,
     "%fn = OpFunction %uint None %get\n%fe = OpLabel\n%fu = OpLoad %uint %push\n"
     "%ft = OpIEqual %bool %fu %c0\nOpSelectionMerge %fn2 None\n"
     "OpBranchConditional %ft %fy %fn2\n%fy = OpLabel\nOpReturnValue %c1\n%fn2 = OpLabel\n"
     "OpReturnValue %c2\nOpFunctionEnd\n"},
    {NONE, "count of a loop in a function that lanes call from two places", MIXED, 0, COUNTED},
    {BOTH, "count of a loop in a function that some lanes call",
     IF("%t", "%z = OpFunctionCall %uint %fn\n"), 0, COUNTED},
    {NONE, "count of a loop that calls a shared function, where lanes diverge elsewhere",
     "%y = OpFunctionCall %uint %fn\n" LOOP(
         "%u", "%z = OpFunctionCall %uint %fn\n") "%1000 = OpIAdd %uint %i %c1\nOpSelectionMerge "
                                                  "%after None\n"
                                                  "OpBranchConditional %t %then %after\n%then = "
                                                  "OpLabel\nOpBranch %after\n%after = OpLabel\n",
     0, CONSTANT},
    {BOTH, "count of a loop that calls a shared function",
     "%y = OpFunctionCall %uint %fn\n" LOOP(
         "%u", "%z = OpFunctionCall %uint %fn\n") "%1000 = OpIAdd %uint %i %c1\n",
     0, CONSTANT},
    {BOTH, "count of a loop that calls a function, where lanes diverge elsewhere",
     LOOP("%u", "%z = OpFunctionCall %uint %fn\n") "%1000 = OpIAdd %uint %i %c1\nOpSelectionMerge "
                                                   "%after None\n"
                                                   "OpBranchConditional %t %then %after\n%then = "
                                                   "OpLabel\nOpBranch %after\n%after = OpLabel\n",
     0, CONSTANT},
    {NONE, "count of a loop that calls a shared function, where lanes diverge in a callee",
     "%y = OpFunctionCall %uint %fn\n%w = OpFunctionCall %uint %parts\n" LOOP(
         "%u", "%z = OpFunctionCall %uint %fn\n") "%1000 = OpIAdd %uint %i %c1\n",
     0,
     CONSTANT "%parts = OpFunction %uint None %get\n%pe = OpLabel\n%pl = OpLoad %uint %lane_in\n"
              "%pt = OpIEqual %bool %pl %c0\nOpSelectionMerge %pn None\n"
              "OpBranchConditional %pt %py %pn\n%py = OpLabel\nOpBranch %pn\n%pn = OpLabel\n"
              "OpReturnValue %c2\nOpFunctionEnd\n"},
    {NONE, "count of a loop that calls a function that calls a shared one",
     "%y = OpFunctionCall %uint %fn\n" LOOP(
         "%u", "%z = OpFunctionCall %uint %mid\n") "%1000 = OpIAdd %uint %i %c1\nOpSelectionMerge "
                                                   "%after None\n"
                                                   "OpBranchConditional %t %then %after\n%then = "
                                                   "OpLabel\nOpBranch %after\n%after = OpLabel\n",
     0,
     CONSTANT "%mid = OpFunction %uint None %get\n%me = OpLabel\n"
              "%mz = OpFunctionCall %uint %fn\nOpReturnValue %mz\nOpFunctionEnd\n"},
    {NONE, "count of a loop that calls a shared function two calls deep",
     "%y = OpFunctionCall %uint %fn\n" LOOP("%u", "%z = OpFunctionCall %uint %top\n")
         IF("%t", "") "%1000 = OpIAdd %uint %i %c1\n",
     0,
     CONSTANT "%mid = OpFunction %uint None %get\n%me = OpLabel\n"
              "%mz = OpFunctionCall %uint %fn\nOpReturnValue %mz\nOpFunctionEnd\n"
              "%top = OpFunction %uint None %get\n%te = OpLabel\n"
              "%tz = OpFunctionCall %uint %mid\nOpReturnValue %tz\nOpFunctionEnd\n"},
    {NONE, "count of a loop that calls a shared function, in a function that some lanes call",
     "%y = OpFunctionCall %uint %fn\n" IF("%t", "%z = OpFunctionCall %uint %count\n"), 0,
     CONSTANT COUNTED_AS("%count", "%cz = OpFunctionCall %uint %fn\n")},
    {BOTH, "count of a loop that calls a shared function, in a function that all lanes call",
     "%y = OpFunctionCall %uint %fn\n%z = OpFunctionCall %uint %count\n", 0,
     CONSTANT COUNTED_AS("%count", "%cz = OpFunctionCall %uint %fn\n")},
    {NONE, "parameter of a function that others may call", "",
     "OpDecorate %api LinkageAttributes \"api\" Export\n",
     "%api = OpFunction %uint None %map\n%ap = OpFunctionParameter %uint\n%ae = OpLabel\n"
     "%1000 = OpIAdd %uint %ap %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "parameter of a function that is called from outside too",
     "%z = OpFunctionCall %uint %api %u\n", "OpDecorate %api LinkageAttributes \"api\" Export\n",
     "%api = OpFunction %uint None %map\n%ap = OpFunctionParameter %uint\n%ae = OpLabel\n"
     "%1000 = OpIAdd %uint %ap %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "sum in a function that some lanes call", IF("%t", "%z = OpFunctionCall %uint %sum\n"),
     0,
     "%sum = OpFunction %uint None %get\n%se = OpLabel\n"
     "%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "variable that a function stores which some lanes call",
     IF("%t", "%z = OpFunctionCall %uint %set\n") ASK("%own"), 0,
     "%set = OpFunction %uint None %get\n%se = OpLabel\nOpStore %own %c2\n"
     "OpReturnValue %c1\nOpFunctionEnd\n"},
    {NONE, "variable that a function stores two calls deep",
     IF("%t", "%z = OpFunctionCall %uint %mid\n") ASK("%own"), 0,
     "%mid = OpFunction %uint None %get\n%me = OpLabel\n%mz = OpFunctionCall %uint %set\n"
     "OpReturnValue %mz\nOpFunctionEnd\n"
     "%set = OpFunction %uint None %get\n%se = OpLabel\nOpStore %own %c2\n"
     "OpReturnValue %c1\nOpFunctionEnd\n"},
    {NONE, "parameter of a function that lanes call from two places",
     "OpSelectionMerge %after None\nOpBranchConditional %t %then %else\n%then = OpLabel\n"
     "%y = OpFunctionCall %uint %same %c1\nOpBranch %after\n%else = OpLabel\n"
     "%z = OpFunctionCall %uint %same %c2\nOpBranch %after\n%after = OpLabel\n",
     0,
     "%same = OpFunction %uint None %map\n%sp = OpFunctionParameter %uint\n%se = OpLabel\n"
     "%1000 = OpIAdd %uint %sp %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {BOTH, "parameter of a function that all lanes call, twice",
     "%y = OpFunctionCall %uint %same %c1\n%z = OpFunctionCall %uint %same %c2\n", 0,
     "%same = OpFunction %uint None %map\n%sp = OpFunctionParameter %uint\n%se = OpLabel\n"
     "%1000 = OpIAdd %uint %sp %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "private variable in a function that lanes call from two places",
     "OpStore %own %c1\nOpSelectionMerge %after None\nOpBranchConditional %t %then %else\n"
     "%then = OpLabel\n%y = OpFunctionCall %uint %read %c1\nOpBranch %after\n%else = OpLabel\n"
     "OpStore %own %c1\n%z = OpFunctionCall %uint %read %c1\nOpBranch %after\n%after = OpLabel\n",
     0,
     "%read = OpFunction %uint None %map\n%rp = OpFunctionParameter %uint\n%re = OpLabel\n"
     "%1000 = OpLoad %uint %own\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "parameter two calls below two places",
     "OpSelectionMerge %after None\nOpBranchConditional %t %then %else\n%then = OpLabel\n"
     "%y = OpFunctionCall %uint %mid %c1\nOpBranch %after\n%else = OpLabel\n"
     "%z = OpFunctionCall %uint %mid %c2\nOpBranch %after\n%after = OpLabel\n",
     0,
     "%mid = OpFunction %uint None %map\n%mp = OpFunctionParameter %uint\n%me = OpLabel\n"
     "%mz = OpFunctionCall %uint %same %c3\nOpReturnValue %mz\nOpFunctionEnd\n"
     "%same = OpFunction %uint None %map\n%sp = OpFunctionParameter %uint\n%se = OpLabel\n"
     "%1000 = OpIAdd %uint %sp %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
};

/* ---- a kernel ---- */

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

static const Row kernel_rows[] = {
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

/* ---- asking ---- */

typedef struct Frame {
  const char *head, *types, *main;
} Frame;

/* Lines of `text` that are decorations, or the others. */
static void add_lines(char *out, const char *text, bool decorations) {
  for (const char *end; text && *text; text = *end ? end + 1 : end) {
    end = text + strcspn(text, "\n");
    size_t n = (size_t)(end - text);
    bool is = strncmp(text, "Op", 2) == 0 || memmem(text, n, "OpDecorationGroup", 17);
    if (is == decorations) {
      strncat(out, text, n);
      strcat(out, "\n");
    }
  }
}

static const char *write_row(const Frame *f, const Row *row) {
  static char text[ROOM];
  strcpy(text, f->head);
  add_lines(text, row->globals, true);
  strcat(text, f->types);
  add_lines(text, row->globals, false);
  strcat(text, row->functions ? row->functions : "");
  strcat(text, f->main);
  strcat(text, row->body);
  strcat(text, "OpReturn\nOpFunctionEnd\n");
  return text;
}

static bool ask(SrArena *arena, const SrModule *m, SrScope scope) {
  assert_int_not_equal(sr_def(m, ASKED), SR_NONE);
  return sr_uniform_value(sr_uniform_build(arena, m, SR_UNIFORM_ANALYSIS, scope), ASKED);
}

static uint32_t wrong;

static void check_row(const Frame *f, const Row *row) {
  static const char *const names[] = {"no lanes", "subgroups", "workgroups"};
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  const SrModule *m = assembled(&arena, write_row(f, row));
  bool subgroup = ask(&arena, m, SR_SCOPE_SUBGROUP), workgroup = ask(&arena, m, SR_SCOPE_WORKGROUP);
  Expect got = workgroup ? BOTH : subgroup ? SUBGROUP : NONE;
  assert_true(subgroup || !workgroup);
  if (got != row->expect) {
    print_error("%s: uniform in %s, not %s\n", row->name, names[got], names[row->expect]);
    wrong++;
  }
  sr_heap_free_all(&heap);
}

static void rules_of_shaders(void **state) {
  (void)state;
  wrong = 0;
  static const Frame frame = {shader_head, shader_types, shader_main};
  for (size_t i = 0; i < sizeof shader_rows / sizeof *shader_rows; i++)
    check_row(&frame, &shader_rows[i]);
  assert_int_equal(wrong, 0);
}

static void rules_of_kernels(void **state) {
  (void)state;
  wrong = 0;
  static const Frame frame = {kernel_head, kernel_types, kernel_main};
  for (size_t i = 0; i < sizeof kernel_rows / sizeof *kernel_rows; i++)
    check_row(&frame, &kernel_rows[i]);
  assert_int_equal(wrong, 0);
}

/* ---- the budget ---- */

/* Nested loops that lanes leave one after the other: the effects that a loop has outside of it cost
 * as much as it has blocks, so that a deep nest uses up the analysis' budget. Then everything must
 * be regarded as divergent; indeed the count of each loop differs outside of it. */

enum { NEST = 700 };

static char *write_nest(void) {
  size_t room = 1 << 20, n = 0;
  char *text = malloc(room);
  assert_non_null(text);
#define PUT(...) n += (size_t)snprintf(text + n, room - n, __VA_ARGS__)
  PUT("%s%s%sOpBranch %%h0\n", shader_head, shader_types, shader_main);
  for (int i = 0; i < NEST; i++) {
    char from[16] = "entry";
    if (i)
      snprintf(from, sizeof from, "h%d", i - 1);
    PUT("%%h%d = OpLabel\n%%i%d = OpPhi %%uint %%c0 %%%s %%n%d %%x%d\n%%b%d = OpIEqual %%bool "
        "%%i%d %%lane\nOpBranchConditional %%b%d %%x%d %%h%d\n",
        i, i, from, i, i + 1, i, i, i, i, i + 1);
  }
  PUT("%%h%d = OpLabel\nOpBranch %%x%d\n", NEST, NEST);
  for (int i = NEST; i > 0; i--) /* x: lanes leave loop i, then repeat loop i - 1 */
    PUT("%%x%d = OpLabel\n%%n%d = OpIAdd %%uint %%i%d %%c1\nOpBranch %%h%d\n", i, i - 1, i - 1,
        i - 1);
  PUT("%%x0 = OpLabel\n");
  PUT("%%1000 = OpIAdd %%uint %%i0 %%c1\nOpReturn\nOpFunctionEnd\n");
#undef PUT
  return text;
}

static void deep_nests_lose_all(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  char *text = write_nest();
  const SrModule *m = assembled(&arena, text);
  const SrUniform *u = sr_uniform_build(&arena, m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
  uint32_t adds = 0;
  for (uint32_t b = 0; b < m->functions[0].block_count; b++)
    for (SR_EACH(m, r, m->functions[0].blocks[b].list))
      if (sr_inst(m, r)->op == SpvOpIAdd) {
        adds++;
        if (sr_uniform_value(u, sr_inst(m, r)->result))
          fail_msg("the count of a loop is uniform outside (block %u)", b);
      }
  assert_int_equal(adds, NEST + 1);
  free(text);
  sr_heap_free_all(&heap);
}

/* Variables that only some of the lanes store, in a function so large that not all of them can be
 * followed: the others are divergent, too. If all lanes store, all are uniform. */

enum { VARIABLES = 200, BRANCHES = 7000 };

static char *write_variables(const char *condition) {
  size_t room = 1 << 21, n = 0;
  char *text = malloc(room);
  assert_non_null(text);
#define PUT(...) n += (size_t)snprintf(text + n, room - n, __VA_ARGS__)
  PUT("%s%s%s", shader_head, shader_types, shader_main);
  for (int i = 0; i < VARIABLES; i++)
    PUT("%%v%d = OpVariable %%p_mine Function %%c0\n", i);
  for (int i = 0; i < BRANCHES; i++)
    PUT("OpBranchConditional %s %%a%d %%b%d\n%%a%d = OpLabel\nOpStore %%v%d %%c1\nOpBranch %%b%d\n"
        "%%b%d = OpLabel\n",
        condition, i, i, i, i % VARIABLES, i, i);
  for (int i = 0; i < VARIABLES; i++)
    PUT("%%l%d = OpLoad %%uint %%v%d\n", i, i);
  PUT("OpReturn\nOpFunctionEnd\n");
#undef PUT
  return text;
}

static void many_variables(void **state) {
  (void)state;
  for (int divergent = 0; divergent < 2; divergent++) {
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    char *text = write_variables(divergent ? "%t" : "%ut");
    const SrModule *m = assembled(&arena, text);
    const SrUniform *u = sr_uniform_build(&arena, m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
    const SrFunction *f = &m->functions[0];
    uint32_t loads = 0;
    for (SR_EACH(m, r, f->blocks[f->block_count - 1].list))
      if (sr_inst(m, r)->op == SpvOpLoad) {
        loads++;
        assert_int_equal(sr_uniform_value(u, sr_inst(m, r)->result), !divergent);
      }
    assert_int_equal(loads, VARIABLES);
    free(text);
    sr_heap_free_all(&heap);
  }
}

/* All builtins of inputs that a lane of a compute shader or kernel, or of a graphics stage, has. */
static void builtins_by_scope(void **state) {
  (void)state;
  wrong = 0;
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
  static const Frame frame = {shader_head, shader_types, shader_main};
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
    char globals[200];
    snprintf(globals, sizeof globals, "OpDecorate %%k BuiltIn %s\n%%k = OpVariable %%p_in Input\n",
             builtins[i].name);
    check_row(&frame, &(Row){builtins[i].expect, builtins[i].name, ASK("%k"), globals, NULL});
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules_of_shaders),  cmocka_unit_test(rules_of_kernels),
      cmocka_unit_test(builtins_by_scope), cmocka_unit_test(deep_nests_lose_all),
      cmocka_unit_test(many_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
