/* linearize: partial control-flow linearization. */
#ifndef SR_LINEARIZE_H
#define SR_LINEARIZE_H

#include "analysis/uniform.h"
#include "transform/counts.h"

/* Rewrites f, whose SSA is right; `uniform` is that of the module before any function of it was
 * rewritten. `counts` is added to. */
SR_MUST_USE SrStatus sr_linearize(SrModule *m, SrFunction *f, const SrUniform *uniform,
                                  SrTransformCounts *counts);

#endif
