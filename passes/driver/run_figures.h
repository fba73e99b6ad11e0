/* SPDX-License-Identifier: Apache-2.0 */
/* run_figures: what a run reports besides the module: figures before and after, uniformity,
 * structure. */
#ifndef SR_RUN_FIGURES_H
#define SR_RUN_FIGURES_H

#include "passes/analysis/uniform/uniform.h"
#include "passes/driver/pipeline.h"
#include "passes/transform/counts.h"

#include <spvreconv/spvreconv.h>

typedef struct SrReport {
  SrArena *out, *kept, *scratch; /* for the result; for the run; for the work on one function */
  const SrModule *m;
  spvreconv_function *functions;   /* those with a body */
  spvreconv_graph *before, *after; /* `functions` points to their elements */
  spvreconv_counts *counts;
  uint32_t count;
  const char *priorities;      /* --order, for frontiers; NULL: LRPO */
  struct SrReportInput *input; /* by function with a body; for order "best" */
} SrReport;

/* Figures and block order of the input. `order`: as --order names it. `given`: the same if the user
 * has named it, else NULL; then frontiers are those of LRPO. */
SR_MUST_USE SrStatus sr_report_before(SrReport *report, const SrUniform *u, const char *order,
                                      const char *given);
/* Figures of the output of `done`; `u` is NULL if nothing changed. */
SR_MUST_USE SrStatus sr_report_after(SrReport *report, const SrUniform *u, const SrPipeline *done);

/* A cost for the result, in `out`. */
const spvreconv_cost *sr_report_cost(SrArena *out, const SrCost *cost);

/* Records what was repaired in each function, and the structure that it has now. To be called after
 * sr_report_after. */
void sr_report_repairs(SrReport *report, const spvreconv_result *result);

/* The module's text with a remark on every value and branch. `plain`: see sr_dump_annotated. */
char *sr_report_uniformity(SrArena *out, const SrModule *m, const SrUniform *u, const char *plain);

#endif
