/* SPDX-License-Identifier: Apache-2.0 */
/* flow_linear: the structured program of guard and linearize: one block after the other, each run
 * by the lanes whose selector names it.
 *
 *        A            A: sel = c ? B : D
 *       / \           if (sel == B) { B: sel = d ? C : D }
 *      B   |          if (sel == C) { C: sel = D }
 *      |\  |          D
 *      C | |
 *       \|/           D needs no guard: it is the target of all lanes.
 *        D
 *
 * - A block's branch only sets the selector. A block that is the target of every lane which arrives
 *   at its place gets no guard; one that is the target of exactly the lanes of the block before it
 *   comes under that block's guard.
 * - A cycle has one guard, however many entries it has, and becomes a loop whose lanes leave at its
 *   end, when the selector no longer names the header. Several entries need no dispatch, because of
 *   the guards inside.
 * - Kept branches (in linearize the uniform ones) stay: a target that only the branch leads to
 *   begins an arm, which holds all blocks that the target dominates, contiguous in the order
 *   (linear_order.h); an edge of the branch that leaves the loop around it, or begins the loop's
 *   next iteration, jumps.
 *
 * One variable, compared before each block, is from J. Anantpur and R. Govindarajan, Taming Control
 * Divergence in GPUs through Control Flow Linearization, CC 2014; the choice of branches to keep is
 * from S. Moll and S. Hack, Partial Control-Flow Linearization, PLDI 2018. In the latter, deferred
 * targets move along the edges; here the selector holds the target of each lane. */
#ifndef SR_FLOW_LINEAR_H
#define SR_FLOW_LINEAR_H

#include "passes/transform/flow/flow.h"
#include "passes/transform/linear/linear_order.h"

typedef struct SrLinearForm {
  const SrKeptArms *arms; /* the branches kept; NULL: none, and every block that needs a guard has
                           * one of its own (guard) */
  uint32_t depth_limit;   /* branches nested deeper are not kept */
  bool portable;          /* without `arms`: only portable structure (docs/structurize.md) */
} SrLinearForm;

/* The program for graph `g` in the order of `nest`. `is_switch` as for sr_sweep_build. With `arms`,
 * the branch of a user block may serve as the guard, with an else side, and a selection that some
 * lanes of a subgroup may skip is marked `divergent`. Cost O(E log V); the result lives in `arena`.
 */
SrFlowGraph *sr_flow_linear(SrArena *arena, const SrGraph *g, const SrNest *nest,
                            const SrBits *is_switch, const SrLinearForm *form);

#endif
