/* SPDX-License-Identifier: Apache-2.0 */
/* construct_order: the places of blocks for the policies that follow constructs (structured, maximal):
 * an order of each function's blocks, and the loops around them.
 *
 * In a function that is structured, the order is that of structured traversal: LRPO (cycle.h) with
 * the blocks of every declared construct together, loops and selections alike. The construct of a
 * header consists of the blocks that the header structurally dominates and its merge block does not
 * (SPIR-V 1.6, 2.11.2), including its continue construct and blocks that break or return. So a
 * construct comes after its header, its arms one after the other, a block after all blocks of its
 * construct that lead to it, and the merge block after the construct. The loops are those that are
 * declared.
 *
 * In any other function the order is LRPO, and the loops are its cycles.
 *
 * Cost O(E log V). */
#ifndef EMU_CONSTRUCT_ORDER_H
#define EMU_CONSTRUCT_ORDER_H

#include "passes/base/vec.h"
#include "spv-emu/policy/policy.h"

typedef struct EmuLoop {
  uint32_t parent;      /* the loop around it in the same function, or SR_NONE */
  uint32_t depth;       /* 1: outermost */
  uint32_t first, last; /* places of its blocks, without a gap */
  uint32_t header;      /* the block that all its back edges lead to */
} EmuLoop;

typedef struct EmuPlaces {
  uint32_t *place; /* by block, within its function; SR_NONE: its entry does not reach it */
  uint32_t *loop;  /* by block: innermost loop, or SR_NONE */
  SR_VEC(EmuLoop) loops;
} EmuPlaces;

EmuPlaces *emu_places_build(SrArena *arena, const EmuBlockTable *table);

/* Calls split a basic block into parts. By block: the first part of its basic block, which may be
 * the block itself. A loop is entered through the first part of the block that declares it. */
uint32_t *emu_first_parts(SrArena *arena, const EmuBlockTable *table);

#endif
