/* SPDX-License-Identifier: Apache-2.0 */
/* The checker (docs/check.md) on values that differ only in their types, in one of several
 * operands, or in the moment at which they are taken. */
#include "tests/unit/check_pair.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

/* Phis take their values simultaneously: two that are exchanged in a loop may come in any order. */
static void test_exchanged_phis(void **state) {
  (void)state;
#define EXCHANGED(FIRST, SECOND, REST)                                                             \
  BODY("OpBranch %30\n%30 = OpLabel\n" FIRST SECOND                                                \
       "OpStore %22 %31\n%34 = OpULessThan %3 %31 %7\nOpBranchConditional %34 %30 %35\n"           \
       "%35 = OpLabel\nOpStore %23 %32\n" REST)
#define PHI_A "%31 = OpPhi %4 %24 %20 %32 %30\n"
#define PHI_B "%32 = OpPhi %4 %25 %20 %31 %30\n"
#define APART "OpBranch %40\n%40 = OpLabel\n"
  pair_compare(EXCHANGED(PHI_A, PHI_B, ""), EXCHANGED(PHI_A, PHI_B, APART), NULL);
  pair_compare(EXCHANGED(PHI_A, PHI_B, ""), EXCHANGED(PHI_B, PHI_A, APART), NULL);
  pair_compare(EXCHANGED(PHI_A, PHI_B, ""),
               EXCHANGED(PHI_A, "%32 = OpPhi %4 %25 %20 %32 %30\n", APART), "");
}

/* A conversion back to a narrow type gives the value that was widened only if it is of that type
 * and was widened that way. (Vectors: single integers are computed.) */
static void test_round_trips(void **state) {
  (void)state;
#define TYPES                                                                                      \
  "%50 = OpTypeInt 8 0\n%51 = OpTypeInt 16 0\n%52 = OpTypeVector %50 2\n"                          \
  "%53 = OpTypeVector %51 2\n%54 = OpTypeVector %4 2\n"
#define PAIR(BODY)                                                                                 \
  SHADER("", TYPES,                                                                                \
         "%60 = OpUConvert %50 %24\n%61 = OpUConvert %50 %25\n"                                    \
         "%62 = OpCompositeConstruct %52 %60 %61\n%63 = OpSConvert %54 %62\n" BODY                 \
         "%67 = OpCompositeExtract %4 %66 0\nOpStore %22 %67\n")
#define TO_16(FROM) "%64 = OpUConvert %53 " FROM "\n%66 = OpUConvert %54 %64\n"
#define TO_8(FROM) "%64 = OpUConvert %52 " FROM "\n%66 = OpUConvert %54 %64\n"
  pair_compare(PAIR(TO_16("%63")), PAIR("%70 = OpSConvert %54 %62\n" TO_16("%70")), NULL);
  /* With zeros above the 8 bits in place of the sign. */
  pair_compare(PAIR(TO_16("%63")), PAIR("%70 = OpUConvert %54 %62\n" TO_16("%70")),
               "an operand has a different value");
  pair_compare(PAIR(TO_8("%63")), PAIR("%70 = OpSConvert %54 %62\n" TO_8("%70")), NULL);
  pair_compare(
      PAIR(TO_8("%63")),
      PAIR("%71 = OpCompositeConstruct %52 %61 %60\n%70 = OpSConvert %54 %71\n" TO_8("%70")),
      "an operand has a different value");
}

/* A narrow integer is widened with its sign or with zeros. */
static void test_signs(void **state) {
  (void)state;
#define NARROW(BODY) SHADER("", "%50 = OpTypeInt 8 0\n", "%60 = OpUConvert %50 %24\n" BODY)
#define SIGNED "%61 = OpSConvert %4 %60\n"
#define UNSIGNED "%62 = OpUConvert %4 %60\n"
  pair_compare(NARROW(SIGNED "OpStore %22 %61\n"),
               NARROW(SIGNED APART "%70 = OpSConvert %4 %60\nOpStore %22 %70\n"), NULL);
  pair_compare(NARROW(SIGNED UNSIGNED "OpStore %22 %61\n"),
               NARROW(SIGNED UNSIGNED APART "OpStore %22 %62\n"),
               "an operand has a different value");
  pair_compare(NARROW(SIGNED UNSIGNED "OpStore %22 %62\n"),
               NARROW(SIGNED UNSIGNED APART "OpStore %22 %61\n"),
               "an operand has a different value");
}

