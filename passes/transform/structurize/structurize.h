/* SPDX-License-Identifier: Apache-2.0 */
/* structurize: structures any control flow without copying an instruction of the input. */
#ifndef SR_STRUCTURIZE_H
#define SR_STRUCTURIZE_H

#include "passes/analysis/graph/cycle.h"
#include "passes/transform/counts.h"
#include "passes/transform/goal.h"

typedef struct SrStructurize {
  SrGoal goal;       /* see sweep.h; the order is chosen for it, too (choose_order.h) */
  bool communicates; /* some block of the function has a cross-lane operation, so the lanes that
                        meet in cycles with several entries must not change */
  SrStructureForm structure;
} SrStructurize;

/* Rewrites function `f`, whatever its merge instructions say; the caller skips functions that are
 * structured already. Adds to `counts`. */
SR_MUST_USE SrStatus sr_structurize(SrModule *m, SrFunction *f, const SrStructurize *options,
                                    SrTransformCounts *counts);
/* The same in the order of a given nest of the function's graph, which may break ties differently
 * from sr_nest_build. */
SR_MUST_USE SrStatus sr_structurize_in(SrModule *m, SrFunction *f, const SrNest *nest,
                                       const SrStructurize *options, SrTransformCounts *counts);

/* Would each block that dominates another in f still do so in the result? O(E log V). */
bool sr_structurize_keeps_places(const SrModule *m, const SrFunction *f,
                                 const SrStructurize *options);

#endif
