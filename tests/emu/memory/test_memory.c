/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and copies compared with a model that treats every scalar separately, for random
 * accesses to every space; their cost compared with a plain list of places; the ends of
 * segments. */
#include "tests/emu/memory/memory_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__extension__ typedef unsigned __int128 Wide;

static uint64_t seed;

static uint32_t below(uint32_t n) {
  return unit_below(&seed, n);
}

/* ---- the model ------------------------------------------------------------------------------- */

typedef struct Model {
  World *w;
  uint8_t *bytes;   /* a copy of the world's */
  uint32_t *writer; /* by byte: lane + 1; a byte that two lanes write may have either value */
  bool *twice;
  EmuCounts counts;
  uint64_t *places; /* segment << 40 | place */
  uint32_t place_count;
} Model;

static Model model_of(World *w) {
  Model m = {.w = w, .bytes = malloc(w->size)};
  memcpy(m.bytes, w->bytes, w->size);
  m.writer = calloc(w->size, sizeof *m.writer);
  m.twice = calloc(w->size, sizeof *m.twice);
  m.places = malloc(sizeof *m.places * 4 * EMU_MAX_LANES * 8);
  return m;
}

static void model_free(Model *m) {
  free(m->bytes);
  free(m->writer);
  free(m->twice);
  free(m->places);
}

/* Offset in the world's bytes, or SIZE_MAX: out of bounds. */
static size_t find(const World *w, uint64_t segment, Wide offset, uint32_t bytes, uint32_t lane,
                   bool aligned, bool written) {
  if (segment >= WORLD_SEGMENTS)
    return SIZE_MAX;
  const EmuSegment *s = &w->segments[segment];
  Wide need = s->space == EMU_SPACE_ROWS ? (Wide)bytes * w->lanes.width : bytes;
  if (offset + need > s->size || (aligned && offset % bytes) || (written && !s->writable))
    return SIZE_MAX;
  switch (s->space) {
  case EMU_SPACE_ROWS:
    return s->at + (size_t)offset + (size_t)lane * bytes;
  case EMU_SPACE_LANE:
    return s->at + (size_t)(lane * s->size) + (size_t)offset;
  case EMU_SPACE_WORKGROUP:
    return (size_t)(w->lanes.shared - w->bytes) + s->at + (size_t)offset;
  default:
    return (size_t)(s->bytes - w->bytes) + (size_t)offset;
  }
}

static void model_place(Model *m, uint64_t segment, uint64_t offset, uint32_t bytes) {
  if (!m->w->segments[segment].counted)
    return;
  for (uint32_t b = 0; b < bytes; b++) {
    uint64_t place = segment << 40 | (offset + b) >> m->w->lanes.segment_shift;
    uint32_t n = 0;
    while (n < m->place_count && m->places[n] != place)
      n++;
    if (n == m->place_count)
      m->places[m->place_count++] = place;
  }
}

static void model_issue(Model *m, bool counted) {
  if (counted) {
    m->counts.memory_issues++;
    m->counts.memory_transactions += m->place_count;
  }
  m->place_count = 0;
}

static void model_write(Model *m, size_t at, const void *from, uint32_t bytes, uint32_t lane) {
  memcpy(m->bytes + at, from, bytes);
  for (size_t b = at; b < at + bytes; b++) {
    if (m->writer[b] && m->writer[b] != lane + 1)
      m->twice[b] = true;
    m->writer[b] = lane + 1;
  }
}

