/* SPDX-License-Identifier: Apache-2.0 */
/* memory_operands: the optional operands of OpLoad and OpStore: Volatile, Aligned and others. */
#ifndef SR_MEMORY_OPERANDS_H
#define SR_MEMORY_OPERANDS_H

#include "passes/ir/module.h"

/* The index of the word with the mask; it is the number of words if there are no such operands. */
uint32_t sr_memory_operands(const SrModule *m, SrRef r);
/* Does the mask have this bit of SpvMemoryAccessMask? */
bool sr_memory_has(const SrModule *m, SrRef r, uint32_t bit);

#endif
