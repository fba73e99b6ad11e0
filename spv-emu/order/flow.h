/* flow: what policies may know of a program (policy.h): its graphs and its priority order. */
#ifndef EMU_FLOW_H
#define EMU_FLOW_H

#include "engine/bytecode.h"
#include "policy/policy.h"

#include <spv-emu/spv_emu.h>

/* Which block comes first. */
typedef struct EmuPriority {
  const char *text; /* as --priority: the name of an order of all blocks, with calls and returns
                       as edges (order.h; NULL or lrpo: call_order.h), or lists,
                       [FUNCTION:]@BLOCK,…: the blocks of such a function take the places that
                       lrpo gives them in that order */
  const spv_emu_order *orders; /* instead, as in spv_emu_run_options */
  uint32_t order_count;
} EmuPriority;

/* Everything in `arena`. Fails with the diag's message where the priority makes no sense. */
SR_MUST_USE SrStatus emu_flow_build(SrArena *arena, SrDiag *diag, const EmuProgram *p,
                                    const EmuPriority *priority, EmuFlow *flow);
/* By block: can lanes there come to a barrier that is wider than a subgroup? */
SrBits *emu_flow_reaches_barrier(SrArena *arena, const EmuFlow *flow);
/* The blocks that lanes may run more than once where they meet at immediate post-dominators only
 * (expansion.h), function by function. */
SrBits *emu_flow_expansion_area(SrArena *arena, const EmuFlow *flow);

#endif
