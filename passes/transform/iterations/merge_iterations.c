/* SPDX-License-Identifier: Apache-2.0 */
/* merge_iterations: see merge_iterations.h.
 *
 * In every iteration of the outer loop, a lane that has left the inner loop waits until all others
 * have left it, so the iteration costs as many iterations of the inner loop as the slowest lane
 * needs. In the merged loop, every lane continues with its next iteration as soon as it is ready,
 * so that only the sum of its iterations counts. That is loop merging (T. D. Han and T. S.
 * Abdelrahman, Reducing Branch Divergence in GPU Programs, GPGPU-4, 2011: iteration delaying; S.
 * Damani et al., Speculative Reconvergence for Improved SIMT Efficiency, CGO 2020, section 2: loop
 * merge), done to the graph: no instruction is copied.
 *
 *   1. find pairs of loops for which merging pays (loop_pair.h)
 *   2. give each pair a common header, with phis that say why a lane is there (loop_merge.h)
 *   3. carry values through these headers (loop_carry.h) */
#include "passes/transform/iterations/merge_iterations.h"

#include "passes/analysis/function_size.h"
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/transform/iterations/loop_carry.h"

SrMergeIterations *sr_merge_iterations_begin(SrPassRun *r) {
  SrMergeIterations *k = SR_NEW(r->arena, SrMergeIterations, 1);
  k->choice.uniform = sr_uniform_build(r->arena, r->m, r->options.uniformity, r->options.scope);
  k->choice.function_size = sr_function_sizes(r->arena, r->m);
  k->choice.all = r->argument && strcmp(r->argument, "all") == 0;
  return k;
}

SrStatus sr_merge_iterations(SrPassRun *r, SrMergeIterations *k, SrFunction *f,
                             const SrLoopPaths *paths, bool *changed) {
  k->choice.paths = paths;
  SrLoopPairs pairs = sr_loop_pairs(r->scratch, r->m, f, &k->choice);
  if (!pairs.pair.count)
    return SR_OK;
  if (sr_cross_lane_forbids(r->scratch, r->m, f, sr_pass_cross_lane(r), "merge-iterations"))
    return SR_OK;
  *changed = true;
  SrMergedLoops loops = sr_loop_merge(r->scratch, r->m, f, &pairs, r->counts);
  return sr_loop_carry(r->scratch, r->m, f, &pairs, &loops, r->counts);
}
