/* SPDX-License-Identifier: Apache-2.0 */
/* region_reduce: finds the exit of a region: the place where its arms meet. */
#ifndef SR_REGION_REDUCE_H
#define SR_REGION_REDUCE_H

#include "passes/transform/copy/region.h"

/* Finds the exit of a region whose arms have been set: each jumps, or leads to a region that counts
 * it in `refs`. */
SR_MUST_USE SrStatus sr_region_reduce(SrControlTree *t, uint32_t r);

#endif
