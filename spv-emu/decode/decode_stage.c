/* SPDX-License-Identifier: Apache-2.0 */
/* decode_stage: see decode_stage.h. A variable's type is unpacked with a list of what is still
 * to be done, so that no type can nest too deeply; its scalars become ports (by location) or
 * components of a builtin. Locations as SPIR-V's "Location and Component" rules count them: a
 * vector takes one, or two if it is longer than 16 bytes; columns, elements and members follow each
 * other. */
#include "decode/decode_stage.h"

#include "ir/decorations.h"
#include "ir/newer.h"
#include "subgroup/quad.h"

/* ---- execution modes ------------------------------------------------------------------------- */

static bool mode(EmuDecode *d, SrRef r, uint32_t mode) {
  EmuStageFacts *facts = &d->p->facts;
  switch (mode) {
  case SpvExecutionModeEarlyFragmentTests:
    facts->early_tests = true;
    return true;
  case SpvExecutionModeDepthGreater:
  case SpvExecutionModeDepthLess:
  case SpvExecutionModeDepthUnchanged:
    facts->depth = mode;
    return true;
  case SpvExecutionModeOriginUpperLeft:
  case SpvExecutionModeDepthReplacing:
  case SpvExecutionModeContractionOff:
  case SpvExecutionModeSignedZeroInfNanPreserve:
  case SpvExecutionModeDenormPreserve:
  case SpvExecutionModeRoundingModeRTE:
  case SpvExecutionModeSubgroupUniformControlFlowKHR:
  case SR_MODE_MAXIMALLY_RECONVERGES:
  case SR_MODE_FP_FAST_MATH_DEFAULT:
  case SpvExecutionModeXfb: /* nothing is captured */
    return true;
  case SR_MODE_REQUIRE_FULL_QUADS:
  case SR_MODE_QUAD_DERIVATIVES:
    facts->quads = true;
    return true;
  case SpvExecutionModePixelCenterInteger:
  case SpvExecutionModeOriginLowerLeft:
    return emu_refuse(d, r, "execution mode %s, which Vulkan does not have",
                      mode == SpvExecutionModeOriginLowerLeft ? "OriginLowerLeft"
                                                              : "PixelCenterInteger");
  case SpvExecutionModePixelInterlockOrderedEXT:
  case SpvExecutionModePixelInterlockUnorderedEXT:
  case SpvExecutionModeSampleInterlockOrderedEXT:
  case SpvExecutionModeSampleInterlockUnorderedEXT:
  case SpvExecutionModeShadingRateInterlockOrderedEXT:
  case SpvExecutionModeShadingRateInterlockUnorderedEXT:
    return emu_refuse(d, r, "fragment shader interlock is not supported");
  case SpvExecutionModePostDepthCoverage:
    return emu_refuse(d, r, "execution mode PostDepthCoverage is not supported");
  case SpvExecutionModeStencilRefReplacingEXT:
    return emu_refuse(d, r, "execution mode StencilRefReplacingEXT is not supported");
  }
  return emu_refuse(d, r, "execution mode %u is not supported", mode);
}

bool emu_stage_modes(EmuDecode *d, uint32_t function) {
  for (SR_EACH(d->m, r, d->m->globals)) {
    const uint32_t *w = sr_words(d->m, r);
    if (sr_inst(d->m, r)->op == SpvOpExecutionMode && w[1] == function && !mode(d, r, w[2]))
      return false;
  }
  return true;
}

/* ---- builtins -------------------------------------------------------------------------------- */

enum { VERTEX_IN = 1, VERTEX_OUT = 2, FRAGMENT_IN = 4, FRAGMENT_OUT = 8 };

/* Which builtins a stage has, and their types; components 0: an array. Subgroup builtins are those
 * of compute shaders. */
