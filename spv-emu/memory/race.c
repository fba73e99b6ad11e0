/* SPDX-License-Identifier: Apache-2.0 */
/* race: see race.h. */
#include "spv-emu/memory/race.h"

#define SEVERAL UINT32_MAX

/* Who accessed a byte, counted from 1; 0: no one; SEVERAL: more than one. */
typedef struct Access {
  uint32_t group;    /* the workgroup */
  uint32_t lane;     /* in `interval`: the invocation (who_is) */
  uint32_t interval; /* of the last access */
} Access;

/* By kind of access. */
typedef struct Cell {
  Access reader, writer, atomic;
} Cell;

typedef struct Followed {
  const uint8_t *bytes;
  uint64_t size;
  bool shared; /* memory of the workgroup that runs: other workgroups have their own */
  Cell *cells; /* by byte */
} Followed;

struct EmuRaces {
  Followed *at;
  uint32_t count, last; /* last: index in `at` of the last access's memory */
  uint32_t group, interval;
  bool by_subgroup; /* barriers order the lanes of a subgroup */
  uint64_t races, lane_races;
};

static void follow(EmuRaces *r, SrArena *arena, const uint8_t *bytes, uint64_t size, bool shared) {
  for (uint32_t i = 0; i < r->count; i++)
    if (r->at[i].bytes == bytes && r->at[i].size >= size)
      return;
  if (bytes && size)
    r->at[r->count++] = (Followed){bytes, size, shared, SR_NEW(arena, Cell, size)};
}

EmuRaces *emu_races_new(SrArena *arena, const EmuProgram *program, const EmuSegment *segments,
                        const EmuImages *images, const uint8_t *shared, uint32_t shared_bytes) {
  EmuRaces *r = SR_NEW(arena, EmuRaces, 1);
  r->at = SR_NEW(arena, Followed, program->segments.count + program->image_count + 1);
  r->by_subgroup = program->subgroup_barriers;
  for (uint32_t i = 0; i < program->segments.count; i++)
    if (segments[i].space == EMU_SPACE_BUFFER && segments[i].writable)
      follow(r, arena, segments[i].bytes, segments[i].size, false);
  for (uint32_t i = 0; i < program->image_count; i++)
    follow(r, arena, images->images[i].bytes, images->images[i].size, false);
  follow(r, arena, shared, shared_bytes, true);
  return r;
}

void emu_races_group(EmuRaces *r, uint64_t group) {
  r->group = group < SEVERAL - 1 ? (uint32_t)group + 1 : SEVERAL - 1;
  r->interval++;
}

void emu_races_barrier(EmuRaces *r) {
  if (r)
    r->interval++;
}

/* The invocation, or its subgroup if barriers order the lanes of that. */
static uint32_t who_is(const EmuLanes *s, uint32_t lane) {
  uint64_t who = s->races->by_subgroup ? s->subgroup : s->subgroup * s->size + lane;
  return (uint32_t)(who % (SEVERAL - 1)) + 1;
}

static bool is_other(uint32_t who, uint32_t mine) {
  return who && who != mine;
}

static bool is_other_group(const EmuRaces *r, const Access *a) {
  return is_other(a->group, r->group);
}

static bool is_other_lane(const EmuRaces *r, const Access *a, uint32_t lane) {
  return a->interval == r->interval && is_other(a->lane, lane);
}

static void mark(const EmuRaces *r, Access *a, uint32_t lane) {
  a->group = is_other_group(r, a) ? SEVERAL : r->group;
  a->lane = is_other_lane(r, a, lane) ? SEVERAL : lane;
  a->interval = r->interval;
}

/* The accesses of the cell with which one of this kind may conflict, and its own; returns how many
 * come before its own. */
static uint32_t conflicts(Cell *c, EmuRaceKind kind, Access *of[3]) {
  switch (kind) {
  case EMU_RACE_READ:
    of[0] = &c->writer, of[1] = &c->atomic, of[2] = &c->reader;
    return 2;
  case EMU_RACE_WRITE:
    of[0] = &c->reader, of[1] = &c->atomic, of[2] = &c->writer;
    return 3;
  case EMU_RACE_ATOMIC:
    break;
  }
  of[0] = &c->reader, of[1] = &c->writer, of[2] = &c->atomic;
  return 2;
}

/* Does the access race with an earlier one of another workgroup, or of another invocation? */
static void touch(const EmuRaces *r, const Followed *f, Cell *c, uint32_t lane, EmuRaceKind kind,
                  bool *races, bool *lane_races) {
  Access *of[3];
  uint32_t count = conflicts(c, kind, of);
  for (uint32_t i = 0; i < count; i++) {
    *races |= !f->shared && is_other_group(r, of[i]);
    *lane_races |= is_other_lane(r, of[i], lane);
  }
  mark(r, of[2], lane);
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

void emu_race(const EmuLanes *s, uint32_t lane, const uint8_t *at, uint64_t bytes,
              EmuRaceKind kind) {
  EmuRaces *r = s->races;
  const Followed *f = r ? find(r, at) : NULL;
  bool races = false, lane_races = false;
  if (!f)
    return;
  uint64_t first = (uint64_t)(at - f->bytes);
  for (uint64_t i = 0; i < bytes && first + i < f->size; i++)
    touch(r, f, &f->cells[first + i], who_is(s, lane), kind, &races, &lane_races);
  r->races += races;
  r->lane_races += lane_races;
}

uint64_t emu_races_count(const EmuRaces *r) {
  return r ? r->races : 0;
}

uint64_t emu_races_count_lanes(const EmuRaces *r) {
  return r ? r->lane_races : 0;
}
