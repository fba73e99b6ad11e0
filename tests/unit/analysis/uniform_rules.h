/* SPDX-License-Identifier: Apache-2.0 */
/* uniform_rules: modules for the rules of the uniformity analysis. A row is a module for which only one rule
 * decides whether the value %1000 is uniform: the same for all lanes that run it together. `expect` is the
 * answer:
 *   BOTH     uniform in the workgroup, and so in each subgroup
 *   SUBGROUP uniform in each subgroup only
 *   NONE     not uniform
 * Without the rule a NONE becomes BOTH (wrong code), or a BOTH becomes NONE (slow code). */
#ifndef UNIFORM_RULES_H
#define UNIFORM_RULES_H

#include "passes/analysis/uniform/uniform.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <string.h>

typedef enum Expect { NONE, SUBGROUP, BOTH } Expect;

typedef struct Row {
  Expect expect;
  const char *name, *body; /* after the loads of `main` */
  const char *globals;     /* decorations and variables */
  const char *functions;
} Row;

/* The parts of a module that all rows of a file have in common. */
typedef struct Frame {
  const char *head, *types, *main;
} Frame;

/* A shader: %lane differs between lanes, %u does not; %t and %ut compare them with 0. */
#define SHADER_HEAD                                                                                \
  "OpCapability Shader\nOpCapability Linkage\nOpCapability VariablePointers\n"                     \
  "OpCapability GroupNonUniform\n%glsl = OpExtInstImport \"GLSL.std.450\"\n"                       \
  "%amd = OpExtInstImport \"SPV_AMD_shader_ballot\"\n"                                             \
  "OpMemoryModel Logical GLSL450\n"                                                                \
  "OpEntryPoint GLCompute %main \"main\" %lane_in %buffer %other %own\n"                           \
  "OpExecutionMode %main LocalSize 8 1 1\n"                                                        \
  "OpDecorate %lane_in BuiltIn SubgroupLocalInvocationId\n"                                        \
  "OpDecorate %Data Block\nOpMemberDecorate %Data 0 Offset 0\n"                                    \
  "OpDecorate %words ArrayStride 4\n"                                                              \
  "OpDecorate %buffer DescriptorSet 0\nOpDecorate %buffer Binding 0\n"                             \
  "OpDecorate %other DescriptorSet 0\nOpDecorate %other Binding 1\n"

#define SHADER_TYPES                                                                               \
  "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n"      \
  "%uint4 = OpTypeVector %uint 4\n%uint2 = OpTypeVector %uint 2\n"                                 \
  "%proc = OpTypeFunction %void\n%get = OpTypeFunction %uint\n%map = OpTypeFunction %uint %uint\n" \
  "%words = OpTypeRuntimeArray %uint\n%Data = OpTypeStruct %words\n"                               \
  "%p_Data = OpTypePointer StorageBuffer %Data\n%p_word = OpTypePointer StorageBuffer %uint\n"     \
  "%p_in = OpTypePointer Input %uint\n%p_own = OpTypePointer Private %uint\n"                      \
  "%p_mine = OpTypePointer Function %uint\n%p_group = OpTypePointer Workgroup %uint\n"             \
  "%p_uni = OpTypePointer Uniform %uint\n%p_push = OpTypePointer PushConstant %uint\n"             \
  "%p_const = OpTypePointer UniformConstant %uint\n%p_out = OpTypePointer Output %uint\n"          \
  "%p_phys = OpTypePointer PhysicalStorageBuffer %uint\n"                                          \
  "%p_float = OpTypePointer Function %float\n%p_own_word = OpTypePointer Private %p_word\n"        \
  "%take = OpTypeFunction %uint %p_mine\n%take_own = OpTypeFunction %uint %p_own\n"                \
  "%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n"                 \
  "%c3 = OpConstant %uint 3\n%f1 = OpConstant %float 1\n%scope = OpSpecConstant %uint 3\n"         \
  "%null = OpConstantNull %uint\n"                                                                 \
  "%lane_in = OpVariable %p_in Input\n%buffer = OpVariable %p_Data StorageBuffer\n"                \
  "%other = OpVariable %p_Data StorageBuffer\n%own = OpVariable %p_own Private\n"                  \
  "%push = OpVariable %p_push PushConstant\n"

