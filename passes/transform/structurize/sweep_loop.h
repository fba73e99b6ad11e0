/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_loop: opens and closes the loops of the sweep, and leads the lanes that leave a loop to
 * their targets. An irreducible cycle gets one entry here: a header that tests the selector and
 * sends each lane to the entry that it came for. */
#ifndef SR_SWEEP_LOOP_H
#define SR_SWEEP_LOOP_H

#include "passes/transform/flow/sweep_state.h"

/* To be called when the sweep has come to the natural continue target of the innermost loop:
 * s->cur, if there is one, enters the loop's continue target. */
void sr_sweep_reach_continue(Sweep *s);
void sr_sweep_open_loop(Sweep *s, uint32_t cycle);
/* Closes the innermost loop; all its blocks have been placed. */
void sr_sweep_close_loop(Sweep *s);

#endif
