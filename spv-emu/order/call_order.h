/* call_order: the default priority order of a program: LRPO (cycle.h) carried over to calls.
 *
 * Calls and returns are edges, so that lanes of several calls may meet in the function that they
 * share. But the graph with these edges has paths that no lane takes, from one call through the
 * callee to what follows another. Where a function is called again later they close cycles that
 * are none of the program's:
 *
 *     A: B C               f returns to D and to G. With the edge from E it is in a cycle of f, D
 *     B: call f, D         and E that no lane goes round, entered at f and at D. LRPO takes the
 *     C: D                 entry that its search meets first for the header. If that is D, f stands
 *     D (barrier): E       behind the barrier: lanes of C come to it while those of B are in f.
 *     E: call f, G
 *
 * This order is one of a program that is run once. It keeps, for paths that lanes can take,
 *   - a block comes before all that it leads to without a way back (an edge to the header of a
 *     cycle around it) in its function;
 *   - a function comes before what follows any of its calls;
 *   - the blocks of a cycle stand together, and with them those of functions that are called there
 *     for the first time.
 * A function stands behind as many of its calls as can come before it; a later call is a way back.
 * So a barrier that all lanes come to, in a function called from anywhere, has a lower priority
 * than every block on a way to it (Diamos et al., MICRO-44, 2011, section 4.2), other than by a
 * cycle's way back: those are the affair of barrier_place.h.
 *
 * Without calls it is LRPO. Cost O(E log V). */
#ifndef EMU_CALL_ORDER_H
#define EMU_CALL_ORDER_H

#include "policy/policy.h"

/* Writes the order to `order` (room for flow->count) and returns how many blocks it holds: those
 * that lanes can come to (call_reach.h). Of `table` functions, function, callee, next and graph are
 * looked at, and `stops`, if it is known; no function calls itself. */
uint32_t emu_call_order(SrArena *scratch, const EmuBlockTable *table, uint32_t *order);

#endif