#define SHADER_MAIN                                                                                \
  "%main = OpFunction %void None %proc\n%entry = OpLabel\n%mine = OpVariable %p_mine Function\n"   \
  "%fraction = OpVariable %p_float Function\n"                                                     \
  "%lane = OpLoad %uint %lane_in\n%u = OpLoad %uint %push\n"                                       \
  "%t = OpIEqual %bool %lane %c0\n%ut = OpIEqual %bool %u %c0\n"                                   \
  "%at = OpAccessChain %p_word %buffer %c0 %c1\n%at2 = OpAccessChain %p_word %other %c0 %c1\n"     \
  "%atl = OpAccessChain %p_word %buffer %c0 %lane\n"

#define IF(CONDITION, THEN)                                                                        \
  "OpSelectionMerge %after None\nOpBranchConditional " CONDITION " %then %after\n"                 \
  "%then = OpLabel\n" THEN "\nOpBranch %after\n%after = OpLabel\n"
#define ASK(POINTER) "%1000 = OpLoad %uint " POINTER "\n"
/* A loop whose exit tests CONDITION; %i counts. */
#define LOOP(CONDITION, BODY)                                                                      \
  "OpBranch %head\n%head = OpLabel\n%i = OpPhi %uint %c0 %entry %n %next\n"                        \
  "%stop = OpUGreaterThan %bool %i " CONDITION "\nOpLoopMerge %done %next None\n"                  \
  "OpBranchConditional %stop %done %next\n%next = OpLabel\n%n = OpIAdd %uint %i %c1\n" BODY        \
  "OpBranch %head\n%done = OpLabel\n"

enum { ASKED = 1000, ROOM = 1 << 14 };

/* Lines of `text` that are decorations, or the others. */
static inline void add_lines(char *out, const char *text, bool decorations) {
  for (const char *end; text && *text; text = *end ? end + 1 : end) {
    end = text + strcspn(text, "\n");
    size_t n = (size_t)(end - text);
    bool is = strncmp(text, "Op", 2) == 0 || memmem(text, n, "OpDecorationGroup", 17);
    if (is == decorations) {
      strncat(out, text, n);
      strcat(out, "\n");
    }
  }
}

static inline const char *write_row(const Frame *f, const Row *row) {
  static char text[ROOM];
  strcpy(text, f->head);
  add_lines(text, row->globals, true);
  strcat(text, f->types);
  add_lines(text, row->globals, false);
  strcat(text, row->functions ? row->functions : "");
  strcat(text, f->main);
  strcat(text, row->body);
  strcat(text, "OpReturn\nOpFunctionEnd\n");
  return text;
}

static inline bool ask(SrArena *arena, const SrModule *m, SrScope scope) {
  assert_int_not_equal(sr_def(m, ASKED), SR_NONE);
  return sr_uniform_value(sr_uniform_build(arena, m, SR_UNIFORM_ANALYSIS, scope), ASKED);
}

/* True: the analysis gives the expected answer for the row; otherwise prints it. */
static inline bool check_row(const Frame *f, const Row *row) {
  static const char *const names[] = {"no lanes", "subgroups", "workgroups"};
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  const SrModule *m = assembled(&arena, write_row(f, row));
  bool subgroup = ask(&arena, m, SR_SCOPE_SUBGROUP), workgroup = ask(&arena, m, SR_SCOPE_WORKGROUP);
  Expect got = workgroup ? BOTH : subgroup ? SUBGROUP : NONE;
  assert_true(subgroup || !workgroup);
  if (got != row->expect) {
    print_error("%s: uniform in %s, not %s\n", row->name, names[got], names[row->expect]);
  }
  sr_heap_free_all(&heap);
  return got == row->expect;
}

static inline void check_rows(const Frame *f, const Row *rows, size_t count) {
  uint32_t wrong = 0;
  for (size_t i = 0; i < count; i++)
    wrong += !check_row(f, &rows[i]);
  assert_int_equal(wrong, 0);
}

static inline const Frame *shader_frame(void) {
  static const Frame frame = {SHADER_HEAD, SHADER_TYPES, SHADER_MAIN};
  return &frame;
}

#endif
