/* SPDX-License-Identifier: Apache-2.0 */
/* tail: gives the edges into a block copies of the block's *tail*: the block with everything that
 * only it leads to.
 *
 *     a   b   c              a     b      c
 *      \  |  /               |     |      |
 *         v            =>    v     v'     v"
 *        / \                / \   / \    / \
 *       t   y              t   y t'  y  t"  y       x and y stay the places where all meet
 *       |                  |     |      |
 *       x                  x     x      x
 *
 * Edges out of one cycle nested in the block's own share a copy; otherwise that cycle would get
 * more exits. */
#ifndef SR_TAIL_H
#define SR_TAIL_H

#include "passes/analysis/graph/cycle.h"
#include "passes/transform/copy/copy_graph.h"

typedef struct SrTailEdge {
  uint32_t from, to;
  uint32_t next; /* next edge to `to`, or SR_NONE */
} SrTailEdge;

typedef struct SrTailNode {
  uint32_t first, count; /* its edges */
  uint32_t in, in_count; /* first edge to it, or SR_NONE; number of edges to it */
  uint32_t entering;     /* edges to it from outside of its innermost cycle */
  uint32_t like;         /* the node of the nest that it is, or copies */
  uint32_t epoch, seen;  /* seen: number of edges to it from the tail of epoch `epoch` */
  uint32_t copy;         /* in the tail: its latest copy, or SR_NONE; not in the tail: SR_NONE */
} SrTailNode;

/* A graph that grows by copies of tails. */
typedef struct SrTails {
  SrArena *arena, *scratch; /* of *c; of everything else */
  SrCopyGraph *c;           /* copies are added to c->block; c->graph stays as it was */
  const SrNest *nest;
  const SrBits *fixed;          /* by block: it must not be copied */
  const uint32_t *fixed_before; /* by rank: fixed blocks of lower rank */
  SrAncestors cycles;
  SR_VEC(SrTailEdge) edge;
  SR_VEC(SrTailNode) node;
  uint32_t *cycle_epoch;
  uint32_t *cycle_copy; /* by cycle: the copy that the edges out of it get */
  uint32_t epoch;
  /* What sr_tail_find found. */
  SR_VEC(uint32_t) tail;    /* nodes, the block itself first */
  SR_VEC(uint32_t) in;      /* the edges to the block */
  SR_VEC(uint32_t) copy_of; /* by edge in `in`: the copy that it gets, from 0 */
  uint32_t copies;          /* number of copies, the original included */
  uint32_t size;            /* instructions of the tail */
} SrTails;

/* The tails in c->graph, whose nest is `nest`. c->block grows in `arena`. */
SrTails sr_tails_new(SrArena *arena, SrArena *scratch, SrCopyGraph *c, const SrNest *nest,
                     const SrBits *fixed);
/* Finds the tail of node v. False if all edges to v would share one copy, if lanes enter a cycle at
 * v, or if the tail has more than `most` instructions, or a switch, a whole cycle, or a block that
 * must not be copied. Cost: the edges into v, the tail's blocks and their edges. */
bool sr_tail_find(SrTails *t, uint32_t v, uint32_t most);
/* Copies the tail that was found, once for each copy but the original. */
void sr_tail_copy(SrTails *t);
/* For parts of the graph that were found otherwise: copies the nodes in `tail`, with their edges;
 * returns the first node's copy. Each node's `copy` is set until sr_tails_forget. */
uint32_t sr_tails_copy_once(SrTails *t);
void sr_tails_forget(SrTails *t);
/* Does the cycle have a block that must not be copied? */
bool sr_tails_fixed_in(const SrTails *t, uint32_t cycle);
/* Gives t->c the graph with all copies. */
void sr_tails_finish(const SrTails *t);

#endif
