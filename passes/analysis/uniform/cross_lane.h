/* SPDX-License-Identifier: Apache-2.0 */
/* cross_lane: the functions that let lanes communicate, or wait for lanes of other subgroups,
 * directly or by a call. */
#ifndef SR_CROSS_LANE_H
#define SR_CROSS_LANE_H

#include "passes/ir/module.h"

/* By id of OpFunction: does the function, or one that it calls, have a cross-lane operation?
 * Functions without a body do not count. Linear. */
SrBits *sr_cross_lane_functions(SrArena *arena, const SrModule *m);
/* The same for terminators that end the invocation: OpKill and similar ones, OpUnreachable. */
SrBits *sr_ending_functions(SrArena *arena, const SrModule *m);
/* Does the block, or a function that it calls, have a cross-lane operation? `functions`: those of
 * sr_cross_lane_functions. */
bool sr_has_cross_lane(const SrModule *m, const SrBits *functions, const SrBlock *b);
/* The blocks of f with a cross-lane operation, their own or that of a callee. */
SrBits *sr_cross_lane_blocks(SrArena *arena, const SrModule *m, const SrFunction *f,
                             const SrBits *functions);
/* A block of f with a cross-lane operation that not all lanes run together, exactly once: it lies
 * in a cycle, or does not post-dominate the entry, or lanes that leave a loop in different
 * iterations run it separately (left_loop.h). SR_NONE: there is none. */
uint32_t sr_cross_lane_apart(SrArena *arena, const SrModule *m, const SrFunction *f,
                             const SrBits *functions);
/* Is there such a block? If so, reports that `pass` leaves the function alone because of it. */
bool sr_cross_lane_forbids(SrArena *scratch, const SrModule *m, const SrFunction *f,
                           const SrBits *functions, const char *pass);
/* The same as sr_cross_lane_functions and sr_has_cross_lane, but for OpControlBarrier with a scope
 * wider than a subgroup. */
SrBits *sr_barrier_functions(SrArena *arena, const SrModule *m);
bool sr_has_barrier(const SrModule *m, const SrBits *functions, const SrBlock *b);
/* The same for quad operations (sr_is_quad_operation). */
SrBits *sr_quad_functions(SrArena *arena, const SrModule *m);
bool sr_has_quad_operation(const SrModule *m, const SrBits *functions, const SrBlock *b);
/* The same for cross-lane operations, atomic operations and volatile loads (sr_is_polling). */
SrBits *sr_talking_functions(SrArena *arena, const SrModule *m);
bool sr_talks(const SrModule *m, const SrBits *functions, const SrBlock *b);
/* Adds to a set of functions, by id, those that call one of them, directly or not. One walk over
 * the module. */
void sr_add_callers(SrArena *arena, const SrModule *m, SrBits *functions);

#endif
