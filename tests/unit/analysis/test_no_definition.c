/* SPDX-License-Identifier: Apache-2.0 */
/* Of an id without a definition nothing is known: every opcode of the grammar, and every
 * instruction of the extended sets, on operands that a transform has dropped. */
#include "passes/analysis/uniform/dataflow.h"
#include "passes/analysis/uniform/resource_index.h"
#include "passes/analysis/uniform/speculate.h"
#include "passes/analysis/uniform/uniform.h"
#include "passes/ir/edit.h"
#include "passes/ir/effects.h"
#include "passes/ir/grammar.h"
#include "passes/ir/newer.h"
#include "passes/ir/pointer.h"
#include "passes/walk/walk_kind.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

/* %20 is a uniform buffer of words, which %35 reads. */
static const char module_text[] =
    "OpCapability Shader\nOpCapability Linkage\nOpCapability VariablePointers\n"
    "%1 = OpExtInstImport \"GLSL.std.450\"\n%2 = OpExtInstImport \"OpenCL.std\"\n"
    "%3 = OpExtInstImport \"SPV_AMD_shader_ballot\"\n%4 = OpExtInstImport \"SPV_AMD_gcn_shader\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %30 \"main\" %20 %21\n"
    "OpExecutionMode %30 LocalSize 8 1 1\nOpDecorate %13 Block\nOpDecorate %12 ArrayStride 4\n"
    "OpMemberDecorate %13 0 Offset 0\n"
    "OpDecorate %20 DescriptorSet 0\nOpDecorate %20 Binding 0\n"
    "OpDecorate %21 DescriptorSet 0\nOpDecorate %21 Binding 1\n"
    "%10 = OpTypeVoid\n%11 = OpTypeInt 32 0\n%12 = OpTypeRuntimeArray %11\n%13 = OpTypeStruct %12\n"
    "%14 = OpTypePointer StorageBuffer %13\n%15 = OpTypePointer StorageBuffer %11\n"
    "%16 = OpTypeFunction %10\n%17 = OpConstant %11 0\n%18 = OpTypeVector %11 4\n"
    "%19 = OpTypePointer Function %11\n"
    "%20 = OpVariable %14 StorageBuffer\n%21 = OpVariable %14 StorageBuffer\n"
    "%30 = OpFunction %10 None %16\n%31 = OpLabel\n%37 = OpVariable %19 Function\n"
    "OpStore %37 %17\n%32 = OpAccessChain %15 %20 %17 %17\n%33 = OpCopyObject %15 %32\n"
    "%34 = OpAccessChain %15 %21 %17 %17\n"
    "%35 = OpLoad %11 %34\nOpStore %33 %35\n%36 = OpLoad %11 %37\nOpReturn\nOpFunctionEnd\n";
enum { GLSL = 1, OPENCL = 2, BALLOT = 3, GCN = 4, WORD = 11, ZERO = 17 };

typedef struct World {
  SrHeap heap;
  SrArena arena;
  SrModule *m;
} World;

static void begin(World *w) {
  *w = (World){0};
  sr_heap_init(&w->heap);
  if (setjmp(w->heap.out_of_memory))
    abort();
  w->arena = sr_arena_new(&w->heap);
  w->m = assembled(&w->arena, module_text);
}

/* Puts an operand of each kind that the list has; ids: `id`. Returns how many ids there are. */
static uint32_t put_operands(SrModule *m, SrOperandList list, uint32_t id) {
  uint32_t ids = 0;
  for (; *list; list++)
    switch ((*list & SR_OPERAND_KIND) - 1) {
    case SR_KIND_IdResultType:
    case SR_KIND_IdResult:
      break;
    case SR_KIND_IdRef:
    case SR_KIND_IdScope:
    case SR_KIND_IdMemorySemantics:
      sr_put_id(m, id);
      ids++;
      break;
    case SR_KIND_PairIdRefIdRef:
      sr_put_id(m, id);
      sr_put_id(m, id);
      ids += 2;
      break;
    default:
      sr_put_literal(m, 0);
      break;
    }
  return ids;
}

static bool has_result(SrOperandList list) {
  return list[0] == SR_KIND_IdResultType + 1;
}

static void end(World *w) {
  sr_heap_free_all(&w->heap);
}

/* ---- opcodes ---- */

typedef struct Range {
  uint32_t first, last;
} Range;

/* What may run on any bits, as it neither reads nor points to memory, and has a result for all. */
static const Range harmless[] = {{SpvOpUndef, SpvOpUndef},
                                 {SpvOpVariable, SpvOpVariable},
                                 {SpvOpVectorShuffle, SpvOpTranspose},
                                 {SpvOpConvertSToF, SpvOpBitcast},
                                 {SpvOpSNegate, SpvOpFMul},
                                 {SpvOpFDiv, SpvOpFDiv},
                                 {SpvOpFRem, SpvOpSMulExtended},
                                 {SpvOpAny, SpvOpFUnordGreaterThanEqual},
                                 {SpvOpShiftRightLogical, SpvOpBitCount},
                                 {SpvOpCopyLogical, SpvOpPtrDiff},
                                 {SpvOpSDotKHR, SpvOpSUDotAccSatKHR},
                                 {SR_OP_UNTYPED_VARIABLE, SR_OP_UNTYPED_VARIABLE},
                                 {4463, 4463} /* OpCompositeConstructReplicateEXT */};

static bool is_harmless(uint32_t op) {
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (op >= harmless[i].first && op <= harmless[i].last)
      return true;
  return false;
}

