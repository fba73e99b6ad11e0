/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_repair: repairs a function's SSA form after its control flow was changed.
 *
 * The transform has put blocks between the user's blocks (added blocks hold no user code), kept
 * each user block's instructions, and kept the order in which every invocation runs user blocks.
 * Then
 *   - a use that its definition no longer dominates gets phis; a value whose type no phi may have
 *     (logical pointers, images, samplers) is rematerialized at the use (ssa_rematerialize.h);
 *     nothing else is moved or duplicated
 *   - a user phi is a variable that is set on the edges that used to lead to it
 *
 * Phis are made only where a lane may need the value: liveness in user blocks is that of the
 * function before the change. */
#ifndef SR_SSA_REPAIR_H
#define SR_SSA_REPAIR_H

#include "passes/transform/ssa/ssa_path.h"
#include "passes/transform/ssa/ssa_value.h"

typedef struct SrSsaRepair {
  SrSsa *ssa;         /* over the new graph; ssa->f has its blocks in place, phis as they were */
  const SrGraph *old; /* the graph before */
  const uint32_t *new_of;  /* by old block: new block, or SR_NONE if dropped */
  const uint32_t *old_of;  /* by new block: old block, or SR_NONE if added */
  const SrSsaPaths *paths; /* paths of lanes over the same graphs */
  /* Returns the new block that a lane reaches when it leaves old block b by its k-th successor, and
   * the edge (index in ssa->graph->pred) that it takes. */
  uint32_t (*leave)(const void *user, uint32_t b, uint32_t k, uint32_t *edge);
  const void *user;
  uint32_t rematerialized; /* out: instructions added */
} SrSsaRepair;

SR_MUST_USE SrStatus sr_ssa_repair(SrSsaRepair *r);

#endif
