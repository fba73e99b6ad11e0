/* SPDX-License-Identifier: Apache-2.0 */
/* trip_count: the largest number of iterations that a loop can take, if the loop has a counter with
 * constant bounds.
 *
 *   for (int k = -1; k <= 1; k++)        3
 *
 * A counter is a phi of the loop's header, or a local variable that is only loaded and stored. It
 * begins with a constant, one constant is added to it in the loop, and a test that leaves the loop
 * compares it with a constant. */
#ifndef SR_TRIP_COUNT_H
#define SR_TRIP_COUNT_H

#include "passes/analysis/graph/cycle.h"
#include "passes/base/vec.h"
#include "passes/ir/id_table.h"

typedef struct SrLoopStore {
  uint32_t block, value, next; /* next: the variable's next store in the list, or SR_NONE */
} SrLoopStore;

typedef struct SrTripCounts {
  SrModule *m;
  const SrFunction *f;
  const SrGraph *graph;
  const SrNest *nest;
  SrIdTable *stores; /* by variable: its first store */
  SrIdTable *others; /* variables that are used in other ways */
  SR_VEC(SrLoopStore) store;
} SrTripCounts;

/* One walk over the function. */
SrTripCounts sr_trip_count_begin(SrArena *arena, SrModule *m, const SrFunction *f,
                                 const SrGraph *graph, const SrNest *nest);
/* The most iterations of the cycle; SR_NONE: not known. Cost: the cycle, and the stores to its
 * counters. */
uint32_t sr_trip_count(const SrTripCounts *k, uint32_t cycle);
void sr_trip_count_end(SrTripCounts *k);

#endif
