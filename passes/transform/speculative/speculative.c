/* SPDX-License-Identifier: Apache-2.0 */
/* speculative: see speculative.h.
 *
 * If few lanes need a costly arm in each iteration of a loop, the others wait for them in nearly
 * every iteration. S. Damani et al., Speculative Reconvergence for Improved SIMT Efficiency, CGO
 * 2020, let lanes that need it wait at the arm for lanes of later iterations, by a barrier. On a
 * machine without such barriers, lanes wait where the graph says that they meet, so here the loop
 * gets another shape: lanes that do not need the arm iterate in an inner loop, and each lane leaves
 * it when it needs the arm.
 *
 *   1. find arms for which this pays (rare_arm.h)
 *   2. copy the code after an arm in an iteration, and give the loop a second header (rare_move.h)
 */
#include "passes/transform/speculative/speculative.h"

#include "passes/analysis/function_size.h"
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/transform/speculative/rare_move.h"

SrSpeculative *sr_speculative_begin(SrPassRun *r) {
  SrSpeculative *k = SR_NEW(r->arena, SrSpeculative, 1);
  k->choice.uniform = sr_uniform_build(r->arena, r->m, r->options.uniformity, r->options.scope);
  k->choice.function_size = sr_function_sizes(r->arena, r->m);
  k->choice.talking = sr_talking_functions(r->arena, r->m);
  k->choice.all = r->argument && strcmp(r->argument, "all") == 0;
  k->choice.max_growth = r->options.max_growth;
  return k;
}

SrStatus sr_speculative(SrPassRun *r, SrSpeculative *k, SrFunction *f, const SrLoopPaths *paths,
                        bool *changed) {
  k->choice.paths = paths;
  SrRareArms arms = sr_rare_arms(r->scratch, r->m, f, &k->choice);
  if (!arms.arm.count)
    return SR_OK;
  if (sr_cross_lane_forbids(r->scratch, r->m, f, sr_pass_cross_lane(r), "speculative"))
    return SR_OK;
  *changed = true;
  return sr_rare_move(r->scratch, r->m, f, &arms, r->counts);
}
