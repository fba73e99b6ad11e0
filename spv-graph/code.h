/* SPDX-License-Identifier: Apache-2.0 */
/* code: what each block of a graph computes, so that a kernel of the same shape can be written
 * (kernel.h) and its result predicted (walk.h).
 *
 * A lane has registers of 32 bits: `live` values, which all blocks read and write, so that they are
 * live everywhere; a random number, which decides branches; and a budget for exits of loops. Blocks
 * are filled up to their weight with arithmetic on the live values. */
#ifndef CODE_H
#define CODE_H

#include "spv-graph/graph.h"

typedef struct CodeOptions {
  uint64_t seed;
  double taken; /* share of lanes that take the first of two successors, if the graph does not give
                   it and neither successor is outside the loop */
  uint32_t iterations; /* iterations of a loop, on average */
  uint32_t budget;   /* number of exits that a lane may pass by, over all loops; after that it takes
                        each */
  uint32_t together; /* number of neighbouring lanes that take the same successors; a power of
                        two */
  uint32_t live;     /* number of live values */
  uint32_t lanes;    /* lanes of a workgroup */
  uint32_t groups;   /* workgroups; for cases */
  bool barriers;     /* write the graph's barriers */
} CodeOptions;

enum { CODE_MOST_LIVE = 64, CODE_MOST_LANES = 1024, CODE_MOST_GROUPS = 65535 };
enum { CODE_MULTIPLIER = 747796405 }; /* multiplier of the random number at each choice */

CodeOptions code_options(void); /* the defaults */

typedef enum CodeOp { CODE_ADD, CODE_XOR, CODE_MULTIPLY, CODE_SHIFT_RIGHT, CODE_OR } CodeOp;

/* to = to OP (from, or the constant if `from` is SR_NONE) */
typedef struct CodeStep {
  CodeOp op;
  uint32_t to, from, constant;
} CodeStep;

/* How a block chooses between its successors. */
typedef struct CodeChoice {
  uint32_t
      targets;    /* number of successors. 0: the lane ends; 1: no choice; 2: see `below`; more: the
                     number modulo `targets` chooses */
  uint32_t below; /* with two successors: the first one if the random number is less */
  uint32_t exit;  /* 0 or 1: this successor is outside the loop, so the budget counts; SR_NONE:
                     neither is */
} CodeChoice;

typedef struct CodeBlock {
  uint32_t block;            /* index in the graph; SR_NONE: a block before the graph's entry, or
                                one that ends a lane */
  uint32_t step, step_count; /* code->step.at[step …] */
  uint32_t succ, succ_count; /* code->succ.at[succ …]: indices in code->block */
  CodeChoice choice;
  bool start, barrier;
} CodeBlock;

typedef struct Code {
  CodeOptions options;
  const Graph *graph;
  SR_VEC(CodeBlock) block; /* the entry first; each block after its dominators */
  SR_VEC(uint32_t) succ;
  SR_VEC(CodeStep) step;
  bool has_loops;
  uint32_t dropped; /* blocks that the entry does not reach */
  uint32_t heavier; /* blocks that need more instructions than their weight */
  uint64_t surplus; /* the number of these instructions, in all */
} Code;

/* Registers: values from 0 to live - 1, then these. */
static inline uint32_t code_random(const Code *code) {
  return code->options.live;
}
static inline uint32_t code_budget(const Code *code) {
  return code->options.live + 1;
}

/* A lane begins with its number, shifted right by this; the steps of the first block start from it,
 * in the random register. */
uint32_t code_lane_shift(const Code *code);

/* The number of a block's instructions besides its steps: those that begin a lane, choose, or store
 * its result. */
uint32_t code_fixed_count(const Code *code, const CodeBlock *block);

Code *code_new(SrArena *arena, const Graph *graph, const CodeOptions *options);

#endif
