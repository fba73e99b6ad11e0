/* SPDX-License-Identifier: Apache-2.0 */
/* The checker (docs/check.md) on small modules: which ones it finds equal, which not, and its
 * messages. */
#include "tests/unit/check_pair.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- effects ---- */

static void test_equal_words(void **state) {
  (void)state;
  spvreconv_check c =
      pair_compare(BODY(BRANCH("%31", "%32") ARMS), BODY(BRANCH("%31", "%32") ARMS), NULL);
  assert_int_equal(c.functions, 0);
  assert_int_equal(c.walks, 0);
}

static void test_branches(void **state) {
  (void)state;
  spvreconv_check c = pair_compare(BODY(BRANCH("%31", "%32") ARMS),
                                   BODY("%30 = OpULessThan %3 %24 %7\n%40 = OpLogicalNot %3 %30\n"
                                        "OpBranchConditional %40 %32 %31\n" ARMS),
                                   NULL);
  assert_int_equal(c.edges, 4);
  assert_int_equal(c.edges_covered, 4);
  pair_compare(BODY(BRANCH("%31", "%32") ARMS), BODY(BRANCH("%32", "%31") ARMS),
               "an operand has a different value");
  pair_compare(BODY(BRANCH("%31", "%32") ARMS), BODY(BRANCH("%31", "%33") ARMS),
               "another instruction comes next");
}

static void test_stores(void **state) {
  (void)state;
  const char *both = BODY("OpStore %22 %6\nOpStore %23 %7\nOpBranch %30\n%30 = OpLabel\n");
  pair_compare(both, BODY("OpStore %22 %6\nOpStore %23 %7\n"), NULL);
  pair_compare(both, BODY("OpStore %23 %7\nOpStore %22 %6\n"), "an operand has a different value");
  pair_compare(both, BODY("OpStore %22 %6\n"), "another instruction comes next");
  pair_compare(both, BODY("OpStore %22 %6\nOpStore %23 %7\nOpStore %23 %7\n"),
               "another instruction comes next");
}

/* A load after a store differs from one before it. */
static void test_memory(void **state) {
  (void)state;
  const char *late = BODY("OpStore %22 %6\n%30 = OpLoad %4 %21\nOpStore %23 %30\nOpBranch %31\n"
                          "%31 = OpLabel\n");
  pair_compare(late, BODY("OpStore %22 %6\n%30 = OpLoad %4 %21\nOpStore %23 %30\n"), NULL);
  pair_compare(late, BODY("%30 = OpLoad %4 %21\nOpStore %22 %6\nOpStore %23 %30\n"),
               "an operand has a different value");
}

static void test_ends(void **state) {
  (void)state;
  pair_compare(
      BODY(BRANCH("%31", "%32") "%31 = OpLabel\nOpReturn\n%32 = OpLabel\nOpStore %22 %6\n"),
      BODY(BRANCH("%31", "%32") "%31 = OpLabel\nOpUnreachable\n%32 = OpLabel\nOpStore %22 %6\n"),
      "it reaches OpUnreachable");
  /* Code that no lane can reach may differ. */
  pair_compare(
      BODY(BRANCH("%31", "%32") "%31 = OpLabel\nOpUnreachable\n%32 = OpLabel\nOpStore %22 %6\n"),
      BODY(BRANCH("%31", "%32") "%31 = OpLabel\nOpStore %22 %7\nOpReturn\n"
                                "%32 = OpLabel\nOpStore %22 %6\n"),
      NULL);
}

/* ---- loops ---- */

static void test_loops(void **state) {
  (void)state;
  const char *loop = BODY(LOOP("OpBranchConditional %33 %30 %34\n"));
  pair_compare(loop, BODY(LOOP("%40 = OpLogicalNot %3 %33\nOpBranchConditional %40 %34 %30\n")),
               NULL);
  pair_compare(loop, BODY(LOOP("OpBranchConditional %33 %34 %30\n")), "");
}

/* An endless loop: its effects are compared as far as the walk goes. */
static void test_endless(void **state) {
  (void)state;
  const char *endless = BODY("OpBranch %30\n%30 = OpLabel\nOpStore %22 %6\nOpBranch %30\n"
                             "%31 = OpLabel\n");
  pair_compare(endless,
               BODY("OpBranch %40\n%40 = OpLabel\nOpBranch %30\n%30 = OpLabel\n"
                    "OpStore %22 %6\nOpBranch %30\n%31 = OpLabel\n"),
               NULL);
  pair_compare(endless,
               BODY("OpBranch %30\n%30 = OpLabel\nOpStore %22 %6\nOpBranch %31\n"
                    "%31 = OpLabel\n"),
               "another instruction comes next");
  pair_compare(BODY("OpBranch %31\n%31 = OpLabel\nOpStore %22 %6\n"),
               BODY("OpBranch %30\n%30 = OpLabel\nOpBranch %30\n%31 = OpLabel\nOpStore %22 %6\n"),
               "it does not reach the next effect");
}

/* ---- values ---- */

/* Equal types and constants are equal however they are numbered; the instructions of the output are
 * computed. */
