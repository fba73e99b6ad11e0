/* SPDX-License-Identifier: Apache-2.0 */
/* draw_fragment: see draw.h. Quads are collected until a batch is full; then all its subgroups run,
 * by several threads perhaps, and leave their outputs in arrays; then the tests that come late and
 * the writes to the attachments are done quad by quad, in drawing order. So the picture does not
 * depend on threads or policies. */
#include "draw/draw.h"

#include "engine/half.h"

#include <string.h>

enum { QUAD = 4, MOST_QUADS = 1 << 14, MOST_PRIMITIVES = 1 << 12 };

static const EmuProgram *program_of(const EmuFragments *f) {
  return f->draw->fragment.program;
}

/* ---- setup ----------------------------------------------------------------------------------- */

static bool writes(const EmuProgram *p, uint32_t builtin) {
  for (uint32_t i = 0; i < p->results.count; i++)
    if (p->results.at[i].builtin == builtin)
      return true;
  return false;
}

static bool tests_early(const EmuProgram *p) {
  const EmuStageFacts *facts = &p->facts;
  return facts->early_tests || !(facts->ends_early || facts->writes_memory ||
                                 writes(p, SpvBuiltInFragDepth) || writes(p, SpvBuiltInSampleMask));
}

/* The vertex shader's output at the same place. */
static uint32_t source_of(const EmuProgram *vertex, const EmuPort *input) {
  for (uint32_t i = 0; i < vertex->outputs.count; i++) {
    const EmuPort *output = &vertex->outputs.at[i];
    if (output->location == input->location && output->component == input->component &&
        emu_kind_bytes((EmuKind)output->kind) == emu_kind_bytes((EmuKind)input->kind))
      return i;
  }
  return EMU_NO_SOURCE;
}

static void allocate_outputs(EmuFragments *f) {
  const EmuProgram *p = program_of(f);
  uint32_t lanes = MOST_QUADS * QUAD;
  uint32_t *sources = SR_NEW(f->arena, uint32_t, p->inputs.count);
  for (uint32_t i = 0; i < p->inputs.count; i++)
    sources[i] = source_of(f->draw->vertex.program, &p->inputs.at[i]);
  f->sources = sources;
  f->outputs = SR_NEW(f->arena, uint32_t *, p->outputs.count);
  for (uint32_t i = 0; i < p->outputs.count; i++)
    f->outputs[i] = SR_NEW_RAW(f->arena, uint32_t, lanes);
  if (writes(p, SpvBuiltInFragDepth))
    f->depths = SR_NEW_RAW(f->arena, float, lanes);
  if (writes(p, SpvBuiltInSampleMask))
    f->sample_masks = SR_NEW_RAW(f->arena, uint32_t, lanes);
  f->packs = SR_NEW_RAW(f->arena, EmuPack, f->draw->fragment.lanes == 1 ? lanes : MOST_QUADS);
}

void emu_fragments_init(EmuFragments *f, SrArena *arena, const EmuDraw *draw, EmuTotals *totals) {
  *f = (EmuFragments){.arena = arena, .draw = draw, .totals = totals, .early = true};
  f->quads = SR_NEW_RAW(arena, EmuQuad, MOST_QUADS);
  f->primitive_of = SR_NEW_RAW(arena, uint32_t, MOST_QUADS);
  f->sample_of = SR_NEW_RAW(arena, uint8_t, MOST_QUADS);
  f->primitives = SR_NEW_RAW(arena, EmuPrimitive, MOST_PRIMITIVES);
  f->base = SR_NEW_RAW(arena, uint64_t, MOST_PRIMITIVES);
  f->masks = sr_alloc_raw(arena, MOST_QUADS, sizeof *f->masks);
  if (program_of(f)) {
    f->early = tests_early(program_of(f));
    allocate_outputs(f);
  }
}

/* ---- shading --------------------------------------------------------------------------------- */

static void start(void *user, EmuLanes *s, uint64_t subgroup) {
  const EmuFragments *f = user;
  emu_draw_inputs(f, s, &f->packs[subgroup]);
}

