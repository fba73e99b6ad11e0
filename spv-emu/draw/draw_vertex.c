/* SPDX-License-Identifier: Apache-2.0 */
/* draw_vertex: see draw.h. Vertex n of a batch is vertex n % count of instance n / count, and lane
 * n % lanes of subgroup n / lanes. */
#include "spv-emu/draw/draw.h"

#include "spv-emu/engine/half.h"

#include <string.h>

typedef struct Vertices {
  const EmuDraw *draw;
  EmuShaded *shaded;
  uint64_t count;
} Vertices;

/* ---- inputs ---------------------------------------------------------------------------------- */

/* The index of a scalar of the shader's input among the words that emu_vertex_fetch reads. False:
 * it is not among them. */
static bool word_of(const EmuDrawInput *input, const EmuPort *port, uint32_t *word) {
  uint32_t wide = emu_vertex_words(input->from.format);
  uint32_t component = 4 * (port->location - input->location) + port->component;
  *word = component;
  return port->location >= input->location && component < 4 * wide;
}

/* A number, given as words, converted to the kind of the shader's input. */
static uint64_t converted(const uint32_t *words, EmuKind kind) {
  float f;
  memcpy(&f, words, sizeof f);
  switch (kind) {
  case EMU_F16:
    return emu_half_from_float(f);
  case EMU_U64:
  case EMU_F64:
    return words[0] | (uint64_t)words[1] << 32;
  default:
    return emu_kind_cut(kind, words[0]);
  }
}

static void put_attribute(EmuLanes *s, const EmuDrawInput *input, uint64_t index, uint32_t lane) {
  uint32_t words[9] = {0}, at;
  emu_vertex_fetch(&input->from, index, words);
  for (uint32_t i = 0; i < s->program->inputs.count; i++) {
    const EmuPort *port = &s->program->inputs.at[i];
    if (word_of(input, port, &at))
      emu_put_scalar(s, port->row, (EmuKind)port->kind, lane, converted(words + at, port->kind));
  }
}

/* The value of a builtin that depends only on the vertex; false: it is a builtin of the
 * subgroup. */
static bool builtin_of(const Vertices *v, uint32_t builtin, uint32_t vertex, uint32_t instance,
                       uint32_t *value) {
  const EmuDraw *draw = v->draw;
  switch (builtin) {
  case SpvBuiltInVertexIndex:
    *value = v->shaded->primitives->vertices[vertex];
    return true;
  case SpvBuiltInInstanceIndex:
    *value = draw->first_instance + instance;
    return true;
  case SpvBuiltInBaseVertex:
    *value = draw->assembly.indices ? draw->assembly.vertex_offset : draw->assembly.first;
    return true;
  case SpvBuiltInBaseInstance:
    *value = draw->first_instance;
    return true;
  }
  return false;
}

static void put_lane(const Vertices *v, EmuLanes *s, uint32_t lane, uint64_t n) {
  uint32_t count = v->shaded->primitives->vertex_count;
  uint32_t vertex = (uint32_t)(n % count), instance = v->shaded->first + (uint32_t)(n / count);
  for (uint32_t i = 0; i < v->draw->input_count; i++) {
    const EmuDrawInput *input = &v->draw->inputs[i];
    put_attribute(s, input,
                  input->per_instance ? v->draw->first_instance + (uint64_t)instance
                                      : v->shaded->primitives->vertices[vertex],
                  lane);
  }
  for (uint32_t i = 0; i < s->program->builtins.count; i++) {
    const EmuBuiltin *b = &s->program->builtins.at[i];
    uint32_t value;
    if (builtin_of(v, b->builtin, vertex, instance, &value))
      emu_put_scalar(s, b->row, (EmuKind)b->kind, lane, value);
  }
}

static void start(void *user, EmuLanes *s, uint64_t subgroup) {
  const Vertices *v = user;
  uint64_t first = subgroup * s->size, left = v->count - first;
  uint32_t here = left < s->size ? (uint32_t)left : s->size;
  emu_mask_first(&s->exist, here, s->words);
  for (uint32_t lane = 0; lane < here; lane++)
    put_lane(v, s, lane, first + lane);
}

