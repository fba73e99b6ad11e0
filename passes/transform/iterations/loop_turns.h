/* SPDX-License-Identifier: Apache-2.0 */
/* loop_turns: the most iterations that a loop can take, if a counter with constant bounds tells.
 *
 *   for (int k = -1; k <= 1; k++)        3
 *
 * A counter is a phi of the loop's header, or a local variable that is only loaded and stored. It
 * begins with a constant, one constant is added to it in the loop, and a test that leaves the loop
 * compares it with a constant. */
#ifndef SR_LOOP_TURNS_H
#define SR_LOOP_TURNS_H

#include "passes/analysis/graph/cycle.h"
#include "passes/base/vec.h"
#include "passes/ir/id_table.h"

typedef struct SrLoopStore {
  uint32_t block, value, next; /* next: the variable's next store in the list, or SR_NONE */
} SrLoopStore;

typedef struct SrLoopTurns {
  SrModule *m;
  const SrFunction *f;
  const SrGraph *graph;
  const SrNest *nest;
  SrIdTable *stores; /* by variable: its first store */
  SrIdTable *others; /* variables that are used in other ways */
  SR_VEC(SrLoopStore) store;
} SrLoopTurns;

/* One walk over the function. */
SrLoopTurns sr_loop_turns_begin(SrArena *arena, SrModule *m, const SrFunction *f,
                                const SrGraph *graph, const SrNest *nest);
/* The most iterations of the cycle; SR_NONE: not known. Cost: the cycle, and the stores to its
 * counters. */
uint32_t sr_loop_turns(const SrLoopTurns *k, uint32_t cycle);
void sr_loop_turns_end(SrLoopTurns *k);

#endif
