/* SPDX-License-Identifier: Apache-2.0 */
/* forward_copy: gives an arm its own copies of regions to which other arms lead too (Wu, Diamos et
 * al. 2012, section 3, Forward Copy).
 *
 *     a     b                 a     b
 *     | `-, |         =>      |     | `-,
 *     |    `x                 |  x' x   |
 *     |     |                 |  |  |   |
 *     +---> p <- …            +->p<-+---+
 *
 * Regions that follow one another and are copied for the same arm count as one copy. */
#ifndef SR_FORWARD_COPY_H
#define SR_FORWARD_COPY_H

#include "passes/transform/copy/region.h"

/* Puts the regions from *target up to `end` (SR_NONE: to the last) into the k-th arm of region
 * r, after `*last` (SR_NONE: nothing yet): the originals if no other arm leads to them, else
 * copies. *target becomes `end`, whose `refs` now count the arm. *last becomes the last region
 * of the arm. */
SR_MUST_USE SrStatus sr_forward_copy(SrControlTree *t, uint32_t r, uint32_t k, uint32_t end,
                                     uint32_t *target, uint32_t *last);
/* Puts the region *target itself into the k-th arm of r; no other arm may lead to it. *target
 * becomes the region after it. */
void sr_forward_take(SrControlTree *t, uint32_t r, uint32_t k, uint32_t *target, uint32_t *last);

#endif
