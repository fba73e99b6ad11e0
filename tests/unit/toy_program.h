/* SPDX-License-Identifier: Apache-2.0 */
/* toy_program: random programs for tests of the uniformity analysis, as SPIR-V and as tables that a
 * few lines can interpret. Every block has one phi, one operation, perhaps one store, and a branch
 * on bits of a value that dominates it. */
#ifndef TOY_PROGRAM_H
#define TOY_PROGRAM_H

#include "passes/analysis/graph/cfg.h"

typedef enum ToyOp {
  TOY_ADD,    /* phi + constant */
  TOY_LANE,   /* phi ^ lane */
  TOY_LOAD,   /* variable + constant */
  TOY_FIRST,  /* phi of the first lane that runs it */
  TOY_ACTIVE, /* how many lanes run it */
  TOY_OTHER,  /* phi + the value of a dominator */
  TOY_CONSTANT,
  TOY_OPS
} ToyOp;

/* Variables: a Private one, a local one, and the two members of a local struct. */
enum { TOY_CELLS = 4 };

typedef struct ToyBlock {
  ToyOp op;
  uint32_t constant, cell, other; /* other: a block that dominates this one, or itself */
  bool stores;                    /* its value, to its cell */
  uint32_t tested, shift;         /* the branch tests this block's value, from this bit on */
} ToyBlock;

typedef struct ToyProgram {
  SrGraph *graph;
  ToyBlock *blocks;
} ToyProgram;

ToyProgram *toy_program_new(SrArena *arena, uint64_t seed, uint32_t count);
/* The id of block b's label, value and so on. */
enum { TOY_LABEL, TOY_VALUE, TOY_PHI, TOY_LOADED, TOY_SHIFTED, TOY_BITS, TOY_CONDITION, TOY_PART };
static inline uint32_t toy_id(uint32_t kind, uint32_t b) {
  return 1000 + 8 * b + kind;
}
char *toy_program_text(SrArena *arena, const ToyProgram *p);

#endif
