/* flow: what policies may know of a program (policy.h): its graphs and its priority order. */
#ifndef EMU_FLOW_H
#define EMU_FLOW_H

#include "bytecode.h"
#include "policy.h"

/* Everything in `arena`. `priority` as --priority: the name of an order of all blocks, with calls
 * and returns as edges (order.h; NULL: lrpo), or [FUNCTION:]@BLOCK,…: then the blocks of that
 * function take the places that lrpo gives them in the order of the list. Fails with the diag's
 * message where the list makes no sense. */
SR_MUST_USE SrStatus emu_flow_build(SrArena *arena, SrDiag *diag, const EmuProgram *p,
                                    const char *priority, EmuFlow *flow);
/* The blocks that lanes may run more than once where they meet at immediate post-dominators only
 * (expansion.h), function by function. */
SrBits *emu_flow_expansion_area(SrArena *arena, const EmuFlow *flow);

#endif
