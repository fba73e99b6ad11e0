/* SPDX-License-Identifier: Apache-2.0 */
/* Which stores reach a load of a lane's own variable: rows of uniform_rules.h. */
#include "tests/unit/analysis/uniform_rules.h"

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

static const Row rows[] = {
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
};

static void rules(void **state) {
  (void)state;
  check_rows(shader_frame(), rows, sizeof rows / sizeof *rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
