/* SPDX-License-Identifier: Apache-2.0 */
/* speculative: moves a costly arm that few lanes need in an iteration out of its loop, so that
 * lanes of different iterations run it together. See docs/speculative.md. */
#ifndef SR_SPECULATIVE_H
#define SR_SPECULATIVE_H

#include "passes/transform/pass_run.h"
#include "passes/transform/speculative/rare_arm.h"

/* What the pass keeps from function to function. */
typedef struct SrSpeculative {
  SrRareChoice choice;
} SrSpeculative;

/* Begins a run; with the pass's argument `all`, all arms are moved. */
SrSpeculative *sr_speculative_begin(SrPassRun *r);
/* Moves the arms of a function where that pays (rare_arm.h) or, with `paths`, where the function
 * then issues less on these; *changed is set if there are any. A changed function loses its merge
 * instructions. Needs and keeps SSA. A function where lanes communicate in blocks that not all of
 * them reach exactly once is left alone, with a notice. */
SR_MUST_USE SrStatus sr_speculative(SrPassRun *r, SrSpeculative *k, SrFunction *f,
                                    const SrLoopPaths *paths, bool *changed);

#endif
