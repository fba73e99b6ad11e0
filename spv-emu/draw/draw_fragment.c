/* SPDX-License-Identifier: Apache-2.0 */
/* draw_fragment: see draw.h. Quads are collected until a batch is full. Then all its subgroups run,
 * perhaps in several threads, and leave their outputs in arrays. Finally, the late tests and the
 * writes to the attachments are done quad by quad, in drawing order. So the picture does not depend
 * on threads or policies. */
#include "spv-emu/draw/draw.h"

#include "spv-emu/engine/half.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { QUAD = 4, MOST_QUADS = EMU_MOST_QUADS, MOST_PRIMITIVES = 1 << 12, QUADS_PER_ISSUE = 8 };

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

static bool reads(const EmuProgram *p, uint32_t builtin) {
  for (uint32_t i = 0; i < p->builtins.count; i++)
    if (p->builtins.at[i].builtin == builtin)
      return true;
  return false;
}

static bool tests_early(const EmuProgram *p) {
  const EmuStageFacts *facts = &p->facts;
  return facts->early_tests ||
         !(facts->ends_early || facts->writes_memory || writes(p, SpvBuiltInFragDepth) ||
           writes(p, SpvBuiltInSampleMask) || writes(p, SpvBuiltInFragStencilRefEXT));
}

uint32_t emu_draw_source(const EmuProgram *from, const EmuPort *input) {
  for (uint32_t i = 0; i < from->outputs.count; i++) {
    const EmuPort *output = &from->outputs.at[i];
    if (output->location == input->location && output->component == input->component &&
        emu_kind_bytes((EmuKind)output->kind) == emu_kind_bytes((EmuKind)input->kind))
      return i;
  }
  return EMU_NO_SOURCE;
}

enum { UNDEFINED = 0x7f }; /* bytes: a large number, also as a float */

