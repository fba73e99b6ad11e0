/* SPDX-License-Identifier: Apache-2.0 */
/* call_join: gives the calls of a group one block.
 *
 *   before                             after
 *
 *        above                              above
 *        /   \                              /   \
 *      a1;     a2;                         a1    a2           heads
 *      x = f   y = f                         \  /
 *      b1      b2                       C: s = phi(true, false)
 *        \    /                             x = f(phi(...))
 *         ...                               s ?
 *                                           /  \
 *                                          b1   b2            tails
 *                                            \  /
 *                                            ...
 *
 * A lane runs the same instructions in the same order as before. The joined call keeps the result
 * id of the first call; the other results are renamed to it. No call of the group dominates
 * another, so code that a call dominates uses the result of that call, and no other call of the
 * group has run since. */
#ifndef SR_CALL_JOIN_H
#define SR_CALL_JOIN_H

#include "passes/ir/id_table.h"
#include "passes/transform/counts.h"
#include "passes/transform/share/call_argument.h"
#include "passes/transform/share/call_group.h"

/* A call that was joined; blocks by label. */
typedef struct SrJoinedSite {
  uint32_t head, call, tail; /* call: block C */
  uint32_t result;           /* the call's result id before */
} SrJoinedSite;

typedef struct SrJoinedCalls {
  SR_VEC(SrJoinedSite) site;
  SrIdTable *site_of; /* by id of a result: its call, in `site` */
  SrIdTable *name; /* by id of a result or a parameter variable: the id that replaces it; ids that
                      stay have none */
} SrJoinedCalls;

/* Joins all groups: rewrites the function's blocks, and drops its merge instructions. The ids in
 * `name` are still in use, and values that a block C does not get from all of its heads still lack
 * their phis (call_carry.h). The caller gives the tables back. Adds to `counts`. Linear. */
SrJoinedCalls sr_call_join(SrArena *arena, SrModule *m, SrFunction *f, const SrCallGroups *groups,
                           SrPassedVariables *variables, SrTransformCounts *counts);

#endif
