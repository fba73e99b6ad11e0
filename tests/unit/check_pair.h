/* SPDX-License-Identifier: Apache-2.0 */
/* check_pair: two small modules for the checker's tests, before and after. */
#ifndef CHECK_PAIR_H
#define CHECK_PAIR_H

#include <spvreconv/spvreconv.h>

/* A shader of one function on a buffer of unsigned words: %21, %22 and %23 point to words of it,
 * %24 and %25 are loaded from the first two. DECORATION and TYPES may add to the module level. */
#define SHADER(DECORATION, TYPES, BODY)                                                            \
  "; Version: 1.3\n"                                                                               \
  "OpCapability Shader\nOpCapability Int8\nOpCapability Float16\n"                                 \
  "OpMemoryModel Logical GLSL450\n"                                                                \
  "OpEntryPoint GLCompute %10 \"main\"\nOpExecutionMode %10 LocalSize 1 1 1\n"                     \
  "OpDecorate %11 ArrayStride 4\nOpDecorate %12 Block\nOpMemberDecorate %12 0 Offset 0\n"          \
  "OpDecorate %13 DescriptorSet 0\nOpDecorate %13 Binding 0\n" DECORATION                          \
  "%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = OpTypeBool\n%4 = OpTypeInt 32 0\n"                \
  "%5 = OpConstant %4 0\n%6 = OpConstant %4 1\n%7 = OpConstant %4 7\n%8 = OpConstantTrue %3\n"     \
  "%11 = OpTypeRuntimeArray %4\n%12 = OpTypeStruct %11\n"                                          \
  "%14 = OpTypePointer StorageBuffer %12\n%15 = OpTypePointer StorageBuffer %4\n"                  \
  "%13 = OpVariable %14 StorageBuffer\n" TYPES "%10 = OpFunction %1 None %2\n%20 = OpLabel\n"      \
  "%21 = OpAccessChain %15 %13 %5 %5\n%22 = OpAccessChain %15 %13 %5 %6\n"                         \
  "%23 = OpAccessChain %15 %13 %5 %7\n"                                                            \
  "%24 = OpLoad %4 %21\n%25 = OpLoad %4 %22\n" BODY "OpReturn\nOpFunctionEnd\n"
#define BODY(TEXT) SHADER("", "", TEXT)

#define BRANCH(THEN, ELSE)                                                                         \
  "%30 = OpULessThan %3 %24 %7\nOpBranchConditional %30 " THEN " " ELSE "\n"
#define ARMS                                                                                       \
  "%31 = OpLabel\nOpStore %22 %6\nOpBranch %33\n"                                                  \
  "%32 = OpLabel\nOpStore %22 %7\nOpBranch %33\n%33 = OpLabel\n"
#define LOOP(LATCH)                                                                                \
  "OpBranch %30\n%30 = OpLabel\n%31 = OpPhi %4 %5 %20 %32 %30\nOpStore %22 %31\n"                  \
  "%32 = OpIAdd %4 %31 %6\n%33 = OpULessThan %3 %32 %24\n" LATCH                                   \
  "%34 = OpLabel\nOpStore %23 %32\n"

typedef struct Words {
  uint32_t *at;
  size_t count;
} Words;

/* The words of a module, to be freed; the test fails if the text cannot be assembled. */
Words pair_words(const char *text);

/* Compares two modules as after a list of transforms. `difference`: NULL: they must be equal; else
 * a part of the message. */
spvreconv_check pair_compare_as(const char *transform, const char *before, const char *after,
                                const char *difference);
/* The same as after "auto". */
spvreconv_check pair_compare(const char *before, const char *after, const char *difference);

#endif