static const struct Builtin {
  uint16_t builtin;
  uint8_t places, kind, components;
} builtins[] = {
    {SpvBuiltInVertexIndex, VERTEX_IN, EMU_U32, 1},
    {SpvBuiltInInstanceIndex, VERTEX_IN, EMU_U32, 1},
    {SpvBuiltInBaseVertex, VERTEX_IN, EMU_U32, 1},
    {SpvBuiltInBaseInstance, VERTEX_IN, EMU_U32, 1},
    {SpvBuiltInDrawIndex, VERTEX_IN, EMU_U32, 1},
    {SpvBuiltInViewIndex, VERTEX_IN | FRAGMENT_IN, EMU_U32, 1},
    {SpvBuiltInDeviceIndex, VERTEX_IN | FRAGMENT_IN, EMU_U32, 1},
    {SpvBuiltInSubgroupSize, VERTEX_IN | FRAGMENT_IN, EMU_U32, 1},
    {SpvBuiltInSubgroupLocalInvocationId, VERTEX_IN | FRAGMENT_IN, EMU_U32, 1},
    {SpvBuiltInSubgroupEqMask, VERTEX_IN | FRAGMENT_IN, EMU_U32, 4},
    {SpvBuiltInSubgroupGeMask, VERTEX_IN | FRAGMENT_IN, EMU_U32, 4},
    {SpvBuiltInSubgroupGtMask, VERTEX_IN | FRAGMENT_IN, EMU_U32, 4},
    {SpvBuiltInSubgroupLeMask, VERTEX_IN | FRAGMENT_IN, EMU_U32, 4},
    {SpvBuiltInSubgroupLtMask, VERTEX_IN | FRAGMENT_IN, EMU_U32, 4},
    {SpvBuiltInPosition, VERTEX_OUT, EMU_F32, 4},
    {SpvBuiltInPointSize, VERTEX_OUT, EMU_F32, 1},
    {SpvBuiltInClipDistance, VERTEX_OUT | FRAGMENT_IN, EMU_F32, 0},
    {SpvBuiltInCullDistance, VERTEX_OUT | FRAGMENT_IN, EMU_F32, 0},
    {SpvBuiltInFragCoord, FRAGMENT_IN, EMU_F32, 4},
    {SpvBuiltInFrontFacing, FRAGMENT_IN, EMU_BOOL, 1},
    {SpvBuiltInPointCoord, FRAGMENT_IN, EMU_F32, 2},
    {SpvBuiltInPrimitiveId, FRAGMENT_IN, EMU_U32, 1},
    {SpvBuiltInLayer, FRAGMENT_IN, EMU_U32, 1},
    {SpvBuiltInViewportIndex, FRAGMENT_IN, EMU_U32, 1},
    {SpvBuiltInHelperInvocation, FRAGMENT_IN, EMU_BOOL, 1},
    {SpvBuiltInSampleId, FRAGMENT_IN, EMU_U32, 1},
    {SpvBuiltInSamplePosition, FRAGMENT_IN, EMU_F32, 2},
    {SpvBuiltInSampleMask, FRAGMENT_IN | FRAGMENT_OUT, EMU_U32, 0},
    {SpvBuiltInFragDepth, FRAGMENT_OUT, EMU_F32, 1},
};

enum { MOST_DISTANCES = 8 };

static uint32_t place_of(const EmuDecode *d, bool written) {
  return d->p->model == SpvExecutionModelVertex ? (written ? VERTEX_OUT : VERTEX_IN)
                                                : (written ? FRAGMENT_OUT : FRAGMENT_IN);
}

static const struct Builtin *find_builtin(const EmuDecode *d, uint32_t builtin, bool written) {
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (builtins[i].builtin == builtin && builtins[i].places & place_of(d, written))
      return &builtins[i];
  return NULL;
}

