/* SPDX-License-Identifier: Apache-2.0 */
/* Which added blocks are dropped from edges, on small functions: each condition, and one that lacks
 * it. */
#include "passes/ir/edit.h"
#include "passes/transform/structurize/drop_edge_block.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <stdio.h>

enum { FIRST_ADDED = 50, MANY = 100 };

/* A loop whose header is %21; %22 begins its body, %28 is its continue target. */
#define LOOP(TARGET, BODY, PHI)                                                                    \
  "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"                     \
  "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = OpTypeBool\n%4 = OpTypeInt 32 0\n"                \
  "%5 = OpConstantTrue %3\n%6 = OpConstant %4 0\n%10 = OpFunction %1 None %2\n%20 = OpLabel\n"     \
  "OpBranch %21\n%21 = OpLabel\nOpLoopMerge %29 " TARGET " None\nOpBranch %22\n"                   \
  "%22 = OpLabel\n" BODY "%28 = OpLabel\n" PHI "OpBranchConditional %5 %21 %29\n"                  \
  "%29 = OpLabel\nOpReturn\nOpFunctionEnd\n"
#define IF(MERGE, THEN, ELSE)                                                                      \
  "OpSelectionMerge " MERGE " None\nOpBranchConditional %5 " THEN " " ELSE "\n"
#define BRANCH(THEN, ELSE) "OpBranchConditional %5 " THEN " " ELSE "\n"
#define TO(BLOCK, NEXT) BLOCK " = OpLabel\nOpBranch " NEXT "\n"

typedef struct Case {
  const char *what, *text, *blocks; /* afterwards: each with its targets */
  uint32_t dropped;
} Case;