static void model_access(Model *m, const EmuIns *i, bool store) {
  const World *w = m->w;
  const EmuAccess *a = &w->program.accesses.at[i->x];
  bool counted = false;
  for (uint32_t lane = 0; lane < w->lanes.width; lane++) {
    if (!emu_mask_has(&w->lanes.on, lane))
      continue;
    uint64_t segment = a->segment;
    Wide offset = 0;
    if (segment != SR_NONE) {
      if (i->a != EMU_NO_ROW) {
        uint32_t row = EMU_ROW(&w->lanes, uint32_t, i->a)[lane];
        offset = row == UINT32_MAX ? (Wide)1 << 100 : row;
      }
      offset += a->offset;
    } else if (i->a == EMU_NO_ROW) {
      segment = a->offset >> 40;
      offset = a->offset & EMU_OFFSET_MASK;
    } else {
      uint64_t address = EMU_ROW(&w->lanes, uint64_t, i->a)[lane] + a->offset;
      segment = address >> 40;
      offset = address & EMU_OFFSET_MASK;
    }
    counted |= segment < WORLD_SEGMENTS && w->segments[segment].counted;
    bool dropped = false;
    for (uint32_t n = 0; n < a->leaf_count; n++) {
      const EmuLeaf *leaf = &w->program.leaves.at[a->leaf + n];
      uint32_t bytes = emu_kind_bytes(leaf->kind);
      size_t row = w->program.rows.at[i->list + n] + (size_t)lane * bytes;
      size_t at =
          find(w, segment, offset + leaf->offset, bytes, lane, a->segment == SR_NONE, store);
      if (at == SIZE_MAX) {
        dropped = true;
        if (!store)
          memset(m->bytes + row, 0, bytes);
        continue;
      }
      model_place(m, segment, (uint64_t)offset + leaf->offset, bytes);
      uint64_t value = 0;
      bool flag = leaf->kind == EMU_BOOL && w->segments[segment].space != EMU_SPACE_ROWS;
      memcpy(&value, m->bytes + (store ? row : at), bytes);
      if (flag)
        value = store ? value & 1 : value ? UINT32_MAX : 0;
      if (store)
        model_write(m, at, &value, bytes, lane);
      else
        memcpy(m->bytes + row, &value, bytes);
    }
    m->counts.out_of_bounds += dropped;
  }
  model_issue(m, counted && a->leaf_count);
}

/* Compares the world after the handler has run with the model's. */
static void compare(const Model *m, const char *what) {
  const World *w = m->w;
  for (size_t b = 0; b < w->size; b++)
    if (w->bytes[b] != m->bytes[b] && !m->twice[b])
      fail_msg("%s: byte %zu of the world: %u, not %u (registers at %u)", what, b, w->bytes[b],
               m->bytes[b], w->registers);
  assert_int_equal(w->lanes.counts.out_of_bounds, m->counts.out_of_bounds);
  assert_int_equal(w->lanes.counts.memory_issues, m->counts.memory_issues);
  assert_int_equal(w->lanes.counts.memory_transactions, m->counts.memory_transactions);
  assert_int_equal(w->lanes.fault.text[0] != 0, m->counts.out_of_bounds != 0);
}

/* ---- random accesses ------------------------------------------------------------------------- */

static void random_mask(World *w) {
  EmuLanes *l = &w->lanes;
  l->on = l->exist;
  uint32_t kind = below(6);
  for (uint32_t lane = 0; lane < l->size; lane++) {
    bool on = kind < 2    ? true
              : kind == 2 ? below(2)
              : kind == 3 ? !below(8)
              : kind == 4 ? lane == 0
                          : below(40) != 0;
    if (!on)
      l->on.w[lane / 64] &= ~((uint64_t)1 << lane % 64);
  }
}

static uint32_t random_access(World *w, bool addresses, uint32_t segment, uint32_t unit) {
  EmuAccess a = {.segment = addresses ? SR_NONE : segment, .leaf = w->program.leaves.count};
  a.offset = below(3) ? 0 : (uint64_t)below(8) * 4 * unit;
  if (!below(20))
    a.offset = UINT64_MAX - below(64);
  a.leaf_count = below(3) ? 1 + below(4) : below(12);
  uint32_t at = 0, same = below(EMU_KINDS);
  for (uint32_t n = 0; n < a.leaf_count; n++) {
    EmuLeaf leaf = {at, (uint8_t)(below(4) ? same : below(EMU_KINDS))};
    uint32_t bytes = emu_kind_bytes(leaf.kind);
    leaf.offset = at = (at + bytes * unit - 1) / (bytes * unit) * (bytes * unit);
    if (!below(12))
      leaf.offset = below(64) * unit;
    if (!below(200))
      leaf.offset = UINT32_MAX - below(8);
    at += bytes * unit * (below(6) ? 1 : 1 + below(20));
    SR_PUSH(&w->arena, &w->program.leaves, leaf);
  }
  SR_PUSH(&w->arena, &w->program.accesses, a);
  return w->program.accesses.count - 1;
}

