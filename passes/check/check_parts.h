/* SPDX-License-Identifier: Apache-2.0 */
/* check_parts: vectors by their components.
 *
 * Compilers build a vector by inserting into OpUndef, and copy a number to all components by an
 * insert and a shuffle. If such a vector were undefined as a whole until its last component is set,
 * and if components that a shuffle drops mattered, walks would end at the first branch that depends
 * on it. So a vector made of components remembers them, and each may be undefined. */
#ifndef SR_CHECK_PARTS_H
#define SR_CHECK_PARTS_H

#include "check/check_walk.h"

/* Evaluates SR_CHECK_PARTS: makes a vector from others, or from its components. */
void sr_check_parts(SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in, SrCheckValue *out);
/* Evaluates SR_CHECK_LANES: an uninterpreted instruction, component by component. */
void sr_check_lanes(SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in, SrCheckValue *out);
/* Evaluates SR_CHECK_PART: the component that OpCompositeExtract extracts, as far as it is
 * known. */
SrCheckValue sr_check_part(const SrCheckWalk *w, const SrCheckSide *s, const SrCheckInst *in);

#endif
