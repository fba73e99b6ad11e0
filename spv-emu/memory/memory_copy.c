/* SPDX-License-Identifier: Apache-2.0 */
/* memory_copy: OpCopyMemorySized, lane by lane, by bytes. */
#include "spv-emu/cost/timeline.h"
#include "spv-emu/cost/transactions.h"
#include "spv-emu/memory/memory.h"
#include "spv-emu/memory/race.h"

/* One side of the copy of a lane. */
typedef struct Side {
  EmuPlace place;
  uint8_t *bytes; /* NULL: out of bounds */
  bool counted;
} Side;

static Side side_of(const EmuLanes *s, uint32_t row, uint64_t size, uint32_t lane, bool written) {
  Side side = {.place = emu_place_at(EMU_ROW(s, uint64_t, row)[lane])};
  if (side.place.segment >= s->program->segments.count)
    return side;
  const EmuSegment *segment = &s->segments[side.place.segment];
  side.counted = segment->counted;
  if (segment->space != EMU_SPACE_ROWS && (segment->writable || !written))
    side.bytes = emu_place_bytes(s, side.place, size, lane);
  return side;
}

static void touch(EmuLanes *s, const Side *side, uint64_t size) {
  if (side->counted && size)
    emu_seen_add_range(s, &s->segments[side->place.segment], side->place.offset,
                       side->place.offset + size);
}

void emu_copy(EmuLanes *s, const EmuIns *i) {
  bool to_counted = false, from_counted = false;
  /* Begins once for each side, because each side counts as an instruction of its own. */
  emu_seen_begin(s);
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    uint64_t size = EMU_ROW(s, uint64_t, i->c)[lane];
    Side to = side_of(s, i->a, size, lane, true), from = side_of(s, i->b, size, lane, false);
    from_counted |= from.counted;
    if (to.bytes && from.bytes)
      touch(s, &from, size);
  }
  emu_count_issue(s, from_counted);
  if (from_counted && s->timeline)
    emu_timeline_load(s->timeline, i->x, s->seen->count);
  emu_seen_begin(s);
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    uint64_t size = EMU_ROW(s, uint64_t, i->c)[lane];
    Side to = side_of(s, i->a, size, lane, true), from = side_of(s, i->b, size, lane, false);
    to_counted |= to.counted;
    if (!size)
      continue;
    if (!to.bytes || !from.bytes) {
      s->inst = i->x;
      emu_place_dropped(s, to.bytes ? from.place : to.place, size, lane, "copy", !to.bytes);
      continue;
    }
    touch(s, &to, size);
    emu_race(s, lane, from.bytes, size, EMU_RACE_READ);
    emu_race(s, lane, to.bytes, size, EMU_RACE_WRITE);
    memmove(to.bytes, from.bytes, size);
  }
  emu_count_issue(s, to_counted);
}