/* ---- outputs --------------------------------------------------------------------------------- */

static uint64_t get_scalar(const EmuLanes *s, uint32_t row, EmuKind kind, uint32_t lane) {
  uint64_t bits = 0;
  uint32_t bytes = emu_kind_bytes(kind);
  memcpy(&bits, s->file + row + (size_t)lane * bytes, bytes);
  return bits;
}

static float get_float(const EmuLanes *s, const EmuBuiltin *b, uint32_t c, uint32_t lane) {
  return EMU_ROW(s, float, b->row + c * b->stride)[lane];
}

static void take_builtin(const EmuShaded *to, const EmuLanes *s, const EmuBuiltin *b, uint32_t lane,
                         uint64_t n) {
  float *distances = to->distances ? to->distances + n * (to->clip_count + to->cull_count) : NULL;
  switch (b->builtin) {
  case SpvBuiltInPosition:
    for (uint32_t c = 0; c < 4; c++)
      to->positions[n][c] = get_float(s, b, c, lane);
    break;
  case SpvBuiltInPointSize:
    to->point_sizes[n] = get_float(s, b, 0, lane);
    break;
  case SpvBuiltInClipDistance:
    for (uint32_t c = 0; c < b->components; c++)
      distances[c] = get_float(s, b, c, lane);
    break;
  case SpvBuiltInCullDistance:
    for (uint32_t c = 0; c < b->components; c++)
      distances[to->clip_count + c] = get_float(s, b, c, lane);
    break;
  }
}

static void returned(void *user, const EmuLanes *s, uint64_t subgroup, const EmuMask *which) {
  const Vertices *v = user;
  const EmuShaded *to = v->shaded;
  for (EMU_EACH_LANE(lane, which, s->words)) {
    uint64_t n = subgroup * s->size + lane;
    for (uint32_t i = 0; i < s->program->results.count; i++)
      take_builtin(to, s, &s->program->results.at[i], lane, n);
    for (uint32_t i = 0; i < to->ports; i++) {
      const EmuPort *port = &s->program->outputs.at[i];
      to->words[n * to->ports + i] = get_scalar(s, port->row, (EmuKind)port->kind, lane);
    }
  }
}

/* ---- all vertices ---------------------------------------------------------------------------- */

static const EmuBuiltin *result_of(const EmuProgram *p, uint32_t builtin) {
  for (uint32_t i = 0; i < p->results.count; i++)
    if (p->results.at[i].builtin == builtin)
      return &p->results.at[i];
  return NULL;
}

void emu_shaded_allocate(SrArena *arena, const EmuProgram *p, EmuShaded *to, uint64_t count) {
  const EmuBuiltin *clip = result_of(p, SpvBuiltInClipDistance);
  const EmuBuiltin *cull = result_of(p, SpvBuiltInCullDistance);
  to->clip_count = clip ? clip->components : 0;
  to->cull_count = cull ? cull->components : 0;
  uint32_t distances = to->clip_count + to->cull_count;
  to->positions = sr_alloc_zero(arena, count, sizeof *to->positions);
  to->point_sizes = result_of(p, SpvBuiltInPointSize) ? SR_NEW(arena, float, count) : NULL;
  to->distances = distances ? SR_NEW(arena, float, count *distances) : NULL;
  to->ports = p->outputs.count;
  to->words = SR_NEW(arena, uint64_t, count * to->ports + 1);
}

bool emu_draw_vertices(SrArena *arena, const EmuDraw *draw, EmuShaded *shaded, EmuTotals *totals) {
  EmuDispatch what = draw->vertex;
  Vertices v = {.draw = draw,
                .shaded = shaded,
                .count = (uint64_t)shaded->primitives->vertex_count * shaded->instances};
  const EmuStage stage = {.user = &v, .start = start, .returned = returned};
  emu_shaded_allocate(arena, what.program, shaded, v.count);
  what.stage = &stage;
  what.groups[0] = (uint32_t)((v.count + what.lanes - 1) / what.lanes);
  what.groups[1] = what.groups[2] = 1;
  return emu_dispatch_more(arena, &what, totals);
}
