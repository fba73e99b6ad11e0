/* SPDX-License-Identifier: Apache-2.0 */
/* layout: does an order of blocks keep the iterations of cycles apart?
 *
 * Under a policy that runs the first block of an order, lanes of different iterations meet in a
 * block unless the order is like LRPO (analysis/graph/cycle.h): every block comes before those that
 * it leads to, back edges aside, and the blocks of a cycle lie together. Otherwise lanes may begin
 * the next iteration of an outer cycle while others are still inside, and what the uniformity
 * analysis proves does not hold (analysis/uniform/sync.h). */
#ifndef EMU_LAYOUT_H
#define EMU_LAYOUT_H

#include "spv-emu/policy/block_table.h"

/* Is the order of `fn`'s blocks like LRPO in this sense? `place`: by block of the program, its
 * place; NULL: blocks are in the order of the module. Cost: O(E log V). */
bool emu_layout_fits(SrArena *arena, const EmuFunctionBlocks *fn, const uint32_t *place);

/* Functions for EmuPolicy.mixes. For the layout, with calls as part of their callers … */
bool emu_layout_mixes(SrArena *arena, const EmuBlockTable *table);
/* … or with lanes of different calls together: then a function's lanes may be in different
 * iterations of its caller. */
bool emu_layout_mixes_calls(SrArena *arena, const EmuBlockTable *table);
/* For the priorities; the default ones never mix. */
bool emu_priority_mixes(SrArena *arena, const EmuBlockTable *table);

#endif
