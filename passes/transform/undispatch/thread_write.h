/* SPDX-License-Identifier: Apache-2.0 */
/* thread_write: writes a plan of threads into the function.
 *
 * An empty block that lanes bypass contributes only the values of its phis. Each phi becomes a
 * variable: every edge that bypasses the block sets it to the value that the phi would have had,
 * and ssa_value.h restores SSA form where it is used. A phi's operand may itself be such a
 * variable, with its value at the end of the edge's source: a *stand-in* takes its place until that
 * variable has its phis. */
#ifndef SR_THREAD_WRITE_H
#define SR_THREAD_WRITE_H

#include "passes/transform/counts.h"
#include "passes/transform/undispatch/thread_layout.h"

/* Replaces the function's blocks, and drops its merge instructions. `max_growth`: the percentage of
 * its words by which the function may grow; more is an error. Adds to `counts`. */
SR_MUST_USE SrStatus sr_thread_write(SrThreadGraph *t, const SrThreadPlan *plan,
                                     uint32_t max_growth, SrTransformCounts *counts);

#endif
