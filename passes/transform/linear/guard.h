/* SPDX-License-Identifier: Apache-2.0 */
/* guard: control-flow linearization with a guard for each block. */
#ifndef SR_GUARD_H
#define SR_GUARD_H

#include "passes/transform/pass_run.h"

/* Rewrites f, which is in SSA form. Adds to `counts`. */
SR_MUST_USE SrStatus sr_guard(SrModule *m, SrFunction *f, SrStructureForm structure,
                              SrTransformCounts *counts);
/* The same as a pass. If the function cannot be linearized (linear_admit.h), *admitted is false and
 * nothing was done. */
SR_MUST_USE SrStatus sr_guard_pass(SrPassRun *r, SrFunction *f, bool *changed, bool *admitted);

#endif
