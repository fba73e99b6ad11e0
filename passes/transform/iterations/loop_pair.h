/* SPDX-License-Identifier: Apache-2.0 */
/* loop_pair: the loops of a function that merge-iterations can merge, and why it does not merge the
 * others.
 *
 * A pair is an outer loop with exactly one loop in it, the inner loop, which holds no other loop.
 * Both loops are natural: each has one entry. Merging pays if lanes leave the inner loop in
 * different iterations. Before merging, lanes that have left wait for the others, and lose one
 * issue for each instruction of the inner loop. After merging, the code around the inner loop is
 * issued in nearly every iteration instead. So the inner loop must be twice as large as the code
 * around it plus the branches that are added. */
#ifndef SR_LOOP_PAIR_H
#define SR_LOOP_PAIR_H

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/uniform/uniform.h"
#include "passes/base/vec.h"
#include "passes/transform/iterations/loop_gain.h"

typedef struct SrLoopPair {
  uint32_t outer, inner; /* cycles of SrLoopPairs.nest */
} SrLoopPair;

typedef struct SrLoopPairs {
  const SrGraph *graph;
  const SrNest *nest;
  const SrDom *dom;        /* NULL if there are no pairs */
  SR_VEC(SrLoopPair) pair; /* no two overlap */
  uint32_t *pair_of;       /* by block: its pair, or SR_NONE */
} SrLoopPairs;

/* What the choice depends on besides the function. */
typedef struct SrLoopChoice {
  const SrUniform *uniform;
  const uint32_t *function_size; /* by id of OpFunction: its number of instructions, as which a call
                                    of it counts */
  bool all;                      /* merge all pairs that can be merged, whether that pays or not */
  const SrLoopPaths *paths;      /* merge the pairs that then issue less on these paths; or NULL */
} SrLoopChoice;

/* Does the block lead back to the outer header of its pair on a path around the inner loop? */
bool sr_loop_passes_by(const SrLoopPairs *pairs, uint32_t block);
/* Finds the pairs to merge; for each other pair, a notice gives the reason. Linear, except for the
 * nest of cycles. */
SrLoopPairs sr_loop_pairs(SrArena *arena, SrModule *m, const SrFunction *f,
                          const SrLoopChoice *choice);

#endif
