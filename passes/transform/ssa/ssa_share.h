/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_share: lets values that pass many joins share their phis.
 *
 * A value that is live across a deep nest of loops needs a phi in the header, the merge block and
 * the continue target of every loop. There may be thousands of such values, although few are live
 * at a time. Values that are never live, or set, in the same old block can share one variable and
 * its phis, because a lane carries at most one of them at a time. So the number of values that are
 * live at the same time bounds the phis of a join.
 *
 * Method: greedy coloring of the interference graph, without building it: each old block remembers
 * the colors taken there. */
#ifndef SR_SSA_SHARE_H
#define SR_SSA_SHARE_H

#include "passes/analysis/graph/cfg.h"
#include "passes/base/vec.h"
#include "passes/transform/ssa/ssa_rematerialize.h"

/* A far value: a value, or a user phi, that passes many joins. */
typedef struct SrFar {
  uint32_t id, block; /* new block that defines it */
  const SrUse *use;   /* of a value: its uses, which are to be rewritten */
  uint32_t use_count;
  uint32_t touch, touch_count; /* in SrSsaShare.touch: the old blocks where it is live, or set */
  uint32_t kind, color;        /* far values of one kind and color share their phis */
} SrFar;

typedef struct SrSsaShare {
  /* set by the caller */
  SrModule *m;
  SrFunction *f;
  SrArena *arena;
  const SrGraph *old;              /* the graph before */
  const uint32_t *new_of, *old_of; /* as in SrSsaRepair */
  SR_VEC(SrFar) far;
  /* set by the functions below */
  SR_VEC(uint32_t) touch;
  uint32_t epoch;
  uint32_t *live_in; /* by old block: == epoch, the current value is live at its start */
  SR_VEC(uint32_t) walk;
} SrSsaShare;

/* Only values of one kind may share: values of the same type, whose phis have the same decorations.
 * The type is the number without its last two bits. */
uint32_t sr_ssa_share_kind(SrModule *m, uint32_t id);
/* Finds each value's `touch`: the block that defines it first, then those where it is live at the
 * start. */
void sr_ssa_share_find_live(SrSsaShare *s);
/* Finds each phi's `touch`: its own block and its predecessors, on whose edges it is set. */
void sr_ssa_share_find_set(SrSsaShare *s);
/* Chooses kinds and colors, and sorts the far values by them. */
void sr_ssa_share_color(SrSsaShare *s);
/* The index after the group of far values that share phis with the one at `first`. */
uint32_t sr_ssa_share_group_end(const SrSsaShare *s, uint32_t first);

#endif
