/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_select: the selections and switches of the sweep: which of them close, begin an arm or get
 * a guard when the next item (a block, or a whole cycle, whose ranks are a..b) is due. */
#ifndef SR_SWEEP_SELECT_H
#define SR_SWEEP_SELECT_H

#include "transform/flow/sweep_state.h"

/* Makes cur lead to the item of ranks a..b and nowhere else: the set of cur then holds only ranks
 * from a to b. `dispatch`: a cycle with several entries. */
void sr_sweep_arrive(Sweep *s, uint32_t a, uint32_t b, bool dispatch);
/* Moves the ranks up to `last` into a set of their own. */
uint32_t sr_sweep_split(Sweep *s, uint32_t set, uint32_t last);
/* Pushes the switch that ends block b; its arms are in `arms` from first_arm on. */
void sr_sweep_push_switch(Sweep *s, uint32_t b, uint32_t first_arm);

#endif
