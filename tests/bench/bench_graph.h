/* SPDX-License-Identifier: Apache-2.0 */
/* bench_graph: random functions, neither SPIR-V nor LLVM IR: a control-flow graph and, in every
 * block, a few integer instructions in SSA form. bench_spirv and bench_llvm write the same function
 * in their languages, so that tools for both get the same work. */
#ifndef BENCH_GRAPH_H
#define BENCH_GRAPH_H

#include "tests/equiv/gen/rng.h"

#include <stddef.h>

typedef enum BenchFamily {
  BENCH_STRUCTURED,  /* syntax tree of if, else and loops, some break, continue, return */
  BENCH_LOCAL,       /* a chain with random edges over at most 8 blocks, forward and backward */
  BENCH_LONG,        /* a chain with random forward edges of any length: acyclic, nothing nests */
  BENCH_IRREDUCIBLE, /* knots, groups of 8 to 48 blocks with edges in every direction, and edges
                        from each into the middle of the next */
  BENCH_TANGLED,     /* one knot: a chain with random edges of any length, 30 % backward. The worst
                        case: cycles nest as deep as the function is long */
  BENCH_FAMILIES
} BenchFamily;

extern const char *const bench_family_names[BENCH_FAMILIES];

/* Operands are values (parameters first, then phis and instructions, any order) or, with this bit,
 * small constants. */
#define BENCH_CONSTANT 0x80000000u
enum { BENCH_PARAMETERS = 4, BENCH_CONSTANTS = 16 };

typedef enum BenchOpKind { BENCH_ADD, BENCH_SUB, BENCH_MUL, BENCH_XOR, BENCH_AND } BenchOpKind;

typedef struct BenchOp {
  BenchOpKind kind;
  uint32_t value, a, b;
} BenchOp;

/* One operand for each predecessor, at arg[first...], in the order of the block's preds. */
typedef struct BenchPhi {
  uint32_t value, first;
} BenchPhi;

typedef struct BenchBlock {
  uint32_t succ[2], succ_count; /* 0: return, 1: branch, 2: conditional branch */
  uint32_t pred_first, pred_count;
  uint32_t phi_first, phi_count;
  uint32_t op_first, op_count;
  uint32_t tested; /* operand that is returned, or compared with 0: succ[0] if less */
  uint32_t test;   /* the comparison's value, with two successors */
} BenchBlock;

/* Blocks are ordered with dominators first; block 0 is the entry. */
typedef struct BenchFunction {
  BenchBlock *block;
  uint32_t count, capacity;
  uint32_t *pred;
  BenchPhi *phi;
  uint32_t phi_count;
  uint32_t *arg;
  BenchOp *op;
  uint32_t op_count;
  uint32_t values; /* how many there are */
} BenchFunction;

/* A function of about `blocks` blocks. */
void bench_function_make(BenchFunction *f, BenchFamily family, uint32_t blocks, Rng *rng);
void bench_function_free(BenchFunction *f);

/* The two halves of bench_function_make: edges (bench_graph.c, bench_tree.c), contents
 * (bench_ssa.c). */
uint32_t bench_add_block(BenchFunction *f);
void bench_add_edge(BenchFunction *f, uint32_t from, uint32_t to);
void bench_tree(BenchFunction *f, uint32_t blocks, Rng *rng);
void bench_fill(BenchFunction *f, Rng *rng);

#endif
