/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_plan: what the placements of convergence barriers (barrier_place.h) fill in before the
 * code is laid out, and what they share. */
#ifndef EMU_BARRIER_PLAN_H
#define EMU_BARRIER_PLAN_H

#include "passes/analysis/graph/cycle.h"
#include "spv-emu/policy/barrier/barrier_program.h"

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
  EmuBarrierOps *entry; /* by block: ops before it */
  EmuBarrierOps *end;   /* by block: ops before its last instruction */
  EmuBarrierEdge *edge; /* the edges of each function's graph, in its order; the edge of a call
                           leads to the block after it */
  uint32_t *edge_first; /* by function: its first edge */
  uint32_t *call_pos;   /* by block that ends in a call: position in the callee's entry */
  uint32_t *floor;      /* by function: registers that its callers need while it runs */
  uint32_t *meet;       /* by block: the block where the lanes of its cycle wait for one another, or
                           SR_NONE; NULL: there is none (barrier_speculative.c) */
  bool *mixed; /* by block: with `meet`, its lanes may be in different iterations, so that even
                  branches proven uniform may diverge */
  bool any_divergence; /* some branch may diverge */
  const char *why;     /* why the placement does not apply; else NULL */
} EmuBarrierPlan;

void emu_barriers_place_scopes(EmuBarrierPlan *p);   /* nak */
void emu_barriers_place_ipdom(EmuBarrierPlan *p);    /* ipdom; speculative, if there is `meet` */
void emu_barriers_place_frontier(EmuBarrierPlan *p); /* frontier */
/* Fills in `meet` and `mixed`. False: no cycle has a block to meet at. */
bool emu_barriers_predict(EmuBarrierPlan *p);

/* A new barrier whose lanes wait before `point`. */
uint32_t emu_barrier_new(EmuBarrierPlan *p, uint32_t reg, uint32_t point);
/* Adds BSSY, BSYNC or BREAK; barriers without a register get BMOVs when the code is laid out. */
void emu_barrier_add(EmuBarrierPlan *p, EmuBarrierOps *ops, EmuBarrierOp op, uint32_t bar);
/* May the block's branch diverge? In mixed blocks it may even if it is proven uniform. */
bool emu_barrier_may_diverge(const EmuBarrierPlan *p, uint32_t block);
/* The functions, callers before those that they call. */
uint32_t *emu_barrier_callers_first(EmuBarrierPlan *p);
/* The edge from a block to its successor number `i`. */
static inline EmuBarrierEdge *emu_barrier_edge(const EmuBarrierPlan *p, uint32_t block,
                                               uint32_t i) {
  uint32_t f = p->table->function[block], first = p->table->functions[f].first;
  return &p->edge[p->edge_first[f] + p->table->functions[f].graph->succ_at[block - first] + i];
}
/* Puts a barrier around the call that ends the block, in register `reg`. */
void emu_barrier_around_call(EmuBarrierPlan *p, uint32_t block, uint32_t reg);

#endif