static bool add_builtin(EmuDecode *d, SrRef r, uint32_t builtin, uint32_t type, bool written,
                        uint32_t row) {
  const EmuType *t = emu_type(d, type);
  const struct Builtin *b = find_builtin(d, builtin, written);
  if (!b)
    return emu_refuse(d, r, "builtin %u is not supported as %s of this stage", builtin,
                      written ? "an output" : "an input");
  if (t->kind != b->kind || (b->components ? t->components != b->components
                                           : t->op != SpvOpTypeArray || t->components != t->count ||
                                                 t->count > MOST_DISTANCES))
    return emu_refuse(d, r, "builtin %u has a type that it must not have", builtin);
  EmuBuiltin made = {.builtin = builtin,
                     .row = row,
                     .stride = emu_kind_bytes((EmuKind)t->kind) * d->p->width,
                     .components = t->components,
                     .kind = t->kind};
  if (builtin >= SpvBuiltInSubgroupEqMask && builtin <= SpvBuiltInSubgroupLtMask)
    d->p->ballots = true;
  if (builtin == SpvBuiltInSampleId || builtin == SpvBuiltInSamplePosition)
    d->p->facts.per_sample = true;
  if (written)
    SR_PUSH(d->arena, &d->p->results, made);
  else
    SR_PUSH(d->arena, &d->p->builtins, made);
  return true;
}

/* ---- what a variable or member declares ------------------------------------------------------ */

typedef struct Declared {
  uint32_t location, component, index, builtin;
  bool located, is_builtin;
  uint8_t varying, at;
} Declared;

/* False: the decoration is not supported. */
static bool apply(EmuDecode *d, SrRef r, Declared *to, uint32_t decoration, uint32_t value) {
  switch (decoration) {
  case SpvDecorationLocation:
    to->location = value;
    to->located = true;
    break;
  case SpvDecorationComponent:
    to->component = value;
    break;
  case SpvDecorationIndex:
    to->index = value;
    break;
  case SpvDecorationBuiltIn:
    to->builtin = value;
    to->is_builtin = true;
    break;
  case SpvDecorationFlat:
    to->varying = EMU_VARY_FLAT;
    break;
  case SpvDecorationNoPerspective:
    to->varying = EMU_VARY_LINEAR;
    break;
  case SpvDecorationCentroid:
    to->at = EMU_VARY_CENTROID;
    break;
  case SpvDecorationSample:
    to->at = EMU_VARY_SAMPLE;
    d->p->facts.per_sample = true;
    break;
  case SpvDecorationPatch:
  case SpvDecorationPerVertexKHR:
    return emu_refuse(d, r, "decoration %s is not supported",
                      decoration == SpvDecorationPatch ? "Patch" : "PerVertexKHR");
  }
  return true;
}

static bool declared_by(EmuDecode *d, SrRef r, uint32_t id, Declared *to) {
  static const SpvDecoration known[] = {SpvDecorationLocation, SpvDecorationComponent,
                                        SpvDecorationIndex,    SpvDecorationBuiltIn,
                                        SpvDecorationFlat,     SpvDecorationNoPerspective,
                                        SpvDecorationCentroid, SpvDecorationSample,
                                        SpvDecorationPatch,    SpvDecorationPerVertexKHR};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    uint32_t value;
    if (sr_decoration_value(d->m, id, known[i], &value) && !apply(d, r, to, known[i], value))
      return false;
  }
  return true;
}

/* The members' decorations by struct, found once. */
static void index_members(EmuDecode *d) {
  if (d->member_first)
    return;
  d->member_first = sr_new_none(d->scratch, sr_bound(d->m));
  for (SR_EACH(d->m, r, d->m->globals)) {
    if (sr_inst(d->m, r)->op != SpvOpMemberDecorate)
      continue;
    uint32_t type = sr_words(d->m, r)[1];
    SR_PUSH(d->scratch, &d->member_notes, (EmuMemberNote){r, d->member_first[type]});
    d->member_first[type] = d->member_notes.count - 1;
  }
}

static bool declared_by_members(EmuDecode *d, SrRef r, uint32_t type, Declared *members) {
  index_members(d);
  for (uint32_t n = d->member_first[type]; n != SR_NONE; n = d->member_notes.at[n].next) {
    SrRef note = d->member_notes.at[n].ref;
    const uint32_t *w = sr_words(d->m, note);
    if (w[2] < emu_type(d, type)->count &&
        !apply(d, r, &members[w[2]], w[3], sr_word_count(d->m, note) > 4 ? w[4] : 0))
      return false;
  }
  return true;
}

