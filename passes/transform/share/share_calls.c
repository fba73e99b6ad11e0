/* SPDX-License-Identifier: Apache-2.0 */
/* share_calls: see share_calls.h.
 *
 * If the arms of a divergent branch call the same function, the function runs once for each arm. S.
 * Damani et al., Speculative Reconvergence for Improved SIMT Efficiency, CGO 2020, let lanes wait
 * for each other at the entry of such a function, by a barrier; thread frontiers achieve the same
 * by priorities (Diamos et al., SIMD Re-Convergence At Thread Frontiers, MICRO 2011, 6.4.2:
 * split-merge). On a machine without either, lanes wait where the graph says that they meet, so
 * here the calls become one.
 *
 *   1. find groups of calls that can be joined, and for which joining pays (call_choice.h)
 *   2. give each group one block with the call, and a phi that says where a lane continues
 *      (call_join.h)
 *   3. carry values through these blocks (call_carry.h) */
#include "passes/transform/share/share_calls.h"

#include "passes/analysis/function_size.h"
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/analysis/uniform/resource_index.h"
#include "passes/transform/share/call_carry.h"

static uint32_t count_parameters(const SrModule *m, const SrFunction *f) {
  uint32_t count = 0;
  for (SR_EACH(m, r, f->head))
    count += sr_inst(m, r)->op == SpvOpFunctionParameter;
  return count;
}

SrShareCalls *sr_share_calls_begin(SrPassRun *r) {
  SrShareCalls *k = SR_NEW(r->arena, SrShareCalls, 1);
  SrModule *m = r->m;
  uint32_t *function_at = sr_new_none(r->arena, sr_bound(m)),
           *parameters = sr_new_none(r->arena, sr_bound(m));
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    function_at[f->id] = i;
    if (f->block_count)
      parameters[f->id] = count_parameters(m, f);
  }
  k->choice.uniform = sr_uniform_build(r->arena, m, r->options.uniformity, r->options.scope);
  k->choice.function_at = function_at;
  k->choice.function_cost = sr_function_costs(r->arena, m);
  k->choice.parameters = parameters;
  k->choice.talking = sr_talking_functions(r->arena, m);
  k->choice.chooses = sr_resource_index_functions(r->arena, m);
  k->choice.outs = !m->ids_gone;
  k->choice.all = r->argument && strcmp(r->argument, "all") == 0;
  return k;
}

SrStatus sr_share_calls(SrPassRun *r, SrShareCalls *k, SrFunction *f, bool *changed) {
  SrPassedVariables variables;
  SrCallGroups groups = sr_call_choice(r->scratch, r->m, f, &k->choice, &variables);
  if (!groups.group.count)
    return SR_OK;
  if (sr_cross_lane_forbids(r->scratch, r->m, f, sr_pass_cross_lane(r), "share-calls"))
    return SR_OK;
  *changed = true;
  SrJoinedCalls calls = sr_call_join(r->scratch, r->m, f, &groups, &variables, r->counts);
  SrStatus status = sr_call_carry(r->scratch, r->m, f, &calls, r->options.max_growth, r->counts);
  sr_ids_give(r->m, calls.site_of);
  sr_ids_give(r->m, calls.name);
  return status;
}
