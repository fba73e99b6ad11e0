/* SPDX-License-Identifier: Apache-2.0 */
/* guard: puts the blocks of a function into a linear order, each under a guard: a test whether the
 * block is the lane's target. (J. Anantpur and R. Govindarajan, Taming Control Divergence in GPUs
 * through Control Flow Linearization, CC 2014.)
 *
 *        A                A: guard = c ? B : C
 *       / \               if (guard == B) B: guard = d ? C : D
 *      B-->C       =>     if (guard == C) C: guard = D
 *       \ /               D
 *        D
 *
 * - The paper's predicate variable, `guard` in the figure, is the selector of flow.h; a branch
 *   becomes an OpSelect that sets it.
 * - The order is LRPO, topological except for back edges; a loop is one item of the order around
 *   it, and repeats while the selector names its header. Irreducible cycles need nothing else.
 * - A block that is the target of every lane arriving at its place has no guard; one that is
 *   the target of exactly the lanes of the block before it comes under that block's guard (the
 *   paper's nested guards).
 * - No branch is kept, not even a uniform one; switches choose the selector's value.
 *
 * Where we differ: the paper works on PTX, where a guard predicates instructions; here a guard is a
 * selection. linear_admit.h says which functions can be linearized.
 *
 * Needs: SSA. Establishes: structured control flow, SSA. Cost: that of flow_linear.h and of
 * flow_write.h. */
#include "passes/transform/linear/guard.h"
#include "passes/transform/flow/flow_write.h"
#include "passes/transform/linear/flow_linear.h"
#include "passes/transform/linear/linear_admit.h"

SrStatus sr_guard(SrModule *m, SrFunction *f, SrStructureForm structure,
                  SrTransformCounts *counts) {
  SrArena arena = sr_arena_new(m->arena->heap);
  const SrGraph *g = sr_cfg_build(&arena, m, f);
  const SrNest *nest = sr_nest_build(&arena, g);
  SrFlowProgram p = {.old = g, .nest = nest, .rank = nest->rank};
  const SrLinearForm form = {.portable = structure == SR_STRUCTURE_PORTABLE};
  p.flow = sr_flow_linear(&arena, g, nest, sr_flow_switches(&arena, m, f, g), &form);
  SrStatus status = sr_flow_write(m, f, &p, counts);
  sr_arena_free(&arena);
  return status;
}

SrStatus sr_guard_pass(SrPassRun *r, SrFunction *f, bool *changed, bool *admitted) {
  *admitted = sr_linear_admits(r, f, "guard");
  if (!*admitted)
    return SR_OK;
  *changed = true;
  return sr_guard(r->m, f, r->options.structure, r->counts);
}
