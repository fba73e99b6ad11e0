/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_place: where a compiler puts the instructions of convergence barriers
 * (barrier_program.h).
 *
 * A placement decides what comes before each block, at its end and on its edges; the code is then
 * laid out here. The placements:
 *
 *   nak       for structured programs: barriers around constructs (barrier_nak.c)
 *   ipdom     for any graph: divergent branches reconverge at their immediate post-dominators
 *             (barrier_ipdom.c)
 *   frontier  for any graph: lanes reconverge where thread frontiers let them (barrier_ipdom.c)
 *   speculative  ipdom, and in some cycles lanes of different iterations reconverge at one block
 *             (barrier_speculative.c)
 *
 * All placements have this in common:
 *
 *   - If lanes may return from a function separately, they join a barrier before its call and wait
 *     after it; but not under `frontier`, for which calls are edges like any other.
 *   - Before a block with a workgroup's barrier is a WARPSYNC, if any branch may diverge.
 *   - Under round-robin, back edges of cycles with an atomic operation or volatile load have a
 *     YIELD: lanes may spin there until a lane that waits for them at a BSYNC has done something.
 */
#ifndef EMU_BARRIER_PLACE_H
#define EMU_BARRIER_PLACE_H

#include "spv-emu/policy/barrier/barrier_program.h"

typedef enum EmuBarrierPlacement {
  EMU_BARRIER_NAK,
  EMU_BARRIER_IPDOM,
  EMU_BARRIER_FRONTIER,
  EMU_BARRIER_SPECULATIVE,
  EMU_BARRIER_AUTO, /* nak if the program is structured, else ipdom */
} EmuBarrierPlacement;

/* Places barriers for the whole program, in `arena`; NULL: they cannot be placed, and *why is the
 * reason. */
EmuBarriers *emu_barriers_place(SrArena *arena, const EmuBlockTable *table,
                                EmuBarrierPlacement placement, EmuBarrierScheduling scheduling,
                                const char **why);

/* The names of the placements in the order of EmuBarrierPlacement, then NULL. */
extern const char *const emu_barrier_placements[];

#endif