static void allocate_outputs(EmuFragments *f) {
  const EmuProgram *p = program_of(f), *last = f->draw->geometry.program;
  uint32_t lanes = MOST_QUADS * QUAD;
  last = last ? last : f->draw->vertex.program;
  uint32_t *sources = SR_NEW(f->arena, uint32_t, p->inputs.count);
  for (uint32_t i = 0; i < p->inputs.count; i++)
    sources[i] = emu_draw_source(last, &p->inputs.at[i]);
  f->sources = sources;
  f->outputs = SR_NEW(f->arena, uint32_t *, p->outputs.count);
  for (uint32_t i = 0; i < p->outputs.count; i++)
    f->outputs[i] = SR_NEW_RAW(f->arena, uint32_t, lanes);
  if (writes(p, SpvBuiltInFragDepth))
    f->depths = SR_NEW_RAW(f->arena, float, lanes);
  if (writes(p, SpvBuiltInSampleMask))
    f->sample_masks = SR_NEW_RAW(f->arena, uint32_t, lanes);
  if (writes(p, SpvBuiltInFragStencilRefEXT))
    f->stencil_refs = SR_NEW_RAW(f->arena, uint32_t, lanes);
  if (f->draw->fragment.garbage)
    f->undefined =
        memset(SR_NEW_RAW(f->arena, uint32_t, lanes), UNDEFINED, lanes * sizeof(uint32_t));
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
    if (f->early && reads(program_of(f), SpvBuiltInSampleMask) && !program_of(f)->facts.post_depth)
      f->untested = sr_alloc_raw(arena, MOST_QUADS, sizeof *f->untested);
    allocate_outputs(f);
    if (draw->heat)
      emu_heat_start(f);
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

static uint32_t byte_output(uint8_t word, const EmuPort *port) {
  return port->sign ? (uint32_t)(int8_t)word : word;
}

static uint32_t narrow_output(const EmuLanes *s, const EmuPort *port, uint32_t lane) {
  return emu_kind_bytes((EmuKind)port->kind) == 1
             ? byte_output(EMU_ROW(s, uint8_t, port->row)[lane], port)
             : short_output(EMU_ROW(s, uint16_t, port->row)[lane], port);
}

static uint16_t covered(const EmuFragments *f, uint32_t quad, uint32_t lane) {
  uint16_t mask = f->quads[quad].mask[lane];
  bool one = program_of(f) && program_of(f)->facts.per_sample && f->draw->raster.samples > 1;
  return one ? (uint16_t)(mask & 1u << f->sample_of[quad]) : mask;
}

/* Lanes whose results are taken, and their number if they are all lanes of the subgroup, otherwise
 * 0. */
typedef struct Taken {
  EmuMask lanes;
  uint32_t all;
} Taken;

static void take_words(const EmuLanes *s, const Taken *taken, uint32_t row, void *words) {
  const uint32_t *from = EMU_ROW(s, const uint32_t, row);
  uint32_t *to = words;
  if (taken->all)
    memcpy(to, from, taken->all * sizeof *to);
  for (EMU_EACH_LANE(lane, &taken->lanes, taken->all ? 0 : s->words))
    to[lane] = from[lane];
}

static void take_output(const EmuLanes *s, const Taken *taken, const EmuPort *port, uint32_t *to) {
  if (emu_kind_bytes((EmuKind)port->kind) >= sizeof *to)
    take_words(s, taken, port->row, to);
  else
    for (EMU_EACH_LANE(lane, &taken->lanes, s->words))
      to[lane] = narrow_output(s, port, lane);
}

/* `first`: where lane 0 of the subgroup belongs. */
static void take_results(const EmuFragments *f, const EmuLanes *s, const Taken *taken,
                         size_t first) {
  const EmuProgram *p = s->program;
  for (uint32_t i = 0; i < p->outputs.count; i++)
    take_output(s, taken, &p->outputs.at[i], f->outputs[i] + first);
  for (uint32_t i = 0; i < p->results.count; i++) {
    const EmuBuiltin *b = &p->results.at[i];
    if (b->builtin == SpvBuiltInFragDepth)
      take_words(s, taken, b->row, f->depths + first);
    else if (b->builtin == SpvBuiltInSampleMask)
      take_words(s, taken, b->row, f->sample_masks + first);
    else if (b->builtin == SpvBuiltInFragStencilRefEXT)
      take_words(s, taken, b->row, f->stencil_refs + first);
  }
}

static void returned(void *user, const EmuLanes *s, uint64_t subgroup, const EmuMask *which) {
  const EmuFragments *f = user;
  const EmuPack *pack = &f->packs[subgroup];
  size_t first = (size_t)pack->first * QUAD + pack->lane;
  Taken taken;
  emu_mask_copy(&taken.lanes, which, s->words);
  emu_mask_drop(&taken.lanes, &s->helper, s->words);
  taken.all =
      emu_mask_equal(&taken.lanes, &s->exist, s->words) ? emu_mask_count(&s->exist, s->words) : 0;
  for (EMU_EACH_LANE(lane, &taken.lanes, s->words)) {
    uint32_t quad = (uint32_t)((first + lane) / QUAD), part = (uint32_t)((first + lane) % QUAD);
    f->masks[quad][part] = covered(f, quad, part);
  }
  take_results(f, s, &taken, first);
}

/* May two quads be in one subgroup? With interlock no pixel may be twice in it. */
static bool goes_with(const EmuFragments *f, uint32_t quad, uint32_t other) {
  bool same = f->primitive_of[quad] == f->primitive_of[other];
  if (program_of(f)->facts.interlock)
    return same && f->sample_of[quad] == f->sample_of[other];
  return same || f->draw->mixed;
}

static void add_pack(EmuFragments *f, uint32_t quad) {
  EmuPack *last = f->pack_count ? &f->packs[f->pack_count - 1] : NULL;
  bool fits =
      last && last->count < f->draw->fragment.lanes / QUAD && goes_with(f, quad, last->first);
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
  const EmuStage stage = {f, start, returned, f->heat.issues ? emu_heat_issued : NULL};
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
  if (program_of(f)->facts.interlock)
    what.threads = 1; /* one subgroup after the other */
  if (f->heat.issues)
    emu_heat_begin(f);
  bool good = emu_dispatch_more(f->arena, &what, f->totals);
  if (f->heat.issues)
    emu_heat_end(f);
  return good;
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
  const uint32_t *references =
      f->early || !f->stencil_refs ? NULL : &f->stencil_refs[(size_t)quad * QUAD];
  depths_of(f, quad, z);
  emu_depth_stencil_test(&f->draw->depth_stencil, &f->quads[quad],
                         f->primitives[f->primitive_of[quad]].front, z, references, mask);
}

static void test_late(EmuFragments *f) {
  if (!emu_depth_stencil_needed(&f->draw->depth_stencil))
    return;
  for (uint32_t q = 0; q < f->count; q++)
    test(f, q, f->masks[q]);
}

/* The rows of the outputs at a location. False: the shader has none there. What it does not write is
 * undefined. */
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
  for (uint32_t c = 0; f->undefined && c < 4; c++)
    if (!colors->rows[c])
      colors->rows[c] = f->undefined;
  return any || f->undefined;
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
  if (program_of(f)) {
    emu_traffic_count(f);
    write_colors(f);
  }
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

/* Adds a quad, for one sample if the shader runs for each; tests it if tests are early. `found`:
 * the quad as the rasterizer found it. */
static void add_quad(EmuFragments *f, const EmuQuad *quad, const EmuQuad *found, uint32_t sample) {
  uint32_t q = f->count;
  f->quads[q] = *quad;
  if (f->untested)
    memcpy(f->untested[q], found->mask, sizeof f->untested[q]);
  f->primitive_of[q] = f->primitive_count - 1;
  f->sample_of[q] = (uint8_t)sample;
  if (f->early && sample == 0 && emu_depth_stencil_needed(&f->draw->depth_stencil))
    test(f, q, f->quads[q].mask);
  f->count += has_coverage(f, q);
}

/* Quads take time even if nothing shades them, so max_issues bounds them, too. */
static bool are_too_many(EmuFragments *f, uint32_t count) {
  const EmuDispatch *of = program_of(f) ? &f->draw->fragment : &f->draw->vertex;
  f->found += count;
  if (f->found / QUADS_PER_ISSUE <= of->max_issues)
    return false;
  f->totals->end = EMU_EXEC_LIMIT;
  snprintf(f->totals->message, sizeof f->totals->message,
           "more than %" PRIu64
           " times %d quads covered, which count as instructions (--max-issues)",
           of->max_issues, QUADS_PER_ISSUE);
  return true;
}

bool emu_fragments_add(void *user, const EmuPrimitive *primitive, const EmuQuad *quads,
                       uint32_t count) {
  EmuFragments *f = user;
  const EmuProgram *p = program_of(f);
  if (are_too_many(f, count))
    return false;
  uint32_t samples = p && p->facts.per_sample ? f->draw->raster.samples : 1;
  for (uint32_t i = 0; i < count; i++) {
    if (!make_room(f, primitive, samples))
      return false;
    EmuQuad quad = quads[i];
    for (uint32_t sample = 0; sample < samples; sample++) {
      uint32_t q = f->count;
      add_quad(f, &quad, &quads[i], sample);
      if (sample == 0)
        quad = f->quads[q]; /* the quad after the tests */
    }
  }
  return true;
}
