/* SPDX-License-Identifier: Apache-2.0 */
/* speculative: a costly arm of a loop that few lanes need in a turn moves out of it, so that lanes
 * of different turns run it together. See docs/speculative.md. */
#ifndef SR_SPECULATIVE_H
#define SR_SPECULATIVE_H

#include "passes/transform/pass_run.h"
#include "passes/transform/speculative/rare_arm.h"

/* What the pass keeps from function to function. */
typedef struct SrSpeculative {
  SrRareChoice choice;
} SrSpeculative;

/* Begins a run; the argument `all` of the pass takes all arms. */
SrSpeculative *sr_speculative_begin(SrPassRun *r);
/* Moves the arms of a function where that pays (rare_arm.h), or, with `paths`, where it issues less
 * on them; *changed is set if there are any. A changed function loses its merge instructions. Needs
 * and keeps SSA. Where lanes communicate in blocks that not all of them reach exactly once, the
 * function is left alone, with a notice. */
SR_MUST_USE SrStatus sr_speculative(SrPassRun *r, SrSpeculative *k, SrFunction *f,
                                    const SrLoopPaths *paths, bool *changed);

#endif