/* ---- locations ------------------------------------------------------------------------------- */

enum { MOST_LOCATIONS = 1 << 12 };

static bool is_wide(const EmuType *t) {
  return t->kind == EMU_U64 || t->kind == EMU_F64;
}

/* How many locations each type takes, at most MOST_LOCATIONS; types come after their parts. */
static void count_locations(EmuDecode *d) {
  if (d->locations)
    return;
  d->locations = SR_NEW(d->scratch, uint32_t, sr_bound(d->m));
  for (SR_EACH(d->m, r, d->m->globals)) {
    uint32_t id = sr_inst(d->m, r)->result;
    const EmuType *t = id ? emu_type(d, id) : NULL;
    uint64_t count = 1;
    if (!t || t->op == SpvOpNop)
      continue;
    if (t->op == SpvOpTypeVector)
      count = is_wide(t) && t->count > 2 ? 2 : 1;
    else if (t->op == SpvOpTypeMatrix || t->op == SpvOpTypeArray)
      count = (uint64_t)d->locations[t->element] * t->count;
    else if (t->op == SpvOpTypeStruct)
      for (uint32_t i = count = 0; i < t->count; i++)
        count += d->locations[sr_words(d->m, r)[2 + i]];
    d->locations[id] = count < MOST_LOCATIONS ? (uint32_t)count : MOST_LOCATIONS;
  }
}

/* A part of a variable whose scalars are still to be added. */
typedef struct Part {
  uint32_t type;
  uint64_t offset; /* in rows: bytes of one lane */
  Declared as;
} Part;

typedef struct Walk {
  EmuDecode *d;
  SrRef r;
  uint32_t segment_row;
  bool written;
  SR_VEC(Part) todo;
} Walk;

static bool is_signed(const EmuDecode *d, uint32_t type) {
  const EmuType *t = emu_type(d, type);
  if (t->op == SpvOpTypeVector)
    type = t->element;
  return sr_def_op(d->m, type) == SpvOpTypeInt && sr_words(d->m, sr_def(d->m, type))[3];
}

static void add_ports(Walk *w, const Part *part, const EmuType *t) {
  EmuDecode *d = w->d;
  uint32_t wide = is_wide(t) ? 2 : 1, bytes = emu_kind_bytes((EmuKind)t->kind);
  for (uint32_t i = 0; i < t->components; i++) {
    uint32_t component = part->as.component + i * wide;
    EmuPort port = {.location = part->as.location + component / 4,
                    .component = (uint8_t)(component % 4),
                    .index = (uint8_t)part->as.index,
                    .kind = t->kind,
                    .varying = part->as.varying,
                    .at = part->as.at,
                    .sign = is_signed(d, part->type),
                    .row = w->segment_row + ((uint32_t)part->offset + i * bytes) * d->p->width};
    if (w->written)
      SR_PUSH(d->arena, &d->p->outputs, port);
    else
      SR_PUSH(d->arena, &d->p->inputs, port);
  }
}

/* Elements, columns or members, each with its own locations. */
static bool add_members(Walk *w, const Part *part, const EmuType *t) {
  EmuDecode *d = w->d;
  Declared *members = SR_NEW(d->scratch, Declared, t->count);
  uint32_t location = part->as.location;
  for (uint32_t i = 0; i < t->count; i++) {
    members[i] = part->as;
    members[i].component = members[i].located = 0;
  }
  if (!declared_by_members(d, w->r, part->type, members))
    return false;
  for (uint32_t i = 0; i < t->count; i++) {
    uint32_t type = sr_words(d->m, sr_def(d->m, part->type))[2 + i];
    Part p = {type, part->offset + d->members.at[t->member + i].row_offset, members[i]};
    if (!p.as.located)
      p.as.location = location;
    location = p.as.location + d->locations[type];
    SR_PUSH(d->scratch, &w->todo, p);
  }
  return true;
}

