/* SPDX-License-Identifier: Apache-2.0 */
/* meld: which instructions of two sides become one, what must not run for lanes of the other side,
 * and which sides are left alone. Each row is a branch with some code in either side. */
#include "passes/analysis/graph/cfg.h"
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/transform/meld/meld_match.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <stdio.h>

enum { BRANCH = 0, TEXT = 8192 }; /* the block of the branch; bytes */

/* Decorations, and the code of %then and of %else, take the places of %s. %x and %y come from a
 * buffer; %f and %h are functions, in %g lanes communicate. */
static const char frame[] =
    "OpCapability Shader\nOpCapability Linkage\nOpCapability GroupNonUniformArithmetic\n"
    "OpCapability VariablePointersStorageBuffer\n"
    "%%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
    "%s\n"
    "OpDecorate %%rta ArrayStride 4\nOpMemberDecorate %%block 0 Offset 0\n"
    "OpMemberDecorate %%block 1 Offset 4\nOpDecorate %%block Block\n"
    "OpDecorate %%data DescriptorSet 0\nOpDecorate %%data Binding 0\n"
    "%%void = OpTypeVoid\n%%proc = OpTypeFunction %%void\n%%bool = OpTypeBool\n"
    "%%uint = OpTypeInt 32 0\n%%int = OpTypeInt 32 1\n%%float = OpTypeFloat 32\n"
    "%%unary = OpTypeFunction %%uint %%uint\n"
    "%%c0 = OpConstant %%uint 0\n%%c1 = OpConstant %%uint 1\n%%c2 = OpConstant %%uint 2\n"
    "%%c3 = OpConstant %%uint 3\n%%c4 = OpConstant %%uint 4\n%%f1 = OpConstant %%float 1\n"
    "%%array = OpTypeArray %%uint %%c4\n%%rta = OpTypeRuntimeArray %%uint\n"
    "%%block = OpTypeStruct %%uint %%rta\n"
    "%%p_block = OpTypePointer StorageBuffer %%block\n"
    "%%p_data = OpTypePointer StorageBuffer %%uint\n%%data = OpVariable %%p_block StorageBuffer\n"
    "%%p_own = OpTypePointer Function %%uint\n%%p_list = OpTypePointer Function %%array\n"
    "%%f = OpFunction %%uint None %%unary\n%%fp = OpFunctionParameter %%uint\n%%fl = OpLabel\n"
    "OpReturnValue %%fp\nOpFunctionEnd\n"
    "%%h = OpFunction %%uint None %%unary\n%%hp = OpFunctionParameter %%uint\n%%hl = OpLabel\n"
    "OpReturnValue %%hp\nOpFunctionEnd\n"
    "%%g = OpFunction %%uint None %%unary\n%%gp = OpFunctionParameter %%uint\n%%gl = OpLabel\n"
    "%%gs = OpGroupNonUniformIAdd %%uint %%c3 Reduce %%gp\nOpReturnValue %%gs\nOpFunctionEnd\n"
    "%%main = OpFunction %%void None %%proc\n%%entry = OpLabel\n"
    "%%own = OpVariable %%p_own Function\n%%other = OpVariable %%p_own Function\n"
    "%%list = OpVariable %%p_list Function\n"
    "%%px = OpAccessChain %%p_data %%data %%c0\n%%py = OpAccessChain %%p_data %%data %%c1 %%c2\n"
    "%%x = OpLoad %%uint %%px\n%%y = OpLoad %%uint %%py\n"
    "%%fx = OpConvertUToF %%float %%x\n%%fy = OpConvertUToF %%float %%y\n"
    "%%ix = OpBitcast %%int %%x\n"
    "%%t = OpIEqual %%bool %%x %%y\n"
    "OpSelectionMerge %%join None\nOpBranchConditional %%t %%then %%else\n"
    "%%then = OpLabel\n%s\nOpBranch %%join\n"
    "%%else = OpLabel\n%s\nOpBranch %%join\n"
    "%%join = OpLabel\nOpReturn\nOpFunctionEnd\n";