static void test_added_selector(void **state) {
  (void)state;
  const char *before =
      BODY(BRANCH("%31", "%32") "%31 = OpLabel\nOpBranch %33\n%32 = OpLabel\nOpBranch %33\n"
                                "%33 = OpLabel\n%34 = OpPhi %4 %24 %31 %25 %32\nOpStore %23 %34\n");
  const char *types = "%50 = OpConstant %4 3\n%51 = OpConstant %4 5\n%52 = OpConstant %4 4\n";
  const char *rest = "%53 = OpSelect %4 %30 %50 %51\n%54 = OpULessThanEqual %3 %53 %52\n"
                     "%34 = OpSelect %4 %54 ";
  char after[4096];
  for (int wrong = 0; wrong < 2; wrong++) {
    char body[1024];
    snprintf(body, sizeof body, "%%30 = OpULessThan %%3 %%24 %%7\n%s%s\nOpStore %%23 %%34\n", rest,
             wrong ? "%25 %24" : "%24 %25");
    const char *whole = SHADER("", "TYPES", "BODY"); /* by hand: the macro pastes literals only */
    const char *t = strstr(whole, "TYPES"), *b = strstr(whole, "BODY");
    snprintf(after, sizeof after, "%.*s%s%.*s%s%s", (int)(t - whole), whole, types,
             (int)(b - t - 5), t + 5, body, b + 4);
    pair_compare(before, after, wrong ? "an operand has a different value" : NULL);
  }
}

/* A half carried in 32 bits. */
#define HALF(BODY)                                                                                 \
  SHADER("",                                                                                       \
         "%50 = OpTypeFloat 16\n%51 = OpTypePointer Function %50\n%52 = OpTypeFloat 32\n"          \
         "%54 = OpTypeInt 8 0\n%55 = OpTypeInt 8 1\n",                                             \
         "%60 = OpConvertUToF %50 %24\n" BODY)

static void test_conversions(void **state) {
  (void)state;
  const char *plain = HALF("OpBranch %30\n%30 = OpLabel\n%61 = OpFNegate %50 %60\n"
                           "%62 = OpConvertFToU %4 %61\nOpStore %22 %62\n");
  pair_compare(
      plain,
      HALF("%70 = OpFConvert %52 %60\nOpBranch %30\n%30 = OpLabel\n%71 = OpFConvert %50 %70\n"
           "%61 = OpFNegate %50 %71\n%62 = OpConvertFToU %4 %61\nOpStore %22 %62\n"),
      NULL);
  /* Another value of the type is another value. */
  pair_compare(plain,
               HALF("%70 = OpConvertUToF %50 %25\nOpBranch %30\n%30 = OpLabel\n"
                    "%61 = OpFNegate %50 %70\n%62 = OpConvertFToU %4 %61\nOpStore %22 %62\n"),
               "an operand has a different value");
  pair_compare(
      HALF("%61 = OpUConvert %54 %24\nOpBranch %30\n%30 = OpLabel\n%62 = OpUConvert %4 %61\n"
           "OpStore %22 %62\n"),
      HALF("%61 = OpUConvert %54 %24\n%70 = OpSConvert %4 %61\nOpBranch %30\n%30 = OpLabel\n"
           "%71 = OpSConvert %54 %70\n%62 = OpUConvert %4 %71\nOpStore %22 %62\n"),
      NULL);
}

/* A vector may be undefined in part, and be carried in 32 bits as well. */
#define VECTOR(BODY)                                                                               \
  SHADER("",                                                                                       \
         "%50 = OpTypeFloat 16\n%51 = OpTypeVector %50 2\n%52 = OpTypeFloat 32\n"                  \
         "%53 = OpTypeVector %52 2\n%54 = OpUndef %51\n",                                          \
         "%60 = OpConvertUToF %50 %24\n%61 = OpCompositeInsert %51 %60 %54 1\n" BODY)

static void test_vectors(void **state) {
  (void)state;
  const char *rest = VECTOR("OpBranch %30\n%30 = OpLabel\n%62 = OpCompositeExtract %50 %61 1\n"
                            "%63 = OpConvertFToU %4 %62\nOpStore %22 %63\n");
  pair_compare(rest,
               VECTOR("%70 = OpFConvert %53 %61\nOpBranch %30\n%30 = OpLabel\n"
                      "%71 = OpFConvert %51 %70\n%62 = OpCompositeExtract %50 %71 1\n"
                      "%63 = OpConvertFToU %4 %62\nOpStore %22 %63\n"),
               NULL);
  pair_compare(rest,
               VECTOR("%70 = OpCompositeInsert %51 %60 %54 0\nOpBranch %30\n%30 = OpLabel\n"
                      "%62 = OpCompositeExtract %50 %70 1\n%63 = OpConvertFToU %4 %62\n"
                      "OpStore %22 %63\n"),
               "an operand is undefined");
  pair_compare(VECTOR("%70 = OpFNegate %51 %61\nOpBranch %30\n%30 = OpLabel\n"
                      "%62 = OpCompositeExtract %50 %70 1\n%63 = OpConvertFToU %4 %62\n"
                      "OpStore %22 %63\n"),
               VECTOR("%70 = OpFNegate %51 %61\n%62 = OpCompositeExtract %50 %70 1\n"
                      "%63 = OpConvertFToU %4 %62\nOpStore %22 %63\n"),
               NULL);
  /* The component that is defined is compared. */
  pair_compare(rest,
               VECTOR("%80 = OpConvertUToF %50 %25\n%70 = OpCompositeInsert %51 %80 %54 1\n"
                      "OpBranch %30\n%30 = OpLabel\n%62 = OpCompositeExtract %50 %70 1\n"
                      "%63 = OpConvertFToU %4 %62\nOpStore %22 %63\n"),
               "an operand has a different value");
}

