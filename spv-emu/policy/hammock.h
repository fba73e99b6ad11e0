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
#include "spv-emu/policy/policy.h"

enum { EMU_HAMMOCK_ARMS = 8 };

typedef struct EmuHammock {
  uint32_t join;
  uint32_t count;                 /* number of arms */
  uint32_t arm[EMU_HAMMOCK_ARMS]; /* blocks by ascending place, in the order in which they run */
  uint32_t to[EMU_HAMMOCK_ARMS];  /* by arm: the index of the arm that it leads to; `count`: the
                                     join */
  uint32_t issues;                /* of all arms together */
} EmuHammock;

/* The index of the block among the arms; `count`: it is not one of them. */
static inline uint32_t emu_hammock_index(const EmuHammock *h, uint32_t block) {
  uint32_t i = 0;
  while (i < h->count && h->arm[i] != block)
    i++;
  return i;
}

/* The hammock of a block that declares a selection, in `arena`; NULL: the block does not head one.
 * `place`: by block, its place in the policy's order; SR_NONE: lanes never reach it. `special`:
 * blocks that cannot be arms, since a construct opens or closes there. */
const EmuHammock *emu_hammock_find(SrArena *arena, const EmuBlockTable *table,
                                   const uint32_t *place, const SrBits *special, uint32_t header);

#endif
