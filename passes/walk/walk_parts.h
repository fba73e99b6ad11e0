/* SPDX-License-Identifier: Apache-2.0 */
/* walk_parts: vectors by their components.
 *
 * Compilers build a vector by inserting into OpUndef, and copy a number to all components by an
 * insert and a shuffle. Suppose that such a vector were undefined until its last component is set,
 * or that components that a shuffle drops counted. Then walks would end at the first branch that
 * depends on the vector. So a vector made of components remembers them, and each of them may be
 * undefined. */
#ifndef SR_WALK_PARTS_H
#define SR_WALK_PARTS_H

#include "passes/walk/walk.h"

/* Evaluates SR_WALK_PARTS: makes a vector from others, or from its components. */
void sr_walk_parts(SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, SrWalkValue *out);
/* Evaluates SR_WALK_LANES: an uninterpreted instruction, component by component. */
void sr_walk_lanes(SrWalk *w, const SrWalkSide *s, const SrWalkInst *in, SrWalkValue *out);
/* Evaluates SR_WALK_PART: the component that OpCompositeExtract extracts, as far as it is
 * known. */
SrWalkValue sr_walk_part(const SrWalk *w, const SrWalkSide *s, const SrWalkInst *in);

#endif
