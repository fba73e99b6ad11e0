/* SPDX-License-Identifier: Apache-2.0 */
/* call_carry: carries values past joined calls.
 *
 * Suppose that a lane computes a value before a joined call and uses it after the call. If the
 * value's definition does not dominate the block C of the call (call_join.h), it no longer
 * dominates these uses. Then the value becomes a variable with a phi in C: on the edge from a head,
 * the operand is the value if its definition dominated that head before, else undefined.
 *
 * Other blocks where phis may be needed are in the iterated dominance frontier of the blocks C.
 * Take a block B that the definition D of a value dominated before and does not now, and the
 * nearest block J that is a block C or in this frontier and dominates B or is B (there is one: a
 * path to B around D passes a block C). Then B has the value that J has:
 *
 *   - no path from J to B passes a block C after J, or there would be a nearer block (Cytron et al.
 *     1991); so it is a path of the graph before. One of these paths is without D. So D dominated J
 *     or, if J is a block C, the tail by which this path leaves it
 *   - none of them passes D. Otherwise there is a path from D to B without J. J dominates B, so it
 *     dominates D. If J is not a block C this cannot be, since D dominated J. If it is, all paths
 *     to D pass a call of J's group, and D dominated the tail of one: then a direct path would lead
 *     from a call of the group to another one, which call_group.h rules out.
 *
 * A value that no phi may hold is rematerialized at its uses (ssa_rematerialize.h). If it could
 * not be, its group was not joined: a definition that dominates all or none of the calls of each
 * group dominates what it dominated before (by induction on the number of blocks C on a path
 * around it). */
#ifndef SR_CALL_CARRY_H
#define SR_CALL_CARRY_H

#include "passes/transform/share/call_join.h"

/* Restores the function's SSA form, and gives all ids their new names. Adds to `counts`. Fails if
 * the phis would add more than `max_growth` percent to the function's words. Cost: the function,
 * and for each value carried the edges to the blocks where it gets phis. */
SR_MUST_USE SrStatus sr_call_carry(SrArena *arena, SrModule *m, SrFunction *f,
                                   const SrJoinedCalls *calls, uint32_t max_growth,
                                   SrTransformCounts *counts);

#endif
