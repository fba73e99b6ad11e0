/* SPDX-License-Identifier: Apache-2.0 */
/* merge-iterations: a loop and the loop inside it become one. See docs/merge-iterations.md. */
#ifndef SR_MERGE_ITERATIONS_H
#define SR_MERGE_ITERATIONS_H

#include "passes/transform/iterations/loop_pair.h"
#include "passes/transform/pass_run.h"

/* What the pass keeps from function to function. */
typedef struct SrMergeIterations {
  SrLoopChoice choice;
} SrMergeIterations;

/* Begins a run; with the pass's argument `all`, all pairs are merged. */
SrMergeIterations *sr_merge_iterations_begin(SrPassRun *r);
/* Merges the pairs of loops of a function where that pays (loop_pair.h) or, with `paths`, where the
 * function then issues less on these; *changed is set if there are any. A changed function loses
 * its merge instructions. Needs and keeps SSA. A function where lanes communicate in blocks that
 * not all of them reach exactly once is left alone, with a notice. */
SR_MUST_USE SrStatus sr_merge_iterations(SrPassRun *r, SrMergeIterations *k, SrFunction *f,
                                         const SrLoopPaths *paths, bool *changed);

#endif
