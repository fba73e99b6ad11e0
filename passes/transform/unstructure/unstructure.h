/* SPDX-License-Identifier: Apache-2.0 */
/* unstructure: for tests. Removes a function's structure and mangles its graph, without changing
 * what an invocation computes, so that any shader becomes a test of structurize. */
#ifndef SR_UNSTRUCTURE_H
#define SR_UNSTRUCTURE_H

#include "passes/transform/counts.h"

#include "passes/ir/module.h"

/* Removes the merge instructions of f, then splits blocks, joins edges before their target (tail
 * merging), copies blocks for one of their predecessors (jump threading), and gives cycles second
 * entries; the choices are drawn from `seed` and the function's index. A function in `cross_lane`
 * (sr_cross_lane_functions) only goes through sr_strip_merges, since mangling would change its
 * tangles. */
SR_MUST_USE SrStatus sr_unstructure(SrModule *m, SrArena *scratch, SrFunction *f,
                                    const SrBits *cross_lane, uint64_t seed,
                                    SrTransformCounts *counts, bool *changed);

#endif
