/* SPDX-License-Identifier: Apache-2.0 */
/* memory: loads and stores of whole subgroups.
 *
 * Lanes are processed in chunks of 32. The offsets of a chunk's lanes in one segment are tested
 * together: are all scalars in bounds, and do the offsets increase by an equal step? Then the
 * access is a copy (consecutive scalars, or one offset in EMU_SPACE_ROWS), one scalar for all
 * lanes, or a gather or scatter without further checks, and the places that it touches are one
 * range. All other cases (a lane out of bounds, different segments, addresses that may be
 * misaligned, a run that looks for races) are handled lane by lane in memory_place.c. Both paths
 * give the same results and counts. */
#include "spv-emu/memory/memory.h"
#include "spv-emu/cost/timeline.h"
#include "spv-emu/cost/transactions.h"
#include "spv-emu/memory/race.h"

#include <assert.h>

/* ---- moving scalars -------------------------------------------------------------------------- */

/* How the scalars of a chunk's lanes are arranged in memory. */
typedef enum Shape {
  SHAPE_ANY,
  SHAPE_LINE, /* all lanes are active, their scalars consecutive */
  SHAPE_SAME, /* one scalar for all lanes */
} Shape;

typedef struct Chunk {
  const uint32_t *offset; /* offsets of the 32 lanes */
  uint64_t step;          /* added from one lane to the next */
  uint32_t on;
} Chunk;

/* for (EACH_ON(lane, on)) over the bits of a chunk's mask, in order. */
#define EACH_ON(lane, on)                                                                          \
  uint32_t rest_ = (on), lane = rest_ ? (uint32_t)__builtin_ctz(rest_) : 0;                        \
  rest_;                                                                                           \
  rest_ &= rest_ - 1, lane = rest_ ? (uint32_t)__builtin_ctz(rest_) : 0

/* Memory may be misaligned for T: scalars in packed structs. */
#define MOVERS(name, T, LOADED, STORED)                                                            \
  static T name##_at(const uint8_t *from) {                                                        \
    T v;                                                                                           \
    memcpy(&v, from, sizeof v);                                                                    \
    return LOADED;                                                                                 \
  }                                                                                                \
  static void name##_put(uint8_t *to, T v) {                                                       \
    v = STORED;                                                                                    \
    memcpy(to, &v, sizeof v);                                                                      \
  }                                                                                                \
  static void name##_load(void *row, const uint8_t *from, const Chunk *c, Shape shape) {           \
    T *to = row;                                                                                   \
    const uint32_t *offset = c->offset, on = c->on;                                                \
    const uint64_t step = c->step;                                                                 \
    if (shape == SHAPE_SAME) {                                                                     \
      T v = name##_at(from + offset[__builtin_ctz(on)]);                                           \
      if (on == UINT32_MAX)                                                                        \
        for (uint32_t k = 0; k < EMU_CHUNK; k++)                                                   \
          to[k] = v;                                                                               \
      else                                                                                         \
        for (EACH_ON(k, on))                                                                       \
          to[k] = v;                                                                               \
    } else if (on == UINT32_MAX) {                                                                 \
      for (uint32_t k = 0; k < EMU_CHUNK; k++)                                                     \
        to[k] = name##_at(from + offset[k] + step * k);                                            \
    } else {                                                                                       \
      for (EACH_ON(k, on))                                                                         \
        to[k] = name##_at(from + offset[k] + step * k);                                            \
    }                                                                                              \
  }                                                                                                \
  static void name##_store(const void *row, uint8_t *to, const Chunk *c) {                         \
    const T *from = row;                                                                           \
    const uint32_t *offset = c->offset, on = c->on;                                                \
    const uint64_t step = c->step;                                                                 \
    if (on == UINT32_MAX)                                                                          \
      for (uint32_t k = 0; k < EMU_CHUNK; k++)                                                     \
        name##_put(to + offset[k] + step * k, from[k]);                                            \
    else                                                                                           \
      for (EACH_ON(k, on))                                                                         \
        name##_put(to + offset[k] + step * k, from[k]);                                            \
  }

MOVERS(bool, uint32_t, v ? UINT32_MAX : 0, v & 1)
MOVERS(u8, uint8_t, v, v)
MOVERS(u16, uint16_t, v, v)
MOVERS(u32, uint32_t, v, v)
MOVERS(u64, uint64_t, v, v)

typedef struct Mover {
  void (*load)(void *row, const uint8_t *from, const Chunk *c, Shape shape);
  void (*store)(const void *row, uint8_t *to, const Chunk *c);
} Mover;

