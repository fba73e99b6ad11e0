/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_place: where a compiler puts the instructions of convergence barriers
 * (barrier_program.h).
 *
 * A placement decides what is before each block, at its end and on its edges; the code is laid out
 * here. The placements:
 *
 *   nak       for structured programs: barriers around constructs (barrier_scope.c)
 *   ipdom     for any graph: divergent branches reconverge at their immediate post-dominators
 *             (barrier_region.c)
 *   frontier  for any graph: lanes reconverge where thread frontiers let them (barrier_region.c)
 *
 * All placements have this in common:
 *
 *   - Where lanes may return from a function apart, they join a barrier before its call and wait
 *     after it; but not under `frontier`, for which calls are edges like any other.
 *   - Before a block with a workgroup's barrier is a WARPSYNC, if any branch may diverge.
 *   - Under round-robin, back edges of cycles with an atomic operation or volatile load have a
 *     YIELD: lanes may spin there until a lane that waits for them at a BSYNC has done something.
 */
#ifndef EMU_BARRIER_PLACE_H
#define EMU_BARRIER_PLACE_H

#include "analysis/cycle.h"
#include "policy/barrier_program.h"

typedef enum EmuBarrierPlacement {
  EMU_BARRIER_AUTO, /* nak if the program is structured, else ipdom */
  EMU_BARRIER_NAK,
  EMU_BARRIER_IPDOM,
  EMU_BARRIER_FRONTIER,
} EmuBarrierPlacement;

typedef SR_VEC(EmuBarrierInst) EmuBarrierOps;

/* An edge runs its ops and then enters `via` at `pos` of its entry. */
typedef struct EmuBarrierEdge {
  EmuBarrierOps ops;
  uint32_t via; /* block; at first the edge's target */
  uint32_t pos;
} EmuBarrierEdge;

/* What a placement fills in. TEST ops name a block and, in `to`, a position in its entry. */
typedef struct EmuBarrierPlan {
  SrArena *arena; /* of everything except `out` */
  SrArena *keep;  /* of `out` */
  const EmuBlockTable *table;
  const SrNest **nest; /* by function */
  EmuBarriers *out;
  EmuBarrierOps *entry; /* by block: before it */
  EmuBarrierOps *end;   /* by block: before its last instruction */
  EmuBarrierEdge *edge; /* those of each function's graph, in its order; the edge of a call leads
                           to the block after it */
  uint32_t *edge_first; /* by function: its first edge */
  uint32_t *call_pos;   /* by block that ends in a call: position in the callee's entry */
  uint32_t *floor;      /* by function: registers that its callers need meanwhile */
  bool any_divergence;  /* some branch may diverge */
  const char *why;      /* the placement does not apply; else NULL */
} EmuBarrierPlan;

/* For the whole program, in `arena`; NULL: barriers cannot be placed; *why is the reason. */
EmuBarriers *emu_barriers_place(SrArena *arena, const EmuBlockTable *table,
                                EmuBarrierPlacement placement, EmuBarrierScheduling scheduling,
                                const char **why);

/* "nak", "ipdom", "frontier"; "lifo", "round-robin", "oldest". False: there is no such name. NULL
 * stands for the default. */
bool emu_barrier_placement_find(const char *name, EmuBarrierPlacement *placement);
bool emu_barrier_scheduling_find(const char *name, EmuBarrierScheduling *scheduling);

/* ---- for the placements ---------------------------------------------------------------------- */

void emu_barriers_place_scopes(EmuBarrierPlan *p);   /* nak */
void emu_barriers_place_ipdom(EmuBarrierPlan *p);    /* ipdom */
void emu_barriers_place_frontier(EmuBarrierPlan *p); /* frontier */

/* A new barrier whose lanes wait before `point`. */
uint32_t emu_barrier_new(EmuBarrierPlan *p, uint32_t reg, uint32_t point);
/* Adds BSSY, BSYNC or BREAK; barriers without a register get BMOVs when the code is laid out. */
void emu_barrier_add(EmuBarrierPlan *p, EmuBarrierOps *ops, EmuBarrierOp op, uint32_t bar);
/* May the block's branch diverge? */
bool emu_barrier_may_diverge(const EmuBlockTable *table, uint32_t block);
/* The functions, callers before those that they call. */
uint32_t *emu_barrier_callers_first(EmuBarrierPlan *p);
/* The edge from a block to its successor number `i`. */
static inline EmuBarrierEdge *emu_barrier_edge(const EmuBarrierPlan *p, uint32_t block,
                                               uint32_t i) {
  uint32_t f = p->table->function[block], first = p->table->functions[f].first;
  return &p->edge[p->edge_first[f] + p->table->functions[f].graph->succ_at[block - first] + i];
}
/* A barrier around the call that the block ends in, in register `reg`. */
void emu_barrier_around_call(EmuBarrierPlan *p, uint32_t block, uint32_t reg);

#endif
