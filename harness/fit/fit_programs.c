/* SPDX-License-Identifier: Apache-2.0 */
/* fit_programs: see fit_programs.h. In GLSL, `lane` is the invocation's number in its subgroup
 * (those of the second subgroup begin elsewhere), and bit(i) is a bit of a hash of it. */
#include "harness/fit/fit_programs.h"

#include <stdio.h>
#include <stdlib.h>

static const FtProgram programs[] = {
    {"if_else", "both sides of a branch",
     "void main() {\n"
     "  begin();\n"
     "  if (lane % 2u == 0u)\n"
     "    n += 1u;\n"
     "  else\n"
     "    n += 2u;\n"
     "  end();\n"
     "}\n",
     NULL},
    {"nested_if", "branches inside a branch, and code that follows each",
     "void main() {\n"
     "  begin();\n"
     "  if (lane % 4u != 0u) {\n"
     "    n += 1u;\n"
     "    if (bit(0u)) {\n"
     "      n += 2u;\n"
     "      if (bit(1u))\n"
     "        n += 3u;\n"
     "      n += 4u;\n"
     "    } else {\n"
     "      n += 5u;\n"
     "    }\n"
     "    n += 6u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"compound_condition", "short circuits: (a || b) && (c || d)",
     "bool test(bool b) { return b; }\n"
     "void main() {\n"
     "  begin();\n"
     "  if ((test(bit(0u)) || test(bit(1u))) && (test(bit(2u)) || test(bit(3u))))\n"
     "    n += 1u;\n"
     "  else\n"
     "    n += 2u;\n"
     "  end();\n"
     "}\n",
     NULL},
    {"loop_bounds", "lanes leave a loop one after the other",
     "void main() {\n"
     "  begin();\n"
     "  for (uint k = 0u; k < lane % 4u; k++)\n"
     "    n += k;\n"
     "  end();\n"
     "}\n",
     NULL},
    {"loop_break", "lanes leave a loop from its middle, after some work",
     "void main() {\n"
     "  begin();\n"
     "  for (uint k = 0u; k < 4u; k++) {\n"
     "    n += 1u;\n"
     "    if (lane % 5u == k) {\n"
     "      n += 10u;\n"
     "      if (bit(0u))\n"
     "        n += 20u;\n"
     "      break;\n"
     "    }\n"
     "    n += 100u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"loop_two_breaks", "two exits of a loop, one inside a branch",
     "void main() {\n"
     "  begin();\n"
     "  for (uint k = 0u; k < 3u; k++) {\n"
     "    if (bit(k)) {\n"
     "      if (lane % 3u == k)\n"
     "        break;\n"
     "      n += 1u;\n"
     "    }\n"
     "    n += 2u;\n"
     "    if (lane % 4u == k + 1u)\n"
     "      break;\n"
     "    n += 3u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"loop_continue", "lanes go on with the next iteration from the middle of one",
     "void main() {\n"
     "  begin();\n"
     "  for (uint k = 0u; k < 3u; k++) {\n"
     "    if (lane % 3u == k)\n"
     "      continue;\n"
     "    n += 1u;\n"
     "    if (bit(k)) {\n"
     "      n += 2u;\n"
     "      continue;\n"
     "    }\n"
     "    n += 3u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"loop_return", "lanes end inside a loop",
     "void main() {\n"
     "  begin();\n"
     "  for (uint k = 0u; k < 3u; k++) {\n"
     "    n += 1u;\n"
     "    if (lane % 5u == k) {\n"
     "      end();\n"
     "      return;\n"
     "    }\n"
     "    n += 2u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"nested_loops", "lanes leave an inner loop, and then the outer one",
     "void main() {\n"
     "  begin();\n"
     "  for (uint k = 0u; k < 3u; k++) {\n"
     "    n += 1u;\n"
     "    for (uint j = 0u; j < 3u; j++) {\n"
     "      if ((lane + k) % 4u == j)\n"
     "        break;\n"
     "      n += 2u;\n"
     "    }\n"
     "    if (n > 6u + lane % 4u)\n"
     "      break;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"loop_in_branch", "loops of different lengths on the sides of a branch",
     "void main() {\n"
     "  begin();\n"
     "  if (bit(0u)) {\n"
     "    for (uint k = 0u; k < 1u + lane % 3u; k++)\n"
     "      n += 1u;\n"
     "    n += 2u;\n"
     "  } else {\n"
     "    uint k = 0u;\n"
     "    do {\n"
     "      n += 3u;\n"
     "      k++;\n"
     "    } while (k < lane % 4u);\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"break_out", "forward jumps out of a block: do { … } while (false)",
     "void main() {\n"
     "  begin();\n"
     "  do {\n"
     "    if (bit(0u))\n"
     "      break;\n"
     "    n += 1u;\n"
     "    if (bit(1u)) {\n"
     "      n += 2u;\n"
     "      if (bit(2u))\n"
     "        break;\n"
     "      n += 3u;\n"
     "    }\n"
     "    n += 4u;\n"
     "  } while (false);\n"
     "  end();\n"
     "}\n",
     NULL},
    {"switch_cases", "the cases of a switch",
     "void main() {\n"
     "  begin();\n"
     "  switch (lane % 4u) {\n"
     "  case 0u:\n"
     "    n += 1u;\n"
     "    break;\n"
     "  case 1u:\n"
     "  case 2u:\n"
     "    n += 2u;\n"
     "    break;\n"
     "  default:\n"
     "    n += 3u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"switch_falls", "cases that fall through",
     "void main() {\n"
     "  begin();\n"
     "  switch (lane % 5u) {\n"
     "  case 0u:\n"
     "    n += 1u;\n"
     "  case 1u:\n"
     "    n += 2u;\n"
     "    if (bit(0u))\n"
     "      break;\n"
     "    n += 3u;\n"
     "  case 2u:\n"
     "    n += 4u;\n"
     "    break;\n"
     "  default:\n"
     "    n += 5u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"switch_into_default", "a case that falls into the default",
     "void main() {\n"
     "  begin();\n"
     "  switch (lane % 3u) {\n"
     "  case 0u:\n"
     "    n += 1u;\n"
     "    if (bit(0u))\n"
     "      n += 2u;\n"
     "  default:\n"
     "    n += 3u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"switch_in_loop", "a switch whose cases continue, break and fall through, in a loop",
     "void main() {\n"
     "  begin();\n"
     "  for (uint k = 0u; k < 3u; k++) {\n"
     "    switch ((lane + k) % 4u) {\n"
     "    case 0u:\n"
     "      n += 1u;\n"
     "      continue;\n"
     "    case 1u:\n"
     "      n += 2u;\n"
     "    case 2u:\n"
     "      n += 3u;\n"
     "      break;\n"
     "    default:\n"
     "      n += 4u;\n"
     "    }\n"
     "    n += 5u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"call_returns", "a function from which lanes return early",
     "uint f(uint x) {\n"
     "  if (x % 3u == 0u)\n"
     "    return 1u;\n"
     "  n += 2u;\n"
     "  if (bit(1u))\n"
     "    return 3u;\n"
     "  return 4u;\n"
     "}\n"
     "void main() {\n"
     "  begin();\n"
     "  n += f(lane);\n"
     "  if (bit(0u))\n"
     "    n += f(lane + 1u);\n"
     "  end();\n"
     "}\n",
     NULL},
    {"call_both_sides", "one function, called on both sides of a branch",
     "void f() {\n"
     "  n += 1u;\n"
     "  if (bit(1u))\n"
     "    n += 2u;\n"
     "  n += 3u;\n"
     "}\n"
     "void main() {\n"
     "  begin();\n"
     "  if (lane % 2u == 0u) {\n"
     "    n += 4u;\n"
     "    f();\n"
     "  } else {\n"
     "    f();\n"
     "    n += 5u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"call_in_loop", "calls, at different depths, in a loop that lanes leave",
     "void g() {\n"
     "  if (bit(2u))\n"
     "    return;\n"
     "  n += 1u;\n"
     "}\n"
     "void f() {\n"
     "  if (bit(0u)) {\n"
     "    g();\n"
     "    return;\n"
     "  }\n"
     "  n += 2u;\n"
     "  g();\n"
     "}\n"
     "void main() {\n"
     "  begin();\n"
     "  for (uint k = 0u; k < 1u + lane % 3u; k++)\n"
     "    f();\n"
     "  g();\n"
     "  end();\n"
     "}\n",
     NULL},
    {"workgroup_barrier", "a barrier after a branch, and in a loop",
     "void main() {\n"
     "  begin();\n"
     "  if (bit(0u))\n"
     "    n += 1u;\n"
     "  barrier();\n"
     "  for (uint k = 0u; k < 2u; k++) {\n"
     "    if ((lane + k) % 3u == 0u)\n"
     "      n += 2u;\n"
     "    barrier();\n"
     "    n += 3u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"turns", "a lock: a lane leaves when it is its turn; given up after eight iterations",
     "void main() {\n"
     "  begin();\n"
     "  bool done = false;\n"
     "  for (uint k = 0u; k < 8u && !done; k++) {\n"
     "    if (atomicAdd(turn[gl_SubgroupID], 0u) == lane % 8u) {\n"
     "      n += 1u;\n"
     "      atomicMax(turn[gl_SubgroupID], lane % 8u + 1u);\n"
     "      done = true;\n"
     "    }\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"waterfall", "a loop that serves the value of the first lane",
     "void main() {\n"
     "  begin();\n"
     "  for (uint k = 0u; k < 8u; k++) {\n"
     "    uint first = subgroupBroadcastFirst(lane % 3u);\n"
     "    if (lane % 3u == first) {\n"
     "      n += first;\n"
     "      break;\n"
     "    }\n"
     "    n += 10u;\n"
     "  }\n"
     "  end();\n"
     "}\n",
     NULL},
    {"frontier", "figure 1 of the paper on thread frontiers, made structured",
     "OpBranchConditional %c0 %2001 %2000\n"
     "%2000 = OpLabel\nOpBranchConditional %c1 %2001 %2009\n"
     "%2001 = OpLabel\nOpBranchConditional %c2 %2003 %2002\n"
     "%2002 = OpLabel\nOpBranchConditional %c3 %2003 %2009\n"
     "%2003 = OpLabel\nOpBranch %2009\n"
     "%2009 = OpLabel\nOpReturn\nOpFunctionEnd\n",
     "structurize"},
    {"two_entries", "an irreducible cycle, made structured",
     "OpBranchConditional %c0 %2001 %2002\n"
     "%2001 = OpLabel\n%k1 = OpLoad %u32 %k\n%m1 = OpIAdd %u32 %k1 %one\nOpStore %k %m1\n"
     "%t1 = OpULessThan %bool %m1 %bound\nOpBranchConditional %t1 %2002 %2009\n"
     "%2002 = OpLabel\n%k2 = OpLoad %u32 %k\n%m2 = OpIAdd %u32 %k2 %one\nOpStore %k %m2\n"
     "%t2 = OpULessThan %bool %m2 %bound\nOpBranchConditional %t2 %2001 %2009\n"
     "%2009 = OpLabel\nOpReturn\nOpFunctionEnd\n",
     "structurize"},
};