static void test_undefined(void **state) {
  (void)state;
  const char *given = BODY("%30 = OpUndef %4\nOpStore %22 %30\nOpBranch %31\n%31 = OpLabel\n");
  pair_compare(given, BODY("OpStore %22 %7\nOpBranch %31\n%31 = OpLabel\n"), NULL);
  pair_compare(BODY("OpStore %22 %7\nOpBranch %31\n%31 = OpLabel\n"), given,
               "an operand is undefined");
  pair_compare(BODY(BRANCH("%31", "%32") ARMS),
               BODY("%40 = OpUndef %3\nOpBranchConditional %40 %31 %32\n" ARMS),
               "it branches on an undefined value");
  /* A select that does not choose the undefined value. */
  pair_compare(BODY("OpStore %22 %7\nOpBranch %31\n%31 = OpLabel\n"),
               BODY("%40 = OpUndef %4\n%41 = OpSelect %4 %8 %7 %40\nOpStore %22 %41\n"), NULL);
}

/* ---- differences on every path ---- */

static void test_instructions(void **state) {
  (void)state;
#define NAMED(DECORATION, OP)                                                                      \
  SHADER(DECORATION, "", "%30 = " OP " %4 %24 %25\nOpStore %22 %30\nOpBranch %31\n%31 = OpLabel\n")
#define MOVED(DECORATION, OP)                                                                      \
  SHADER(DECORATION, "", "OpBranch %31\n%31 = OpLabel\n%30 = " OP " %4 %24 %25\nOpStore %22 %30\n")
  pair_compare(NAMED("", "OpIMul"), MOVED("", "OpIMul"), NULL);
  pair_compare(NAMED("", "OpIMul"), MOVED("", "OpUDiv"), "%30 is a different instruction");
  pair_compare(NAMED("OpDecorate %30 RelaxedPrecision\n", "OpIMul"), MOVED("", "OpIMul"),
               "module level: OpDecorate %30 is missing");
}

static void test_module_level(void **state) {
  (void)state;
  pair_compare(SHADER("", "%50 = OpConstant %4 9\n", "OpStore %22 %50\n"),
               SHADER("", "%50 = OpConstant %4 8\n", "OpStore %22 %50\n"),
               "module level: OpConstant %50 is missing or changed");
  pair_compare(BODY(""), SHADER("", "%50 = OpConstant %4 9\n", ""), NULL);
}

/* A variable that a transform adds replaces a value, even if its pointer goes through a phi. */
#define OWN(BODY)                                                                                  \
  SHADER("", "%50 = OpTypePointer Function %4\n",                                                  \
         "%60 = OpVariable %50 Function\n%61 = OpVariable %50 Function\n" BODY)

static void test_own_variables(void **state) {
  (void)state;
  const char *before = SHADER("", "%50 = OpTypePointer Function %4\n",
                              "OpStore %22 %24\nOpBranch %31\n%31 = OpLabel\nOpStore %23 %25\n");
  /* Variables come first in a block: these follow loads, which the checker accepts. */
  pair_compare(before,
               OWN("OpStore %60 %24\nOpStore %61 %25\n%70 = OpLoad %4 %60\nOpStore %22 %70\n"
                   "OpBranch %31\n%31 = OpLabel\n%71 = OpPhi %50 %61 %20\n%72 = OpLoad %4 %71\n"
                   "OpStore %23 %72\n"),
               NULL);
  pair_compare(before,
               OWN("OpStore %60 %24\nOpStore %61 %25\n%70 = OpLoad %4 %60\nOpStore %22 %70\n"
                   "OpBranch %31\n%31 = OpLabel\n%71 = OpPhi %50 %60 %20\n%72 = OpLoad %4 %71\n"
                   "OpStore %23 %72\n"),
               "an operand has a different value");
  pair_compare(before,
               OWN("%70 = OpLoad %4 %60\nOpStore %22 %70\nOpBranch %31\n%31 = OpLabel\n"
                   "OpStore %23 %25\n"),
               "an operand is undefined");
}

/* A variable that only the input has was replaced by values; its loads must have had them. */
static void test_dropped_variables(void **state) {
  (void)state;
#define DROPPED(INITIALIZER, ACCESS)                                                               \
  SHADER("", "%50 = OpTypePointer Function %4\n",                                                  \
         "%60 = OpVariable %50 Function" INITIALIZER "\nOpBranch %31\n%31 = OpLabel\n" ACCESS      \
         "OpStore %22 %70\n")
#define REPLACED(ID)                                                                               \
  SHADER("", "%50 = OpTypePointer Function %4\n",                                                  \
         "OpBranch %31\n%31 = OpLabel\nOpStore %22 " ID "\n")
  const char *stored = DROPPED("", "OpStore %60 %24\n%70 = OpLoad %4 %60\nOpStore %60 %25\n");
  pair_compare(stored, REPLACED("%24"), NULL);
  pair_compare(stored, REPLACED("%25"), "an operand has a different value");
  pair_compare(DROPPED(" %6", "%70 = OpLoad %4 %60\n"), REPLACED("%6"), NULL);
  pair_compare(DROPPED(" %6", "%70 = OpLoad %4 %60\n"), REPLACED("%7"),
               "an operand has a different value");
  pair_compare(DROPPED("", "OpStore %60 %24\n%80 = OpCopyObject %50 %60\n%70 = OpLoad %4 %80\n"),
               REPLACED("%24"), NULL);
  /* A volatile access is observed. */
  pair_compare(DROPPED("", "OpStore %60 %24 Volatile\n%70 = OpLoad %4 %60\n"), REPLACED("%24"),
               "another instruction comes next");
  pair_compare(DROPPED("", "OpStore %60 %24\n%70 = OpLoad %4 %60 Volatile\n"), REPLACED("%24"),
               "another instruction comes next");
}

