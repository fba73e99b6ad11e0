/* SPDX-License-Identifier: Apache-2.0 */
/* hammock: branches whose lanes diverge and soon reconverge: an if and else of a few instructions,
 * small switches. In most shaders, most divergent branches are of this kind, and the executor need
 * not ask the policy about each of their blocks.
 *
 *       header        The header declares a selection. Its *arms* are a few blocks, each with one
 *      /  |   \       edge, to a later arm (fall-through) or to the *join*, the merge block. In an
 *     a1  a2 > a3     arm no construct opens or closes, no lane ends, and there is no call and no
 *      \  |   /       barrier.
 *        join
 *
 * (The term is from Ferrante, Ottenstein and Warren, 1987: a region with one entry and one exit.) A
 * policy that runs the arms in the order of their places, each with all lanes that have reached it,
 * and nothing else until all lanes are at the join, may leave the arms to the executor:
 * EmuPolicy.hammock in policy.h. */
#ifndef EMU_HAMMOCK_H
#define EMU_HAMMOCK_H

#include "passes/base/bitset.h"
#include "spv-emu/engine/arms.h"
#include "spv-emu/policy/policy.h"

/* The hammock of a block that declares a selection, in `arena`; NULL: the block does not head one.
 * `place`: by block, its place in the policy's order; SR_NONE: lanes never reach it. `special`:
 * blocks that cannot be arms, since a construct opens or closes there. */
const EmuHammock *emu_hammock_find(SrArena *arena, const EmuBlockTable *table,
                                   const uint32_t *place, const SrBits *special, uint32_t header);

#endif
