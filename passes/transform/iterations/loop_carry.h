/* SPDX-License-Identifier: Apache-2.0 */
/* loop_carry: carries values through the headers of merged loops.
 *
 * A value that a lane computes between two turns of the inner loop, and uses in the next ones or
 * after them, no longer dominates these uses; nor does any value of the loop dominate what follows
 * it. Such a value is a variable with a phi in the common header H (loop_merge.h):
 *
 *   edge            operand
 *   entry           undefined
 *   next turn       the value, if its definition dominated the inner header before
 *   exit            the value, if its definition dominated the edge's source before
 *
 * No phi is needed in a block that its definition, the inner header, or block X dominates: in
 * these the value is itself, or that of H. Phis in other blocks arise only where paths around the
 * inner loop meet those from it. What no phi may hold is copied to its uses
 * (ssa_rematerialize.h). */
#ifndef SR_LOOP_CARRY_H
#define SR_LOOP_CARRY_H

#include "passes/transform/iterations/loop_merge.h"

/* Gives the function SSA form again. Adds to `counts`. Cost: the function, and for each value
 * carried the edges to its header and the blocks where paths around the inner loop meet those from
 * it. */
SR_MUST_USE SrStatus sr_loop_carry(SrArena *arena, SrModule *m, SrFunction *f,
                                   const SrLoopPairs *pairs, const SrMergedLoops *loops,
                                   SrTransformCounts *counts);

#endif
