/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_move: moves blocks with barriers after the blocks that may lead to them by a back edge.
 *
 *     H (barrier): B      Lanes start an iteration together if the last block of the cycle is the
 *     B: K L              only one that leads back, and is in no inner cycle: no lane waits in the
 *     K: H Exit           cycle when that block runs. If several blocks lead back, as here, lanes
 *     L: H                go from K to H, to the barrier, while others wait at L. So H must come
 *                         after both (in the order B K L H).
 *
 * A cycle with several back edges can only be in a function that is not structured. The blocks with
 * barriers of such a cycle, and of functions called from it, are moved after the last block of the
 * cycle; no other block is moved. When a moved block runs, all lanes that will reach it have
 * arrived; for a cycle with one back edge, LRPO and call_order.h guarantee that already. */
#ifndef EMU_BARRIER_MOVE_H
#define EMU_BARRIER_MOVE_H

#include "spv-emu/order/call_schedule.h"

/* Changes the order of the `count` blocks; if no barriers are known, it does nothing. Linear. */
void emu_barrier_move(SrArena *scratch, const EmuBlockTable *table, const EmuCallSchedule *schedule,
                      uint32_t *order, uint32_t count);

#endif