/* An operand decides, whatever the other one is: false for AND, true for OR. An undefined operand
 * decides nothing. */
static void test_deciding_operands(void **state) {
  (void)state;
#define STORED(RESULT) BODY("OpStore %22 " RESULT "\n")
#define CHOSEN(OP, X, Y)                                                                           \
  SHADER("", "%50 = OpConstantFalse %3\n",                                                         \
         "%60 = OpUndef %3\n%61 = " OP " %3 " X " " Y "\n%62 = OpSelect %4 %61 %6 %7\n"            \
         "OpStore %22 %62\n")
  pair_compare(STORED("%7"), CHOSEN("OpLogicalAnd", "%60", "%50"), NULL);
  pair_compare(STORED("%7"), CHOSEN("OpLogicalAnd", "%50", "%60"), NULL);
  pair_compare(STORED("%6"), CHOSEN("OpLogicalOr", "%60", "%8"), NULL);
  pair_compare(STORED("%7"), CHOSEN("OpLogicalAnd", "%60", "%8"), "an operand is undefined");
  pair_compare(STORED("%7"), CHOSEN("OpLogicalAnd", "%8", "%60"), "an operand is undefined");
  pair_compare(STORED("%7"), CHOSEN("OpLogicalOr", "%60", "%50"), "an operand is undefined");
}

/* A dropped vector, stored as a whole, and in parts in a block that no lane enters. Where a lane
 * does, the store of a part is observed. */
static void test_dropped_parts(void **state) {
  (void)state;
#define VECTORS                                                                                    \
  "%50 = OpTypeVector %4 2\n%51 = OpTypePointer Function %50\n"                                    \
  "%52 = OpTypePointer Function %4\n%53 = OpConstantComposite %50 %6 %7\n"
#define PARTS(FROM)                                                                                \
  SHADER("", VECTORS,                                                                              \
         "%60 = OpVariable %51 Function\nOpStore %60 %53\nOpBranch %31\n"                          \
         "%31 = OpLabel\nOpStore %22 %24\n" FROM                                                   \
         "%32 = OpLabel\n%61 = OpAccessChain %52 %60 %5\nOpStore %61 %7\nOpBranch %33\n"           \
         "%33 = OpLabel\n")
#define NO_PARTS(FROM)                                                                             \
  SHADER("", VECTORS, "OpBranch %31\n%31 = OpLabel\nOpStore %22 %24\n" FROM "%33 = OpLabel\n")
  pair_compare(PARTS("OpBranch %33\n"), NO_PARTS("OpBranch %33\n"), NULL);
  pair_compare_as("undispatch", PARTS("%62 = OpIEqual %3 %6 %7\nOpBranchConditional %62 %32 %33\n"),
                  NO_PARTS("OpBranch %33\n"), NULL);
  pair_compare(PARTS("OpBranch %32\n"), NO_PARTS("OpBranch %33\n"),
               "another instruction comes next");
}

static void test_switch(void **state) {
  (void)state;
#define SWITCH(CASES)                                                                              \
  SHADER("", "%50 = OpTypeInt 8 1\n", "%60 = OpSConvert %50 %24\nOpSwitch %60 %33 " CASES "\n" ARMS)
  pair_compare(SWITCH("-3 %31 4 %32"), SWITCH("4 %32 -3 %31"), NULL);
  pair_compare(SWITCH("-3 %31 4 %32"), SWITCH("-3 %32 4 %31"), "an operand has a different value");
  pair_compare(SWITCH("-3 %31 4 %32"), SWITCH("-4 %31 4 %32"), "");
  pair_compare(SWITCH("-3 %31 -2 %31"), SWITCH("-3 %31"), "");
}

/* Comparisons of constants are decided only for transforms that are declared to do so. */
static void test_folding(void **state) {
  (void)state;
  const char *before = BODY("%30 = OpULessThan %3 %5 %7\nOpBranchConditional %30 %31 %32\n" ARMS);
  const char *after = BODY("OpBranch %31\n" ARMS);
  pair_compare_as("merge-copies", before, after, NULL);
  pair_compare_as("structurize", before, after, "");
}

/* ---- other errors in an output ---- */

/* The text with a line before the first instruction of the first function. */
static const char *with_first(char *out, size_t room, const char *text, const char *line) {
  const char *at = strstr(text, "%21 = OpAccessChain");
  snprintf(out, room, "%.*s%s\n%s", (int)(at - text), text, line, at);
  return out;
}

/* A variable's initializer is part of its value. */
static void test_initializers(void **state) {
  (void)state;
#define LOADED(MOVE)                                                                               \
  SHADER("", "%50 = OpTypePointer Function %4\n", MOVE "%60 = OpLoad %4 %61\nOpStore %22 %60\n")
  char a[4096], b[4096];
  const char *moved = LOADED("OpBranch %30\n%30 = OpLabel\n");
  with_first(a, sizeof a, LOADED(""), "%61 = OpVariable %50 Function %6");
  pair_compare(a, with_first(b, sizeof b, moved, "%61 = OpVariable %50 Function %6"), NULL);
  pair_compare(a, with_first(b, sizeof b, moved, "%61 = OpVariable %50 Function %7"),
               "an operand has a different value");
}

#define NEXT_FUNCTION "OpReturn\nOpFunctionEnd\n%60 = OpFunction %1 None %2\n%61 = OpLabel\n"

