/* SPDX-License-Identifier: Apache-2.0 */
/* reconverge_prepare: gives a function what reconverge requires: divergent branches of at most two
 * targets, and one exit that every block reaches.
 *
 *   A: OpSwitch t1 t2 t3 (divergent)      A: OpSwitch t1 n      n: OpSwitch t2 t3
 *                                         (if cases meet again in one block: switch_row.h)
 *
 *   leaves of one kind                    L1: sink   L2: sink   sink: OpReturnValue phi(…)
 *   leaves of several kinds               sink: a branch on phi(…) → a block for each kind
 *   an endless region                     a branch on `true` on one of its edges: to the sink
 *
 * A leaf is a block that ends the function; its kind is the opcode of its terminator. OpUnreachable
 * counts as any kind. The operands of leaves become phis. The kind that returns comes last: after
 * these branches no lanes have to reconverge (reconverging.h).
 *
 * After F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications, TU Munich 2018,
 * sections 4 (switches), 4.1 and 5.1 (the sink); endless regions are not allowed there. */
#ifndef SR_RECONVERGE_PREPARE_H
#define SR_RECONVERGE_PREPARE_H

#include "passes/analysis/graph/cfg.h"
#include "passes/transform/counts.h"

typedef struct SrPrepared {
  SrBits *divergent; /* by block, those added included */
  uint32_t exit;     /* the block that comes last in the order */
  bool changed;
} SrPrepared;

/* `divergent` is by block of `f`. New blocks come after the others; the caller must order them.
 * Merge instructions stay. New blocks and instructions count as added. Fails if no phi can hold a
 * returned value; the function then computes the same as before. */
SR_MUST_USE SrStatus sr_reconverge_prepare(SrArena *arena, SrModule *m, SrFunction *f,
                                           const SrBits *divergent, SrTransformCounts *counts,
                                           SrPrepared *out);

#endif