static const Mover movers[EMU_KINDS] = {
    {bool_load, bool_store}, {u8_load, u8_store},   {u16_load, u16_store}, {u32_load, u32_store},
    {u64_load, u64_store},   {u16_load, u16_store}, {u32_load, u32_store}, {u64_load, u64_store},
};

/* Copies a chunk of scalars. There is a case for each size, so that each copy is a few vector moves
 * and no call. */
static inline void copy_line(void *to, const void *from, uint32_t bytes) {
  const size_t lanes = EMU_CHUNK;
  switch (bytes) {
  case 1:
    memcpy(to, from, lanes);
    break;
  case 2:
    memcpy(to, from, 2 * lanes);
    break;
  case 4:
    memcpy(to, from, 4 * lanes);
    break;
  default:
    memcpy(to, from, 4 * lanes);
    memcpy((uint8_t *)to + 4 * lanes, (const uint8_t *)from + 4 * lanes, 4 * lanes);
  }
}

/* The kind by which a scalar is moved. In rows, booleans are moved unchanged. */
static EmuKind moved_as(const EmuSegment *segment, EmuKind kind) {
  return segment->space == EMU_SPACE_ROWS && kind == EMU_BOOL ? EMU_U32 : kind;
}

/* ---- one instruction ------------------------------------------------------------------------- */

typedef struct Access {
  EmuLanes *s;
  const EmuIns *i;
  const EmuAccess *access;
  const EmuLeaf *leaves;
  const uint32_t *rows;
  uint64_t first, end; /* range of the leaves' bytes, from the lane's offset on */
  uint32_t low, align; /* OR of the leaves' offsets; size of the largest leaf, less 1 */
  bool solid;          /* there is no place that lies entirely between two leaves */
  bool store;
} Access;

static Access access_of(EmuLanes *s, const EmuIns *i, bool store) {
  const EmuProgram *p = s->program;
  const EmuAccess *access = &p->accesses.at[i->x];
  Access a = {.s = s, .i = i, .access = access, .solid = true, .store = store};
  a.leaves = &p->leaves.at[access->leaf];
  a.rows = &p->rows.at[i->list];
  a.first = UINT64_MAX;
  for (uint32_t n = 0; n < access->leaf_count; n++) {
    uint32_t bytes = emu_kind_bytes(a.leaves[n].kind);
    uint64_t from = a.leaves[n].offset, end = from + bytes;
    if (n && (from < a.first || from >= a.end + ((uint64_t)1 << s->segment_shift)))
      a.solid = false;
    a.first = from < a.first ? from : a.first;
    a.end = end > a.end ? end : a.end;
    a.low |= a.leaves[n].offset;
    a.align |= bytes - 1;
  }
  return a;
}

/* ---- lane by lane ---------------------------------------------------------------------------- */

/* Notes the access to the scalar that is moved next. Storing the value that is already there does
 * not count as an access. */
static void note_race(const Access *a, const EmuLeaf *leaf, uint32_t lane, const uint8_t *row,
                      uint8_t *memory) {
  uint32_t bytes = emu_kind_bytes(leaf->kind);
  if (!a->store)
    emu_race(a->s, lane, memory, bytes, EMU_RACE_READ);
  else if (leaf->kind == EMU_BOOL || memcmp(row, memory, bytes) != 0)
    emu_race(a->s, lane, memory, bytes, EMU_RACE_WRITE);
}

/* May a scalar of that size not be at that offset? Only addresses of OpenCL and physical pointers
 * can be misaligned: offsets in variables are the module's. */
static bool is_misaligned(const EmuAccess *access, uint64_t offset, uint32_t bytes) {
  uint32_t need = access->aligned && access->aligned < bytes ? access->aligned : bytes;
  return access->segment == SR_NONE && offset % need;
}

/* Accesses the scalars of one lane. True: accesses to the lane's segment count
 * (EmuSegment.counted). */
