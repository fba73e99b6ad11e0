/* SPDX-License-Identifier: Apache-2.0 */
/* merge-iterations: a loop and the loop in it become one. See docs/merge-iterations.md. */
#ifndef SR_MERGE_ITERATIONS_H
#define SR_MERGE_ITERATIONS_H

#include "transform/pass_run.h"

/* Merges the pairs of loops of a function where that pays (loop_pair.h); *changed is set if there
 * are any. A changed function loses its merge instructions. Needs and keeps SSA. Where lanes
 * communicate in blocks that not all of them reach exactly once, the function is left alone, with
 * a notice. */
SR_MUST_USE SrStatus sr_merge_iterations_pass(SrPassRun *r, SrFunction *f, bool *changed);

#endif