static void add_elements(Walk *w, const Part *part, const EmuType *t) {
  const EmuType *e = emu_type(w->d, t->element);
  for (uint32_t i = 0; i < t->count; i++) {
    Part p = {t->element, part->offset + i * e->row_size, part->as};
    p.as.location += i * w->d->locations[t->element];
    SR_PUSH(w->d->scratch, &w->todo, p);
  }
}

static bool add_part(Walk *w, const Part *part) {
  EmuDecode *d = w->d;
  const EmuType *t = emu_type(d, part->type);
  if (part->as.is_builtin)
    return add_builtin(d, w->r, part->as.builtin, part->type, w->written,
                       w->segment_row + (uint32_t)part->offset * d->p->width);
  if (part->as.location >= MOST_LOCATIONS || part->as.component > 3 || part->as.index > 1)
    return emu_refuse(d, w->r, "location %u, component %u, index %u is not possible",
                      part->as.location, part->as.component, part->as.index);
  switch (t->op) {
  case SpvOpTypeStruct:
    return add_members(w, part, t);
  case SpvOpTypeMatrix:
  case SpvOpTypeArray:
    add_elements(w, part, t);
    return true;
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
  case SpvOpTypeVector:
    add_ports(w, part, t);
    return t->kind != EMU_BOOL ||
           emu_refuse(d, w->r, "an input or output of type bool is not possible");
  }
  return emu_refuse(d, w->r, "an input or output of this type is not supported");
}

bool emu_stage_variable(EmuDecode *d, SrRef r, uint32_t id, uint32_t type, bool written,
                        const EmuPointer *place) {
  Walk w = {
      .d = d, .r = r, .segment_row = d->p->segments.at[place->segment].at, .written = written};
  Part whole = {.type = type};
  count_locations(d);
  if (!declared_by(d, r, id, &whole.as))
    return false;
  if (whole.as.is_builtin && whole.as.builtin == SpvBuiltInHelperInvocation)
    d->helper_segment = place->segment;
  SR_PUSH(d->scratch, &w.todo, whole);
  while (w.todo.count) {
    Part part = SR_POP(&w.todo);
    if (!add_part(&w, &part))
      return false;
  }
  return true;
}

/* ---- helper lanes ---------------------------------------------------------------------------- */

static void emit_step(EmuDecode *d, EmuHandler *run, uint32_t to, uint32_t x) {
  emu_emit_masked(
      d, &(EmuIns){.run = run, .d = to, .a = EMU_NO_ROW, .b = EMU_NO_ROW, .c = EMU_NO_ROW, .x = x},
      0, 0);
}

void emu_stage_hide(EmuDecode *d) {
  d->p->facts.writes_memory = true;
  if (d->p->model == SpvExecutionModelFragment)
    emit_step(d, emu_quad_hide, EMU_NO_ROW, 0);
}

void emu_stage_show(EmuDecode *d, uint32_t result) {
  if (d->p->model != SpvExecutionModelFragment)
    return;
  emit_step(d, emu_quad_show, EMU_NO_ROW, 0);
  if (result != EMU_NO_ROW)
    emit_step(d, emu_quad_blank, result, emu_kind_bytes((EmuKind)d->registers.at[result].kind));
}

bool emu_stage_is_helper(const EmuDecode *d, const EmuPointer *place) {
  return d->helper_segment && place->segment == d->helper_segment;
}

bool emu_stage_load_helper(EmuDecode *d, SrRef r) {
  uint32_t count;
  emit_step(d, emu_quad_is_helper, emu_define(d, r, &count)[0], 0);
  return true;
}

bool emu_decode_stage(EmuDecode *d, SrRef r, bool *mine) {
  switch (sr_inst(d->m, r)->op) {
  case SpvOpDemoteToHelperInvocation:
    d->p->facts.ends_early = true;
    emit_step(d, emu_quad_demote, EMU_NO_ROW, 0);
    return true;
  case SpvOpIsHelperInvocationEXT:
    return emu_stage_load_helper(d, r);
  }
  *mine = false;
  return true;
}
