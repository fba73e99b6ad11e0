/* SPDX-License-Identifier: Apache-2.0 */
/* run_costs: what the functions of a run cost, before and after (measure/measure.h), for its
 * report. */
#ifndef SR_RUN_COSTS_H
#define SR_RUN_COSTS_H

#include "passes/driver/run_figures.h"

/* Sets the costs of the report's functions. `before`: a copy of the input, with its uniformity;
 * `changed`: the report's module may differ from it. A function whose lanes cannot be followed has
 * none, nor has one that has moved into its callers. */
void sr_run_costs(SrReport *report, const SrModule *before, const SrUniform *u, bool changed);

#endif
