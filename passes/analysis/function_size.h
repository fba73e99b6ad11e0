/* SPDX-License-Identifier: Apache-2.0 */
/* function_size: the number of instructions in a block. A call counts as the instructions of the
 * function that it calls, and of that function's callees in turn. */
#ifndef SR_FUNCTION_SIZE_H
#define SR_FUNCTION_SIZE_H

#include "passes/ir/module.h"

/* By id of OpFunction: its instructions, with those of its callees. Linear. */
const uint32_t *sr_function_sizes(SrArena *arena, const SrModule *m);
/* The same; an instruction counts eight times for each loop around it in its function (arm.h).
 * Near-linear. */
const uint32_t *sr_function_costs(SrArena *arena, const SrModule *m);
uint32_t sr_function_block_size(const SrModule *m, const SrBlock *b, const uint32_t *function_size);

#endif
