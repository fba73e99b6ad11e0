/* SPDX-License-Identifier: Apache-2.0 */
/* loop_carry: carries values through the headers of merged loops.
 *
 * A value that a lane computes between two iterations of the inner loop and uses in later ones, or
 * after them, no longer dominates these uses; nor does any value of the loop dominate the code
 * after the loop. Such a value becomes a variable with a phi in the common header H (loop_merge.h):
 *
 *   edge            operand
 *   entry           undefined
 *   next iteration  the value, if its definition dominated the inner header before
 *   exit            the value, if its definition dominated the edge's source before
 *
 * No phi is needed in a block that the definition, the inner header, or block X dominates: there
 * the value is the original one, or that of H. Other blocks need phis only where paths around the
 * inner loop meet paths from it. A value that no phi may hold is copied to its uses
 * (ssa_rematerialize.h). */
#ifndef SR_LOOP_CARRY_H
#define SR_LOOP_CARRY_H

#include "passes/transform/iterations/loop_merge.h"

/* Restores the function's SSA form. Adds to `counts`. Cost: the function, and for each value
 * carried the edges to its header and the blocks where paths around the inner loop meet those from
 * it. */
SR_MUST_USE SrStatus sr_loop_carry(SrArena *arena, SrModule *m, SrFunction *f,
                                   const SrLoopPairs *pairs, const SrMergedLoops *loops,
                                   SrTransformCounts *counts);

#endif
