/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_loop: opens and closes the loops of the sweep, and routes the lanes that leave one. */
#ifndef SR_SWEEP_LOOP_H
#define SR_SWEEP_LOOP_H

#include "transform/flow/sweep_state.h"

/* The block of a cycle that can be its loop's continue target as it is, or SR_NONE: the only source
 * of its back edges, if that ends in no OpSwitch, lies in no inner cycle, and is no entry of the
 * cycle or all of it. */
uint32_t sr_sweep_continue(const SrGraph *g, const SrNest *nest, const SrBits *is_switch,
                           uint32_t cycle);

void sr_sweep_open_loop(Sweep *s, uint32_t cycle);
/* Closes the innermost loop; all its blocks have been placed. */
void sr_sweep_close_loop(Sweep *s);

#endif
