/* SPDX-License-Identifier: Apache-2.0 */
/* draw: see draw.h. Instances are shaded in portions, so that many small ones share subgroups and
 * large ones do not take too much memory. */
#include "spv-emu/draw/draw.h"

enum { VERTICES_AT_A_TIME = 1 << 16 };

static bool draw_instance(EmuFragments *f, const EmuVertices *vertices) {
  const EmuPrimitives *primitives = f->shaded->primitives;
  for (uint32_t i = 0; i < primitives->count; i++) {
    EmuPrimitive made[3];
    const uint32_t *corners = &primitives->corners[(size_t)i * primitives->shape];
    uint32_t id = f->shaded->ids ? f->shaded->ids[corners[0]] : i;
    uint32_t count =
        emu_primitive_setup(&f->draw->raster, vertices, primitives->shape, corners, id, made);
    for (uint32_t k = 0; k < count; k++) {
      f->has_primitive = false;
      if (!emu_primitive_quads(&f->draw->raster, &made[k], emu_fragments_add, f))
        return false;
    }
  }
  return true;
}

/* An EmuShadedSink: `user` is the EmuFragments. */
static bool draw_instances(void *user, const EmuShaded *shaded) {
  EmuFragments *f = user;
  uint32_t count = shaded->primitives->vertex_count,
           stride = shaded->clip_count + shaded->cull_count;
  f->shaded = shaded;
  for (uint32_t i = 0; i < shaded->instances && !f->draw->discard; i++) {
    uint64_t first = (uint64_t)i * count;
    const EmuVertices vertices = {
        .positions = (const float(*)[4])shaded->positions + first,
        .point_sizes = shaded->point_sizes ? shaded->point_sizes + first : NULL,
        .distances = shaded->distances ? shaded->distances + first * stride : NULL,
        .clip_count = shaded->clip_count,
        .cull_count = shaded->cull_count};
    f->first_vertex = first;
    if (!draw_instance(f, &vertices))
      return false;
  }
  return emu_fragments_flush(f); /* the next instances reuse the memory of these */
}

void emu_draw(SrArena *arena, const EmuDraw *draw, const EmuPrimitives *primitives,
              EmuTotals *vertex, EmuTotals *geometry, EmuTotals *fragment) {
  EmuFragments fragments;
  uint32_t count = primitives->vertex_count, most = count ? VERTICES_AT_A_TIME / count : 0;
  emu_totals_start(arena, &draw->vertex, vertex);
  if (draw->geometry.program)
    emu_totals_start(arena, &draw->geometry, geometry);
  if (draw->fragment.program)
    emu_totals_start(arena, &draw->fragment, fragment);
  emu_fragments_init(&fragments, arena, draw, draw->fragment.program ? fragment : vertex);
  for (uint32_t first = 0; first < draw->instances && count;) {
    uint32_t left = draw->instances - first;
    EmuShaded shaded = {.primitives = primitives, .first = first};
    shaded.instances = most == 0 ? 1 : left < most ? left : most;
    SrMark mark = sr_arena_mark(arena);
    if (!emu_draw_vertices(arena, draw, &shaded, vertex))
      return;
    if (!(draw->geometry.program
              ? emu_draw_geometry(arena, draw, &shaded, geometry, draw_instances, &fragments)
              : draw_instances(&fragments, &shaded)))
      return;
    sr_arena_reset(arena, mark);
    first += shaded.instances;
  }
}
