/* SPDX-License-Identifier: Apache-2.0 */
/* mangle: changes to a function's graph that preserve what it computes, for `unstructure`. Each
 * change keeps SSA form: phis follow the edges, and values of a copied block that other blocks use
 * are passed through variables (SSA with memory: no phis have to be placed).
 *
 * Each kind before and after (`a: x y` is a block with its code, p→x an edge):
 *
 *   split        a: x y         a: x           b: y
 *   join edges   p→x, q→x       p→t, q→t, t→x, with the phis' choices in t, and a store that both
 *                               p and q end with
 *   fork         p→x            p→n; n→x or n→e, e→x: a branch, both of whose sides lead to x
 *   copy         p→x, q→x       p→x', q→x, x' a copy of x; a branch on a constant is decided */
#ifndef SR_MANGLE_H
#define SR_MANGLE_H

#include "passes/analysis/graph/cfg.h"
#include "passes/transform/counts.h"

typedef struct SrMangle {
  SrModule *m;
  SrFunction *f; /* f->blocks is block.at, and grows */
  SrArena *arena;
  SrTransformCounts *counts;
  SR_VEC(SrBlock) block;
  /* by block: the next block in an order in which every value is defined before it is used;
   * SR_NONE: this is the last one */
  SR_VEC(uint32_t) next;
  uint32_t last;
} SrMangle;

void sr_mangle_begin(SrMangle *k);
/* Moves the instructions of block b from r on into a new block; r is neither a phi nor a
 * variable. */
void sr_mangle_split(SrMangle *k, uint32_t b, SrRef r);
/* Redirects `count` of x's predecessors to one new block, which leads to x. */
void sr_mangle_join(SrMangle *k, uint32_t x, const uint32_t *preds, uint32_t count);
/* Puts a branch on the edge p→x; returns the block on its second side, which does nothing. */
uint32_t sr_mangle_fork(SrMangle *k, uint32_t p, uint32_t x);
/* Redirects p, one of several predecessors of x, to a copy of x. Returns false, with nothing
 * changed, if x cannot be copied: it is large, has variables, or has a value that another block
 * uses and no variable can hold. */
bool sr_mangle_copy(SrMangle *k, uint32_t p, uint32_t x);
/* Passes the values of x that are used in other blocks through variables. Returns false, with
 * nothing changed, if no variable can hold one. */
bool sr_mangle_demote(SrMangle *k, uint32_t x);
/* Puts the blocks into an order with dominators first. */
void sr_mangle_end(SrMangle *k);

#endif
