/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions communicate, end lanes or wait for other subgroups: opcode by opcode, scope by
 * scope, and through calls. */
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/ir/edit.h"
#include "passes/ir/effects.h"
#include "passes/ir/grammar.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A chain of three functions, %30 calls %20 calls %10, and a separate one, %40. The scopes are
 * constants of all kinds. The body of %10 is given. */
static const char form[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
    "OpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\n"
    "OpCapability DerivativeControl\n"
    "OpMemoryModel Physical64 OpenCL\n"
    "OpDecorate %%8 SpecId 0\n"
    "%%1 = OpTypeVoid\n%%2 = OpTypeFunction %%1\n%%3 = OpTypeInt 32 0\n"
    "%%4 = OpConstant %%3 0\n%%5 = OpConstant %%3 1\n%%6 = OpConstant %%3 2\n"
    "%%7 = OpConstant %%3 3\n%%8 = OpSpecConstant %%3 3\n"
    "%%9 = OpConstant %%3 4\n%%50 = OpTypeBool\n%%51 = OpTypeFloat 32\n"
    "%%52 = OpConstant %%51 1\n%%53 = OpTypeFunction %%3\n"
    "%%30 = OpFunction %%1 None %%2\n%%31 = OpLabel\n"
    "%%32 = OpFunctionCall %%1 %%20\nOpReturn\nOpFunctionEnd\n"
    "%%20 = OpFunction %%1 None %%2\n%%21 = OpLabel\nOpBranch %%22\n"
    "%%22 = OpLabel\n%%23 = OpFunctionCall %%1 %%10\nOpReturn\n"
    "OpFunctionEnd\n"
    "%%10 = OpFunction %%1 None %%2\n%%11 = OpLabel\n%s\nOpFunctionEnd\n"
    "%%40 = OpFunction %%3 None %%53\n%%41 = OpLabel\n"
    "OpReturnValue %%4\nOpFunctionEnd\n";

typedef SrBits *Find(SrArena *arena, const SrModule *m);
typedef bool Has(const SrModule *m, const SrBits *functions, const SrBlock *b);

static const SrFunction *function(const SrModule *m, uint32_t id) {
  for (uint32_t f = 0; f < m->function_count; f++)
    if (m->functions[f].id == id)
      return &m->functions[f];
  fail_msg("no function %%%u", id);
  return NULL;
}

/* If %10 has this body, do %10 and its callers have the property? %40 never has it. */
static void check(Find *find, Has *has, const char *body, bool expected) {
  char text[4096];
  SrHeap heap = {0};
  snprintf(text, sizeof text, form, body);
  sr_heap_init(&heap);
  if (setjmp(heap.out_of_memory))
    abort();
  SrArena arena = sr_arena_new(&heap);
  const SrModule *m = assembled(&arena, text);
  const SrBits *found = find(&arena, m);
  for (uint32_t id = 10; id <= 30; id += 10)
    if (sr_bit(found, id) != expected)
      fail_msg("%%%u, where %%10 is: %s", id, body);
  assert_false(sr_bit(found, 40));
  if (has) {
    assert_int_equal(has(m, found, &function(m, 10)->blocks[0]), expected);
    assert_false(has(m, found, &function(m, 20)->blocks[0]));
    assert_int_equal(has(m, found, &function(m, 20)->blocks[1]), expected);
    assert_false(has(m, found, &function(m, 40)->blocks[0]));
  }
  sr_heap_free_all(&heap);
}

/* A scope that is a specialization constant may become the workgroup's. */
static void barriers_wait_beyond_a_subgroup(void **state) {
  (void)state;
  static const struct {
    const char *scope;
    bool waits;
  } scopes[] = {{"%4", true},  {"%5", true}, {"%6", true},
                {"%7", false}, {"%8", true}, {"%9", false}};
  for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
    char body[80];
    snprintf(body, sizeof body, "OpControlBarrier %s %%5 %%4\nOpReturn", scopes[i].scope);
    check(sr_barrier_functions, sr_has_barrier, body, scopes[i].waits);
  }
  check(sr_barrier_functions, sr_has_barrier, "OpMemoryBarrier %5 %4\nOpReturn", false);
  check(sr_barrier_functions, sr_has_barrier, "OpEmitMeshTasksEXT %5 %5 %5", true);
  check(sr_barrier_functions, sr_has_barrier, "%60 = OpGroupNonUniformElect %50 %7\nOpReturn",
        false);
}

