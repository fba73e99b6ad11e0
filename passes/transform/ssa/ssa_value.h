/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_value: puts one variable into SSA form over a changed graph.
 *
 * On some edges the variable is set to an id, on others to its own value at the start of an earlier
 * block; it is needed at the start of some blocks. On all other edges it is not needed, and
 * undefined. Phis are made where different values meet, and only where they reach a block that
 * needs the value (pruned SSA); a phi of one value and undefs is replaced by the value, if the
 * value's definition dominates the phi.
 *
 * Method: collect the blocks between the uses and the values, backwards; walk them in block order
 * (dominators first, back edges last), making phis where values differ and at loop headers; drop
 * the phis that turn out trivial (Braun et al., Simple and Efficient Construction of SSA Form, CC
 * 2013, section 3; the result is minimal if the graph is reducible, as structurize's is). Cost: the
 * region between uses and values, O(n log n). */
#ifndef SR_SSA_VALUE_H
#define SR_SSA_VALUE_H

#include "passes/analysis/graph/dom.h"
#include "passes/base/bitset.h"
#include "passes/ir/decorations.h"

/* A value for an edge: the variable's value at the start of a block that dominates the edge's
 * source. */
#define SR_VALUE_AT(block) (0x40000000u | (block))

/* A phi that may be made. Its operands are in the solver, one per predecessor in row order. */
typedef struct SrPhi {
  uint32_t block, operand;
  uint32_t same_as; /* the value it turned out to be, or SR_NONE */
  uint32_t id;      /* of the OpPhi, once made */
  bool wanted;
  uint32_t users; /* phis and wanted blocks that use it; see sr_ssa_note_users */
} SrPhi;

typedef struct SrSsa {
  SrModule *m;
  SrFunction *f;        /* blocks in their final order; m->home is up to date */
  const SrGraph *graph; /* of those blocks */
  const SrDom *dom;
  SrArena *arena;
  uint32_t added_phis;
  /* the current variable; edges are named by their index in graph->pred */
  uint32_t epoch;
  uint32_t *edge_epoch, *edge_value; /* edge_epoch[e] == epoch: the edge has this value */
  uint32_t *stamp;                   /* stamp[b] == epoch: b is in the region */
  uint32_t *value;                   /* by block of the region: value at its start */
  SR_VEC(uint32_t) region;
  SR_VEC(SrPhi) phi;
  SR_VEC(uint32_t) operand, work;
} SrSsa;

/* A value in the solver: an id, SR_VALUE_UNDEF, or SR_VALUE_PHI | index of a phi not made yet. */
#define SR_VALUE_PHI 0x80000000u
#define SR_VALUE_UNDEF 0x3fffffffu /* above all ids */

static inline bool sr_ssa_is_phi(uint32_t value) {
  return value & SR_VALUE_PHI && value != SR_NONE;
}

/* The value that a phi turned out to be; any other value as it is. */
uint32_t sr_ssa_resolve(SrSsa *ssa, uint32_t value);

/* Does the definition of `id` dominate the end of block b? */
bool sr_ssa_reaches_end(const SrSsa *ssa, uint32_t id, uint32_t b);

/* Allocates the tables; m, f, graph, dom and arena are set by the caller. */
void sr_ssa_init(SrSsa *ssa);

/* One variable: begin, set its value (an id or SR_VALUE_AT) on edges, solve for the `count` blocks
 * in `wanted`, where it is needed; then the functions below return the values. */
void sr_ssa_begin(SrSsa *ssa);
void sr_ssa_set(SrSsa *ssa, uint32_t edge, uint32_t value);
bool sr_ssa_is_set(const SrSsa *ssa, uint32_t edge);
void sr_ssa_solve(SrSsa *ssa, const uint32_t *wanted, uint32_t count);
/* The phi that holds the value at the start of block b, or NULL if no phi does. */
SrPhi *sr_ssa_phi(SrSsa *ssa, uint32_t b);
/* Makes the OpPhis that the wanted blocks need, of the given result type; `kept`: the properties
 * that they keep of the values. A phi whose `id` is set already is left out. */
void sr_ssa_make_phis(SrSsa *ssa, uint32_t type, SrKept kept);
/* Counts the users of each phi: other phis, and the blocks in `wanted`. */
void sr_ssa_note_users(SrSsa *ssa, const uint32_t *wanted, uint32_t count);
/* Restricts the phis that will be made to those that these blocks need, if sr_ssa_solve was called
 * for more. */
void sr_ssa_want(SrSsa *ssa, const uint32_t *wanted, uint32_t count);
/* Consecutive ids. */
typedef struct SrIdRange {
  uint32_t first, count;
} SrIdRange;

/* Sets the bits of those ids of the range that these blocks need, or phis that will be made. Bits
 * count from the first id of the range. */
void sr_ssa_find_used(SrSsa *ssa, const uint32_t *wanted, uint32_t count, SrIdRange range,
                      SrBits *used);
/* The id that holds the value at the start of b; after sr_ssa_make_phis. */
uint32_t sr_ssa_id(SrSsa *ssa, uint32_t b, uint32_t type);
/* Makes an OpPhi of p's operands with this result id; it is not put into a block. */
SrRef sr_ssa_build_phi(SrSsa *ssa, const SrPhi *p, uint32_t type, uint32_t id);

#endif
