/* SPDX-License-Identifier: Apache-2.0 */
/* emit: see emit.h. */
#include "spv-emu/subgroup/emit.h"

static const EmuGeometry *geometry_of(const EmuLanes *s) {
  return &s->program->geometry;
}

static uint32_t *counts(const EmuLanes *s) {
  return EMU_ROW(s, uint32_t, geometry_of(s)->count_row);
}

/* 1: the next vertex is the first of a strip. */
static uint32_t *starts(const EmuLanes *s) {
  return EMU_ROW(s, uint32_t, geometry_of(s)->start_row);
}

void emu_emit_start(EmuLanes *s, uint32_t lane) {
  counts(s)[lane] = 0;
  starts(s)[lane] = 1;
}

uint32_t emu_emitted(const EmuLanes *s, uint32_t lane) {
  return counts(s)[lane];
}

uint64_t *emu_emitted_vertex(const EmuLanes *s, uint32_t lane, uint32_t n) {
  const EmuGeometry *g = geometry_of(s);
  return EMU_ROW(s, uint64_t, g->at) + ((size_t)lane * g->most + n) * g->words;
}

static uint64_t number_at(const EmuLanes *s, uint32_t row, uint32_t kind, uint32_t lane) {
  uint64_t bits = 0;
  uint32_t bytes = emu_kind_bytes((EmuKind)kind);
  memcpy(&bits, s->file + row + (size_t)lane * bytes, bytes);
  return bits;
}

static void put_vertex(const EmuLanes *s, const uint32_t *rows, uint32_t lane, uint64_t *to) {
  const EmuProgram *p = s->program;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    *to++ = number_at(s, *rows++, p->outputs.at[i].kind, lane);
  for (uint32_t i = 0; i < p->results.count; i++)
    for (uint32_t c = 0; c < p->results.at[i].components; c++)
      *to++ = number_at(s, *rows++, p->results.at[i].kind, lane);
  *to = starts(s)[lane];
}

void emu_emit_vertex(EmuLanes *s, const EmuIns *i) {
  const uint32_t *rows = &s->program->rows.at[i->list];
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    if (counts(s)[lane] == geometry_of(s)->most)
      continue;
    put_vertex(s, rows, lane, emu_emitted_vertex(s, lane, counts(s)[lane]++));
    starts(s)[lane] = 0;
  }
}

void emu_end_primitive(EmuLanes *s, const EmuIns *i) {
  (void)i;
  for (EMU_EACH_LANE(lane, &s->on, s->words))
    starts(s)[lane] = 1;
}