/* Offsets or addresses by lane, into register 0. */
static void random_offsets(World *w, bool addresses, uint32_t segment, uint32_t unit) {
  EmuLanes *l = &w->lanes;
  static const uint32_t steps[] = {0, 1, 2, 4, 4, 4, 8, 12, 16, 64, 132, 260, 1000, 1u << 30};
  uint64_t size = w->segments[segment].size / unit, kind = below(8);
  uint64_t first = below(4) ? below(64) * 4 : below((uint32_t)size + 16);
  uint64_t step = kind < 5 ? steps[below(sizeof steps / sizeof *steps)] : 0;
  for (uint32_t lane = 0; lane < l->width; lane++) {
    uint64_t at = first + step * (kind == 4 ? l->width - 1 - lane : lane);
    if (kind >= 5)
      at = (kind == 5 ? below((uint32_t)size + 1) : below((uint32_t)size / 4 + 3) * 4);
    if (kind == 7 && !below(10))
      at = below(2) ? UINT32_MAX / unit - below(3) : below(UINT32_MAX);
    at *= unit;
    uint64_t to = segment;
    if (kind >= 5 && !below(3))
      to = below(WORLD_SEGMENTS + 2);
    if (!below(500))
      to = below(1 << 20), at = (uint64_t)below(1 << 20) << 20;
    if (addresses)
      EMU_ROW(l, uint64_t, world_register(w, 0))[lane] = to << 40 | (at & EMU_OFFSET_MASK);
    else
      EMU_ROW(l, uint32_t, world_register(w, 0))
    [lane] = kind == 7 && !below(10) ? UINT32_MAX : (uint32_t)at;
  }
}

static uint32_t random_lanes(uint32_t trial) {
  static const uint32_t sizes[] = {1, 2, 3, 4, 8, 31, 32, 33, 64, 100};
  return trial % 50 == 49   ? 1024
         : trial % 50 == 48 ? 1000
                            : sizes[below(sizeof sizes / sizeof *sizes)];
}

static void agrees_with_model(void **unused) {
  (void)unused;
  for (uint32_t trial = 0; trial < 3000; trial++) {
    World w;
    uint64_t before = seed;
    world_make(&w, random_lanes(trial));
    world_fill(&w, &seed);
    w.lanes.segment_shift = below(3) ? 7 : 2 + below(9);
    for (uint32_t n = 1; n < WORLD_REGISTERS; n++)
      SR_PUSH(&w.arena, &w.program.rows, world_register(&w, n));
    Model m = model_of(&w);
    for (uint32_t step = 0; step < 4; step++) {
      bool addresses = below(2), store = below(2);
      uint32_t segment = 1 + below(WORLD_SEGMENTS - 1);
      if (below(2))
        segment = WORLD_BUFFER;
      uint32_t unit = w.segments[segment].space == EMU_SPACE_ROWS ? w.lanes.width : 1;
      EmuIns ins = {.x = random_access(&w, addresses, segment, unit)};
      ins.a = below(8) ? world_register(&w, 0) : EMU_NO_ROW;
      random_mask(&w);
      random_offsets(&w, addresses, segment, unit);
      memcpy(m.bytes, w.bytes, w.size);
      memset(m.writer, 0, w.size * sizeof *m.writer);
      memset(m.twice, 0, w.size * sizeof *m.twice);
      model_access(&m, &ins, store);
      (store ? emu_store : emu_load)(&w.lanes, &ins);
      char what[128];
      snprintf(what, sizeof what, "seed %llu, step %u: %s of segment %u%s",
               (unsigned long long)before, step, store ? "store" : "load", segment,
               addresses ? " by address" : "");
      compare(&m, what);
    }
    model_free(&m);
    world_free(&w);
  }
}

/* ---- steps and holes ------------------------------------------------------------------------- */

typedef struct Pattern {
  EmuKind kind;
  uint32_t step, hole; /* bytes from lane to lane; between two scalars of a lane, 0: there is one */
} Pattern;

