/* SPDX-License-Identifier: Apache-2.0 */
/* The checker on variables through which arguments are passed (walk_passed.h): one that is
 * added may take the place of several, but each call must find what was stored for it, and each
 * load what its call left. */
#include "tests/unit/check_pair.h"
#include "tests/unit/unit.h"

/* A function of two pointers, and two or three variables. */
#define TYPES                                                                                      \
  "%40 = OpTypePointer Function %4\n%41 = OpTypeFunction %4 %40 %40\n"                             \
  "%42 = OpFunction %4 None %41\n%43 = OpFunctionParameter %40\n"                                  \
  "%44 = OpFunctionParameter %40\n%45 = OpLabel\n%46 = OpLoad %4 %43\nOpStore %44 %46\n"           \
  "OpReturnValue %46\nOpFunctionEnd\n"
#define VARIABLE(ID) ID " = OpVariable %40 Function\n"
#define PROGRAM(VARIABLES, BODY)                                                                   \
  "; Version: 1.3\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n"                           \
  "OpEntryPoint GLCompute %10 \"main\"\nOpExecutionMode %10 LocalSize 1 1 1\n"                     \
  "OpDecorate %11 ArrayStride 4\nOpDecorate %12 Block\nOpMemberDecorate %12 0 Offset 0\n"          \
  "OpDecorate %13 DescriptorSet 0\nOpDecorate %13 Binding 0\n"                                     \
  "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = OpTypeBool\n%4 = OpTypeInt 32 0\n"                \
  "%5 = OpConstant %4 0\n%6 = OpConstant %4 1\n%7 = OpConstant %4 7\n%8 = OpConstantTrue %3\n"     \
  "%9 = OpConstantFalse %3\n%11 = OpTypeRuntimeArray %4\n%12 = OpTypeStruct %11\n"                 \
  "%14 = OpTypePointer StorageBuffer %12\n%15 = OpTypePointer StorageBuffer %4\n"                  \
  "%13 = OpVariable %14 StorageBuffer\n" TYPES                                                     \
  "%10 = OpFunction %1 None %2\n%20 = OpLabel\n" VARIABLES                                         \
  "%21 = OpAccessChain %15 %13 %5 %5\n%22 = OpAccessChain %15 %13 %5 %6\n"                         \
  "%24 = OpLoad %4 %21\n%30 = OpULessThan %3 %24 %7\n" BODY "OpReturn\nOpFunctionEnd\n"

#define FOUR VARIABLE("%50") VARIABLE("%51") VARIABLE("%52") VARIABLE("%53")
#define NEW VARIABLE("%90") VARIABLE("%91")
#define STORE(ID, VALUE) "OpStore " ID " " VALUE "\n"
#define CALL(ID, X, Y) ID " = OpFunctionCall %4 %42 " X " " Y "\n"
#define ARM(LABEL, X, Y, VALUE, RESULT, LEFT)                                                      \
  LABEL " = OpLabel\n" STORE(X, VALUE) STORE(Y, "%5") CALL(RESULT, X, Y) LEFT                      \
      " = OpLoad %4 " Y "\n" STORE("%22", LEFT) "OpBranch %33\n"
#define JOIN "%33 = OpLabel\n"
#define SPLIT "OpBranchConditional %30 %31 %32\n"
#define BEFORE                                                                                     \
  PROGRAM(FOUR, SPLIT ARM("%31", "%50", "%51", "%6", "%60", "%61")                                 \
                    ARM("%32", "%52", "%53", "%24", "%62", "%63") JOIN)

/* The calls joined: what each arm stores before, and loads after. */
#define AFTER(LEFT, RIGHT, PASSED, LOADED_1, LOADED_2)                                             \
  SPLIT "%31 = OpLabel\n" LEFT "OpBranch %70\n%32 = OpLabel\n" RIGHT "OpBranch %70\n"              \
        "%70 = OpLabel\n%71 = OpPhi %3 %8 %31 %9 %32\n"                                            \
        "%60 = OpFunctionCall %4 %42 " PASSED "\nOpBranchConditional %71 %72 %73\n"                \
        "%72 = OpLabel\n%61 = OpLoad %4 " LOADED_1                                                 \
        "\n" STORE("%22", "%61") "OpBranch %33\n"                                                  \
                                 "%73 = OpLabel\n%63 = OpLoad %4 " LOADED_2                        \
                                 "\n" STORE("%22", "%63") "OpBranch %33\n" JOIN

