/* SPDX-License-Identifier: Apache-2.0 */
/* flow_build: programs for the policies' tests: control flow without instructions.
 *
 *   A: B C              a branch to B (taken first) or C
 *   A: B C | M          … that declares the merge block M
 *   A: B C | M K        … of a loop, with the continue target K
 *   A: call F B         a call of the function whose entry is F, which continues at B
 *   A: return           from the function; in the first function lanes end
 *   A:                  lanes end
 *   A: barrier B        lanes wait at a barrier of the workgroup
 *   function            begins another function, whose first block is the entry
 *
 * The first function is the program. Every block counts one instruction unless changed. */
#ifndef FLOW_BUILD_H
#define FLOW_BUILD_H

#include "passes/base/vec.h"
#include "spv-emu/policy/policy.h"

typedef struct FlowBlock {
  const char *name;
  uint32_t function;
  SR_VEC(uint32_t) targets;
  uint32_t merge, cont; /* SR_NONE: not declared */
  uint32_t callee;      /* function, or SR_NONE; then the only target is the block after */
  bool returns, stops;
  uint32_t issues;
} FlowBlock;

/* Blocks of a function are together, its entry first. */
typedef struct FlowBuild {
  SrArena *arena;
  SR_VEC(FlowBlock) blocks;
  SR_VEC(uint32_t) entries; /* by function */
  bool structured;
} FlowBuild;

/* Adds a block to `function`, which must be the last so far or a new one; returns the block's
 * number. */
uint32_t flow_block(FlowBuild *b, uint32_t function);
void flow_edge(FlowBuild *b, uint32_t from, uint32_t to);

/* The program, with the default priorities (call_order.h). */
EmuBlockTable *flow_finish(FlowBuild *b);
/* Sets barriers in these blocks, and the default priorities that follow. `stops` must outlive the
 * table. */
void flow_set_barriers(SrArena *arena, EmuBlockTable *table, const bool *stops);
/* The program from text; fails the test if the text is wrong. *build, if not NULL, is set to the
 * builder, for the names. */
EmuBlockTable *flow_parse(SrArena *arena, const char *text, bool structured, FlowBuild *build);
/* The block of that name; fails the test if there is none. */
uint32_t flow_find(const FlowBuild *b, const char *name, size_t length);
/* Other priorities: "A B C", all blocks. */
void flow_set_order(EmuBlockTable *table, const FlowBuild *b, const char *names);

#endif
