/* guard: control-flow linearization with one guard a block. */
#ifndef SR_GUARD_H
#define SR_GUARD_H

#include "transform/pass_run.h"

/* Rewrites f, whose SSA is right. `counts` is added to. */
SR_MUST_USE SrStatus sr_guard(SrModule *m, SrFunction *f, SrTransformCounts *counts);
/* The same as a pass; where the function cannot be laid out so (linear_admit.h) *admitted is false
 * and nothing was done. */
SR_MUST_USE SrStatus sr_guard_pass(SrPassRun *r, SrFunction *f, bool *changed, bool *admitted);

#endif
