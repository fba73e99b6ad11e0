/* SPDX-License-Identifier: Apache-2.0 */
/* measure: what a function costs after a transform: the issues of a subgroup, and its code.
 *
 * A handful of lanes make the same decisions as in the input (lane.h), recorded or supposed. Their
 * paths through the output are scheduled in two ways: by thread frontiers with the priorities LRPO
 * (analysis/graph/priority_profile.h), and by a stack of immediate post-dominators (stack.h). In
 * structured code the first way lets lanes wait where they do on machines that follow the merge
 * instructions, since a construct's blocks precede its merge block. Nothing is run: a call counts
 * as the instructions of its callee before the change, as analysis/function_size.h estimates them.
 *
 * Cost: linear in the sizes of the functions, and in the recorded paths up to a limit. */
#ifndef SR_MEASURE_H
#define SR_MEASURE_H

#include "passes/analysis/graph/priority_profile.h"
#include "passes/analysis/uniform/uniform.h"

/* Recorded paths of lanes through a function; none: subgroup_count is 0. */
typedef struct SrRecorded {
  const SrPaths *subgroups; /* paths of the function's blocks; each begins with block 0 */
  uint32_t subgroup_count;
} SrRecorded;

typedef struct SrCost {
  uint64_t frontier, stack; /* issues */
  uint32_t instructions;    /* the function's code */
  uint32_t lanes;           /* number of lanes that were followed */
  bool recorded;            /* their paths were recorded; false: supposed */
  bool sampled;             /* some of the recorded paths were left out, or cut off */
} SrCost;

typedef struct SrMeasure SrMeasure;

/* Measures what transforms make of the functions of `before`. `recorded`: by function, or NULL. All
 * three must outlive the measure. */
SrMeasure *sr_measure_new(SrArena *arena, const SrModule *before, const SrUniform *u,
                          const SrRecorded *recorded);
/* The next functions to measure are those of `after`. */
void sr_measure_module(SrMeasure *k, SrArena *arena, const SrModule *after);
/* Measures function i. False if a lane cannot be followed: then nothing is known about it. */
bool sr_measure_function(SrMeasure *k, uint32_t i, SrCost *cost);

#endif