static uint32_t short_output(uint16_t word, const EmuPort *port) {
  float value = emu_half_to_float(word);
  uint32_t bits = port->sign ? (uint32_t)(int16_t)word : word;
  if (port->kind == EMU_F16)
    memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint32_t output_of(const EmuLanes *s, const EmuPort *port, uint32_t lane) {
  switch (emu_kind_bytes((EmuKind)port->kind)) {
  case 1: {
    uint8_t word = EMU_ROW(s, uint8_t, port->row)[lane];
    return port->sign ? (uint32_t)(int8_t)word : word;
  }
  case 2:
    return short_output(EMU_ROW(s, uint16_t, port->row)[lane], port);
  default:
    return EMU_ROW(s, uint32_t, port->row)[lane];
  }
}

static void take_results(const EmuFragments *f, const EmuLanes *s, uint32_t lane, size_t to) {
  const EmuProgram *p = s->program;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    f->outputs[i][to] = output_of(s, &p->outputs.at[i], lane);
  for (uint32_t i = 0; i < p->results.count; i++) {
    const EmuBuiltin *b = &p->results.at[i];
    if (b->builtin == SpvBuiltInFragDepth)
      f->depths[to] = EMU_ROW(s, float, b->row)[lane];
    else if (b->builtin == SpvBuiltInSampleMask)
      f->sample_masks[to] = EMU_ROW(s, uint32_t, b->row)[lane];
  }
}

static uint16_t covered(const EmuFragments *f, uint32_t quad, uint32_t lane) {
  uint16_t mask = f->quads[quad].mask[lane];
  bool one = program_of(f) && program_of(f)->facts.per_sample && f->draw->raster.samples > 1;
  return one ? (uint16_t)(mask & 1u << f->sample_of[quad]) : mask;
}

static void returned(void *user, const EmuLanes *s, uint64_t subgroup, const EmuMask *which) {
  const EmuFragments *f = user;
  const EmuPack *pack = &f->packs[subgroup];
  for (EMU_EACH_LANE(lane, which, s->words)) {
    if (emu_mask_has(&s->helper, lane))
      continue;
    uint32_t quad = pack->first + lane / QUAD, part = s->size == 1 ? pack->lane : lane % QUAD;
    f->masks[quad][part] = covered(f, quad, part);
    take_results(f, s, lane, (size_t)quad * QUAD + part);
  }
}

static void add_pack(EmuFragments *f, uint32_t quad) {
  EmuPack *last = f->pack_count ? &f->packs[f->pack_count - 1] : NULL;
  bool fits = last && last->count < f->draw->fragment.lanes / QUAD &&
              (f->draw->mixed || f->primitive_of[last->first] == f->primitive_of[quad]);
  if (fits)
    last->count++;
  else
    f->packs[f->pack_count++] = (EmuPack){.first = quad, .count = 1};
}

static void add_lanes(EmuFragments *f, uint32_t quad) {
  for (uint32_t lane = 0; lane < QUAD; lane++)
    if (covered(f, quad, lane))
      f->packs[f->pack_count++] = (EmuPack){.first = quad, .count = 1, .lane = lane};
}

static bool shade(EmuFragments *f) {
  EmuDispatch what = f->draw->fragment;
  const EmuStage stage = {f, start, returned};
  f->pack_count = 0;
  for (uint32_t q = 0; q < f->count; q++)
    if (what.lanes == 1)
      add_lanes(f, q);
    else
      add_pack(f, q);
  memset(f->masks, 0, f->count * sizeof *f->masks);
  what.stage = &stage;
  what.groups[0] = f->pack_count;
  what.groups[1] = what.groups[2] = 1;
  return emu_dispatch_more(f->arena, &what, f->totals);
}

/* Without a fragment shader, all samples keep their coverage. */
static void keep_coverage(EmuFragments *f) {
  for (uint32_t q = 0; q < f->count; q++)
    memcpy(f->masks[q], f->quads[q].mask, sizeof f->masks[q]);
}

/* ---- tests and writes ------------------------------------------------------------------------ */

static void apply_sample_masks(EmuFragments *f) {
  for (uint32_t q = 0; q < f->count && f->sample_masks; q++)
    for (uint32_t lane = 0; lane < QUAD; lane++)
      if (f->masks[q][lane])
        f->masks[q][lane] &= (uint16_t)f->sample_masks[(size_t)q * QUAD + lane];
}

static void depths_of(const EmuFragments *f, uint32_t quad, float *z) {
  uint32_t samples = f->draw->raster.samples;
  if (f->early || !f->depths) {
    emu_sample_depths(&f->primitives[f->primitive_of[quad]], &f->quads[quad], samples, z);
    return;
  }
  for (uint32_t lane = 0; lane < QUAD; lane++)
    for (uint32_t s = 0; s < samples; s++)
      z[lane * samples + s] = f->masks[quad][lane] ? f->depths[(size_t)quad * QUAD + lane] : 0;
}

static void test(const EmuFragments *f, uint32_t quad, uint16_t mask[QUAD]) {
  float z[QUAD * EMU_MAX_SAMPLES];
  depths_of(f, quad, z);
  emu_depth_stencil_test(&f->draw->depth_stencil, &f->quads[quad],
                         f->primitives[f->primitive_of[quad]].front, z, mask);
}

static void test_late(EmuFragments *f) {
  if (!emu_depth_stencil_needed(&f->draw->depth_stencil))
    return;
  for (uint32_t q = 0; q < f->count; q++)
    test(f, q, f->masks[q]);
}

/* The rows of the outputs at a location. False: the shader has none there. */
static bool find_colors(const EmuFragments *f, uint32_t location, EmuColors *colors) {
  const EmuProgram *p = program_of(f);
  bool any = false;
  for (uint32_t i = 0; i < p->outputs.count; i++) {
    const EmuPort *port = &p->outputs.at[i];
    if (port->location != location)
      continue;
    any = true;
    if (port->index)
      colors->second[port->component] = f->outputs[i];
    else
      colors->rows[port->component] = f->outputs[i];
  }
  return any;
}

static void write_colors(EmuFragments *f) {
  for (uint32_t i = 0; i < f->draw->color_count; i++) {
    EmuColors colors = {0};
    if (find_colors(f, f->draw->colors[i].location, &colors))
      emu_color_write(&f->draw->colors[i].target, f->quads, (const uint16_t(*)[4])f->masks,
                      f->count, &colors);
  }
}

bool emu_fragments_flush(EmuFragments *f) {
  bool good = true;
  if (!f->count)
    return true;
  if (program_of(f))
    good = shade(f);
  else
    keep_coverage(f);
  apply_sample_masks(f);
  if (!f->early)
    test_late(f);
  if (program_of(f))
    write_colors(f);
  f->count = f->primitive_count = 0;
  f->has_primitive = false;
  return good;
}

/* ---- collecting ------------------------------------------------------------------------------ */

static bool has_coverage(const EmuFragments *f, uint32_t quad) {
  uint32_t any = 0;
  for (uint32_t lane = 0; lane < QUAD; lane++)
    any |= covered(f, quad, lane);
  return any != 0;
}

/* Makes room for the quads of one pixel block, and adds the primitive unless the batch has it. */
static bool make_room(EmuFragments *f, const EmuPrimitive *primitive, uint32_t quads) {
  bool full =
      f->count + quads > MOST_QUADS || (!f->has_primitive && f->primitive_count == MOST_PRIMITIVES);
  if (full && !emu_fragments_flush(f))
    return false;
  if (f->has_primitive)
    return true;
  f->has_primitive = true;
  f->primitives[f->primitive_count] = *primitive;
  f->base[f->primitive_count++] = f->first_vertex;
  return true;
}

/* Adds a quad, for one sample if the shader runs for each; tests it if tests are early. */
static void add_quad(EmuFragments *f, const EmuQuad *quad, uint32_t sample) {
  uint32_t q = f->count;
  f->quads[q] = *quad;
  f->primitive_of[q] = f->primitive_count - 1;
  f->sample_of[q] = (uint8_t)sample;
  if (f->early && sample == 0 && emu_depth_stencil_needed(&f->draw->depth_stencil))
    test(f, q, f->quads[q].mask);
  f->count += has_coverage(f, q);
}

bool emu_fragments_add(void *user, const EmuPrimitive *primitive, const EmuQuad *quads,
                       uint32_t count) {
  EmuFragments *f = user;
  const EmuProgram *p = program_of(f);
  uint32_t samples = p && p->facts.per_sample ? f->draw->raster.samples : 1;
  for (uint32_t i = 0; i < count; i++) {
    if (!make_room(f, primitive, samples))
      return false;
    EmuQuad quad = quads[i];
    for (uint32_t sample = 0; sample < samples; sample++) {
      uint32_t q = f->count;
      add_quad(f, &quad, sample);
      if (sample == 0)
        quad = f->quads[q]; /* after the tests */
    }
  }
  return true;
}