static const Case cases[] = {
    {"a branch", LOOP("%28", BRANCH("%50", "%23") TO("%50", "%28") TO("%23", "%28"), ""),
     "20>21 21>22 22>28,23 23>28 28>21,29 29>", 1},
    {"the header of a selection",
     LOOP("%28", IF("%23", "%50", "%23") TO("%50", "%28") TO("%23", "%28"), ""),
     "20>21 21>22 22>50,23 50>28 23>28 28>21,29 29>", 0},
    {"a phi in the continue target",
     LOOP("%28", BRANCH("%50", "%23") TO("%50", "%28") TO("%23", "%28"),
          "%30 = OpPhi %4 %6 %50 %6 %23\n"),
     "20>21 21>22 22>50,23 50>28 23>28 28>21,29 29>", 0},
    {"a block of the user", LOOP("%28", BRANCH("%49", "%23") TO("%49", "%28") TO("%23", "%28"), ""),
     "20>21 21>22 22>49,23 49>28 23>28 28>21,29 29>", 0},
    {"the other edge leads to the continue target",
     LOOP("%28", BRANCH("%28", "%50") TO("%50", "%28") TO("%23", "%28"), ""),
     "20>21 21>22 22>28,50 50>28 23>28 28>21,29 29>", 0},
    {"both edges would lead there",
     LOOP("%28", BRANCH("%50", "%51") TO("%50", "%28") TO("%51", "%28") TO("%23", "%28"), ""),
     "20>21 21>22 22>28,51 51>28 23>28 28>21,29 29>", 1},
    {"a merge block", LOOP("%28", IF("%50", "%50", "%23") TO("%50", "%28") TO("%23", "%28"), ""),
     "20>21 21>22 22>50,23 50>28 23>28 28>21,29 29>", 0},
    {"a continue target, to one",
     LOOP("%50",
          BRANCH("%50", "%23") TO("%50", "%28") "%23 = OpLabel\nOpLoopMerge %24 %28 None\n"
                                                "OpBranch %24\n" TO("%24", "%28"),
          ""),
     "20>21 21>22 22>50,23 50>28 23>24 24>28 28>21,29 29>", 0},
    {"no branch with a condition", LOOP("%28", "OpBranch %50\n" TO("%50", "%28"), ""),
     "20>21 21>22 22>50 50>28 28>21,29 29>", 0},
    {"two blocks before", LOOP("%28", BRANCH("%50", "%23") TO("%50", "%28") TO("%23", "%50"), ""),
     "20>21 21>22 22>50,23 50>28 23>50 28>21,29 29>", 0},
    {"an instruction",
     LOOP("%28",
          BRANCH("%50", "%23") "%50 = OpLabel\n%31 = OpIAdd %4 %6 %6\nOpBranch %28\n" TO("%23",
                                                                                         "%28"),
          ""),
     "20>21 21>22 22>50,23 50>28 23>28 28>21,29 29>", 0},
    {"to another block",
     LOOP("%28", BRANCH("%50", "%24") TO("%50", "%23") TO("%23", "%24") TO("%24", "%28"), ""),
     "20>21 21>22 22>50,24 50>23 23>24 24>28 28>21,29 29>", 0},
    {"two cases of a switch",
     LOOP("%28",
          "OpSelectionMerge %24 None\nOpSwitch %6 %50 1 %23 2 %50\n" TO("%50", "%24")
              TO("%23", "%24") TO("%24", "%28"),
          ""),
     "20>21 21>22 22>24,23,24 23>24 24>28 28>21,29 29>", 1},
    {"two blocks after a switch",
     LOOP("%28",
          "OpSelectionMerge %24 None\nOpSwitch %6 %50 1 %51\n" TO("%50", "%24") TO("%51", "%24")
              TO("%24", "%28"),
          ""),
     "20>21 21>22 22>24,24 24>28 28>21,29 29>", 2},
    {"a phi in the merge block",
     LOOP("%28",
          "OpSelectionMerge %24 None\nOpSwitch %6 %50 1 %23\n" TO("%50", "%24")
              TO("%23", "%24") "%24 = OpLabel\n%30 = OpPhi %4 %6 %50 %6 %23\nOpBranch %28\n",
          ""),
     "20>21 21>22 22>50,23 50>24 23>24 24>28 28>21,29 29>", 0},
    {"from a switch to a continue target",
     LOOP("%28",
          "OpSelectionMerge %24 None\nOpSwitch %6 %50 1 %23\n" TO("%50", "%28") TO("%23", "%24")
              TO("%24", "%28"),
          ""),
     "20>21 21>22 22>50,23 50>28 23>24 24>28 28>21,29 29>", 0},
    {"into the next case",
     LOOP("%28",
          "OpSelectionMerge %24 None\nOpSwitch %6 %50 1 %23\n" TO("%50", "%23") TO("%23", "%24")
              TO("%24", "%28"),
          ""),
     "20>21 21>22 22>50,23 50>23 23>24 24>28 28>21,29 29>", 0},
};

/* Writes "22>28,23 …". */
static void print_blocks(const SrModule *m, const SrFunction *f, char *text, size_t room) {
  size_t n = 0;
  for (uint32_t b = 0; b < f->block_count; b++) {
    SrRef end = sr_terminator(&f->blocks[b]);
    const char *before = ">";
    n += (size_t)snprintf(text + n, room - n, "%s%u", b ? " " : "", f->blocks[b].id);
    for (uint32_t i = 0; (i = sr_next_target(m, end, i)); before = ",")
      n += (size_t)snprintf(text + n, room - n, "%s%u", before, sr_words(m, end)[i]);
    if (*before == '>')
      n += (size_t)snprintf(text + n, room - n, ">");
    assert_true(n < room);
  }
}

static void check(const Case *c) {
  char blocks[400];
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  SrModule *m = assembled(&arena, c->text);
  SrFunction *f = &m->functions[0];
  SrTransformCounts counts = {.added_blocks = MANY, .added_instructions = 2 * MANY};
  sr_drop_edge_blocks(m, f, FIRST_ADDED, &counts);
  print_blocks(m, f, blocks, sizeof blocks);
  if (strcmp(blocks, c->blocks) != 0)
    fail_msg("%s: %s", c->what, blocks);
  assert_int_equal(counts.added_blocks, MANY - c->dropped);
  assert_int_equal(counts.added_instructions, 2 * MANY - c->dropped);
  for (uint32_t b = 0; b < f->block_count; b++)
    assert_int_equal(sr_block_of(m, f->blocks[b].id), b);
  sr_heap_free_all(&heap);
}

static void test_cases(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check(&cases[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