static void quads_run_together(void **state) {
  (void)state;
  check(sr_quad_functions, sr_has_quad_operation, "%60 = OpFwidthCoarse %51 %52\nOpReturn", true);
  check(sr_quad_functions, sr_has_quad_operation, "%60 = OpDPdx %51 %52\nOpReturn", true);
  check(sr_quad_functions, sr_has_quad_operation, "%60 = OpGroupNonUniformElect %50 %7\nOpReturn",
        false);
  check(sr_quad_functions, sr_has_quad_operation, "OpControlBarrier %7 %7 %4\nOpReturn", false);
  check(sr_quad_functions, sr_has_quad_operation, "%60 = OpFNegate %51 %52\nOpReturn", false);
}

static void lanes_communicate(void **state) {
  (void)state;
  check(sr_cross_lane_functions, sr_has_cross_lane, "OpReturn", false);
  check(sr_cross_lane_functions, sr_has_cross_lane, "OpMemoryBarrier %5 %4\nOpReturn", false);
  check(sr_cross_lane_functions, sr_has_cross_lane, "OpControlBarrier %7 %7 %4\nOpReturn", true);
  check(sr_cross_lane_functions, sr_has_cross_lane, "%60 = OpGroupNonUniformElect %50 %7\nOpReturn",
        true);
  check(sr_cross_lane_functions, sr_has_cross_lane, "%60 = OpFwidthCoarse %51 %52\nOpReturn", true);
  check(sr_cross_lane_functions, sr_has_cross_lane, "%60 = OpFNegate %51 %52\nOpReturn", false);
}

static bool has_any(const char *name, const char *const *parts) {
  for (; *parts; parts++)
    if (strstr(name, *parts))
      return true;
  return false;
}

/* All instructions of the grammar that are, by their names, about groups, quads and derivatives,
 * and few others. */
static void every_instruction_of_groups(void **state) {
  (void)state;
  static const char *const about[] = {"roup",     "Quad",           "DPdx",
                                      "DPdy",     "Fwidth",         "ImplicitLod",
                                      "QueryLod", "ControlBarrier", "CooperativeMatrix",
                                      NULL};
  static const char *const no[] = {"OpType",         "OpGetKernel",     "Decorat",
                                   "CrossWorkgroup", "MatrixLengthKHR", NULL};
  static const char *const of_quads[] = {"Quad",        "DPdx",     "DPdy",        "Fwidth",
                                         "ImplicitLod", "QueryLod", "FootprintNV", NULL};
  static const char *const others[] = {"OpImageSampleFootprintNV",
                                       "OpEmitMeshTasksEXT",
                                       "OpSetMeshOutputsEXT",
                                       "unknown",
                                       "OpExtInst", /* of a set that is not known */
                                       NULL};
  SrHeap heap = {0};
  sr_heap_init(&heap);
  if (setjmp(heap.out_of_memory))
    abort();
  SrArena arena = sr_arena_new(&heap);
  SrModule *m = assembled(&arena, "OpCapability Shader\nOpMemoryModel Logical GLSL450\n");
  size_t found = 0, wrong = 0;
  for (uint32_t op = 0; op < 1u << 14; op++) {
    char name[100];
    snprintf(name, sizeof name, "Op%s", sr_grammar_name(op));
    sr_begin(m, (SpvOp)op, 0, 0);
    SrRef r = sr_end(m);
    bool is = sr_is_cross_lane(m, r), wanted = has_any(name, about) && !has_any(name, no);
    found += wanted;
    if (!strstr(name, "unknown") &&
        sr_is_quad_operation(m, r) != (has_any(name, of_quads) && !has_any(name, no))) {
      wrong++;
      print_error("%s (%u): quad operation?\n", name, op);
    }
    if (is == wanted || (is && has_any(name, others)))
      continue;
    wrong++;
    print_error("%s (%u): %s\n", name, op, wanted ? "not cross-lane" : "cross-lane");
  }
  assert_in_range(found, 150, 1000);
  assert_int_equal(wrong, 0);
  sr_heap_free_all(&heap);
}

static void lanes_end(void **state) {
  (void)state;
  check(sr_ending_functions, NULL, "OpReturn", false);
  check(sr_ending_functions, NULL, "OpKill", true);
  check(sr_ending_functions, NULL, "OpUnreachable", true);
  check(sr_ending_functions, NULL, "OpTerminateInvocation", true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(barriers_wait_beyond_a_subgroup),
      cmocka_unit_test(quads_run_together),
      cmocka_unit_test(lanes_communicate),
      cmocka_unit_test(every_instruction_of_groups),
      cmocka_unit_test(lanes_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
