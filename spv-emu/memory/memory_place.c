/* SPDX-License-Identifier: Apache-2.0 */
/* memory_place: resolves and checks the address of one lane. This is the slow path, which is
 * correct for every access; memory.c has fast paths for whole subgroups. */
#include "spv-emu/memory/memory.h"

#include <inttypes.h>

EmuPlace emu_place(const EmuLanes *s, const EmuIns *i, uint32_t lane) {
  const EmuAccess *access = &s->program->accesses.at[i->x];
  EmuPlace place = {access->segment, access->offset};
  if (access->segment != SR_NONE) {
    if (i->a != EMU_NO_ROW) {
      uint32_t offset = EMU_ROW(s, uint32_t, i->a)[lane];
      place.offset = offset == UINT32_MAX ? UINT64_MAX : emu_sum(access->offset, offset);
    }
  } else if (i->a == EMU_NO_ROW) {
    place = emu_place_at(access->offset);
  } else {
    place = emu_place_at(EMU_ROW(s, uint64_t, i->a)[lane] + access->offset);
  }
  return place;
}

uint8_t *emu_place_bytes(const EmuLanes *s, EmuPlace place, uint64_t bytes, uint32_t lane) {
  if (place.segment >= s->program->segments.count)
    return NULL;
  const EmuSegment *segment = &s->segments[place.segment];
  uint64_t step, need = segment->space == EMU_SPACE_ROWS ? bytes * s->width : bytes;
  uint8_t *start = emu_segment_start(s, segment, (uint32_t)bytes, &step);
  if (!start || need > segment->size || place.offset > segment->size - need)
    return NULL;
  return start + place.offset + step * lane;
}

/* What is wrong, for the message. */
static const char *cause(const EmuSegment *segment, EmuPlace place, uint64_t bytes, uint32_t width,
                         bool written) {
  uint64_t need = segment->space == EMU_SPACE_ROWS ? bytes * width : bytes;
  if (segment->space == EMU_SPACE_BUFFER && !segment->bytes)
    return "nothing is bound";
  if (need > segment->size || place.offset > segment->size - need)
    return "out of bounds";
  if (written && !segment->writable)
    return "not writable";
  return place.offset % bytes ? "misaligned" : "no bytes to copy";
}

void emu_place_dropped(EmuLanes *s, EmuPlace place, uint64_t bytes, uint32_t lane, const char *verb,
                       bool written) {
  if (!place.segment) {
    emu_dropped(s, lane, "%s through a null pointer", verb);
    return;
  }
  if (place.segment >= s->program->segments.count) {
    emu_dropped(s, lane, "%s at an invalid address", verb);
    return;
  }
  const EmuSegment *segment = &s->segments[place.segment];
  uint64_t unit = segment->space == EMU_SPACE_ROWS ? s->width : 1;
  const char *name = segment->name ? segment->name : "";
  if (place.offset == UINT64_MAX)
    emu_dropped(s, lane, "%s of variable %%%u%s%.60s%s: index out of range", verb, segment->id,
                *name ? " (" : "", name, *name ? ")" : "");
  else
    emu_dropped(s, lane,
                "%s of %" PRIu64 " bytes at byte %" PRIu64 " of variable %%%u (%.60s%s%" PRIu64
                " bytes): %s",
                verb, bytes, place.offset / unit, segment->id, name, *name ? ", " : "",
                segment->size / unit, cause(segment, place, bytes, s->width, written));
}