static void load_pattern(World *w, Model *m, const Pattern *p) {
  EmuAccess a = {.segment = WORLD_BUFFER, .leaf = w->program.leaves.count, .leaf_count = 1};
  uint32_t bytes = emu_kind_bytes(p->kind);
  SR_PUSH(&w->arena, &w->program.leaves, ((EmuLeaf){0, (uint8_t)p->kind}));
  if (p->hole) {
    a.leaf_count = 2;
    SR_PUSH(&w->arena, &w->program.leaves, ((EmuLeaf){bytes + p->hole, (uint8_t)p->kind}));
  }
  SR_PUSH(&w->arena, &w->program.accesses, a);
  for (uint32_t lane = 0; lane < w->lanes.width; lane++)
    EMU_ROW(&w->lanes, uint32_t, world_register(w, 0))[lane] = p->step * lane;
  EmuIns ins = {.x = w->program.accesses.count - 1, .a = world_register(w, 0)};
  memcpy(m->bytes, w->bytes, w->size);
  model_access(m, &ins, false);
  emu_load(&w->lanes, &ins);
  char what[128];
  snprintf(what, sizeof what, "%u bytes, step %u, hole %u, segments of 1 << %u", bytes, p->step,
           p->hole, w->lanes.segment_shift);
  compare(m, what);
}

/* The places that an access touches are those of its scalars, not what lies between lanes, or
 * between two scalars of a lane: for every step and hole around the size of a segment. */
