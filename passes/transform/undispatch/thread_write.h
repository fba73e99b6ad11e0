/* SPDX-License-Identifier: Apache-2.0 */
/* thread_write: writes a plan of threads into the function.
 *
 * What an empty block that lanes pass contributes are the values of its phis. Each is a variable
 * then: set on every edge that passes the block, to the value that the phi would have had; and in
 * SSA form again where it is used (ssa_value.h). A phi's operand may itself be such a variable, as
 * it is at the end of the edge's source: a *stand-in* takes its place until that variable has its
 * phis. */
#ifndef SR_THREAD_WRITE_H
#define SR_THREAD_WRITE_H

#include "passes/transform/counts.h"
#include "passes/transform/undispatch/thread_layout.h"

/* Replaces the function's blocks, and drops its merge instructions. `max_growth`: by how many
 * percent of its words the function may grow; more is an error. Adds to `counts`. */
SR_MUST_USE SrStatus sr_thread_write(SrThreadGraph *t, const SrThreadPlan *plan,
                                     uint32_t max_growth, SrTransformCounts *counts);

#endif