/* Each operand that was NonUniform must be. */
static void test_each_nonuniform_operand(void **state) {
  (void)state;
#define BOTH(STORE)                                                                                \
  SHADER("OpDecorate %26 NonUniform\nOpDecorate %28 NonUniform\n", "",                             \
         "%26 = OpAccessChain %15 %13 %5 %24\n%27 = OpCopyObject %15 %26\n"                        \
         "%28 = OpIAdd %4 %24 %25\n%29 = OpCopyObject %4 %28\n" STORE)
  pair_compare(BOTH("OpStore %26 %28\n"), BOTH("OpStore %26 %28\n" APART), NULL);
  pair_compare(BOTH("OpStore %26 %28\n"), BOTH("OpStore %26 %29\n"),
               "an operand has lost NonUniform");
  pair_compare(BOTH("OpStore %26 %28\n"), BOTH("OpStore %27 %28\n"),
               "an operand has lost NonUniform");
  pair_compare(BOTH("OpStore %26 %29\n"), BOTH("OpStore %26 %28\n"), NULL);
  pair_compare(BOTH("OpStore %26 %29\n"), BOTH("OpStore %27 %28\n"),
               "an operand has lost NonUniform");
}

/* Two parameters of one type are two values. */
static void test_parameters(void **state) {
  (void)state;
#define TAKES_TWO(STORED, REST)                                                                    \
  SHADER("", "%59 = OpTypeFunction %1 %4 %4\n",                                                    \
         "OpReturn\nOpFunctionEnd\n%60 = OpFunction %1 None %59\n"                                 \
         "%62 = OpFunctionParameter %4\n%63 = OpFunctionParameter %4\n%61 = OpLabel\n"             \
         "%64 = OpAccessChain %15 %13 %5 %5\nOpStore %64 " STORED "\n" REST)
  pair_compare(TAKES_TWO("%62", ""), TAKES_TWO("%62", APART), NULL);
  pair_compare(TAKES_TWO("%62", ""), TAKES_TWO("%63", APART), "an operand has a different value");
}

/* A select by a vector of constants takes a vector whole only if all its components say so. */
static void test_constant_selectors(void **state) {
  (void)state;
#define CHOSEN(SELECTOR, RESULT)                                                                   \
  SHADER("",                                                                                       \
         "%50 = OpTypeVector %3 2\n%51 = OpConstantFalse %3\n"                                     \
         "%52 = OpConstantComposite %50 %8 " SELECTOR "\n%53 = OpTypeVector %4 2\n",               \
         "%60 = OpCompositeConstruct %53 %24 %25\n%61 = OpCompositeConstruct %53 %25 %24\n"        \
         "%62 = OpSelect %53 %52 %60 %61\n%63 = OpCompositeExtract %4 " RESULT " 1\n"              \
         "OpStore %22 %63\n")
  pair_compare(CHOSEN("%8", "%62"), CHOSEN("%8", "%60"), NULL);
  pair_compare(CHOSEN("%51", "%62"), CHOSEN("%51", "%60"), "an operand has a different value");
}

/* A vector of equal booleans is undefined if one of them is, though both choose the same side. */
static void test_undefined_selectors(void **state) {
  (void)state;
#define WHOLE(FIRST)                                                                               \
  SHADER("", "%50 = OpTypeVector %3 2\n%51 = OpUndef %3\n%53 = OpTypeVector %4 2\n",               \
         "%59 = OpULessThan %3 %24 %7\n%52 = OpCompositeConstruct %50 " FIRST " " FIRST "\n"       \
         "%60 = OpCompositeConstruct %53 %24 %25\n%61 = OpCompositeConstruct %53 %25 %24\n"        \
         "%62 = OpSelect %53 %52 %60 %61\nOpStore %22 %24\n"                                       \
         "%63 = OpCompositeExtract %4 %62 0\nOpStore %22 %63\n")
  pair_compare(WHOLE("%51"), WHOLE("%59"), NULL);
  pair_compare(WHOLE("%59"), WHOLE("%51"), "an operand is undefined");
}

/* A component of a shuffle is one of the left or of the right vector. */
static void test_shuffles(void **state) {
  (void)state;
#define SHUFFLED(STORED)                                                                           \
  SHADER("", "%53 = OpTypeVector %4 2\n",                                                          \
         "%60 = OpCompositeConstruct %53 %24 %24\n%61 = OpCompositeConstruct %53 %24 %25\n"        \
         "%62 = OpVectorShuffle %53 %60 %61 1 3\n%63 = OpCompositeExtract %4 %62 1\n"              \
         "OpStore %22 " STORED "\n")
  pair_compare(SHUFFLED("%63"), SHUFFLED("%25"), NULL);
  pair_compare(SHUFFLED("%63"), SHUFFLED("%24"), "an operand has a different value");
}

/* A component of the product of a vector and a matrix depends on all components of the vector. */
static void test_matrices(void **state) {
  (void)state;
#define PRODUCT(VECTOR)                                                                            \
  SHADER("",                                                                                       \
         "%50 = OpTypeFloat 32\n%51 = OpTypeVector %50 2\n%52 = OpTypeMatrix %51 2\n"              \
         "%53 = OpConstantNull %52\n",                                                             \
         "%60 = OpConvertUToF %50 %24\n%61 = OpConvertUToF %50 %25\n"                              \
         "%62 = OpCompositeConstruct %51 %60 %61\n%63 = OpCompositeConstruct %51 %60 %60\n"        \
         "%64 = OpVectorTimesMatrix %51 " VECTOR " %53\n"                                          \
         "%65 = OpCompositeExtract %50 %64 0\n%66 = OpConvertFToU %4 %65\nOpStore %22 %66\n")
  pair_compare(PRODUCT("%62"), PRODUCT("%63"), "an operand has a different value");
}

