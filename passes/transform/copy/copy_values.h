/* SPDX-License-Identifier: Apache-2.0 */
/* copy_values: values of blocks that occur several times.
 *
 * Each copy of a block computes its own value, so a use in another block needs the value of the
 * copy that the lane ran last: the one that dominates the use, or a phi where lanes from several
 * copies meet. Such joins are the iterated dominance frontier of the copies (Cytron et al. 1991). A
 * value is never live around a cycle that holds its block, because it would have to dominate the
 * cycle's header. So back edges make no joins, and frontiers stay small. The exception is a cycle
 * with several entries, where values may join at each entry. There back edges also make joins, even
 * after the last use. */
#ifndef SR_COPY_VALUES_H
#define SR_COPY_VALUES_H

#include "passes/analysis/graph/dom_set.h"
#include "passes/transform/copy/copy_plan.h"
#include "passes/transform/ssa/ssa_rematerialize.h"

typedef struct SrCopyValues {
  SrModule *m;
  SrFunction *f;
  SrArena *arena;
  const SrCopyPlan *plan;
  uint32_t *nodes_at, *nodes; /* by block: its nodes, ascending */
  uint32_t *frontier_at, *frontier;
  SrDomSet marks; /* nodes that define the current value, and its joins */
  uint32_t epoch;
  uint32_t *seen; /* by node: it is in `marks` if this == epoch */
} SrCopyValues;

SrCopyValues sr_copy_values_new(SrModule *m, SrFunction *f, SrArena *arena, const SrCopyPlan *plan);

/* Before blocks are copied: rematerializes at their uses the values that no phi may hold
 * (ssa_rematerialize.h). Adds the number of instructions made to *made. */
SR_MUST_USE SrStatus sr_copy_values_rematerialize(SrCopyValues *v, uint32_t *made);

/* After blocks were copied: repairs all `uses`, which name values by their id in the original
 * block; `id_of` returns the value's id in another node. ssa->graph and f->blocks are the plan's.
 */
void sr_copy_values_repair(SrCopyValues *v, SrSsa *ssa, SrUses *uses,
                           uint32_t (*id_of)(const void *user, uint32_t id, uint32_t node),
                           const void *user);

#endif
