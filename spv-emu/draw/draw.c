/* SPDX-License-Identifier: Apache-2.0 */
/* draw: see draw.h. Instances are shaded some at a time, so that many small ones share subgroups
 * and large ones do not take too much memory. */
#include "draw/draw.h"

#include <stdio.h>

enum { VERTICES_AT_A_TIME = 1 << 16 };

static bool draw_instance(EmuFragments *f, const EmuVertices *vertices) {
  const EmuPrimitives *primitives = f->shaded->primitives;
  for (uint32_t i = 0; i < primitives->count; i++) {
    EmuPrimitive made[3];
    uint32_t count =
        emu_primitive_setup(&f->draw->raster, vertices, primitives->shape,
                            &primitives->corners[(size_t)i * primitives->shape], i, made);
    for (uint32_t k = 0; k < count; k++) {
      f->has_primitive = false;
      if (!emu_primitive_quads(&f->draw->raster, &made[k], emu_fragments_add, f))
        return false;
    }
  }
  return true;
}

static bool draw_instances(EmuFragments *f, const EmuShaded *shaded) {
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
  return emu_fragments_flush(f); /* the next instances take the memory of these */
}

void emu_draw(SrArena *arena, const EmuDraw *draw, const EmuPrimitives *primitives,
              EmuTotals *vertex, EmuTotals *fragment) {
  EmuFragments fragments;
  uint32_t count = primitives->vertex_count, most = count ? VERTICES_AT_A_TIME / count : 0;
  emu_totals_start(arena, draw->vertex.program, vertex);
  if (draw->fragment.program)
    emu_totals_start(arena, draw->fragment.program, fragment);
  emu_fragments_init(&fragments, arena, draw, fragment);
  for (uint32_t first = 0; first < draw->instances && count;) {
    uint32_t left = draw->instances - first;
    EmuShaded shaded = {.primitives = primitives, .first = first};
    shaded.instances = most == 0 ? 1 : left < most ? left : most;
    SrMark mark = sr_arena_mark(arena);
    if (!emu_draw_vertices(arena, draw, &shaded, vertex) || !draw_instances(&fragments, &shaded))
      return;
    sr_arena_reset(arena, mark);
    first += shaded.instances;
  }
}

/* Clip and cull distances together. */
static uint32_t count_distances(const EmuProgram *vertex) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < vertex->results.count; i++) {
    const EmuBuiltin *b = &vertex->results.at[i];
    if (b->builtin == SpvBuiltInClipDistance || b->builtin == SpvBuiltInCullDistance)
      count += b->components;
  }
  return count;
}

static bool check_colors(const EmuDraw *draw, char *text, size_t text_size) {
  if (draw->color_count > EMU_MAX_ATTACHMENTS) {
    snprintf(text, text_size, "%u colour attachments; at most %u are possible", draw->color_count,
             EMU_MAX_ATTACHMENTS);
    return false;
  }
  for (uint32_t i = 0; i < draw->color_count; i++) {
    const EmuColorTarget *target = &draw->colors[i].target;
    if (!emu_color_check(target, text, text_size) ||
        !emu_attachment_check(&target->attachment, &draw->raster, text, text_size))
      return false;
  }
  return true;
}

bool emu_draw_check(const EmuDraw *draw, char *text, size_t text_size) {
  uint32_t distances = count_distances(draw->vertex.program);
  if (distances > EMU_MAX_DISTANCES) {
    snprintf(text, text_size, "%u clip and cull distances; at most %u are possible", distances,
             EMU_MAX_DISTANCES);
    return false;
  }
  return emu_raster_check(&draw->raster, text, text_size) && check_colors(draw, text, text_size) &&
         emu_attachment_check(&draw->depth_stencil.attachment, &draw->raster, text, text_size);
}