#define STORES(X, VALUE, Y) STORE(X, VALUE) STORE(Y, "%5")

static void test_shared(void **state) {
  (void)state;
  pair_compare(BEFORE,
               PROGRAM(NEW, AFTER(STORES("%90", "%6", "%91"), STORES("%90", "%24", "%91"),
                                  "%90 %91", "%91", "%91")),
               NULL);
}

static void test_wrong_value(void **state) {
  (void)state;
  pair_compare(BEFORE,
               PROGRAM(NEW, AFTER(STORES("%90", "%6", "%91"), STORES("%90", "%6", "%91"), "%90 %91",
                                  "%91", "%91")),
               "an operand has a different value");
  pair_compare(
      BEFORE,
      PROGRAM(NEW, AFTER(STORES("%90", "%6", "%91"), STORE("%91", "%5"), "%90 %91", "%91", "%91")),
      "an operand has a different value");
}

/* What another variable holds is not what the call left. */
static void test_wrong_variable(void **state) {
  (void)state;
  pair_compare(BEFORE,
               PROGRAM(NEW, AFTER(STORES("%90", "%6", "%91"), STORES("%90", "%24", "%91"),
                                  "%90 %91", "%91", "%90")),
               "an operand has a different value");
  pair_compare(
      BEFORE,
      PROGRAM(NEW VARIABLE("%92"), AFTER(STORES("%90", "%6", "%91"), STORES("%92", "%24", "%91"),
                                         "%90 %91", "%91", "%91")),
      "an operand has a different value");
  pair_compare(BEFORE,
               PROGRAM(NEW, AFTER(STORES("%90", "%6", "%91"), STORES("%90", "%24", "%91"),
                                  "%91 %90", "%91", "%91")),
               "an operand has a different value");
}

/* Of two calls in a row, the second argument is stored before the first call: with one variable the
 * first call would find it. */
static void test_in_use(void **state) {
  (void)state;
#define ROW(X1, Y1, X2, Y2)                                                                        \
  STORE(X1, "%6")                                                                                  \
  STORE(X2, "%24")                                                                                 \
  STORE(Y1, "%5") CALL("%60", X1, Y1) STORE(Y2, "%5") CALL("%61", X2, Y2) STORE("%22", "%60")
  pair_compare(
      PROGRAM(FOUR, ROW("%50", "%51", "%52", "%53")),
      PROGRAM(VARIABLE("%90") VARIABLE("%51") VARIABLE("%53"), ROW("%90", "%51", "%90", "%53")),
      "an operand has a different value");
  /* The other parameter's variables are used one after the other. */
  pair_compare(
      PROGRAM(FOUR, ROW("%50", "%51", "%52", "%53")),
      PROGRAM(VARIABLE("%50") VARIABLE("%91") VARIABLE("%52"), ROW("%50", "%91", "%52", "%91")),
      NULL);
}

/* A variable that is loaded before its call, or has another use, keeps its own address. */
static void test_other_uses(void **state) {
  (void)state;
#define USED(X1, Y1, X2, Y2)                                                                       \
  STORE(X1, "%6")                                                                                  \
  STORE(Y1, "%5")                                                                                  \
  CALL("%60", X1, Y1)                                                                              \
  STORE(Y2, "%5")                                                                                  \
  "%62 = OpLoad %4 " X2 "\n" STORE(X2, "%62") CALL("%61", X2, Y2) STORE("%22", "%61")
  pair_compare(
      PROGRAM(FOUR, USED("%50", "%51", "%52", "%53")),
      PROGRAM(VARIABLE("%90") VARIABLE("%51") VARIABLE("%53"), USED("%90", "%51", "%90", "%53")),
      "");
}

