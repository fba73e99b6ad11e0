/* SPDX-License-Identifier: Apache-2.0 */
/* straight: a module without its control flow, so that SPIRV-Tools' validator shows what else is
 * wrong with it. The validator stops at the first fault. In an input without structure, that is the
 * missing structure, and all other faults stay hidden.
 *
 * In each function the blocks follow one another in a line: terminators and merge instructions are
 * replaced by branches to the next block, phis by undefined values. All other instructions are the
 * module's own. Terminators and phis themselves are not shown to the validator. */
#ifndef SR_STRAIGHT_H
#define SR_STRAIGHT_H

#include "passes/base/arena.h"

/* The words of the module, in `arena`, from those of one that the reader accepts. */
uint32_t *sr_straight(SrArena *arena, const uint32_t *words, size_t count, size_t *out);

#endif
