/* SPDX-License-Identifier: Apache-2.0 */
/* undispatch: the inverse of control-flow flattening. See docs/undispatch.md. */
#ifndef SR_UNDISPATCH_H
#define SR_UNDISPATCH_H

#include "passes/ir/module.h"
#include "passes/transform/counts.h"

/* Threads the constants of selectors through the branches that test them; *changed is set if the
 * function was changed. A changed function loses its merge instructions and its empty blocks. Needs
 * and keeps SSA. `cross_lane`: see sr_cross_lane_functions; a function where lanes communicate in
 * blocks that not all of them reach exactly once is left alone, with a notice. Fails if phis would
 * add more than `max_growth` percent to the function's words. */
SR_MUST_USE SrStatus sr_undispatch(SrModule *m, SrFunction *f, const SrBits *cross_lane,
                                   uint32_t max_growth, SrTransformCounts *counts, bool *changed);

#endif
