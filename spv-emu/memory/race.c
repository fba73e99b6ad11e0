/* SPDX-License-Identifier: Apache-2.0 */
/* race: see race.h. */
#include "spv-emu/memory/race.h"

/* The workgroup that accessed a byte, for each kind of access, counted from 1; 0: none; SEVERAL:
 * more than one. */
typedef struct Cell {
  uint32_t reader, writer, atomic;
} Cell;

#define SEVERAL UINT32_MAX

typedef struct Followed {
  const uint8_t *bytes;
  uint64_t size;
  Cell *cells; /* by byte */
} Followed;

struct EmuRaces {
  Followed *at;
  uint32_t count, last; /* last: index in `at` of the last access's buffer or image */
  uint32_t group;
  uint64_t races;
};

static void follow(EmuRaces *r, SrArena *arena, const uint8_t *bytes, uint64_t size) {
  for (uint32_t i = 0; i < r->count; i++)
    if (r->at[i].bytes == bytes && r->at[i].size >= size)
      return;
  if (bytes && size)
    r->at[r->count++] =
        (Followed){.bytes = bytes, .size = size, .cells = SR_NEW(arena, Cell, size)};
}

EmuRaces *emu_races_new(SrArena *arena, const EmuProgram *program, const EmuSegment *segments,
                        const EmuImages *images) {
  EmuRaces *r = SR_NEW(arena, EmuRaces, 1);
  r->at = SR_NEW(arena, Followed, program->segments.count + program->image_count);
  for (uint32_t i = 0; i < program->segments.count; i++)
    if (segments[i].space == EMU_SPACE_BUFFER && segments[i].writable)
      follow(r, arena, segments[i].bytes, segments[i].size);
  for (uint32_t i = 0; i < program->image_count; i++)
    follow(r, arena, images->images[i].bytes, images->images[i].size);
  return r;
}

void emu_races_group(EmuRaces *r, uint64_t group) {
  r->group = group < SEVERAL - 1 ? (uint32_t)group + 1 : SEVERAL - 1;
}

static bool is_other(uint32_t group, uint32_t mine) {
  return group && group != mine;
}

static void mark(uint32_t *group, uint32_t mine) {
  *group = is_other(*group, mine) ? SEVERAL : mine;
}

/* Does the access race with an earlier one? */
static bool touch(Cell *c, uint32_t mine, EmuRaceKind kind) {
  bool read = is_other(c->reader, mine), written = is_other(c->writer, mine);
  bool atomic = is_other(c->atomic, mine);
  switch (kind) {
  case EMU_RACE_READ:
    mark(&c->reader, mine);
    return written || atomic;
  case EMU_RACE_WRITE:
    mark(&c->writer, mine);
    return read || written || atomic;
  case EMU_RACE_ATOMIC:
    mark(&c->atomic, mine);
    return read || written;
  }
  return false;
}

static const Followed *find(EmuRaces *r, const uint8_t *at) {
  for (uint32_t n = 0; n < r->count; n++) {
    uint32_t i = (r->last + n) % r->count;
    if (at >= r->at[i].bytes && (uint64_t)(at - r->at[i].bytes) < r->at[i].size) {
      r->last = i;
      return &r->at[i];
    }
  }
  return NULL;
}

void emu_race(EmuRaces *r, const uint8_t *at, uint64_t bytes, EmuRaceKind kind) {
  const Followed *f = r ? find(r, at) : NULL;
  bool races = false;
  if (!f)
    return;
  uint64_t first = (uint64_t)(at - f->bytes);
  for (uint64_t i = 0; i < bytes && first + i < f->size; i++)
    races |= touch(&f->cells[first + i], r->group, kind);
  r->races += races;
}

uint64_t emu_races_count(const EmuRaces *r) {
  return r ? r->races : 0;
}
