/* SPDX-License-Identifier: Apache-2.0 */
/* call_order: the default priority order of a program: LRPO (cycle.h) extended to calls.
 *
 * Calls and returns are edges, so that lanes of several calls may meet in the function that all of
 * them call. But the graph with these edges has paths that no lane takes, from one call through the
 * callee to the block after another call. If a function is called again later, such paths form
 * cycles that the program does not have:
 *
 *     A: B C               f returns to D and to G. With the edge from E, f is in a cycle with D
 *     B: call f, D         and E that no lane can follow, entered at f and at D. The header
 *     C: D                 in LRPO is the entry that its search visits first. If that is D, f comes
 *     D (barrier): E       after the barrier: lanes of C reach it while those of B are in f.
 *     E: call f, G
 *
 * This order considers only paths that lanes can take, and ensures:
 *   - within its function, a block comes before all blocks that it leads to without a back edge
 *     (an edge to the header of a cycle around it);
 *   - a function comes before the blocks after its calls;
 *   - the blocks of a cycle are contiguous, together with those of functions that are called
 *     there for the first time.
 * A function comes after as many of its calls as possible; a later call is a back edge. So a
 * barrier that all lanes reach, in a function called from anywhere, has a lower priority than every
 * block on a path to it (Diamos et al., MICRO-44, 2011, section 4.2). Paths through a cycle's back
 * edge are an exception, which barrier_move.h handles.
 *
 * Without calls this order is LRPO. Cost O(E log V). */
#ifndef EMU_CALL_ORDER_H
#define EMU_CALL_ORDER_H

#include "spv-emu/policy/policy.h"

/* Writes the order to `order` (room for table->count) and returns how many blocks it holds: those
 * that lanes can reach (call_reach.h). Reads the table's fields `functions`, `function`, `callee`,
 * `next` and `graph`, and `stops` if it is known; no function may call itself. */
uint32_t emu_call_order(SrArena *scratch, const EmuBlockTable *table, uint32_t *order);

#endif
