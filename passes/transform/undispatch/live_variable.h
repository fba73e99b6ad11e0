/* SPDX-License-Identifier: Apache-2.0 */
/* live_variable: where the value of a variable passes through a block unchanged.
 *
 * The solver of ssa_value.h requires a value on every edge of the region between the places that
 * set the variable and those that need it. Here the places that set it are given; all other edges
 * on paths to the places that need it get the value "as at the start of the edge's source". */
#ifndef SR_LIVE_VARIABLE_H
#define SR_LIVE_VARIABLE_H

#include "passes/transform/ssa/ssa_value.h"

typedef struct SrLiveVariable {
  SrSsa *ssa;
  uint32_t epoch, *stamp; /* by block: the value at its start is needed if this == epoch */
  SR_VEC(uint32_t) work;
} SrLiveVariable;

SrLiveVariable sr_live_variable_new(SrSsa *ssa);
/* After sr_ssa_begin and all sr_ssa_set of one variable: sets the other edges and solves for the
 * `count` blocks in `wanted`. Returns the number of blocks where the variable is live, to which its
 * time is proportional. */
uint32_t sr_live_variable_solve(SrLiveVariable *v, const uint32_t *wanted, uint32_t count);

#endif
