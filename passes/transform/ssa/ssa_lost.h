/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_lost: after control flow was changed, finds, value by value, the uses that their definitions
 * no longer dominate. */
#ifndef SR_SSA_LOST_H
#define SR_SSA_LOST_H

#include "passes/ir/id_table.h"
#include "passes/transform/ssa/ssa_rematerialize.h"

typedef struct SrLost {
  SrSsa *ssa;             /* over the new graph */
  const SrIdTable *names; /* by id: the id that replaces it; NULL: none is replaced */
  uint32_t *made;         /* the number of added instructions is added to it */
  /* Called for each value with its uses, which are to get other ids (sr_ssa_rewrite). */
  SrStatus (*repair)(void *user, const SrUse *use, uint32_t count);
  void *user;
} SrLost;

/* Values that no phi may hold are rematerialized at their uses; `repair` gets the others, in the
 * order of their ids. Cost: the function's words, and the calls. */
SR_MUST_USE SrStatus sr_ssa_repair_lost(const SrLost *lost);
/* After the value's edges were set: makes the phis that its uses need, like id `like`, and replaces
 * use i by the value at the start of block wanted[i]. */
void sr_ssa_rewrite(SrSsa *ssa, uint32_t like, const SrUse *use, uint32_t count,
                    const uint32_t *wanted);

#endif