/* A group of decorations decorates like its decorations. */
static void test_groups(void **state) {
  (void)state;
#define GROUP(DECORATION, TARGETS)                                                                 \
  "OpDecorate %70 " DECORATION "\n%70 = OpDecorationGroup\nOpGroupDecorate %70 " TARGETS "\n"
#define READS(DECORATION, LOAD)                                                                    \
  SHADER(DECORATION, "", LOAD "OpStore %22 %6\nOpBranch %31\n%31 = OpLabel\n")
  pair_compare(READS(GROUP("Volatile", "%13"), "%30 = OpLoad %4 %21\n"),
               READS(GROUP("Volatile", "%13"), ""), "another instruction comes next");
  pair_compare(READS(GROUP("RelaxedPrecision", "%24"), ""),
               READS(GROUP("RelaxedPrecision", "%24 %25"), ""),
               "module level: OpGroupDecorate %70 is missing or changed");
}

/* A variable that a transform adds holds nothing at the start of a walk, whatever the walk before
 * has left in it: here it is not set on one of the paths, and the others set a constant. */
static void test_forgotten_variables(void **state) {
  (void)state;
#define PATHS(STORED, LAST, LOADED)                                                                \
  SHADER("", "%50 = OpTypePointer Function %4\n",                                                  \
         "%60 = OpVariable %50 Function\nOpSwitch %24 %31 1 %32 2 %33 3 %34 4 %35\n"               \
         "%31 = OpLabel\n" STORED "OpBranch %40\n%32 = OpLabel\n" STORED "OpBranch %40\n"          \
         "%33 = OpLabel\n" STORED "OpBranch %40\n%34 = OpLabel\n" STORED "OpBranch %40\n"          \
         "%35 = OpLabel\n" LAST "OpBranch %40\n%40 = OpLabel\n" LOADED)
  const char *before = SHADER("", "%50 = OpTypePointer Function %4\n",
                              "OpSwitch %24 %31 1 %32 2 %33 3 %34 4 %35\n"
                              "%31 = OpLabel\nOpBranch %40\n%32 = OpLabel\nOpBranch %40\n"
                              "%33 = OpLabel\nOpBranch %40\n%34 = OpLabel\nOpBranch %40\n"
                              "%35 = OpLabel\nOpBranch %40\n%40 = OpLabel\nOpStore %22 %7\n");
#define SETS "OpStore %60 %7\n"
#define READS_BACK "%70 = OpLoad %4 %60\nOpStore %22 %70\n"
  pair_compare(before, PATHS(SETS, SETS, READS_BACK), NULL);
  pair_compare(before, PATHS(SETS, "", READS_BACK), "an operand is undefined");
}

/* Only a kernel's interface may list more variables, and only those of the input. */
static void test_interfaces(void **state) {
  (void)state;
  static const char name[] = "\"main\"";
  const char *text = BODY(""), *at = strstr(text, name) + strlen(name);
  char more[4096];
  snprintf(more, sizeof more, "%.*s %%13%s", (int)(at - text), text, at);
  pair_compare(text, more, "module level: OpEntryPoint");
#define KERNEL(LISTED, ADDED)                                                                      \
  "; Version: 1.4\nOpCapability Kernel\nOpCapability Addresses\n"                                  \
  "OpMemoryModel Physical32 OpenCL\nOpEntryPoint Kernel %10 \"main\"" LISTED "\n"                  \
  "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%4 = OpTypeInt 32 0\n"                                 \
  "%5 = OpTypePointer CrossWorkgroup %4\n%6 = OpConstant %4 1\n"                                   \
  "%13 = OpVariable %5 CrossWorkgroup\n" ADDED                                                     \
  "%10 = OpFunction %1 None %2\n%20 = OpLabel\nOpReturn\nOpFunctionEnd\n"
  pair_compare(KERNEL("", ""), KERNEL(" %13", ""), NULL);
  pair_compare(KERNEL("", ""), KERNEL(" %13 %30", "%30 = OpVariable %5 CrossWorkgroup\n"),
               "module level: OpEntryPoint");
  pair_compare(KERNEL("", ""), KERNEL(" %6", ""), "module level: OpEntryPoint");
  pair_compare(KERNEL(" %13", ""), KERNEL("", ""), "module level: OpEntryPoint");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exchanged_phis), cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_signs),          cmocka_unit_test(test_each_nonuniform_operand),
      cmocka_unit_test(test_parameters),     cmocka_unit_test(test_constant_selectors),
      cmocka_unit_test(test_shuffles),       cmocka_unit_test(test_undefined_selectors),
      cmocka_unit_test(test_matrices),       cmocka_unit_test(test_groups),
      cmocka_unit_test(test_interfaces),     cmocka_unit_test(test_forgotten_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
