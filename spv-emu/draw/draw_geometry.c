/* SPDX-License-Identifier: Apache-2.0 */
/* draw_geometry: see draw.h. Invocation n of a draw is invocation n % k of primitive n / k, where
 * the primitives of the instances follow each other. Invocations run in portions; their strips
 * become primitives in the order of the invocations. */
#include "spv-emu/draw/draw.h"

#include "spv-emu/subgroup/emit.h"

#include <string.h>

enum { INVOCATIONS_AT_A_TIME = 1 << 12, WORDS_AT_A_TIME = 1 << 23 };

typedef struct Geometry {
  const EmuDraw *draw;
  const EmuShaded *from;
  const uint32_t *sources; /* by input of the shader: the vertex shader's output */
  uint64_t first, count;   /* invocations */
  uint32_t *counts;        /* by invocation: number of vertices that it has emitted */
  uint64_t *words;         /* numbers of these vertices, with room for `most` vertices by
                              invocation */
} Geometry;

static const EmuProgram *program_of(const Geometry *g) {
  return g->draw->geometry.program;
}

static const EmuGeometry *shape_of(const Geometry *g) {
  return &program_of(g)->geometry;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* Where an invocation is in the draw. */
typedef struct Place {
  uint32_t primitive, invocation;
  const uint32_t *corners; /* corners of the primitive, counted from `base` */
  uint64_t base;
} Place;

static Place place_of(const Geometry *g, uint64_t n) {
  const EmuPrimitives *primitives = g->from->primitives;
  uint32_t invocations = shape_of(g)->invocations;
  uint64_t primitive = n / invocations;
  Place place = {.primitive = (uint32_t)(primitive % primitives->count),
                 .invocation = (uint32_t)(n % invocations),
                 .base = primitive / primitives->count * primitives->vertex_count};
  place.corners = &primitives->corners[(size_t)place.primitive * primitives->shape];
  return place;
}

static void put_port(const Geometry *g, EmuLanes *s, uint32_t i, const Place *place,
                     uint32_t lane) {
  const EmuPort *port = &s->program->inputs.at[i];
  uint32_t corner = port->varying - EMU_VARY_FLAT, source = g->sources[i];
  if (source == EMU_NO_SOURCE || corner >= (uint32_t)g->from->primitives->shape)
    return;
  uint64_t vertex = place->base + place->corners[corner];
  emu_put_scalar(s, port->row, (EmuKind)port->kind, lane,
                 g->from->words[vertex * g->from->ports + source]);
}

/* A component of a builtin of the vertex shader. */
static float number_of(const EmuShaded *from, uint32_t builtin, uint64_t vertex, uint32_t c) {
  uint32_t stride = from->clip_count + from->cull_count;
  switch (builtin) {
  case SpvBuiltInPosition:
    return from->positions[vertex][c];
  case SpvBuiltInPointSize:
    return from->point_sizes ? from->point_sizes[vertex] : 1;
  case SpvBuiltInClipDistance:
    return c < from->clip_count ? from->distances[vertex * stride + c] : 0;
  case SpvBuiltInCullDistance:
    return c < from->cull_count ? from->distances[vertex * stride + from->clip_count + c] : 0;
  }
  return 0;
}

static void put_builtin(const Geometry *g, EmuLanes *s, const EmuBuiltin *b, const Place *place,
                        uint32_t lane) {
  if (b->builtin == SpvBuiltInPrimitiveId)
    emu_put_scalar(s, b->row, EMU_U32, lane, place->primitive);
  else if (b->builtin == SpvBuiltInInvocationId)
    emu_put_scalar(s, b->row, EMU_U32, lane, place->invocation);
  if (b->kind != EMU_F32 || b->corner >= (uint32_t)g->from->primitives->shape)
    return;
  for (uint32_t c = 0; c < b->components; c++)
    EMU_ROW(s, float, b->row + c * b->stride)
  [lane] = number_of(g->from, b->builtin, place->base + place->corners[b->corner], c);
}

static void start(void *user, EmuLanes *s, uint64_t subgroup) {
  const Geometry *g = user;
  uint64_t first = subgroup * s->size, left = g->count - first;
  uint32_t here = left < s->size ? (uint32_t)left : s->size;
  emu_mask_first(&s->exist, here, s->words);
  for (uint32_t lane = 0; lane < here; lane++) {
    Place place = place_of(g, g->first + first + lane);
    for (uint32_t i = 0; i < s->program->inputs.count; i++)
      put_port(g, s, i, &place, lane);
    for (uint32_t i = 0; i < s->program->builtins.count; i++)
      put_builtin(g, s, &s->program->builtins.at[i], &place, lane);
    emu_emit_start(s, lane);
  }
}

static void returned(void *user, const EmuLanes *s, uint64_t subgroup, const EmuMask *which) {
  const Geometry *g = user;
  size_t room = (size_t)shape_of(g)->most * shape_of(g)->words;
  for (EMU_EACH_LANE(lane, which, s->words)) {
    uint64_t n = subgroup * s->size + lane;
    g->counts[n] = emu_emitted(s, lane);
    memcpy(&g->words[n * room], emu_emitted_vertex(s, lane, 0),
           (size_t)g->counts[n] * shape_of(g)->words * sizeof *g->words);
  }
}

/* ---- what was emitted ------------------------------------------------------------------------ */

typedef struct Made {
  EmuShaded shaded;
  EmuPrimitives primitives;
} Made;

static float real_of(uint64_t word) {
  uint32_t bits = (uint32_t)word;
  float real;
  memcpy(&real, &bits, sizeof real);
  return real;
}

static void take_builtin(const EmuShaded *to, const EmuBuiltin *b, const uint64_t *words,
                         uint32_t n) {
  float *distances =
      to->distances ? to->distances + (size_t)n * (to->clip_count + to->cull_count) : NULL;
  for (uint32_t c = 0; c < b->components; c++)
    switch (b->builtin) {
    case SpvBuiltInPosition:
      to->positions[n][c] = real_of(words[c]);
      break;
    case SpvBuiltInPointSize:
      to->point_sizes[n] = real_of(words[c]);
      break;
    case SpvBuiltInClipDistance:
      distances[c] = real_of(words[c]);
      break;
    case SpvBuiltInCullDistance:
      distances[to->clip_count + c] = real_of(words[c]);
      break;
    case SpvBuiltInPrimitiveId:
      to->ids[n] = (uint32_t)words[c];
      break;
    }
}

/* Takes vertex n of the result. `id`: that of the primitive that the shader was given. */
static void take_vertex(const EmuProgram *p, const EmuShaded *to, const uint64_t *words, uint32_t n,
                        uint32_t id) {
  memcpy(&to->words[(size_t)n * to->ports], words, to->ports * sizeof *words);
  words += to->ports;
  to->ids[n] = id;
  for (uint32_t i = 0; i < p->results.count; i++) {
    take_builtin(to, &p->results.at[i], words, n);
    words += p->results.at[i].components;
  }
}

/* Vertex n, number `k` of its strip, may complete a primitive. */
static void add_primitive(EmuPrimitives *to, uint32_t n, uint32_t k) {
  uint32_t shape = to->shape, *corners = &to->corners[(size_t)to->count * shape];
  if (k + 1 < shape)
    return;
  for (uint32_t c = 0; c < shape; c++)
    corners[c] = n - (shape - 1) + c;
  if (shape == EMU_TRIANGLE && k % 2) { /* every other triangle of a strip runs backwards */
    corners[1] = n;
    corners[2] = n - 1;
  }
  to->count++;
}

static void take_all(const Geometry *g, Made *made) {
  const EmuGeometry *shape = shape_of(g);
  size_t room = (size_t)shape->most * shape->words;
  uint32_t n = 0, strip = 0;
  for (uint64_t i = 0; i < g->count; i++) {
    uint32_t id = place_of(g, g->first + i).primitive;
    for (uint32_t v = 0; v < g->counts[i]; v++, n++) {
      const uint64_t *words = &g->words[i * room + (size_t)v * shape->words];
      take_vertex(program_of(g), &made->shaded, words, n, id);
      if (v == 0 || words[shape->words - 1])
        strip = n;
      add_primitive(&made->primitives, n, n - strip);
    }
  }
}

static void make(SrArena *arena, const Geometry *g, Made *made) {
  uint64_t vertices = 0;
  for (uint64_t i = 0; i < g->count; i++)
    vertices += g->counts[i];
  *made = (Made){.shaded = {.instances = 1}};
  made->primitives.shape = (EmuShape)shape_of(g)->made;
  made->primitives.vertex_count = (uint32_t)vertices;
  made->primitives.corners = SR_NEW_RAW(arena, uint32_t, vertices * made->primitives.shape + 1);
  made->shaded.primitives = &made->primitives;
  emu_shaded_allocate(arena, program_of(g), &made->shaded, vertices);
  made->shaded.ids = SR_NEW(arena, uint32_t, vertices + 1);
  take_all(g, made);
}

/* ---- all invocations ------------------------------------------------------------------------- */

static bool run(SrArena *arena, Geometry *g, EmuTotals *totals) {
  EmuDispatch what = g->draw->geometry;
  const EmuStage stage = {.user = g, .start = start, .returned = returned};
  what.stage = &stage;
  what.groups[0] = (uint32_t)((g->count + what.lanes - 1) / what.lanes);
  what.groups[1] = what.groups[2] = 1;
  memset(g->counts, 0, (size_t)g->count * sizeof *g->counts);
  return emu_dispatch_more(arena, &what, totals);
}

/* The number of invocations that may run before their vertices are drawn. */
static uint64_t at_a_time(const EmuGeometry *shape) {
  uint64_t count = WORDS_AT_A_TIME / ((uint64_t)shape->most * shape->words + 1);
  return count == 0 ? 1 : count < INVOCATIONS_AT_A_TIME ? count : INVOCATIONS_AT_A_TIME;
}

bool emu_draw_geometry(SrArena *arena, const EmuDraw *draw, const EmuShaded *from,
                       EmuTotals *totals, EmuShadedSink *sink, void *user) {
  const EmuProgram *p = draw->geometry.program;
  uint32_t *sources = SR_NEW(arena, uint32_t, p->inputs.count + 1);
  for (uint32_t i = 0; i < p->inputs.count; i++)
    sources[i] = emu_draw_source(draw->vertex.program, &p->inputs.at[i]);
  uint64_t all = (uint64_t)from->instances * from->primitives->count * p->geometry.invocations;
  uint64_t most = at_a_time(&p->geometry);
  Geometry g = {.draw = draw, .from = from, .sources = sources};
  for (g.first = 0; g.first < all; g.first += g.count) {
    SrMark mark = sr_arena_mark(arena);
    Made made;
    g.count = all - g.first < most ? all - g.first : most;
    g.counts = SR_NEW_RAW(arena, uint32_t, g.count);
    g.words = SR_NEW_RAW(arena, uint64_t, g.count * p->geometry.most * p->geometry.words + 1);
    if (!run(arena, &g, totals))
      return false;
    make(arena, &g, &made);
    if (!sink(user, &made.shaded))
      return false;
    sr_arena_reset(arena, mark);
  }
  return true;
}
