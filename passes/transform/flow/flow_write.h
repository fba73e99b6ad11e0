/* SPDX-License-Identifier: Apache-2.0 */
/* flow_write: writes the program that flow.h describes into the module.
 *
 * User blocks keep their ids and instructions; their merge instructions are dropped (the new ones
 * take over the control hints) and their terminators get the new targets. Blocks that are not in
 * the program are dropped. Then values are repaired, the selector becomes constants and phis like
 * any variable, and added blocks get their tests and branches.
 *
 * Needs and establishes: SSA. Cost: that of ssa_repair.h. */
#ifndef SR_FLOW_WRITE_H
#define SR_FLOW_WRITE_H

#include "passes/transform/counts.h"
#include "passes/transform/flow/flow.h"

/* The deepest nesting of constructs (spirv-val allows 1023). Deeper constructs are closed early,
 * which is always correct and costs a guard. */
enum { SR_NESTING_LIMIT = 900 };

/* The blocks that end in an OpSwitch with two or more distinct targets. */
SrBits *sr_flow_switches(SrArena *arena, const SrModule *m, const SrFunction *f, const SrGraph *g);

typedef struct SrFlowProgram {
  const SrGraph *old; /* the function's graph */
  const SrFlowGraph *flow;
  const uint32_t *rank; /* by block of `old`: its rank, a value of the selector */
  const SrNest *nest;   /* of `old`, if the program is structured; NULL: it is reconverge's */
} SrFlowProgram;

/* Writes the program into f, and adds to `counts` what it adds to f. */
SR_MUST_USE SrStatus sr_flow_write(SrModule *m, SrFunction *f, const SrFlowProgram *p,
                                   SrTransformCounts *counts);

#endif
