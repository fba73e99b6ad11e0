/* guard: control-flow linearization with one guard a block. */
#ifndef SR_GUARD_H
#define SR_GUARD_H

#include "ir/module.h"
#include "transform/counts.h"

/* Rewrites f, whose SSA is right. `counts` is added to. */
SR_MUST_USE SrStatus sr_guard(SrModule *m, SrFunction *f, SrTransformCounts *counts);

#endif