static bool lane_access(const Access *a, uint32_t lane) {
  EmuLanes *s = a->s;
  EmuPlace place = emu_place(s, a->i, lane), wrong = place;
  bool found = place.segment < s->program->segments.count;
  const EmuSegment *segment = found ? &s->segments[place.segment] : NULL;
  uint32_t dropped = 0; /* size in bytes of the first scalar that is dropped; 0: none is dropped */
  uint32_t zero = 0;
  Chunk chunk = {.offset = &zero, .on = 1};
  emu_seen_lane(s, lane);
  for (uint32_t n = 0; n < a->access->leaf_count; n++) {
    const EmuLeaf *leaf = &a->leaves[n];
    uint32_t bytes = emu_kind_bytes(leaf->kind);
    uint8_t *row = s->file + a->rows[n] + (size_t)lane * bytes;
    EmuPlace scalar = {place.segment, emu_sum(place.offset, leaf->offset)};
    uint8_t *memory = emu_place_bytes(s, scalar, bytes, lane);
    assert(!memory || segment);
    if (memory &&
        ((a->store && !segment->writable) || is_misaligned(a->access, scalar.offset, bytes)))
      memory = NULL;
    if (!memory) {
      if (!a->store)
        memset(row, 0, bytes);
      if (!dropped)
        dropped = bytes, wrong = scalar;
      continue;
    }
    if (segment->counted)
      emu_seen_add_range(s, segment, scalar.offset, scalar.offset + bytes);
    if (s->races && (segment->space == EMU_SPACE_BUFFER || segment->space == EMU_SPACE_WORKGROUP))
      note_race(a, leaf, lane, row, memory);
    EmuKind kind = moved_as(segment, leaf->kind);
    if (a->store)
      movers[kind].store(row, memory, &chunk);
    else
      movers[kind].load(row, memory, &chunk, SHAPE_ANY);
  }
  if (dropped) {
    s->inst = a->access->inst;
    emu_place_dropped(s, wrong, dropped, lane, a->store ? "store" : "load", a->store);
  }
  return found && segment->counted;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Do the offsets of 32 lanes increase by one step, without wrapping? */
static bool rises(const uint32_t *offset, uint64_t *step) {
  uint32_t d = offset[1] - offset[0];
  uint32_t bad = (offset[2] - offset[1] - d) | (offset[3] - offset[2] - d);
  for (uint32_t k = 4; k < EMU_CHUNK; k++)
    bad |= offset[k] - offset[k - 4] - 4 * d;
  *step = d;
  return !bad && offset[EMU_CHUNK - 1] - (uint64_t)offset[0] == (uint64_t)d * (EMU_CHUNK - 1);
}

static uint32_t largest(const uint32_t *offset, uint32_t on) {
  uint32_t most = 0;
  if (on == UINT32_MAX)
    for (uint32_t k = 0; k < EMU_CHUNK; k++)
      most = offset[k] > most ? offset[k] : most;
  else
    for (EACH_ON(k, on))
      most = offset[k] > most ? offset[k] : most;
  return most;
}

/* Adds the places that are touched by the chunk that starts at lane `lane` and is in bounds.
 * `even`: the offsets increase by `step`. */
static void touch(const Access *a, const EmuSegment *segment, const Chunk *c, uint32_t lane,
                  bool even, uint64_t step) {
  uint64_t first = a->access->offset + a->first, end = a->access->offset + a->end;
  uint64_t reach = end - first + ((uint64_t)1 << a->s->segment_shift);
  if (even && a->solid && step < reach && !a->s->seen->pack) {
    first += c->offset[0], end += c->offset[EMU_CHUNK - 1];
    if (a->s->width == EMU_CHUNK && !a->s->timeline)
      emu_seen_set_range(a->s, first, end);
    else
      emu_seen_add_range(a->s, segment, first, end);
    return;
  }
  for (EACH_ON(k, c->on)) {
    emu_seen_lane(a->s, lane + k);
    if (a->solid) {
      emu_seen_add_range(a->s, segment, c->offset[k] + first, c->offset[k] + end);
      continue;
    }
    for (uint32_t n = 0; n < a->access->leaf_count; n++) {
      uint64_t from = c->offset[k] + a->access->offset + a->leaves[n].offset;
      emu_seen_add_range(a->s, segment, from, from + emu_kind_bytes(a->leaves[n].kind));
    }
  }
}

/* Accesses one segment for the lanes of the chunk that starts at lane `lane`. False: nothing was
 * done; the chunk must be handled lane by lane. `same`: the offsets are known to be equal. */
static bool chunk_access(const Access *a, const EmuSegment *segment, Chunk c, uint32_t lane,
                         bool same) {
  EmuLanes *s = a->s;
  uint64_t end = a->end, step = 0;
  if (segment->space == EMU_SPACE_ROWS) {
    end = 0;
    for (uint32_t n = 0; n < a->access->leaf_count; n++) {
      uint64_t stop = a->leaves[n].offset + (uint64_t)emu_kind_bytes(a->leaves[n].kind) * s->width;
      end = stop > end ? stop : end;
    }
  }
  if (s->races || (a->store && !segment->writable) || a->access->offset > segment->size ||
      end > segment->size - a->access->offset)
    return false;
  uint64_t room = segment->size - a->access->offset - end;
  bool even = same || (c.on == UINT32_MAX && rises(c.offset, &step));
  uint32_t most = even ? c.offset[EMU_CHUNK - 1] : largest(c.offset, c.on);
  if (most > room || most == UINT32_MAX)
    return false;
  for (uint32_t n = 0; n < a->access->leaf_count; n++) {
    EmuKind kind = moved_as(segment, a->leaves[n].kind);
    uint32_t bytes = emu_kind_bytes(kind);
    uint8_t *memory = emu_segment_start(s, segment, bytes, &c.step);
    if (!memory)
      return false;
    memory += a->access->offset + a->leaves[n].offset + c.step * lane;
    void *row = s->file + a->rows[n] + (size_t)lane * bytes;
    Shape shape = SHAPE_ANY;
    if (even && c.on == UINT32_MAX && c.step + step == bytes && kind != EMU_BOOL)
      shape = SHAPE_LINE;
    else if (even && c.step + step == 0)
      shape = SHAPE_SAME;
    if (shape == SHAPE_LINE) {
      uint8_t *line = memory + c.offset[0];
      copy_line(a->store ? line : row, a->store ? row : line, bytes);
    } else if (a->store) {
      movers[kind].store(row, memory, &c);
    } else {
      movers[kind].load(row, memory, &c, shape);
    }
  }
  if (segment->counted)
    touch(a, segment, &c, lane, even, step);
  return true;
}

/* Converts the addresses of a chunk to offsets in one segment, and returns the segment; SR_NONE:
 * the addresses are in several segments, or an offset is too large or may be misaligned. */
static uint32_t narrow(const Access *a, const uint64_t *address, uint32_t on, uint32_t *offset) {
  uint64_t first = address[__builtin_ctz(on)], other = 0, bits = 0;
  if (on == UINT32_MAX) {
    for (uint32_t k = 0; k < EMU_CHUNK; k++) {
      other |= address[k] ^ first;
      bits |= address[k];
    }
    for (uint32_t k = 0; k < EMU_CHUNK; k++)
      offset[k] = (uint32_t)address[k];
  } else {
    for (EACH_ON(k, on)) {
      other |= address[k] ^ first;
      bits |= address[k];
      offset[k] = (uint32_t)address[k];
    }
  }
  uint64_t segment = first >> EMU_SEGMENT_SHIFT;
  if (other >> EMU_SEGMENT_SHIFT || segment >= a->s->program->segments.count ||
      (bits & EMU_OFFSET_MASK) > UINT32_MAX || (bits | a->access->offset | a->low) & a->align)
    return SR_NONE;
  return (uint32_t)segment;
}

static inline void all_lanes(EmuLanes *s, const EmuIns *i, bool store) {
  static const uint32_t zeros[EMU_CHUNK];
  if (!s->program->accesses.at[i->x].leaf_count) /* an empty struct */
    return;
  const Access a = access_of(s, i, store);
  bool counted = false;
  uint32_t narrowed[EMU_CHUNK];
  emu_seen_begin(s);
  for (uint32_t lane = 0; lane < s->width; lane += EMU_CHUNK) {
    Chunk c = {.on = (uint32_t)(s->on.w[lane / 64] >> (lane % 64))};
    if (!c.on)
      continue;
    uint32_t segment = a.access->segment;
    if (i->a == EMU_NO_ROW) {
      c.offset = zeros;
    } else if (segment != SR_NONE) {
      c.offset = EMU_ROW(s, uint32_t, i->a) + lane;
    } else {
      c.offset = narrowed;
      segment = narrow(&a, EMU_ROW(s, uint64_t, i->a) + lane, c.on, narrowed);
    }
    if (segment != SR_NONE && chunk_access(&a, &s->segments[segment], c, lane, i->a == EMU_NO_ROW))
      counted |= s->segments[segment].counted;
    else
      for (EACH_ON(k, c.on))
        counted |= lane_access(&a, lane + k);
  }
  emu_count_issue(s, counted);
  if (!store && counted && s->timeline)
    emu_timeline_load(s->timeline, a.access->inst, s->seen->count);
}

void emu_load(EmuLanes *s, const EmuIns *i) {
  all_lanes(s, i, false);
}

void emu_store(EmuLanes *s, const EmuIns *i) {
  all_lanes(s, i, true);
}
