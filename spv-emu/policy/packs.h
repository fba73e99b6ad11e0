/* SPDX-License-Identifier: Apache-2.0 */
/* packs: how lanes of a workgroup are packed into subgroups.
 *
 * A lane keeps its column, its number in its own subgroup, since its registers are in the bank of
 * the column. So the fewest subgroups are as many as there are lanes in the fullest column: the
 * i-th of them gets the i-th lane of every column. */
#ifndef EMU_PACKS_H
#define EMU_PACKS_H

#include "engine/lanes.h"

typedef struct EmuPacks {
  uint32_t lanes; /* of a subgroup; those of the workgroup follow one another */
  uint32_t count; /* subgroups that have lanes */
  uint16_t *pack; /* by lane of the workgroup that is packed: its subgroup, from 0 */
  uint16_t *fill; /* by column: how many lanes are packed; temporary */
} EmuPacks;

/* `packed`: into the fewest; else into their own subgroups. */
static inline void emu_packs_make(EmuPacks *p, const EmuMask *on, uint32_t words, bool packed) {
  uint32_t own = UINT32_MAX;
  p->count = 0;
  memset(p->fill, 0, p->lanes * sizeof *p->fill);
  for (EMU_EACH_LANE(lane, on, words)) {
    uint32_t subgroup = lane / p->lanes;
    if (packed)
      p->pack[lane] = p->fill[lane - subgroup * p->lanes]++;
    else {
      p->count += subgroup != own;
      own = subgroup;
      p->pack[lane] = (uint16_t)(p->count - 1);
    }
    if (packed && p->pack[lane] >= p->count)
      p->count = p->pack[lane] + 1u;
  }
}

#endif