const FtProgram *ft_program_at(uint32_t index) {
  return index < sizeof programs / sizeof *programs ? &programs[index] : NULL;
}

/* ---- the shared part ---- */

static const char glsl_head[] =
    "layout(set = 0, binding = 0) readonly buffer Lanes { uint lanes[]; };\n"
    "layout(set = 0, binding = 1) buffer Result { uint turn[64]; uint result[]; };\n"
    "uint lane, n;\n"
    "#define bit(i) ((lane * 2654435761u >> (8u + (i)) & 1u) != 0u)\n"
    "#define begin() (lane = lanes[gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID], n = "
    "0u)\n"
    "#define end() (result[gl_LocalInvocationIndex] = n)\n";

static void put_glsl(const FtProgram *p, uint32_t invocations, FILE *out) {
  fprintf(out,
          "SHADER compute program GLSL TARGET_ENV spv1.3\n"
          "#version 450\n"
          "#extension GL_KHR_shader_subgroup_basic : require\n"
          "#extension GL_KHR_shader_subgroup_ballot : require\n"
          "layout(local_size_x = %u) in;\n",
          invocations);
  fputs(glsl_head, out);
  fputs(p->text, out);
}

static const char assembly_types[] = "OpDecorate %subgroup BuiltIn SubgroupId\n"
                                     "OpDecorate %place BuiltIn SubgroupLocalInvocationId\n"
                                     "OpDecorate %size BuiltIn SubgroupSize\n"
                                     "OpDecorate %array ArrayStride 4\n"
                                     "OpDecorate %block Block\n"
                                     "OpMemberDecorate %block 0 Offset 0\n"
                                     "OpDecorate %lanes DescriptorSet 0\n"
                                     "OpDecorate %lanes Binding 0\n"
                                     "OpDecorate %lanes NonWritable\n"
                                     "%void = OpTypeVoid\n"
                                     "%proc = OpTypeFunction %void\n"
                                     "%bool = OpTypeBool\n"
                                     "%u32 = OpTypeInt 32 0\n"
                                     "%array = OpTypeRuntimeArray %u32\n"
                                     "%block = OpTypeStruct %array\n"
                                     "%to_input = OpTypePointer Input %u32\n"
                                     "%to_block = OpTypePointer StorageBuffer %block\n"
                                     "%to_word = OpTypePointer StorageBuffer %u32\n"
                                     "%to_local = OpTypePointer Function %u32\n"
                                     "%subgroup = OpVariable %to_input Input\n"
                                     "%place = OpVariable %to_input Input\n"
                                     "%size = OpVariable %to_input Input\n"
                                     "%lanes = OpVariable %to_block StorageBuffer\n";

