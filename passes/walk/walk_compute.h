/* SPDX-License-Identifier: Apache-2.0 */
/* walk_compute: the value of an instruction that is not an effect. */
#ifndef SR_WALK_COMPUTE_H
#define SR_WALK_COMPUTE_H

#include "passes/walk/walk.h"

/* Computes the result of an instruction. `visit`: in the input, the number of the current visit of
 * a block, which is recorded with each number that is drawn; in the output, 0. */
void sr_walk_compute(SrWalk *w, SrWalkSide *s, const SrWalkInst *in, uint32_t visit);
/* The result of a comparison of two numbers of `width` bits. */
bool sr_walk_compare(SrWalkKind kind, uint64_t x, uint64_t y, unsigned width);

#endif