/* An id that belonged to another function in the input is not compared with that function. */
static void test_other_function(void **state) {
  (void)state;
  pair_compare(BODY("%30 = OpIMul %4 %24 %24\n%31 = OpIMul %4 %30 %30\n" NEXT_FUNCTION
                    "%62 = OpIMul %4 %5 %5\n"),
               BODY(NEXT_FUNCTION "%31 = OpIAdd %4 %5 %5\n"), NULL);
}

/* The walks of each function draw values of the specialization constants that it uses, whether in
 * branches or only in phis. */
static void test_specialized(void **state) {
  (void)state;
#define SPECIALIZED(FIRST, SECOND)                                                                 \
  SHADER("OpDecorate %50 SpecId 0\nOpDecorate %51 SpecId 1\n",                                     \
         "%50 = OpSpecConstantTrue %3\n%51 = OpSpecConstant %4 3\n",                               \
         FIRST "OpBranchConditional %50 %31 %32\n" ARMS NEXT_FUNCTION SECOND                       \
               "OpBranchConditional %50 %71 %72\n%71 = OpLabel\nOpBranch %72\n%72 = OpLabel\n"     \
               "%73 = OpPhi %4 %51 %65 %7 %71\n"                                                   \
               "%75 = OpULessThan %3 %73 %7\nOpBranchConditional %75 %76 %77\n%76 = OpLabel\n"     \
               "OpReturn\n%77 = OpLabel\n")
  spvreconv_check c = pair_compare_as(
      "merge-copies", SPECIALIZED("", "OpBranch %65\n%65 = OpLabel\n"),
      SPECIALIZED("OpBranch %66\n%66 = OpLabel\n", "OpBranch %67\n%67 = OpLabel\nOpBranch %65\n"
                                                   "%65 = OpLabel\n"),
      NULL);
  assert_int_equal(c.functions, 2);
  assert_int_equal(c.edges, 4 + 6);
  assert_int_equal(c.edges_covered, c.edges);
}

/* A load of a volatile variable is observed, and so is a texel that is read as volatile. */
static void test_volatile(void **state) {
  (void)state;
#define LOADS(DECORATION, LOAD)                                                                    \
  SHADER(DECORATION, "", LOAD "OpStore %22 %6\nOpBranch %31\n%31 = OpLabel\n")
#define VOLATILE "OpDecorate %13 Volatile\n"
  pair_compare(LOADS("", "%30 = OpLoad %4 %21\n"), LOADS("", ""), NULL);
  pair_compare(LOADS(VOLATILE, "%30 = OpLoad %4 %21\n"), LOADS(VOLATILE, ""),
               "another instruction comes next");
  pair_compare(LOADS("", "%30 = OpLoad %4 %21 Volatile\n"), LOADS("", ""),
               "another instruction comes next");
#define TEXEL(READ)                                                                                \
  SHADER("OpDecorate %53 DescriptorSet 0\nOpDecorate %53 Binding 1\n",                             \
         "%50 = OpTypeImage %4 2D 0 0 0 2 R32ui\n%51 = OpTypeVector %4 4\n"                        \
         "%52 = OpTypePointer UniformConstant %50\n%53 = OpVariable %52 UniformConstant\n"         \
         "%54 = OpTypeVector %4 2\n%55 = OpConstantNull %54\n",                                    \
         "%60 = OpLoad %50 %53\n" READ "OpStore %22 %6\nOpBranch %31\n%31 = OpLabel\n")
  pair_compare(TEXEL("%61 = OpImageRead %51 %60 %55\n"), TEXEL(""), NULL);
  pair_compare(TEXEL("%61 = OpImageRead %51 %60 %55 VolatileTexel\n"), TEXEL(""),
               "another instruction comes next");
}

/* The same text for SPIR-V 1.4; to be freed. */
static char *for_1_4(const char *text) {
  char *copy = strdup(text);
  strstr(copy, "Version: 1.3")[strlen("Version: 1.")] = '4';
  return copy;
}

static void gains_promise(const char *after, const char *before) {
  char *x = for_1_4(before), *y = for_1_4(after);
  pair_compare(x, y, "the loop control promises something else");
  free(x);
  free(y);
}

/* Loop control gets a promise (such as DependencyInfinite) that the input did not have. */
static void test_promises(void **state) {
  (void)state;
#define CONTROLLED(CONTROL, END)                                                                   \
  BODY("OpBranch %30\n%30 = OpLabel\n%31 = OpPhi %4 %5 %20 %32 %34\n"                              \
       "OpLoopMerge %35 %34 " CONTROL "\nOpBranch %34\n%34 = OpLabel\n%32 = OpIAdd %4 %31 %6\n"    \
       "%33 = OpULessThan %3 %32 %24\nOpBranchConditional %33 %30 %35\n%35 = OpLabel\n" END)
#define MORE "OpBranch %46\n%46 = OpLabel\n"
  pair_compare(CONTROLLED("DependencyLength 4", ""), CONTROLLED("DependencyLength 4", MORE), NULL);
  pair_compare(CONTROLLED("Unroll", ""), CONTROLLED("None", MORE), NULL);
  pair_compare(CONTROLLED("DependencyLength 4", ""), CONTROLLED("None", MORE), NULL);
  pair_compare(CONTROLLED("DependencyLength 4", ""), CONTROLLED("DependencyLength 8", MORE),
               "the loop control promises something else");
  pair_compare(CONTROLLED("None", ""), CONTROLLED("DependencyInfinite", MORE),
               "the loop control promises something else");
  pair_compare(CONTROLLED("None", ""), CONTROLLED("DependencyLength 4", MORE),
               "the loop control promises something else");
  gains_promise(CONTROLLED("MinIterations 4", MORE), CONTROLLED("None", ""));
  gains_promise(CONTROLLED("MaxIterations 4", MORE), CONTROLLED("None", ""));
  gains_promise(CONTROLLED("IterationMultiple 4", MORE), CONTROLLED("None", ""));
}

