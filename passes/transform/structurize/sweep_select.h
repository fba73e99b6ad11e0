/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_select: the selections and switches of the sweep: which of them close, begin an arm or get
 * a guard when the next item (a block, or a whole cycle, whose ranks are a..b) is due. */
#ifndef SR_SWEEP_SELECT_H
#define SR_SWEEP_SELECT_H

#include "passes/transform/flow/sweep_state.h"

/* Makes cur lead to the item of ranks a..b and nowhere else: the set of cur then holds only ranks
 * from a to b. `dispatch`: a cycle with several entries. */
void sr_sweep_arrive(Sweep *s, uint32_t a, uint32_t b, bool dispatch);
/* Moves the ranks up to `last` into a set of their own. */
uint32_t sr_sweep_split(Sweep *s, uint32_t set, uint32_t last);
/* Pushes the switch that ends block b; its arms are in `arms`, beginning at first_arm. `waits`:
 * some lanes will wait for its merge, even if there are no arms. */
void sr_sweep_push_switch(Sweep *s, uint32_t b, uint32_t first_arm, bool waits);
/* Handles lanes that leave the innermost loop by the edges of p, for targets after the loop
 * (`above`) or before it (`below`). In portable structure they leave the innermost switch first. */
void sr_sweep_break(Sweep *s, const Point *p, bool above, bool below);
/* Is a lane in a frame of the innermost loop, or in cur, headed for the block of this rank? */
bool sr_sweep_is_target(Sweep *s, uint32_t rank);
/* Closes the selections inside the innermost loop whose lanes will all leave the loop. */
void sr_sweep_close_selections(Sweep *s);

#endif