static void steps_and_holes(void **unused) {
  (void)unused;
  static const EmuKind kinds[] = {EMU_U8, EMU_U32, EMU_U64};
  World w;
  world_make(&w, 32);
  world_fill(&w, &seed);
  for (uint32_t n = 1; n < WORLD_REGISTERS; n++)
    SR_PUSH(&w.arena, &w.program.rows, world_register(&w, n));
  Model m = model_of(&w);
  for (uint32_t shift = 2; shift <= 5; shift++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
      uint32_t segment = 1u << shift, bytes = emu_kind_bytes(kinds[k]);
      const uint32_t holes[] = {0, 1, segment - 1, segment, segment + 1, 2 * segment};
      w.lanes.segment_shift = shift;
      for (size_t h = 0; h < sizeof holes / sizeof *holes; h++)
        for (uint32_t step = 0; step <= 2 * segment + bytes; step++)
          load_pattern(&w, &m, &(Pattern){kinds[k], step, holes[h]});
    }
  model_free(&m);
  world_free(&w);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static uint64_t random_address(uint32_t size) {
  static const uint32_t segments[] = {WORLD_BUFFER,  WORLD_BUFFER, WORLD_READ_ONLY, WORLD_SHARED,
                                      WORLD_LANE,    WORLD_ROWS,   WORLD_UNBOUND,   0,
                                      WORLD_SEGMENTS};
  uint64_t segment = segments[below(sizeof segments / sizeof *segments)];
  return segment << 40 | below(below(4) ? 40 + size : WORLD_BUFFER_BYTES + 10);
}

static void copies_agree_with_model(void **unused) {
  (void)unused;
  for (uint32_t trial = 0; trial < 1500; trial++) {
    World w;
    world_make(&w, random_lanes(trial));
    world_fill(&w, &seed);
    random_mask(&w);
    EmuIns ins = {
        .a = world_register(&w, 0), .b = world_register(&w, 1), .c = world_register(&w, 2)};
    for (uint32_t lane = 0; lane < w.lanes.width; lane++) {
      uint32_t size = below(4) ? below(9) : below(300);
      EMU_ROW(&w.lanes, uint64_t, ins.a)[lane] = random_address(size);
      EMU_ROW(&w.lanes, uint64_t, ins.b)[lane] = random_address(size);
      EMU_ROW(&w.lanes, uint64_t, ins.c)[lane] = below(50) ? size : UINT64_MAX - below(10);
    }
    Model m = model_of(&w);
    for (int side = 0; side < 2; side++) {
      bool counted = false;
      for (uint32_t lane = 0; lane < w.lanes.width; lane++) {
        if (!emu_mask_has(&w.lanes.on, lane))
          continue;
        uint64_t to = EMU_ROW(&w.lanes, uint64_t, ins.a)[lane];
        uint64_t from = EMU_ROW(&w.lanes, uint64_t, ins.b)[lane];
        uint64_t size = EMU_ROW(&w.lanes, uint64_t, ins.c)[lane];
        uint64_t mine = side ? to : from;
        counted |= mine >> 40 < WORLD_SEGMENTS && w.segments[mine >> 40].counted;
        if (!size)
          continue;
        bool ok = size < 1000 && to >> 40 != WORLD_ROWS && from >> 40 != WORLD_ROWS;
        size_t t = SIZE_MAX, f = SIZE_MAX;
        if (ok) {
          t = find(&w, to >> 40, to & EMU_OFFSET_MASK, (uint32_t)size, lane, false, true);
          f = find(&w, from >> 40, from & EMU_OFFSET_MASK, (uint32_t)size, lane, false, false);
        }
        if (t == SIZE_MAX || f == SIZE_MAX) {
          m.counts.out_of_bounds += (uint64_t)side;
          continue;
        }
        model_place(&m, mine >> 40, mine & EMU_OFFSET_MASK, (uint32_t)size);
        if (side)
          memmove(m.bytes + t, m.bytes + f, size);
      }
      model_issue(&m, counted);
    }
    emu_copy(&w.lanes, &ins);
    compare(&m, "copy");
    model_free(&m);
    world_free(&w);
  }
}

/* ---- the edges, one by one ------------------------------------------------------------------- */

static uint32_t one_leaf(World *w, uint32_t segment, uint64_t offset, EmuKind kind) {
  SR_PUSH(&w->arena, &w->program.leaves, (EmuLeaf){0, (uint8_t)kind});
  SR_PUSH(&w->arena, &w->program.accesses,
          (EmuAccess){.segment = segment,
                      .offset = offset,
                      .leaf = w->program.leaves.count - 1,
                      .leaf_count = 1});
  SR_PUSH(&w->arena, &w->program.rows, world_register(w, 1));
  return w->program.accesses.count - 1;
}

/* Runs lane 5 of eight on an address; returns what it loaded. */
static uint32_t load_at(World *w, uint32_t segment, uint64_t offset, uint64_t row) {
  EmuIns ins = {.a = world_register(w, 0), .x = one_leaf(w, segment, offset, EMU_U32)};
  ins.list = w->program.rows.count - 1;
  emu_mask_clear(&w->lanes.on, EMU_MASK_WORDS);
  emu_mask_set(&w->lanes.on, 5);
  if (segment == SR_NONE)
    EMU_ROW(&w->lanes, uint64_t, ins.a)[5] = row;
  else
    EMU_ROW(&w->lanes, uint32_t, ins.a)[5] = (uint32_t)row;
  EMU_ROW(&w->lanes, uint32_t, world_register(w, 1))[5] = 77;
  w->lanes.counts = (EmuCounts){0};
  w->lanes.fault = (EmuFault){0};
  emu_load(&w->lanes, &ins);
  return EMU_ROW(&w->lanes, uint32_t, world_register(w, 1))[5];
}

static void edges_of_segments(void **unused) {
  (void)unused;
  World w;
  world_make(&w, 8);
  memset(w.segments[WORLD_BUFFER].bytes, 1, WORLD_BUFFER_BYTES);
  const uint64_t end = WORLD_BUFFER_BYTES, here = (uint64_t)WORLD_BUFFER << 40;
  static const struct {
    uint64_t offset, row;
    bool inside;
  } statics[] = {
      {0, 0, true},
      {0, WORLD_BUFFER_BYTES - 4, true},
      {0, WORLD_BUFFER_BYTES - 3, false},
      {0, WORLD_BUFFER_BYTES, false},
      {WORLD_BUFFER_BYTES - 4, 0, true},
      {WORLD_BUFFER_BYTES - 4, 1, false},
      {WORLD_BUFFER_BYTES, 0, false},
      {0, UINT32_MAX, false},
      {0, UINT32_MAX - 3, false},
      {4, UINT32_MAX - 3, false},
      {UINT64_MAX - 3, 4, false},
      {UINT64_MAX, 1, false},
      {(uint64_t)1 << 32, 0, false},
  };
  for (size_t n = 0; n < sizeof statics / sizeof *statics; n++) {
    uint32_t got = load_at(&w, WORLD_BUFFER, statics[n].offset, statics[n].row);
    assert_int_equal(got, statics[n].inside ? 0x01010101 : 0);
    assert_int_equal(w.lanes.counts.out_of_bounds, !statics[n].inside);
    assert_int_equal(w.lanes.counts.memory_issues, 1);
    assert_int_equal(w.lanes.counts.memory_transactions, statics[n].inside);
    assert_false(w.lanes.fault.stop);
  }
  assert_int_equal(load_at(&w, SR_NONE, 0, here | (end - 4)), 0x01010101);
  assert_int_equal(load_at(&w, SR_NONE, 4, here | (end - 4)), 0);
  assert_int_equal(load_at(&w, SR_NONE, 1, here), 0);
  assert_string_equal(w.lanes.fault.text,
                      "load of 4 bytes at byte 1 of variable %101 (4116 bytes): misaligned");
  assert_int_equal(load_at(&w, SR_NONE, 8, 0), 0);
  assert_string_equal(w.lanes.fault.text, "load through a null pointer");
  assert_int_equal(w.lanes.counts.memory_issues, 0);
  assert_int_equal(load_at(&w, SR_NONE, 0, UINT64_MAX), 0);
  assert_string_equal(w.lanes.fault.text, "load at an invalid address");
  assert_int_equal(load_at(&w, WORLD_UNBOUND, 0, 0), 0);
  assert_string_equal(w.lanes.fault.text,
                      "load of 4 bytes at byte 0 of variable %106 (0 bytes): nothing is bound");
  assert_int_equal(load_at(&w, WORLD_BUFFER, 0, UINT32_MAX), 0);
  assert_string_equal(w.lanes.fault.text, "load of variable %101: index out of range");
  world_free(&w);
}

/* Each cause has its own message; if several apply, the first one in the table is named. */
static void every_cause_of_a_dropped_access(void **unused) {
  (void)unused;
  static const struct {
    uint32_t segment;
    uint64_t offset;
    uint32_t bytes;
    bool written;
    const char *text;
  } drops[] = {
      {0, 8, 4, false, "copy through a null pointer"},
      {0, 8, 4, true, "copy through a null pointer"},
      {WORLD_SEGMENTS, 0, 4, true, "copy at an invalid address"},
      {WORLD_READ_ONLY, UINT64_MAX, 4, true, "copy of variable %102: index out of range"},
      {WORLD_UNBOUND, 0, 4, false,
       "copy of 4 bytes at byte 0 of variable %106 (0 bytes): nothing is bound"},
      {WORLD_UNBOUND, 2, 4, true,
       "copy of 4 bytes at byte 2 of variable %106 (0 bytes): nothing is bound"},
      {WORLD_READ_ONLY, 4114, 4, true,
       "copy of 4 bytes at byte 4114 of variable %102 (4116 bytes): out of bounds"},
      {WORLD_READ_ONLY, 4, 8000, true,
       "copy of 8000 bytes at byte 4 of variable %102 (4116 bytes): out of bounds"},
      {WORLD_READ_ONLY, 4112, 4, true,
       "copy of 4 bytes at byte 4112 of variable %102 (4116 bytes): not writable"},
      {WORLD_READ_ONLY, 2, 4, true,
       "copy of 4 bytes at byte 2 of variable %102 (4116 bytes): not writable"},
      {WORLD_READ_ONLY, 2, 4, false,
       "copy of 4 bytes at byte 2 of variable %102 (4116 bytes): misaligned"},
      {WORLD_BUFFER, 2, 4, true,
       "copy of 4 bytes at byte 2 of variable %101 (4116 bytes): misaligned"},
      {WORLD_ROWS, 0, 4, true,
       "copy of 4 bytes at byte 0 of variable %105 (128 bytes): no bytes to copy"},
      {WORLD_ROWS, 32 * 125, 4, true,
       "copy of 4 bytes at byte 125 of variable %105 (128 bytes): out of bounds"},
      {WORLD_QUIET, 2, 4, false,
       "copy of 4 bytes at byte 2 of variable %107 (quiet, 4116 bytes): misaligned"},
  };
  World w;
  world_make(&w, 8);
  for (size_t n = 0; n < sizeof drops / sizeof *drops; n++) {
    EmuPlace place = {drops[n].segment, drops[n].offset};
    w.lanes.fault = (EmuFault){0};
    emu_place_dropped(&w.lanes, place, drops[n].bytes, 3, "copy", drops[n].written);
    assert_string_equal(w.lanes.fault.text, drops[n].text);
    assert_int_equal(w.lanes.fault.lane, 3);
  }
  world_free(&w);
}

/* A store and a copy to memory that is not writable say so; a load and a copy from it do not. */
static void read_only_memory_is_named(void **unused) {
  (void)unused;
  World w;
  world_make(&w, 8);
  const uint64_t here = (uint64_t)WORLD_READ_ONLY << 40, there = (uint64_t)WORLD_BUFFER << 40;
  EmuIns store = {.a = world_register(&w, 0), .x = one_leaf(&w, SR_NONE, 4, EMU_U32)};
  store.list = w.program.rows.count - 1;
  EmuIns copy = {.a = world_register(&w, 2),
                 .b = world_register(&w, 3),
                 .c = world_register(&w, 4),
                 .x = store.x};
  emu_mask_clear(&w.lanes.on, EMU_MASK_WORDS);
  emu_mask_set(&w.lanes.on, 5);
  EMU_ROW(&w.lanes, uint64_t, store.a)[5] = here | 8;
  emu_store(&w.lanes, &store);
  assert_string_equal(w.lanes.fault.text,
                      "store of 4 bytes at byte 12 of variable %102 (4116 bytes): not writable");
  w.lanes.fault = (EmuFault){0};
  emu_load(&w.lanes, &store);
  assert_string_equal(w.lanes.fault.text, "");
  EMU_ROW(&w.lanes, uint64_t, copy.c)[5] = 16;
  EMU_ROW(&w.lanes, uint64_t, copy.a)[5] = there;
  EMU_ROW(&w.lanes, uint64_t, copy.b)[5] = here;
  emu_copy(&w.lanes, &copy);
  assert_string_equal(w.lanes.fault.text, "");
  EMU_ROW(&w.lanes, uint64_t, copy.a)[5] = here;
  EMU_ROW(&w.lanes, uint64_t, copy.b)[5] = there;
  emu_copy(&w.lanes, &copy);
  assert_string_equal(w.lanes.fault.text,
                      "copy of 16 bytes at byte 0 of variable %102 (4116 bytes): not writable");
  world_free(&w);
}

static void strict_is_a_fault(void **unused) {
  (void)unused;
  World w;
  world_make(&w, 8);
  w.lanes.block = 9;
  load_at(&w, WORLD_BUFFER, 0, WORLD_BUFFER_BYTES);
  assert_false(w.lanes.fault.stop);
  assert_string_equal(w.lanes.fault.text,
                      "load of 4 bytes at byte 4116 of variable %101 (4116 bytes): out of bounds");
  assert_int_equal(w.lanes.fault.lane, 5);
  assert_int_equal(w.lanes.fault.block, 9);
  w.lanes.strict = true;
  load_at(&w, WORLD_BUFFER, 0, WORLD_BUFFER_BYTES);
  assert_true(w.lanes.fault.stop);
  assert_int_equal(w.lanes.fault.lane, 5);
  /* A fault replaces a note, and stays. */
  w.lanes.fault = (EmuFault){0};
  w.lanes.strict = false;
  emu_dropped(&w.lanes, 1, "a note");
  emu_dropped(&w.lanes, 2, "another note");
  assert_string_equal(w.lanes.fault.text, "a note");
  emu_fault(&w.lanes, 3, "a fault");
  emu_fault(&w.lanes, 4, "another fault");
  emu_dropped(&w.lanes, 5, "a note");
  assert_string_equal(w.lanes.fault.text, "a fault");
  assert_int_equal(w.lanes.fault.lane, 3);
  world_free(&w);
}

/* A buffer that is bound twice counts as one buffer. */
static void one_buffer_by_two_names(void **unused) {
  (void)unused;
  World w;
  world_make(&w, 2);
  w.segments[WORLD_READ_ONLY].bytes = w.segments[WORLD_BUFFER].bytes;
  EmuIns ins = {.a = world_register(&w, 0), .x = one_leaf(&w, SR_NONE, 0, EMU_U32)};
  EMU_ROW(&w.lanes, uint64_t, ins.a)[0] = (uint64_t)WORLD_BUFFER << 40 | 4;
  EMU_ROW(&w.lanes, uint64_t, ins.a)[1] = (uint64_t)WORLD_READ_ONLY << 40 | 8;
  emu_load(&w.lanes, &ins);
  assert_int_equal(w.lanes.counts.memory_transactions, 1);
  world_free(&w);
}

/* ---- speed (printed, never judged) ----------------------------------------------------------- */

static double nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure(World *w, EmuHandler *run, const EmuIns *ins, const char *what) {
  enum { TURNS = 20000 };
  double best = 1e9;
  for (int round = 0; round < 5; round++) {
    double start = nanoseconds();
    for (uint32_t n = 0; n < TURNS; n++)
      run(&w->lanes, ins);
    double took = (nanoseconds() - start) / TURNS;
    best = took < best ? took : best;
  }
  print_message("%-44s %7.1f ns\n", what, best);
}

static void how_fast(void **unused) {
  (void)unused;
  World w;
  world_make(&w, 32);
  for (uint32_t n = 1; n < WORLD_REGISTERS; n++)
    SR_PUSH(&w.arena, &w.program.rows, world_register(&w, n));
  for (uint32_t n = 0; n < 4; n++)
    SR_PUSH(&w.arena, &w.program.leaves, (EmuLeaf){4 * n, EMU_U32});
  SR_PUSH(&w.arena, &w.program.accesses, (EmuAccess){.segment = WORLD_BUFFER, .leaf_count = 1});
  SR_PUSH(&w.arena, &w.program.accesses, (EmuAccess){.segment = WORLD_BUFFER, .leaf_count = 4});
  SR_PUSH(&w.arena, &w.program.accesses, (EmuAccess){.segment = SR_NONE, .leaf_count = 1});
  SR_PUSH(&w.arena, &w.program.accesses, (EmuAccess){.segment = WORLD_ROWS, .leaf_count = 1});
  SR_PUSH(&w.arena, &w.program.accesses, (EmuAccess){.segment = WORLD_SHARED, .leaf_count = 1});
  EmuIns line = {.a = world_register(&w, 0), .x = 0}, vec4 = {.a = world_register(&w, 8), .x = 1};
  EmuIns same = {.a = EMU_NO_ROW, .x = 0}, gather = {.a = world_register(&w, 9), .x = 0};
  EmuIns address = {.a = world_register(&w, 10), .x = 2},
         rows = {.a = world_register(&w, 11), .x = 3};
  EmuIns shared = {.a = world_register(&w, 9), .x = 4};
  for (uint32_t lane = 0; lane < 32; lane++) {
    EMU_ROW(&w.lanes, uint32_t, line.a)[lane] = 4 * lane;
    EMU_ROW(&w.lanes, uint32_t, vec4.a)[lane] = 16 * lane;
    EMU_ROW(&w.lanes, uint32_t, gather.a)[lane] = 4 * (lane * 97 % 200);
    EMU_ROW(&w.lanes, uint64_t, address.a)[lane] = (uint64_t)WORLD_BUFFER << 40 | 4 * lane;
    EMU_ROW(&w.lanes, uint32_t, rows.a)[lane] = 128 * (lane * 7 % 16);
  }
  measure(&w, emu_load, &line, "load, consecutive, 32 lanes");
  measure(&w, emu_store, &line, "store, consecutive, 32 lanes");
  measure(&w, emu_load, &same, "load, one address");
  measure(&w, emu_load, &vec4, "load, vec4, consecutive");
  measure(&w, emu_store, &vec4, "store, vec4, consecutive");
  measure(&w, emu_load, &address, "load, consecutive, by address");
  measure(&w, emu_load, &gather, "load, random");
  measure(&w, emu_store, &shared, "store, random, workgroup");
  measure(&w, emu_load, &rows, "load, rows, an index for each lane");
  measure(&w, emu_store, &rows, "store, rows, an index for each lane");
  w.lanes.on.w[0] = 0x5a5a5a5a;
  measure(&w, emu_load, &line, "load, consecutive, half of 32 lanes");
  measure(&w, emu_store, &line, "store, consecutive, half of 32 lanes");
  world_free(&w);
}

int main(void) {
  seed = unit_seed();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_model),
      cmocka_unit_test(steps_and_holes),
      cmocka_unit_test(copies_agree_with_model),
      cmocka_unit_test(edges_of_segments),
      cmocka_unit_test(every_cause_of_a_dropped_access),
      cmocka_unit_test(read_only_memory_is_named),
      cmocka_unit_test(strict_is_a_fault),
      cmocka_unit_test(one_buffer_by_two_names),
      cmocka_unit_test(how_fast),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