typedef struct Bed {
  SrHeap heap;
  SrArena arena;
  SrMeld k;
  SrMeldSide side[2];
  bool read[2]; /* was the side read? */
} Bed;

static void read_sides(Bed *b, const char *text) {
  SrArena *arena = &b->arena;
  SrModule *m = assembled(arena, text);
  SrFunction *f = &m->functions[m->function_count - 1];
  const SrGraph *g = sr_cfg_build(arena, m, f);
  b->k = (SrMeld){.m = m,
                  .f = f,
                  .arena = arena,
                  .scratch = arena,
                  .graph = g,
                  .dom = sr_dom_build(arena, g, 0),
                  .nest = sr_nest_build(arena, g),
                  .cross_lane = sr_cross_lane_functions(arena, m),
                  .structured = true,
                  .work = 10000,
                  .mark = SR_NEW(arena, uint32_t, g->count),
                  .number = sr_new_none(arena, g->count),
                  .touched = sr_bits_new(arena, g->count),
                  .end_line = SR_NEW(arena, SrApplied, g->count),
                  .apart = SR_NONE};
  b->k.pdom = sr_dom_build(arena, sr_graph_reverse_with_exit(arena, g), g->count);
  SrRef end = sr_terminator(&f->blocks[BRANCH]);
  for (int s = 0; s < 2; s++)
    b->read[s] = sr_meld_side(&b->k, BRANCH, sr_block_of(m, sr_words(m, end)[2 + s]),
                              b->k.pdom->idom[BRANCH], &b->side[s]);
}

static void begin(Bed *b) {
  b->heap = (SrHeap){0};
  sr_heap_init(&b->heap);
  b->arena = sr_arena_new(&b->heap);
}

static const char *framed(char text[TEXT], const char *decorations, const char *then_side,
                          const char *else_side) {
  snprintf(text, TEXT, frame, decorations, then_side, else_side);
  return text;
}

/* ---- what becomes one ---- */

typedef struct Row {
  const char *name, *decorations, *left, *right;
  int32_t selects; /* of the last instruction of either side */
} Row;

#define NEVER SR_MELD_NEVER

