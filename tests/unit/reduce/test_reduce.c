/* SPDX-License-Identifier: Apache-2.0 */
/* What each kind of step leaves of small functions; every step and chunk of steps leaves a module that
 * can be read. */
#include "passes/ir/finish.h"
#include "passes/ir/grammar.h"
#include "passes/ir/reader.h"
#include "passes/ir/writer.h"
#include "passes/reduce/reduce_step.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#define HEAD                                                                                       \
  "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %10 \"main\"\n"      \
  "OpExecutionMode %10 LocalSize 1 1 1\n%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = "            \
  "OpTypeBool\n"                                                                                   \
  "%4 = OpTypeInt 32 0\n%5 = OpConstant %4 5\n%6 = OpConstant %4 6\n%7 = OpTypePointer Private "   \
  "%4\n"                                                                                           \
  "%8 = OpVariable %7 Private\n%9 = OpTypeFunction %4\n%10 = OpFunction %1 None %2\n%20 = "        \
  "OpLabel\n"
#define TAIL "OpReturn\nOpFunctionEnd\n"

static const char branches[] = HEAD
    "%30 = OpLoad %4 %8\n%31 = OpULessThan %3 %30 %5\nOpSelectionMerge %23 None\n"
    "OpBranchConditional %31 %21 %22\n%21 = OpLabel\nOpBranch %23\n%22 = OpLabel\nOpBranch %23\n"
    "%23 = OpLabel\n%32 = OpPhi %4 %5 %21 %6 %22\nOpStore %8 %32\n" TAIL;
static const char loop[] =
    HEAD "OpBranch %21\n%21 = OpLabel\n%30 = OpPhi %4 %5 %20 %31 %22\nOpLoopMerge %23 %22 None\n"
         "OpBranch %22\n%22 = OpLabel\n%31 = OpIAdd %4 %30 %6\n%32 = OpULessThan %3 %31 %6\n"
         "OpBranchConditional %32 %21 %23\n%23 = OpLabel\nOpStore %8 %30\n" TAIL;
static const char call[] = HEAD
    "%30 = OpFunctionCall %4 %11\nOpStore %8 %30\n" TAIL
    "%11 = OpFunction %4 None %9\n%24 = OpLabel\n%33 = OpIAdd %4 %5 %6\nOpSelectionMerge %26 None\n"
    "OpSwitch %33 %26 1 %25\n%25 = OpLabel\nOpBranch %26\n%26 = OpLabel\nOpReturnValue %33\n"
    "OpFunctionEnd\n";

static const SrReduceRules any = {false}, careful = {true};

/* The opcodes of all instructions in functions, labels and ends excepted, as "Load Store Return". */
static void print(const SrModule *m, char *text, size_t room) {
  size_t n = 0;
  text[0] = 0;
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      for (SR_EACH(m, r, m->functions[i].blocks[b].list))
        if (sr_inst(m, r)->op != SpvOpLabel)
          n += (size_t)snprintf(text + n, room - n, "%s%s", n ? " " : "",
                                sr_grammar_name(sr_inst(m, r)->op));
}

static void check(const char *module, SrReduceKind kind, const SrReduceRules *rules, uint32_t steps,
                  uint32_t first, uint32_t count, const char *wanted) {
  char text[400];
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  assert_int_equal(sr_reduce_count(assembled(&arena, module), kind, rules), steps);
  SrModule *m = assembled(&arena, module);
  sr_reduce_apply(m, kind, rules, first, count);
  print(m, text, sizeof text);
  assert_string_equal(text, wanted);
  sr_heap_free_all(&heap);
}

static void test_bodies(void **state) {
  (void)state;
  check(call, SR_REDUCE_BODY, &any, 2, 0, 1, "Return");
  check(call, SR_REDUCE_BODY, &any, 2, 1, 1, "FunctionCall Store Return ReturnValue");
}

static void test_branches(void **state) {
  (void)state;
  check(branches, SR_REDUCE_BRANCH, &any, 2, 0, 1, "Store Return");
  check(loop, SR_REDUCE_BRANCH, &any, 2, 1, 1, "Branch LoopMerge Branch Branch Store Return");
  check(call, SR_REDUCE_BRANCH, &any, 2, 0, 1, "FunctionCall Store Return IAdd ReturnValue");
}

static void test_loops(void **state) {
  (void)state;
  check(loop, SR_REDUCE_LOOP, &any, 1, 0, 1, "IAdd ULessThan BranchConditional Store Return");
}

static void test_effects(void **state) {
  (void)state;
  check(branches, SR_REDUCE_EFFECT, &any, 1, 0, 1,
        "Load ULessThan SelectionMerge BranchConditional Branch Branch Return");
  check(branches, SR_REDUCE_EFFECT, &careful, 0, 0, 1,
        "Load ULessThan SelectionMerge BranchConditional Branch Branch Phi Store Return");
}

static void test_values(void **state) {
  (void)state;
  /* The load: null, or 1; the comparison: null, or true; the phi: null, its operands, or 1. */
  check(branches, SR_REDUCE_VALUE, &any, 8, 0, 1,
        "ULessThan SelectionMerge BranchConditional Branch Branch Phi Store Return");
  check(call, SR_REDUCE_VALUE, &any, 6, 0, 1, "Store Return");
}

/* The phi may become the load, a value of its block's dominator, whose block then chooses nothing. */
static void test_earlier(void **state) {
  (void)state;
  check(branches, SR_REDUCE_EARLIER, &any, 1, 0, 1,
        "Load ULessThan SelectionMerge BranchConditional Branch Branch Store Return");
  check(loop, SR_REDUCE_EARLIER, &any, 0, 0, 1,
        "Branch Phi LoopMerge Branch IAdd ULessThan BranchConditional Store Return");
}

/* Every chunk of every kind. */
static void test_all(void **state) {
  (void)state;
  static const char *const modules[] = {branches, loop, call};
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    for (int kind = 0; kind < SR_REDUCE_KINDS; kind++)
      for (uint32_t count = 1; count < 9; count++)
        for (uint32_t first = 0; first < 8; first++) {
          SrHeap heap = {0};
          SrDiag diag = {0};
          size_t size;
          sr_heap_init(&heap);
          SrArena arena = sr_arena_new(&heap);
          SrModule *m = assembled(&arena, modules[i]), *again;
          sr_reduce_apply(m, (SrReduceKind)kind, &any, first, count);
          assert_int_equal(sr_finish(m), SR_OK);
          uint32_t *words = sr_write(m, &arena, &size);
          if (sr_read(&arena, &diag, words, size, &again) != SR_OK)
            fail_msg("%s", diag.text);
          sr_heap_free_all(&heap);
        }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bodies), cmocka_unit_test(test_branches),
                                     cmocka_unit_test(test_loops),  cmocka_unit_test(test_effects),
                                     cmocka_unit_test(test_values), cmocka_unit_test(test_earlier),
                                     cmocka_unit_test(test_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
