/* SPDX-License-Identifier: Apache-2.0 */
/* recorded_paths: the paths of a profile, function by function.
 *
 * A recorded path goes through all functions that a lane runs. Here it is cut where a call begins
 * and returns: each call is a path through the callee alone, and the caller's path continues. The
 * lanes of a subgroup that make their n-th call of a function are taken to make it together. */
#ifndef SR_RECORDED_PATHS_H
#define SR_RECORDED_PATHS_H

#include "passes/ir/module.h"
#include "passes/measure/measure.h"

#include <spvreconv/spvreconv.h>

/* The paths of the first profile whose blocks the module has, by function. Fails if there is none,
 * or if a profile is not sound. Cost: O(n log n) in the length of the paths. */
SR_MUST_USE SrStatus sr_recorded_find(SrArena *arena, const SrModule *m,
                                      const spvreconv_profile *const *profiles, uint32_t count,
                                      const SrRecorded **out);

#endif