/* The wrong operand of one of four comparisons gives the wrong answer on one of sixteen paths
 * through the loop, and on none that takes the shortest path to the end. */
static void test_wrong_operands(void **state) {
  (void)state;
#define ALL_FOUR(LAST, REST)                                                                       \
  BODY("OpBranch %30\n%30 = OpLabel\n%31 = OpPhi %4 %5 %20 %32 %33\n%32 = OpIAdd %4 %31 %6\n"      \
       "%34 = OpULessThan %3 %32 %7\nOpBranchConditional %34 %35 %36\n%35 = OpLabel\n"             \
       "%40 = OpIMul %4 %24 %31\n%41 = OpIMul %4 %25 %31\n%42 = OpIMul %4 %40 %41\n"               \
       "%43 = OpIMul %4 %41 %42\n%50 = OpIEqual %3 %40 %5\n%51 = OpIEqual %3 %41 %5\n"             \
       "%52 = OpIEqual %3 %42 %5\n%53 = OpIEqual %3 " LAST " %5\n%54 = OpLogicalAnd %3 %50 %51\n"  \
       "%55 = OpLogicalAnd %3 %54 %52\n%56 = OpLogicalAnd %3 %55 %53\n"                            \
       "OpBranchConditional %56 %33 %37\n%37 = OpLabel\nOpStore %22 %31\nOpBranch %33\n"           \
       "%33 = OpLabel\nOpBranch %30\n%36 = OpLabel\nOpStore %23 %6\n" REST)
  pair_compare(ALL_FOUR("%43", ""), ALL_FOUR("%43", MORE), NULL);
  pair_compare(ALL_FOUR("%43", ""), ALL_FOUR("%42", MORE), "");
  pair_compare(ALL_FOUR("%42", ""), ALL_FOUR("%43", MORE), "");
  pair_compare(ALL_FOUR("%43", ""), ALL_FOUR("%41", MORE), "");
}

/* A handle converted from a number may be rematerialized where it is used. */
static void test_handles(void **state) {
  (void)state;
#define HANDLE(BODY)                                                                               \
  "; Version: 1.3\n"                                                                               \
  "OpCapability Shader\nOpCapability Int64\nOpCapability BindlessTextureNV\n"                      \
  "OpExtension \"SPV_NV_bindless_texture\"\nOpMemoryModel Logical GLSL450\n"                       \
  "OpSamplerImageAddressingModeNV 64\n"                                                            \
  "OpEntryPoint GLCompute %10 \"main\"\nOpExecutionMode %10 LocalSize 1 1 1\n"                     \
  "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%4 = OpTypeInt 32 0\n%5 = OpTypeInt 64 0\n"            \
  "%6 = OpConstant %5 9\n%7 = OpTypeVector %4 2\n%8 = OpConstantNull %7\n%9 = OpTypeVector %4 4\n" \
  "%11 = OpTypeImage %4 2D 0 0 0 2 R32ui\n%12 = OpConstantNull %9\n"                               \
  "%10 = OpFunction %1 None %2\n%20 = OpLabel\n" BODY                                              \
  "%23 = OpImageRead %9 %22 %8\nOpImageWrite %22 %8 %23\nOpReturn\nOpFunctionEnd\n"
  pair_compare(HANDLE("%22 = OpConvertUToImageNV %11 %6\nOpImageWrite %22 %8 %12\n"),
               HANDLE("%21 = OpConvertUToImageNV %11 %6\nOpImageWrite %21 %8 %12\nOpBranch %30\n"
                      "%30 = OpLabel\n%22 = OpConvertUToImageNV %11 %6\n"),
               NULL);
}

/* A store through the same pointer under a name that is not NonUniform. */
static void test_nonuniform(void **state) {
  (void)state;
#define NONUNIFORM(STORE)                                                                          \
  SHADER("OpDecorate %26 NonUniform\n", "",                                                        \
         "%26 = OpAccessChain %15 %13 %5 %24\n%27 = OpCopyObject %15 %26\n" STORE)
  pair_compare(NONUNIFORM("OpStore %26 %6\n"),
               NONUNIFORM("OpStore %26 %6\nOpBranch %30\n%30 = OpLabel\n"), NULL);
  pair_compare(NONUNIFORM("OpStore %26 %6\n"), NONUNIFORM("OpStore %27 %6\n"),
               "an operand has lost NonUniform");
  pair_compare(NONUNIFORM("OpStore %27 %6\n"), NONUNIFORM("OpStore %26 %6\n"), NULL);
}