static const Row rows[] = {
    {"the same", "", "%a = OpIAdd %uint %x %y", "%b = OpIAdd %uint %x %y", 0},
    {"one operand", "", "%a = OpIAdd %uint %x %c1", "%b = OpIAdd %uint %y %c1", 1},
    {"both operands", "", "%a = OpIAdd %uint %x %c1", "%b = OpIAdd %uint %y %x", 2},
    {"opcode", "", "%a = OpIAdd %uint %x %y", "%b = OpISub %uint %x %y", NEVER},
    {"type", "", "%a = OpIAdd %uint %x %y", "%b = OpIAdd %int %x %y", NEVER},
    {"decoration of one", "OpDecorate %a NoContraction", "%a = OpFAdd %float %fx %fy",
     "%b = OpFAdd %float %fx %fy", NEVER},
    {"decoration of both", "OpDecorate %a NoContraction\nOpDecorate %b NoContraction",
     "%a = OpFAdd %float %fx %fy", "%b = OpFAdd %float %fx %fy", 0},
    {"precision of an operand", "OpDecorate %x RelaxedPrecision", "%a = OpIAdd %uint %x %c1",
     "%b = OpIAdd %uint %y %c1", NEVER},
    {"extended instruction", "", "%a = OpExtInst %float %glsl Sin %fx",
     "%b = OpExtInst %float %glsl Cos %fx", NEVER},
    {"its operand", "", "%a = OpExtInst %float %glsl Sin %fx",
     "%b = OpExtInst %float %glsl Sin %fy", 1},
    {"computed by the same operation before", "",
     "%a1 = OpIMul %uint %x %c2\n%a = OpIAdd %uint %a1 %c1",
     "%b1 = OpIMul %uint %y %c2\n%b = OpIAdd %uint %b1 %c1", 0},
    {"by another operation before", "", "%a1 = OpIMul %uint %x %c2\n%a = OpIAdd %uint %a1 %c1",
     "%b1 = OpISub %uint %y %c2\n%b = OpIAdd %uint %b1 %c1", 1},
    {"called function", "", "%a = OpFunctionCall %uint %f %x", "%b = OpFunctionCall %uint %h %x",
     NEVER},
    {"argument", "", "%a = OpFunctionCall %uint %f %x", "%b = OpFunctionCall %uint %f %y", 1},
    {"stored value", "", "OpStore %own %x", "OpStore %own %y", 1},
    {"variable", "", "OpStore %own %x", "OpStore %other %x", NEVER},
    {"pointer into a buffer", "", "OpStore %px %x", "OpStore %py %x", 1},
    {"memory operand", "", "OpStore %px %x Volatile", "OpStore %px %x", NEVER},
    {"alignment", "", "OpStore %px %x Aligned 4", "OpStore %px %x Aligned 16", NEVER},
    {"index in a buffer", "", "%a = OpAccessChain %p_data %data %c1 %x",
     "%b = OpAccessChain %p_data %data %c1 %y", 1},
    {"constant index in a buffer", "", "%a = OpAccessChain %p_data %data %c1 %c2",
     "%b = OpAccessChain %p_data %data %c1 %c3", 1},
    {"index of a variable's array", "", "%a = OpAccessChain %p_own %list %x",
     "%b = OpAccessChain %p_own %list %y", 1},
    {"constant index of a variable's array", "", "%a = OpAccessChain %p_own %list %c1",
     "%b = OpAccessChain %p_own %list %c2", NEVER},
    {"added atomically", "", "%a = OpAtomicIAdd %uint %px %c1 %c0 %x",
     "%b = OpAtomicIAdd %uint %px %c1 %c0 %y", 1},
    {"scope", "", "%a = OpAtomicIAdd %uint %px %c1 %c0 %x",
     "%b = OpAtomicIAdd %uint %px %c2 %c0 %x", NEVER},
    {"atomic's pointer", "", "%a = OpAtomicIAdd %uint %px %c1 %c0 %x",
     "%b = OpAtomicIAdd %uint %py %c1 %c0 %x", NEVER},
};

static void check_row(Bed *b, const Row *row) {
  char text[TEXT];
  read_sides(b, framed(text, row->decorations, row->left, row->right));
  if (!b->read[0] || !b->read[1])
    fail_msg("%s: the sides are not read", row->name);
  const SrMeldPair pair = {.k = &b->k, .side = {&b->side[0], &b->side[1]}};
  SrRef last[2];
  for (int s = 0; s < 2; s++)
    last[s] = b->side[s].top.at[b->side[s].top.count - 1].inst;
  int32_t found = sr_meld_match(&pair, last[0], last[1]);
  if (found != row->selects)
    fail_msg("%s: %d OpSelects instead of %d", row->name, (int)found, (int)row->selects);
}

static void matches_what_an_opselect_can_join(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Bed b;
    begin(&b);
    check_row(&b, &rows[i]);
    sr_heap_free_all(&b.heap);
  }
}

/* ---- what needs a guard ---- */

typedef struct Alone {
  const char *code;
  bool guarded; /* its last instruction */
} Alone;

static const Alone alone[] = {
    {"%a = OpIAdd %uint %x %y", false},
    {"%a = OpSelect %uint %t %x %y", false},
    {"%a = OpUDiv %uint %x %y", true},
    {"%a = OpUDiv %uint %x %c2", true}, /* dear */
    {"%a = OpShiftLeftLogical %uint %x %c2", false},
    {"%a = OpShiftLeftLogical %uint %x %y", true},
    {"%a = OpBitFieldUExtract %uint %x %c1 %c2", false},
    {"%a = OpBitFieldUExtract %uint %x %c1 %y", true},
    {"%a = OpBitFieldInsert %uint %x %y %c1 %c2", false},
    {"%a = OpBitFieldInsert %uint %x %y %y %c2", true},
    {"%a = OpAccessChain %p_data %data %c0", false},
    {"%a = OpAccessChain %p_data %data %c1 %x", true}, /* may be out of bounds */
    {"%a = OpLoad %uint %py", true},
    {"OpStore %own %x", true},
    {"OpStore %px %x", true},
    {"%a = OpAtomicIAdd %uint %px %c1 %c0 %x", true},
    {"%a = OpFunctionCall %uint %f %x", true},
    {"%a = OpExtInst %float %glsl Sin %fx", true},
};

