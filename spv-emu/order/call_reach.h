/* SPDX-License-Identifier: Apache-2.0 */
/* call_reach: the blocks that lanes can reach: a block after a call only if the call itself is
 * reached and its callee returns. (In the graph with call and return edges a function returns to
 * all its calls.) */
#ifndef EMU_CALL_REACH_H
#define EMU_CALL_REACH_H

#include "passes/base/bitset.h"
#include "spv-emu/policy/policy.h"

/* The set of these blocks. Linear. */
SrBits *emu_call_reach(SrArena *arena, const EmuBlockTable *table);
/* Does the block return from its function? */
bool emu_block_returns(const EmuBlockTable *table, uint32_t block);

#endif
