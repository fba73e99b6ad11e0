/* SPDX-License-Identifier: Apache-2.0 */
/* speculative: see speculative.h.
 *
 * If few lanes need a costly arm in each turn of a loop, the others wait for them in nearly every
 * turn. S. Damani et al., Speculative Reconvergence for Improved SIMT Efficiency, CGO 2020, let
 * lanes that need it wait at the arm for those of later turns, by a barrier. A machine without
 * such barriers lets lanes wait where the graph says that they meet, so here the loop is redrawn:
 * lanes that do not need the arm turn in an inner loop, and each lane leaves it when it needs the
 * arm.
 *
 *   1. arms for which it pays are found (rare_arm.h)
 *   2. what follows an arm in a turn is copied, and the loop gets a second header (rare_move.h) */
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
