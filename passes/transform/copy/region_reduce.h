/* region_reduce: finds the exit of a region: the place where its arms meet. */
#ifndef SR_REGION_REDUCE_H
#define SR_REGION_REDUCE_H

#include "transform/copy/region.h"

/* Finds the exit of a region whose arms have been set: each leads to a region that holds a
 * reference for it, or jumps. */
SR_MUST_USE SrStatus sr_region_reduce(SrControlTree *t, uint32_t r);

#endif
