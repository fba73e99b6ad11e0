/* SPDX-License-Identifier: Apache-2.0 */
/* if_convert: turns divergent selections into straight-line code, after a linear program
 * (flow_linear.h) has been written into the function.
 *
 *      G                          G
 *      if (c)                     B: x = …         computed by all lanes
 *        B: x = …; store; y = …      if (c) store   a small selection for what has effects
 *      M: z = phi(x, w)              y = …
 *                                 M: z = c ? x : w
 *
 * Blocks of the input keep their ids and follow one another. */
#ifndef SR_IF_CONVERT_H
#define SR_IF_CONVERT_H

#include "passes/transform/counts.h"
#include "passes/transform/flow/flow.h"

/* Removes the selections marked divergent whose arms are straight-line code. `flow`: the program
 * that f's blocks were written from. Needs and keeps SSA and structure. Updates `counts`;
 * near-linear. */
SR_MUST_USE SrStatus sr_if_convert(SrModule *m, SrFunction *f, const SrFlowGraph *flow,
                                   SrTransformCounts *counts);

#endif