/* Conditions c0 to c3 are bits of the hash, `bound` is 1 to 4. */
static const char assembly_begin[] =
    "%zero = OpConstant %u32 0\n"
    "%one = OpConstant %u32 1\n"
    "%four = OpConstant %u32 4\n"
    "%factor = OpConstant %u32 2654435761\n"
    "%main = OpFunction %void None %proc\n"
    "%1999 = OpLabel\n"
    "%k = OpVariable %to_local Function\n"
    "OpStore %k %zero\n"
    "%a = OpLoad %u32 %subgroup\n%b = OpLoad %u32 %size\n%c = OpLoad %u32 %place\n"
    "%d = OpIMul %u32 %a %b\n%e = OpIAdd %u32 %d %c\n"
    "%f = OpAccessChain %to_word %lanes %zero %e\n%lane = OpLoad %u32 %f\n"
    "%rest = OpUMod %u32 %lane %four\n%bound = OpIAdd %u32 %rest %one\n"
    "%hash = OpIMul %u32 %lane %factor\n";

enum { CONDITIONS = 4, FIRST_BIT = 8 };

static void put_assembly(const FtProgram *p, uint32_t invocations, FILE *out) {
  fprintf(out,
          "SHADER compute program SPIRV-ASM TARGET_ENV spv1.3\n"
          "OpCapability Shader\n"
          "OpCapability GroupNonUniform\n"
          "OpMemoryModel Logical GLSL450\n"
          "OpEntryPoint GLCompute %%main \"main\" %%subgroup %%place %%size\n"
          "OpExecutionMode %%main LocalSize %u 1 1\n",
          invocations);
  fputs(assembly_types, out);
  for (int i = 0; i < CONDITIONS; i++)
    fprintf(out, "%%mask%d = OpConstant %%u32 %u\n", i, 1u << (FIRST_BIT + i));
  fputs(assembly_begin, out);
  for (int i = 0; i < CONDITIONS; i++)
    fprintf(out,
            "%%bit%d = OpBitwiseAnd %%u32 %%hash %%mask%d\n"
            "%%c%d = OpINotEqual %%bool %%bit%d %%zero\n",
            i, i, i, i);
  fputs(p->text, out);
}

