/* flow_linear: the structured program of guard and linearize: the blocks one behind the other, each
 * run by the lanes whose selector names it.
 *
 *        A            A: sel = c ? B : D
 *       / \           if (sel == B) { B: sel = d ? C : D }
 *      B   |          if (sel == C) { C: sel = D }
 *      |\  |          D
 *      C | |
 *       \|/           No check stands in front of D: nobody wants anything else.
 *        D
 *
 * - A block's branch only sets the selector; where every lane that is there wants the next block,
 *   it is not checked; a block that exactly the lanes of the one before it want stands under its
 *   check.
 * - A cycle is one item, under one check, with whatever entries it has: a loop whose lanes leave at
 *   its end, those for which the selector no longer names the header. Several entries need no
 *   dispatch, the checks inside are one.
 * - Branches that are kept (linearize's uniform ones) stay: targets that only they lead to begin
 *   arms that hold all that they dominate, which stands together in the order (linear_order.h); an
 *   edge that leaves the loop, or begins its next iteration, jumps.
 *
 * J. Anantpur and R. Govindarajan, Taming Control Divergence in GPUs through Control Flow
 * Linearization, CC 2014: one variable, compared in front of each block. S. Moll and S. Hack,
 * Partial Control-Flow Linearization, PLDI 2018: what is kept. There deferred targets go along the
 * edges; here the selector holds the one that a lane waits for. */
#ifndef SR_FLOW_LINEAR_H
#define SR_FLOW_LINEAR_H

#include "transform/flow/flow.h"
#include "transform/linear/linear_order.h"

/* The program for graph `g` in the order of `nest`. `is_switch` as for sr_sweep_build. `arms`: the
 * branches kept; NULL: none, and every block that needs a check has one of its own (guard). Else
 * checks may also stand at the branch that decides them, with an else side, and a selection that
 * lanes of one subgroup may run in part is marked `divergent`. `depth_limit`: branches nested
 * deeper are not kept. Cost O(E log V); the result lives in `arena`. */
SrFlowGraph *sr_flow_linear(SrArena *arena, const SrGraph *g, const SrNest *nest,
                            const SrBits *is_switch, const SrArms *arms, uint32_t depth_limit);

#endif
