/* SPDX-License-Identifier: Apache-2.0 */
/* bound_values: values in a function whose loops are bounded: the counters, and what lanes that
 * leave a loop early have instead of values that they did not compute. */
#ifndef SR_BOUND_VALUES_H
#define SR_BOUND_VALUES_H

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/base/vec.h"
#include "passes/transform/counts.h"

/* A back edge that is counted. */
typedef struct SrBoundEdge {
  uint32_t cycle;
  uint32_t header, label; /* of the cycle's header; of the block that leads to it */
  uint32_t counts;        /* label of the block that counts: the same, or one before it */
  SrRef add;              /* the counter + 1; operand 0 is to be set */
  SrRef test;             /* the counter < the bound, or >=; operand 0 is to be set */
} SrBoundEdge;

typedef SR_VEC(SrBoundEdge) SrBoundEdges;

typedef struct SrBounded {
  SrArena *arena;
  SrModule *m;
  SrFunction *f; /* its blocks are in their final order */
  SrTransformCounts *counts;
  /* the graph before */
  const SrDom *dom;
  const SrNest *nest;
  const uint32_t *old_of; /* by block: the block before; of an added one: the one that it follows */
  const SrBoundEdge *edge;
  uint32_t edge_count;
} SrBounded;

/* Zero, for a type of numbers, booleans, or vectors or matrices of these; undefined for any other
 * type. */
uint32_t sr_bound_zero(SrModule *m, uint32_t type);
/* Gives each cycle its counter, which is 0 on each edge into the cycle; then gives lanes that leave
 * early zeros for the values that they lack. */
SR_MUST_USE SrStatus sr_bound_values(const SrBounded *b);

#endif