/* An address is computed again by other instructions, whose index, a sum, is not NonUniform. */
static void test_nonuniform_copy(void **state) {
  (void)state;
#define COPIED(DECORATION, BODY)                                                                   \
  SHADER("OpDecorate %26 NonUniform\nOpDecorate %27 NonUniform\n" DECORATION, "",                  \
         "%26 = OpIAdd %4 %24 %6\n%27 = OpAccessChain %15 %13 %5 %26\n" BODY)
  const char *once = COPIED("", "OpStore %27 %6\nOpBranch %30\n%30 = OpLabel\n");
#define AGAIN                                                                                      \
  "%40 = OpIAdd %4 %24 %6\n%42 = OpAccessChain %15 %13 %5 %40\n"                                   \
  "OpStore %42 %6\n"
  pair_compare(once, COPIED("OpDecorate %40 NonUniform\nOpDecorate %42 NonUniform\n", AGAIN), NULL);
  pair_compare(once, COPIED("OpDecorate %42 NonUniform\n", AGAIN),
               "an operand was computed from one that has lost NonUniform");
#define SUMS(DECORATION, BODY)                                                                     \
  SHADER("OpDecorate %26 NonUniform\n" DECORATION, "",                                             \
         "%26 = OpIAdd %4 %24 %6\n%27 = OpIAdd %4 %26 %7\n" BODY)
#define SUMS_AGAIN "%40 = OpIAdd %4 %24 %6\n%41 = OpIAdd %4 %40 %7\nOpStore %23 %41\n"
  const char *sums = SUMS("", "OpStore %23 %27\nOpBranch %30\n%30 = OpLabel\n");
  pair_compare(sums, SUMS("OpDecorate %40 NonUniform\n", SUMS_AGAIN), NULL);
  pair_compare(sums, SUMS("", SUMS_AGAIN),
               "an operand was computed from one that has lost NonUniform");
  /* It may get the decoration: a phi that joins values does. */
#define GAINED(DECORATION, BODY)                                                                   \
  SHADER("OpDecorate %27 NonUniform\n" DECORATION, "",                                             \
         "%26 = OpIAdd %4 %24 %6\n%27 = OpAccessChain %15 %13 %5 %26\n" BODY)
  pair_compare(GAINED("", "OpStore %27 %6\nOpBranch %30\n%30 = OpLabel\n"),
               GAINED("OpDecorate %40 NonUniform\nOpDecorate %42 NonUniform\n", AGAIN), NULL);
}

/* ---- large switches, wide phis ---- */

enum { CASES = 4000 };

/* A switch with thousands of cases counts as that many blocks. */
static void test_many_cases(void **state) {
  (void)state;
  const char *whole = BODY("OpSwitch %24 %33CASES\n" ARMS), *cases = strstr(whole, "CASES");
  size_t room = strlen(whole) + 16 * CASES + 64;
  char *before = malloc(room), *after = malloc(room), *at = before;
  at += sprintf(at, "%.*s", (int)(cases - whole), whole);
  for (int i = 0; i < CASES; i++)
    at += sprintf(at, " %d %%%d", 3 * i, 31 + i % 2);
  strcpy(at, cases + strlen("CASES"));
  const char *choice = strstr(before, "OpSwitch");
  sprintf(after, "%.*sOpBranch %%40\n%%40 = OpLabel\n%s", (int)(choice - before), before, choice);
  spvreconv_check c = pair_compare(before, after, NULL);
  assert_int_equal(c.edges, CASES + 1 + 2);
  assert_int_equal(c.edges_covered, c.edges);
  free(before);
  free(after);
}

enum { PHIS = 3000, MEMORY = 32 << 20 };

static void *at_most(void *user, void *old, size_t old_size, size_t new_size) {
  size_t *used = user;
  if (*used - old_size + new_size > MEMORY)
    return NULL;
  void *p = NULL;
  if (new_size == 0)
    free(old);
  else if (!(p = realloc(old, new_size)))
    return NULL;
  *used += new_size - old_size;
  return p;
}

/* The two must compare as equal, within MEMORY bytes. Frees both. */
static void compare_within(Words a, Words b) {
  size_t used = 0;
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.resize = at_most;
  o.resize_user = &used;
  spvreconv_result *r;
  assert_int_equal(spvreconv_compare(&o, a.at, a.count, b.at, b.count, &r), SPVRECONV_OK);
  assert_int_equal(spvreconv_result_check(r)->functions, 1);
  spvreconv_result_destroy(r);
  assert_int_equal(used, 0);
  free(a.at);
  free(b.at);
}

/* A vector of millions of components is represented by one hash. */
static void test_long_vectors(void **state) {
  (void)state;
#define LONG_VECTOR(FIRST)                                                                         \
  SHADER("",                                                                                       \
         "%50 = OpTypeVector %4 100000000\n%51 = OpTypePointer Private %50\n"                      \
         "%52 = OpVariable %51 Private\n",                                                         \
         FIRST "%30 = OpLoad %50 %52\n%31 = OpIAdd %50 %30 %30\n"                                  \
               "%32 = OpCompositeInsert %50 %24 %31 9\n%33 = OpCompositeExtract %4 %32 5\n"        \
               "OpStore %22 %33\n")
  compare_within(pair_words(LONG_VECTOR("")),
                 pair_words(LONG_VECTOR("OpBranch %90\n%90 = OpLabel\n")));
}

/* Thousands of phis; the first has thousands of parents, the others have two. That is not valid,
 * but must not take memory proportional to the product. */