/* Nothing is stored before the calls: each finds an undefined value, but in a loop what it left in
 * the turn before. */
static void test_not_stored(void **state) {
  (void)state;
#define OUT(LABEL, X, RESULT, LEFT, NEXT)                                                          \
  LABEL " = OpLabel\n" RESULT " = OpFunctionCall %4 %42 " X " %53\n" LEFT " = OpLoad %4 " X        \
        "\n" STORE("%22", LEFT) "OpBranch " NEXT "\n"
#define OUTS(NEXT) SPLIT OUT("%31", "%50", "%60", "%61", NEXT) OUT("%32", "%51", "%62", "%63", NEXT)
#define SHARED(NEXT)                                                                               \
  SPLIT "%31 = OpLabel\nOpBranch %70\n%32 = OpLabel\nOpBranch %70\n"                               \
        "%70 = OpLabel\n%71 = OpPhi %3 %8 %31 %9 %32\n"                                            \
        "%60 = OpFunctionCall %4 %42 %90 %53\nOpBranchConditional %71 %72 %73\n"                   \
        "%72 = OpLabel\n%61 = OpLoad %4 %90\n" STORE(                                              \
            "%22", "%61") "OpBranch " NEXT "\n"                                                    \
                          "%73 = OpLabel\n%63 = OpLoad %4 %90\n" STORE(                            \
                              "%22", "%63") "OpBranch " NEXT "\n"
#define THREE VARIABLE("%50") VARIABLE("%51") VARIABLE("%53")
  pair_compare(PROGRAM(THREE, OUTS("%33") JOIN),
               PROGRAM(VARIABLE("%90") VARIABLE("%53"), SHARED("%33") JOIN), NULL);
#define TURNS(ARMS)                                                                                \
  "OpBranch %80\n%80 = OpLabel\n" ARMS JOIN "%81 = OpLoad %4 %21\n%82 = OpULessThan %3 %81 %7\n"   \
  "OpBranchConditional %82 %80 %83\n%83 = OpLabel\n"
  pair_compare(PROGRAM(THREE, TURNS(OUTS("%33"))),
               PROGRAM(VARIABLE("%90") VARIABLE("%53"), TURNS(SHARED("%33"))),
               "an operand has a different value");
}

/* Two calls are joined, and two more that follow them share other variables. */
static void test_several(void **state) {
  (void)state;
#define MORE(A, B, C, D) VARIABLE(A) VARIABLE(B) VARIABLE(C) VARIABLE(D)
#define LATER(X1, Y1, X2, Y2)                                                                      \
  STORES(X1, "%6", Y1)                                                                             \
  CALL("%64", X1, Y1)                                                                              \
  STORES(X2, "%24", Y2) CALL("%65", X2, Y2) STORE("%22", "%64") STORE("%21", "%65")
#define TWICE                                                                                      \
  PROGRAM(FOUR MORE("%54", "%55", "%56", "%57"),                                                   \
          SPLIT ARM("%31", "%50", "%51", "%6", "%60", "%61")                                       \
              ARM("%32", "%52", "%53", "%24", "%62", "%63")                                        \
                  JOIN LATER("%54", "%55", "%56", "%57"))
#define SHARED_TWICE(RIGHT)                                                                        \
  PROGRAM(NEW VARIABLE("%92") VARIABLE("%93"),                                                     \
          AFTER(STORES("%90", "%6", "%91"), RIGHT, "%90 %91", "%91", "%91")                        \
              LATER("%92", "%93", "%92", "%93"))
  pair_compare(TWICE, SHARED_TWICE(STORES("%90", "%24", "%91")), NULL);
  pair_compare(TWICE, SHARED_TWICE(STORES("%92", "%24", "%93")),
               "an operand has a different value");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shared),         cmocka_unit_test(test_wrong_value),
      cmocka_unit_test(test_wrong_variable), cmocka_unit_test(test_in_use),
      cmocka_unit_test(test_other_uses),     cmocka_unit_test(test_not_stored),
      cmocka_unit_test(test_several)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
