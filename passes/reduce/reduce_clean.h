/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_clean: removes what nothing reaches or uses. */
#ifndef SR_REDUCE_CLEAN_H
#define SR_REDUCE_CLEAN_H

#include "passes/ir/module.h"

/* By id: how many words of instructions outside of names and decorations use it. */
const uint32_t *sr_reduce_uses(SrModule *m);

/* Does the instruction only compute its result, so that it can go if that is not used? */
bool sr_reduce_only_computes(const SrModule *m, SrRef r);

/* Removes unreachable blocks, operands of phis for edges that are gone, phis with one value, results
 * and functions that nothing uses, debug lines; joins blocks in a row. Merge blocks and continue
 * targets that nothing reaches stay, without their instructions. Changes no result. */
void sr_reduce_clean(SrModule *m);

#endif