static void no_opcode_may_run_early_that_needs_to_know(void **state) {
  (void)state;
  World w;
  begin(&w);
  uint32_t may = 0;
  for (uint32_t op = 0; op <= UINT16_MAX; op++) {
    SrOperandList list = sr_grammar_instruction(op);
    if (!list || !has_result(list) || op == SpvOpExtInst)
      continue;
    sr_begin(w.m, (SpvOp)op, WORD, sr_fresh_id(w.m));
    put_operands(w.m, list, sr_fresh_id(w.m));
    bool may_run = sr_may_speculate(w.m, sr_end(w.m));
    may += may_run;
    if (may_run && !is_harmless(op))
      fail_msg("Op%s may run for more lanes, whatever its operands are", sr_grammar_name(op));
  }
  assert_true(may > 90);
  end(&w);
}

/* ---- extended instructions ---- */

static SrRef extended(World *w, uint32_t set, uint32_t number, SrOperandList list, uint32_t id,
                      uint32_t *ids) {
  sr_begin(w->m, SpvOpExtInst, WORD, sr_fresh_id(w->m));
  sr_put_id(w->m, set);
  sr_put_literal(w->m, number);
  *ids = put_operands(w->m, list, id);
  return sr_end(w->m);
}

static void check_extended(World *w, SrRef r, const char *set, uint32_t number, bool pure) {
  bool hashed = sr_walk_kind(w->m, r) != SR_WALK_EFFECT;
  if (sr_is_pure_extended(w->m, r) != pure || sr_may_speculate(w->m, r) != pure ||
      (sr_dataflow(w->m, r, false) == SR_DATAFLOW_PURE) != pure || hashed != pure)
    fail_msg("%s %u %s", set, number, pure ? "has an effect" : "has no effect");
}

/* fract, frexp, lgamma_r, modf, remquo, sincos, vload, vstore, prefetch, printf; Modf, Frexp,
 * InterpolateAt: any operand may be the pointer. */
static void extended_instructions_may_store_through_what_is_not_known(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t set;
    bool standard;
  } sets[] = {{"GLSL.std.450", GLSL, true},
              {"OpenCL.std", OPENCL, true},
              {"SPV_AMD_shader_ballot", BALLOT, false},
              {"SPV_AMD_gcn_shader", GCN, false}};
  World w;
  begin(&w);
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    uint32_t seen = 0;
    for (uint32_t number = 0; number < 300; number++) {
      SrOperandList list = sr_grammar_extended(sr_grammar_set(sets[i].name), number);
      if (!list)
        continue;
      uint32_t ids;
      SrRef r = extended(&w, sets[i].set, number, list, ZERO, &ids);
      check_extended(&w, r, sets[i].name, number, sets[i].standard);
      r = extended(&w, sets[i].set, number, list, sr_fresh_id(w.m), &ids);
      check_extended(&w, r, sets[i].name, number, sets[i].standard && !ids);
      seen++;
    }
    assert_true(seen > 0);
  }
  end(&w);
}

static void of_an_unknown_set_nothing_is_known(void **state) {
  (void)state;
  World w;
  begin(&w);
  uint32_t ids;
  SrRef r =
      extended(&w, GLSL, 31, sr_grammar_extended(sr_grammar_set("GLSL.std.450"), 31), ZERO, &ids);
  assert_true(sr_is_pure_extended(w.m, r) && !sr_is_cross_lane(w.m, r));
  w.m->def[GLSL] = SR_NONE;
  assert_false(sr_is_pure_extended(w.m, r));
  assert_true(sr_is_cross_lane(w.m, r));
  end(&w);
}

/* ---- pointers ---- */

static void any_value_without_a_definition_may_be_a_pointer(void **state) {
  (void)state;
  World w;
  begin(&w);
  assert_true(sr_may_be_pointer(w.m, sr_fresh_id(w.m)));
  for (uint32_t id = 30; id <= 37; id++)
    assert_int_equal(sr_may_be_pointer(w.m, id), id >= 32 && id != 35 && id != 36);
  end(&w);
}

/* A store through it may change any memory, and every variable of the function. */
static void a_store_through_it_may_be_anywhere(void **state) {
  (void)state;
  for (int gone = 0; gone < 2; gone++) {
    World w;
    begin(&w);
    if (gone)
      w.m->def[33] = w.m->home[33] = SR_NONE;
    const SrUniform *u = sr_uniform_build(&w.arena, w.m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
    for (uint32_t id = 33; id <= 36; id++)
      assert_int_equal(sr_uniform_value(u, id), id == 34 || !gone);
    end(&w);
  }
}

static void an_index_into_it_may_choose_a_resource(void **state) {
  (void)state;
  World w;
  begin(&w);
  for (int known = 0; known < 2; known++)
    for (int constant = 0; constant < 2; constant++) {
      sr_begin(w.m, SpvOpAccessChain, 15, sr_fresh_id(w.m));
      sr_put_id(w.m, known ? 20 : sr_fresh_id(w.m));
      sr_put_id(w.m, constant ? ZERO : 35);
      sr_put_id(w.m, ZERO);
      assert_int_equal(sr_resource_index(w.m, sr_end(w.m)), known || constant ? 0 : 35);
    }
  end(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_opcode_may_run_early_that_needs_to_know),
      cmocka_unit_test(extended_instructions_may_store_through_what_is_not_known),
      cmocka_unit_test(of_an_unknown_set_nothing_is_known),
      cmocka_unit_test(any_value_without_a_definition_may_be_a_pointer),
      cmocka_unit_test(a_store_through_it_may_be_anywhere),
      cmocka_unit_test(an_index_into_it_may_choose_a_resource),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