static void test_uneven_phis(void **state) {
  (void)state;
  char *text = malloc(64 * (PHIS + 100)), *at = text;
  const char *whole = BODY(BRANCH("%31", "%32") ARMS "PHIS"), *phis = strstr(whole, "PHIS");
  at += sprintf(at, "%.*s", (int)(phis - whole), whole);
  for (int i = 0; i < PHIS; i++)
    at += sprintf(at, "%%%d = OpPhi %%4 %%24 %%31 %%25 %%32\n", 100 + i);
  strcpy(at, phis + strlen("PHIS"));
  Words a = pair_words(text), b = {.at = malloc((a.count + 2 * PHIS) * sizeof *b.at)};
  for (size_t i = 5; i < a.count; i += a.at[i] >> 16)
    if ((a.at[i] & 0xffff) == 245 /* OpPhi */ && b.count == 0)
      b.count = i;
  size_t first = b.count;
  memcpy(b.at, a.at, first * sizeof *b.at);
  b.at[b.count++] = a.at[first] + ((uint32_t)(2 * PHIS) << 16);
  memcpy(&b.at[b.count], &a.at[first + 1], 4 * sizeof *b.at);
  for (b.count += 4; b.count < first + 5 + 2 * PHIS; b.count += 2)
    memcpy(&b.at[b.count], &a.at[first + 3], 2 * sizeof *b.at);
  memcpy(&b.at[b.count], &a.at[first + 5], (a.count - first - 5) * sizeof *b.at);
  b.count += a.count - first - 5;
  compare_within(b, a);
  free(text);
}

/* ---- errors in transforms that the checker has found ---- */

static void run_checked(const char *transform, const char *text) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = transform;
  o.validate = SPVRECONV_VALIDATE_NONE;
  o.want = SPVRECONV_WANT_CHECK;
  spvreconv_result *r;
  if (spvreconv_run_text(&o, text, strlen(text), &r) != SPVRECONV_OK)
    fail_msg("%s: %s\n%s", transform, spvreconv_result_message(r),
             spvreconv_result_text(r, SPVRECONV_WANT_CHECK));
  spvreconv_result_destroy(r);
}

/* unstructure added branches on values that may be undefined. */
static void test_forks(void **state) {
  (void)state;
#define UNDEFINED(TYPE, VALUES)                                                                    \
  BODY("%50 = OpUndef " TYPE "\n" VALUES BRANCH(                                                   \
      "%31", "%32") "%31 = OpLabel\nOpStore %22 %6\n"                                              \
                    "OpBranch %32\n%32 = OpLabel\n%33 = OpPhi %4 %24 %20 %25 %31 %34 %32\n"        \
                    "%34 = OpIAdd %4 %33 %6\nOpStore %23 %34\n%35 = OpULessThan %3 %34 %7\n"       \
                    "OpBranchConditional %35 %32 %36\n%36 = OpLabel\n")
  for (int seed = 1; seed < 32; seed++) {
    char transform[32];
    snprintf(transform, sizeof transform, "unstructure:%d", seed);
    run_checked(transform, UNDEFINED("%3", ""));
    run_checked(transform, UNDEFINED("%4", "%51 = OpIMul %4 %50 %24\n%52 = OpIMul %4 %51 %24\n"));
  }
}

/* merge-copies mistook instructions that print for debug information, and dropped them. */
static void test_printed(void **state) {
  (void)state;
  const char *text = BODY(
      BRANCH("%31", "%32") "%31 = OpLabel\n%40 = OpPhi %4 %24 %20 %44 %32\n"
                           "%41 = OpExtInst %1 %60 1 %61 %40\nOpStore %22 %40\n"
                           "%42 = OpULessThan %3 %40 %6\nOpBranchConditional %42 %32 %33\n"
                           "%32 = OpLabel\n%43 = OpPhi %4 %24 %20 %40 %31\n%44 = OpIAdd %4 %43 %6\n"
                           "%45 = OpExtInst %1 %60 1 %61 %44\nOpStore %23 %44\n"
                           "%46 = OpULessThan %3 %44 %7\nOpBranchConditional %46 %31 %33\n"
                           "%33 = OpLabel\n");
  const char *model = strstr(text, "OpMemoryModel"), *entry = strstr(text, "OpDecorate");
  char whole[8192];
  snprintf(whole, sizeof whole,
           "%.*sOpExtension \"SPV_KHR_non_semantic_info\"\n"
           "%%60 = OpExtInstImport \"NonSemantic.DebugPrintf\"\n%.*s%%61 = OpString \"%%u\"\n%s",
           (int)(model - text), text, (int)(entry - model), model, entry);
  run_checked("struct-copy,merge-copies", whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal_words),
      cmocka_unit_test(test_branches),
      cmocka_unit_test(test_stores),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_endless),
      cmocka_unit_test(test_added_selector),
      cmocka_unit_test(test_conversions),
      cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_undefined),
      cmocka_unit_test(test_instructions),
      cmocka_unit_test(test_module_level),
      cmocka_unit_test(test_own_variables),
      cmocka_unit_test(test_dropped_variables),
      cmocka_unit_test(test_dropped_parts),
      cmocka_unit_test(test_deciding_operands),
      cmocka_unit_test(test_switch),
      cmocka_unit_test(test_folding),
      cmocka_unit_test(test_initializers),
      cmocka_unit_test(test_other_function),
      cmocka_unit_test(test_specialized),
      cmocka_unit_test(test_volatile),
      cmocka_unit_test(test_promises),
      cmocka_unit_test(test_wrong_operands),
      cmocka_unit_test(test_handles),
      cmocka_unit_test(test_nonuniform),
      cmocka_unit_test(test_nonuniform_copy),
      cmocka_unit_test(test_many_cases),
      cmocka_unit_test(test_uneven_phis),
      cmocka_unit_test(test_long_vectors),
      cmocka_unit_test(test_forks),
      cmocka_unit_test(test_printed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
