/* SPDX-License-Identifier: Apache-2.0 */
/* linearize: partial control-flow linearization: divergent branches become data flow, uniform ones
 * stay (S. Moll and S. Hack, Partial Control-Flow Linearization, PLDI 2018).
 *
 *      A                        A
 *      c ? B : C                B              all lanes run A B C D, uniform branches aside;
 *      B -> C or D              C              D's phi is a chain of OpSelect, and what has
 *      C -> D             =>    D              effects is in a small selection
 *
 * 1. The blocks get a dominance compact and loop compact order (linear_order.h).
 * 2. They are laid out in this order, each guarded for the lanes whose target it is; uniform
 *    branches, including those that leave a loop, stay as they are, and so do the blocks that
 *    only they reach (flow_linear.h). If a loop has divergent exits, lanes leave it only at its
 *    end, when their selector does not name its header.
 * 3. A guard that some lanes may fail is removed if the code under it is straight-line code
 *    (if_convert.h).
 *
 * Where we differ: in the paper each block has a mask of the vector's lanes that are active there;
 * here every invocation has a boolean, which says whether the selector names the block. A block
 * whose code is not straight-line (a loop, a uniform branch, a switch, a return) keeps its guard:
 * otherwise lanes with another target would decide uniform branches by values that they do not
 * have. Divergent loops and irreducible cycles need no preparation. linear_admit.h says which
 * functions can be linearized.
 *
 * Needs: SSA. Establishes: structured control flow, SSA. Cost: near-linear, except for the repair
 * of values (ssa_repair.h). */
#include "passes/transform/linear/linearize.h"
#include "passes/transform/flow/flow_write.h"
#include "passes/transform/linear/flow_linear.h"
#include "passes/transform/linear/if_convert.h"
#include "passes/transform/linear/linear_admit.h"

static SrBits *uniform_branches(SrArena *arena, const SrModule *m, const SrFunction *f,
                                const SrUniform *u) {
  SrBits *set = sr_bits_new(arena, f->block_count);
  for (uint32_t b = 0; b < f->block_count; b++)
    if (sr_uniform_branch(u, m, f, b))
      sr_bit_set(set, b);
  return set;
}

/* Counts the uniform branches that now only set the selector: they have no arm, and none of their
 * edges leaves a loop. */
static uint32_t count_folded(const SrFlowGraph *flow, const SrGraph *g, const SrBits *uniform) {
  uint32_t count = 0;
  for (uint32_t b = 0; b < flow->block.count; b++) {
    const SrFlowBlock *f = &flow->block.at[b];
    if (f->user == SR_NONE || f->slot_count != 2 || !sr_bit(uniform, f->user) ||
        sr_succ_count(g, f->user) != 2)
      continue;
    count += flow->slot.at[f->slot].to == flow->slot.at[f->slot + 1].to;
  }
  return count;
}

SrStatus sr_linearize(SrModule *m, SrFunction *f, const SrUniform *uniform,
                      SrTransformCounts *counts) {
  SrArena arena = sr_arena_new(m->arena->heap);
  const SrGraph *g = sr_cfg_build(&arena, m, f);
  SrKeptArms arms;
  const SrNest *nest = sr_linear_order(&arena, g, sr_nest_build(&arena, g),
                                       uniform_branches(&arena, m, f, uniform), &arms);
  SrFlowProgram p = {.old = g, .nest = nest, .rank = nest->rank};
  const SrLinearForm form = {.arms = &arms, .depth_limit = SR_NESTING_LIMIT};
  p.flow = sr_flow_linear(&arena, g, nest, sr_flow_switches(&arena, m, f, g), &form);
  counts->rerouted_uniform_branches += count_folded(p.flow, g, arms.keep);
  SrStatus status = sr_flow_write(m, f, &p, counts);
  if (status == SR_OK)
    status = sr_if_convert(m, f, p.flow, counts);
  sr_arena_free(&arena);
  return status;
}

SrStatus sr_linearize_pass(SrPassRun *r, SrFunction *f, bool *changed, bool *admitted) {
  *admitted = sr_linear_admits(r, f, "linearize");
  if (!*admitted)
    return SR_OK;
  if (!r->kept)
    r->kept = sr_uniform_build(r->arena, r->m, r->options.uniformity, r->options.scope);
  *changed = true;
  return sr_linearize(r->m, f, r->kept, r->counts);
}
