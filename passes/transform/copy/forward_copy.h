/* forward_copy: gives an arm regions of its own where others lead to them too (Wu, Diamos et al.
 * 2012, section 3, Forward Copy).
 *
 *     a     b                 a     b
 *     | `-, |         =>      |     | `-,
 *     |    `x                 |  x' x   |
 *     |     |                 |  |  |   |
 *     +---> p <- …            +->p<-+---+
 *
 * One copy takes all regions that follow one another at once. */
#ifndef SR_FORWARD_COPY_H
#define SR_FORWARD_COPY_H

#include "transform/copy/region.h"

/* Puts the regions from *target on, up to `end` (SR_NONE: to the last), into the k-th arm of region
 * r, behind `*last` (SR_NONE: nothing yet): originals where nobody else leads to them, else copies.
 * The reference that the arm holds goes on to *target = end. *last is the last of the arm. */
SR_MUST_USE SrStatus sr_forward_copy(SrControlTree *t, uint32_t r, uint32_t k, uint32_t end,
                                     uint32_t *target, uint32_t *last);
/* Puts the original of `target`, which nobody else leads to, there. */
void sr_forward_take(SrControlTree *t, uint32_t r, uint32_t k, uint32_t *target, uint32_t *last);

#endif
