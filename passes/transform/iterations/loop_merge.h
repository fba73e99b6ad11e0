/* SPDX-License-Identifier: Apache-2.0 */
/* loop_merge: gives both loops of a pair one header.
 *
 *   before                          after
 *
 *   entry                           entry
 *     |                               | first
 *     v                               v
 *   +-> A: leave? ---> exit         +-> H: done? ------> X ---> exit
 *   |   |                           |   |
 *   |   P (pre)                     |   T: first? --+
 *   |   |                           |   |           |
 *   |   v                           |   B: leave?   |
 *   | +-> B: leave? -+              |   |      \    |
 *   | |   |          |              |<--C       Q   |
 *   | +---C          Q (post)       |  again    |   |
 *   |                |              |           v   v
 *   +----------------+              |           A: leave? --+
 *                                   |           |           |
 *                                   +-----------P           |
 *                                   |  again                | done
 *                                   +-----------------------+
 *
 * Every edge to the inner header B, and every edge out of the outer loop, leads to H; so does the
 * entry. Two phis of H say why a lane is there: it is done, or this is the first iteration. A lane
 * that leaves the inner loop runs the code between two inner loops in the same iteration, and meets
 * the others in H. The exit is a test in H, so that every branch of an iteration, except that of H,
 * has H as its immediate post-dominator: no lane waits for one that is done. */
#ifndef SR_LOOP_MERGE_H
#define SR_LOOP_MERGE_H

#include "passes/transform/counts.h"
#include "passes/transform/iterations/loop_pair.h"

typedef enum SrMergedKind {
  SR_MERGED_ENTRY, /* used to lead to the outer header: from outside, or on a path around the inner
                      loop */
  SR_MERGED_BACK,  /* used to lead to the inner header */
  SR_MERGED_EXIT,  /* used to lead out of the outer loop */
} SrMergedKind;

/* An edge into a common header. */
typedef struct SrMergedEdge {
  uint32_t from; /* label of its source, which may be an added block */
  SrMergedKind kind;
  uint32_t source; /* the block before where the edge begins */
  uint32_t target; /* the block before where the edge led */
  uint32_t known;  /* label of its source in the phis of the target */
  uint32_t exit;   /* for an edge that leaves the loop: the number of its target among the exits */
} SrMergedEdge;

/* A pair after it was merged; blocks by label. */
typedef struct SrMergedLoop {
  uint32_t header, test, exit; /* H, T and X */
  uint32_t outer, inner;       /* A and B */
  uint32_t choice; /* id of the phi that says which exit a lane takes; 0: there is only one */
  SR_VEC(SrMergedEdge) edge;
  SR_VEC(uint32_t) exits; /* blocks before: distinct targets of the edges that leave the loop */
} SrMergedLoop;

typedef struct SrMergedLoops {
  SrMergedLoop *at;       /* by pair */
  const uint32_t *old_of; /* by block after: the block before, or SR_NONE if added */
} SrMergedLoops;

/* Merges all pairs: rewrites the function's blocks and phis, and drops its merge instructions. The
 * values that headers carry still lack their phis (loop_carry.h). Adds to `counts`. Linear. */
SrMergedLoops sr_loop_merge(SrArena *arena, SrModule *m, SrFunction *f, const SrLoopPairs *pairs,
                            SrTransformCounts *counts);

#endif
