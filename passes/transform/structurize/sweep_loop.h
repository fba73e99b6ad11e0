/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_loop: opens and closes the loops of the sweep, and leads the lanes that leave a loop to
 * their targets. */
#ifndef SR_SWEEP_LOOP_H
#define SR_SWEEP_LOOP_H

#include "passes/transform/flow/sweep_state.h"

/* The block of a cycle that can be its loop's continue target unchanged: the only source of the
 * cycle's back edges. SR_NONE: there are several sources, or the only one ends in an OpSwitch, lies
 * in an inner cycle, or is an entry of the cycle (unless it is the whole cycle). */
uint32_t sr_sweep_continue(const SrGraph *g, const SrNest *nest, const SrBits *is_switch,
                           uint32_t cycle);

/* To be called when the natural continue target of the innermost loop is due: cur, if there is one,
 * enters the loop's continue target. */
void sr_sweep_reach_continue(Sweep *s);
void sr_sweep_open_loop(Sweep *s, uint32_t cycle);
/* Closes the innermost loop; all its blocks have been placed. */
void sr_sweep_close_loop(Sweep *s);

#endif
