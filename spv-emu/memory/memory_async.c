/* SPDX-License-Identifier: Apache-2.0 */
/* memory_async: the copy of OpGroupAsyncCopy, element by element. All lanes of the workgroup name
 * the same places, so the first active lane copies for all. */
#include "spv-emu/cost/transactions.h"
#include "spv-emu/memory/memory.h"
#include "spv-emu/memory/race.h"

typedef struct Sides {
  uint64_t to, from;           /* addresses */
  uint64_t to_step, from_step; /* bytes to the next element */
  uint32_t bytes;              /* of one element */
} Sides;

static void touch(EmuLanes *s, EmuPlace place, uint32_t bytes) {
  if (s->segments[place.segment].counted)
    emu_seen_add_range(s, &s->segments[place.segment], place.offset, place.offset + bytes);
}

static bool is_counted(const EmuLanes *s, EmuPlace place) {
  return place.segment < s->program->segments.count && s->segments[place.segment].counted;
}

/* False: the element is out of bounds, which is counted and noted; the rest is not copied. */
static bool copy_element(EmuLanes *s, const Sides *sides, uint64_t k, uint32_t lane) {
  EmuPlace to = emu_place_at(sides->to + k * sides->to_step);
  EmuPlace from = emu_place_at(sides->from + k * sides->from_step);
  uint8_t *target = emu_place_bytes(s, to, sides->bytes, lane);
  const uint8_t *source = emu_place_bytes(s, from, sides->bytes, lane);
  bool writable = target && s->segments[to.segment].writable;
  if (!writable || !source) {
    emu_place_dropped(s, writable ? from : to, sides->bytes, lane, "copy", !writable);
    return false;
  }
  touch(s, to, sides->bytes);
  touch(s, from, sides->bytes);
  emu_race(s, lane, source, sides->bytes, EMU_RACE_READ);
  emu_race(s, lane, target, sides->bytes, EMU_RACE_WRITE);
  memmove(target, source, sides->bytes);
  return true;
}

void emu_async_copy(EmuLanes *s, const EmuIns *i) {
  uint32_t stride_row = s->program->rows.at[i->list];
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    uint64_t count = EMU_ROW(s, uint64_t, i->c)[lane];
    uint64_t stride = EMU_ROW(s, uint64_t, stride_row)[lane];
    bool from_global = i->x & 1;
    Sides sides = {.to = EMU_ROW(s, uint64_t, i->a)[lane],
                   .from = EMU_ROW(s, uint64_t, i->b)[lane],
                   .bytes = i->x >> 1};
    sides.to_step = sides.bytes * (from_global ? 1 : stride);
    sides.from_step = sides.bytes * (from_global ? stride : 1);
    emu_seen_begin(s);
    emu_seen_lane(s, lane);
    for (uint64_t k = 0; k < count && copy_element(s, &sides, k, lane); k++)
      ;
    emu_count_issue(s, is_counted(s, emu_place_at(sides.to)) ||
                           is_counted(s, emu_place_at(sides.from)));
    return;
  }
}
