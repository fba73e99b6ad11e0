/* SPDX-License-Identifier: Apache-2.0 */
/* sync: the effect of one divergent branch on the lanes that ran together: where they reconverge,
 * which blocks they run separately, and which cycles they leave or repeat in different iterations.
 *
 * A block is a *join* of a branch if two paths that share no other block lead from the branch to
 * it; phis there choose by path (sync dependence: Rosemann, Moll and Hack, An Abstract
 * Interpretation for SPMD Divergence, POPL 2021, as in LLVM's uniformity analysis). A block is
 * *split* if it may run while lanes of the same iteration are in other blocks. A cycle is *uneven*
 * if lanes may leave it in different iterations: then its exits count as one more branch, and
 * values that leave it differ (temporal divergence). A cycle *drifts* if lanes may reach its header
 * on two disjoint paths from a branch inside, or enter at two entries: then lanes of different
 * iterations may meet in one block, as they do when the highest-priority block always runs first;
 * all its blocks are split and its header is a join.
 *
 * The results are valid for every policy that lets lanes reconverge at immediate post-dominators,
 * by cycle iteration, or by thread frontiers in LRPO. They are not valid for an order in which a
 * block comes before a block that leads to it (back edges aside).
 *
 * Method: one label for each target of the branch is propagated forward in LRPO. A block that two
 * labels reach is a join and gets a new label. Propagation ends when one label is left. Cost of a
 * branch: the blocks between it and its last join, times a logarithm (a heap ordered by LRPO); for
 * each cycle found to be uneven or to drift, its size. All branches together have a budget linear
 * in the size of the function. If deep nests exhaust it, the whole function counts as split and
 * uneven. */
#ifndef SR_SYNC_H
#define SR_SYNC_H

#include "passes/analysis/graph/cycle.h"
#include "passes/base/bitset.h"

typedef enum SrSyncKind {
  SR_SYNC_JOIN,   /* block: its phis choose by path */
  SR_SYNC_SPLIT,  /* block: may run with only some of the lanes */
  SR_SYNC_UNEVEN, /* cycle: lanes leave it in different iterations */
  SR_SYNC_RETURN, /* lanes return from different blocks of a called function */
  SR_SYNC_ALL,    /* all of that, everywhere; no event follows */
} SrSyncKind;

typedef struct SrSyncEvent {
  SrSyncKind kind;
  uint32_t index; /* of the block or cycle */
} SrSyncEvent;

typedef struct SrSync SrSync;

/* `returns`: by block, whether it returns to a caller; NULL for an entry point, whose return ends
 * lanes. */
SrSync *sr_sync_new(SrArena *arena, const SrGraph *g, const SrNest *nest, const SrBits *returns);
/* Tells the analysis that the branch at the end of the block is divergent. */
void sr_sync_branch(SrSync *s, uint32_t block);
/* Tells the analysis that only some of the lanes call the function: all its blocks are split. */
void sr_sync_split_all(SrSync *s);
/* Sets *event to the next consequence of what the analysis was told, each once; false: there are no
 * more. */
bool sr_sync_next(SrSync *s, SrSyncEvent *event);

#endif
