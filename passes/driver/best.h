/* SPDX-License-Identifier: Apache-2.0 */
/* best: the transform that tries the lists of transforms of best.def, and keeps for each function
 * the one after which it issues least.
 *
 * Each list is tried on a copy of the module, each result measured (measure/measure.h); then the
 * chosen lists run on the module, each on its functions. A list is not chosen for a function that
 * it refuses, in which a lane cannot be followed, whose code it makes more than twice as large as
 * the first list does, or that then issues more under one of the two schedules of the measure. Of
 * the others the least sum of issues wins, then less code, then the earlier list; supposed paths
 * have to show a gain of some percent.
 *
 * Cost: at most that of all lists, one after the other, and of a measure of each result. */
#ifndef SR_BEST_H
#define SR_BEST_H

#include "driver/pipeline.h"

/* For SrPipeline.choose. */
SR_MUST_USE SrStatus sr_best(SrPipeline *p, const SrStep *step);

#endif
