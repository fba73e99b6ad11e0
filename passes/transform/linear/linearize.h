/* SPDX-License-Identifier: Apache-2.0 */
/* linearize: partial control-flow linearization. */
#ifndef SR_LINEARIZE_H
#define SR_LINEARIZE_H

#include "passes/transform/pass_run.h"

/* Rewrites f, which is in SSA form; `uniform` is that of the module before any function was
 * rewritten. Adds to `counts`. */
SR_MUST_USE SrStatus sr_linearize(SrModule *m, SrFunction *f, const SrUniform *uniform,
                                  SrTransformCounts *counts);
/* The same as a pass. If the function cannot be linearized (linear_admit.h), *admitted is false and
 * nothing was done. */
SR_MUST_USE SrStatus sr_linearize_pass(SrPassRun *r, SrFunction *f, bool *changed, bool *admitted);

#endif
