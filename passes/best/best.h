/* SPDX-License-Identifier: Apache-2.0 */
/* best: the transform that tries the lists of transforms of best.def, and keeps for each function
 * the list that leaves the fewest issues.
 *
 * Each list is tried on a copy of the module, each result measured (measure/measure.h); then the
 * chosen lists run on the module, each on its functions. A list is not chosen for a function that
 * it refuses, or in which a lane cannot be followed; best_choice.h chooses among the others. The
 * verdict on each list, and why, is noted in SrChoice.tried.
 *
 * Cost: at most that of all lists, one after the other, and of a measure of each result. */
#ifndef SR_BEST_H
#define SR_BEST_H

#include "passes/driver/pipeline.h"

/* For SrPipeline.choose. */
SR_MUST_USE SrStatus sr_best(SrPipeline *p, const SrStep *step);

#endif
