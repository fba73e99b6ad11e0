/* SPDX-License-Identifier: Apache-2.0 */
/* check_compute: the value of an instruction that is not an effect. */
#ifndef SR_CHECK_COMPUTE_H
#define SR_CHECK_COMPUTE_H

#include "check/check_walk.h"

/* `visit`: on the side before the current visit of a block, with which drawn numbers are noted; 0
 * on the side after. */
void sr_check_compute(SrCheckWalk *w, SrCheckSide *s, const SrCheckInst *in, uint32_t visit);
/* The result of a comparison of two numbers of a width. */
bool sr_check_compare(SrCheckKind kind, uint64_t x, uint64_t y, unsigned width);

#endif