static void guards_what_lanes_of_the_other_side_must_not_run(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
    Bed b;
    char text[TEXT];
    begin(&b);
    read_sides(&b, framed(text, "", alone[i].code, ""));
    assert_true(b.read[0]);
    if (b.side[0].top.at[b.side[0].top.count - 1].guarded != alone[i].guarded)
      fail_msg("%s: %s", alone[i].code, alone[i].guarded ? "no guard" : "a guard");
    sr_heap_free_all(&b.heap);
  }
}

/* ---- which sides are read ---- */

typedef struct Shape {
  const char *name, *code;
  uint32_t regions; /* 0: the side is left alone */
  bool apart;       /* because lanes communicate */
} Shape;

#define IF(MERGE, FIRST, THEN)                                                                     \
  "OpSelectionMerge %" MERGE " None\nOpBranchConditional %t %" FIRST " %" MERGE "\n%" FIRST        \
  " = OpLabel\n" THEN "OpBranch %" MERGE "\n%" MERGE " = OpLabel\n"

static const Shape shapes[] = {
    {"a selection", IF("m", "p", "") "%a = OpIAdd %uint %x %y", 1, false},
    {"two", IF("m", "p", "") IF("n", "q", "") "%a = OpIAdd %uint %x %y", 2, false},
    {"one in another", IF("m", "p", IF("n", "q", "")) "%a = OpIAdd %uint %x %y", 1, false},
    {"a loop",
     "OpBranch %head\n%head = OpLabel\nOpLoopMerge %m %l None\nOpBranchConditional %t %l %m\n"
     "%l = OpLabel\nOpBranch %head\n%m = OpLabel\n",
     1, false},
    {"an edge from inside to the join",
     "OpSelectionMerge %m None\nOpBranchConditional %t %p %m\n%p = OpLabel\nOpBranch %join\n"
     "%m = OpLabel\n",
     0, false},
    {"a return",
     "OpSelectionMerge %m None\nOpBranchConditional %t %p %m\n%p = OpLabel\nOpReturn\n"
     "%m = OpLabel\n",
     0, false},
    {"a subgroup operation", "%a = OpGroupNonUniformIAdd %uint %c3 Reduce %x", 0, true},
    {"one in a selection", IF("m", "p", "%a = OpGroupNonUniformIAdd %uint %c3 Reduce %x\n"), 0,
     true},
    {"one in a function", "%a = OpFunctionCall %uint %g %x", 0, true},
    {"a barrier", "OpControlBarrier %c2 %c2 %c0", 0, true},
};

static void reads_sides_of_closed_regions(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    Bed b;
    char text[TEXT];
    begin(&b);
    read_sides(&b, framed(text, "", shapes[i].code, ""));
    if (b.read[0] != (shapes[i].regions > 0))
      fail_msg("%s: %s", shapes[i].name, b.read[0] ? "read" : "left alone");
    if (b.read[0])
      assert_int_equal(b.side[0].region.count, shapes[i].regions);
    if ((b.k.apart != SR_NONE) != shapes[i].apart)
      fail_msg("%s: lanes communicate, or not", shapes[i].name);
    sr_heap_free_all(&b.heap);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matches_what_an_opselect_can_join),
      cmocka_unit_test(guards_what_lanes_of_the_other_side_must_not_run),
      cmocka_unit_test(reads_sides_of_closed_regions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