enum { TURNS = 64 /* words of `turn`: subgroups, whatever their size */ };

static void put_case(const FtProgram *p, uint32_t size, FILE *out) {
  uint32_t invocations = size * FT_SUBGROUPS;
  fprintf(out,
          "#!amber\n"
          "# %s: %s\n"
          "DEVICE_FEATURE SubgroupSupportedOperations.basic\n"
          "DEVICE_FEATURE SubgroupSupportedOperations.ballot\n"
          "DEVICE_FEATURE SubgroupSupportedStages.compute\n",
          p->name, p->shows);
  if (p->transform)
    put_assembly(p, invocations, out);
  else
    put_glsl(p, invocations, out);
  fputs("END\nBUFFER lanes DATA_TYPE uint32 DATA", out);
  for (uint32_t i = 0; i < invocations; i++)
    fprintf(out, "%s%u", i % 32 ? " " : "\n ", (i + i / size * 3) % size);
  fprintf(out,
          "\nEND\n"
          "BUFFER result DATA_TYPE uint32 SIZE %u FILL 0\n"
          "PIPELINE compute p\n"
          "  ATTACH program\n"
          "  BIND BUFFER lanes AS storage DESCRIPTOR_SET 0 BINDING 0\n"
          "  BIND BUFFER result AS storage DESCRIPTOR_SET 0 BINDING 1\n"
          "END\n"
          "RUN p 1 1 1\n",
          invocations + TURNS);
}

char *ft_program_script(const FtProgram *program, uint32_t subgroup_size) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  put_case(program, subgroup_size, out);
  if (fclose(out) != 0) {
    free(text);
    text = NULL;
  }
  return text;
}
