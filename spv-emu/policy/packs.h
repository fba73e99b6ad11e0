/* SPDX-License-Identifier: Apache-2.0 */
/* packs: how lanes of a workgroup are packed into subgroups.
 *
 * A lane keeps its column, which is its number in its own subgroup, since its registers are in the
 * column's bank. So the minimum number of subgroups is the number of lanes in the fullest column:
 * the i-th subgroup gets the i-th lane of every column. */
#ifndef EMU_PACKS_H
#define EMU_PACKS_H

#include "passes/base/arena.h"
#include "spv-emu/engine/lanes.h"

typedef struct EmuPacks {
  uint32_t lanes;   /* lanes of a subgroup; the subgroups of a workgroup are consecutive */
  uint32_t count;   /* subgroups that have lanes */
  uint16_t *pack;   /* by lane of the workgroup that is packed: its subgroup, from 0 */
  uint16_t *column; /* by lane of the workgroup */
  uint16_t *fill;   /* by column: number of lanes packed so far; temporary */
} EmuPacks;

static inline EmuPacks emu_packs_new(SrArena *arena, uint32_t subgroups, uint32_t lanes) {
  uint32_t all = subgroups * lanes;
  EmuPacks p = {.lanes = lanes,
                .pack = SR_NEW(arena, uint16_t, all),
                .column = SR_NEW(arena, uint16_t, all),
                .fill = SR_NEW(arena, uint16_t, lanes)};
  for (uint32_t lane = 0; lane < all; lane++)
    p.column[lane] = (uint16_t)(lane % lanes);
  return p;
}

/* Packs the lanes into the fewest subgroups. */
static inline void emu_packs_fill(EmuPacks *p, const EmuMask *on, uint32_t words) {
  uint32_t most = 0;
  memset(p->fill, 0, p->lanes * sizeof *p->fill);
  for (EMU_WORDS(i, words))
    for (uint64_t left = on->w[i]; left; left &= left - 1) {
      uint32_t lane = i * 64 + (uint32_t)__builtin_ctzll(left), pack = p->fill[p->column[lane]]++;
      p->pack[lane] = (uint16_t)pack;
      most = most > pack ? most : pack;
    }
  p->count = most + emu_mask_any(on, words);
}

/* Packs the lanes: `packed`: into the fewest subgroups; else into their own. */
static inline void emu_packs_make(EmuPacks *p, const EmuMask *on, uint32_t words, bool packed) {
  uint32_t end = 0; /* end of the subgroup of the last lane */
  if (packed) {
    emu_packs_fill(p, on, words);
    return;
  }
  p->count = 0;
  for (EMU_EACH_LANE(lane, on, words)) {
    p->count += lane >= end;
    if (lane >= end)
      end = lane - p->column[lane] + p->lanes;
    p->pack[lane] = (uint16_t)(p->count - 1);
  }
}

#endif
