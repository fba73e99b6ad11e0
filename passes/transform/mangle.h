/* mangle: changes of a function's graph that keep what it computes, for `unstructure`. Each keeps
 * SSA form: phis follow the edges, and a value of a block that gets a copy goes through a variable
 * where it is used outside (SSA with memory: no phis to find).
 *
 *   split        a: x y         a: x           b: y
 *   join edges   p→x, q→x       p→t, q→t, t→x, with the phis' choices in t, and a store that both
 *                               p and q end with
 *   fork         p→x            p→n; n→x or n→e, e→x: one way of two, both lead on
 *   copy         p→x, q→x       p→x', q→x, x' a copy of x; a branch on a constant is decided
 */
#ifndef SR_MANGLE_H
#define SR_MANGLE_H

#include "analysis/cfg.h"
#include "transform/counts.h"

typedef struct SrMangle {
  SrModule *m;
  SrFunction *f; /* f->blocks is block.at, and grows */
  SrArena *arena;
  SrTransformCounts *counts;
  SR_VEC(SrBlock) block;
} SrMangle;

void sr_mangle_begin(SrMangle *k);
/* Puts the part of block b from instruction r on, which is no phi and no variable, into a new
 * block. */
void sr_mangle_split(SrMangle *k, uint32_t b, SrRef r);
/* Leads `count` of x's predecessors there through one new block. */
void sr_mangle_join(SrMangle *k, uint32_t x, const uint32_t *preds, uint32_t count);
/* Makes two ways of the edge p→x; returns the block on the second way, which does nothing. */
uint32_t sr_mangle_fork(SrMangle *k, uint32_t p, uint32_t x);
/* Leads p, one of several predecessors of x, into a copy of x. False, and nothing is changed,
 * where x cannot be copied: it is large, has variables, or a value used elsewhere that no variable
 * can hold. */
bool sr_mangle_copy(SrMangle *k, uint32_t p, uint32_t x);
/* Leads the values of x that are used elsewhere through variables. False, and nothing is changed,
 * where no variable can hold one. */
bool sr_mangle_demote(SrMangle *k, uint32_t x);
/* Puts the blocks into an order in which dominators come first. */
void sr_mangle_end(SrMangle *k);

#endif
