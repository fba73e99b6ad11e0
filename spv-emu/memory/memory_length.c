/* SPDX-License-Identifier: Apache-2.0 */
/* memory_length: see memory_length.h. */
#include "spv-emu/memory/memory_length.h"

#include "spv-emu/memory/memory.h"

void emu_array_length(EmuLanes *s, const EmuIns *i) {
  uint32_t *to = EMU_ROW(s, uint32_t, i->d);
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    EmuPlace place = emu_place(s, i, lane);
    uint64_t size = 0;
    if (place.segment < s->program->segments.count)
      size = s->segments[place.segment].size;
    to[lane] = place.offset < size ? (uint32_t)((size - place.offset) / i->list) : 0;
  }
}
