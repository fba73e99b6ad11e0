/* SPDX-License-Identifier: Apache-2.0 */
/* decode_stage: see decode_stage.h. A variable's type is unpacked with a worklist instead of
 * recursion, so that no type can nest too deeply; its scalars become ports (by location) or
 * components of a builtin. Locations are counted by SPIR-V's "Location and Component" rules: a
 * vector takes one, or two if it is longer than 16 bytes; columns, elements and members follow each
 * other. */
#include "spv-emu/decode/decode_stage.h"
#include "spv-emu/decode/decode_geometry.h"

#include "passes/ir/constants.h"
#include "passes/ir/decorations.h"
#include "passes/ir/newer.h"
#include "spv-emu/subgroup/quad.h"

/* ---- execution modes ------------------------------------------------------------------------- */

static bool mode(EmuDecode *d, SrRef r, uint32_t mode, uint32_t value) {
  bool mine;
  EmuStageFacts *facts = &d->p->facts;
  if (!emu_geometry_mode(d, r, mode, value, &mine) || mine)
    return mine;
  switch (mode) {
  case SpvExecutionModeEarlyFragmentTests:
    facts->early_tests = true;
    return true;
  case SpvExecutionModePostDepthCoverage:
    facts->early_tests = facts->post_depth = true;
    return true;
  case SpvExecutionModeDepthGreater:
  case SpvExecutionModeDepthLess:
  case SpvExecutionModeDepthUnchanged:
    facts->depth = mode;
    return true;
  case SpvExecutionModeOriginUpperLeft:
  case SpvExecutionModeDepthReplacing:
  case SpvExecutionModeStencilRefReplacingEXT:
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
    facts->interlock = true;
    return true;
  }
  return emu_refuse(d, r, "execution mode %u is not supported", mode);
}

bool emu_stage_modes(EmuDecode *d, uint32_t function) {
  for (SR_EACH(d->m, r, d->m->globals)) {
    const uint32_t *w = sr_words(d->m, r);
    if (sr_inst(d->m, r)->op == SpvOpExecutionMode && w[1] == function &&
        !mode(d, r, w[2], sr_word_count(d->m, r) > 3 ? w[3] : 0))
      return false;
  }
  return true;
}

/* ---- builtins -------------------------------------------------------------------------------- */

enum {
  VERTEX_IN = 1,
  VERTEX_OUT = 2,
  FRAGMENT_IN = 4,
  FRAGMENT_OUT = 8,
  GEOMETRY_IN = 16,
  GEOMETRY_OUT = 32,
  /* inputs of all stages; outputs that the rasterizer gets */
  ALL_IN = VERTEX_IN | GEOMETRY_IN | FRAGMENT_IN,
  LAST_OUT = VERTEX_OUT | GEOMETRY_OUT
};

/* The builtins of each stage, and their types. An array has 0 components. Subgroup builtins are
 * those of compute shaders. */
static const struct Builtin {
  uint16_t builtin;
  uint8_t places, kind, components;
} builtins[] = {
    {SpvBuiltInVertexIndex, VERTEX_IN, EMU_U32, 1},
    {SpvBuiltInInstanceIndex, VERTEX_IN, EMU_U32, 1},
    {SpvBuiltInBaseVertex, VERTEX_IN, EMU_U32, 1},
    {SpvBuiltInBaseInstance, VERTEX_IN, EMU_U32, 1},
    {SpvBuiltInDrawIndex, VERTEX_IN, EMU_U32, 1},
    {SpvBuiltInViewIndex, ALL_IN, EMU_U32, 1},
    {SpvBuiltInDeviceIndex, ALL_IN, EMU_U32, 1},
    {SpvBuiltInSubgroupSize, ALL_IN, EMU_U32, 1},
    {SpvBuiltInSubgroupLocalInvocationId, ALL_IN, EMU_U32, 1},
    {SpvBuiltInSubgroupEqMask, ALL_IN, EMU_U32, 4},
    {SpvBuiltInSubgroupGeMask, ALL_IN, EMU_U32, 4},
    {SpvBuiltInSubgroupGtMask, ALL_IN, EMU_U32, 4},
    {SpvBuiltInSubgroupLeMask, ALL_IN, EMU_U32, 4},
    {SpvBuiltInSubgroupLtMask, ALL_IN, EMU_U32, 4},
    {SpvBuiltInPosition, LAST_OUT | GEOMETRY_IN, EMU_F32, 4},
    {SpvBuiltInPointSize, LAST_OUT | GEOMETRY_IN, EMU_F32, 1},
    {SpvBuiltInClipDistance, LAST_OUT | GEOMETRY_IN | FRAGMENT_IN, EMU_F32, 0},
    {SpvBuiltInCullDistance, LAST_OUT | GEOMETRY_IN | FRAGMENT_IN, EMU_F32, 0},
    {SpvBuiltInFragCoord, FRAGMENT_IN, EMU_F32, 4},
    {SpvBuiltInFrontFacing, FRAGMENT_IN, EMU_BOOL, 1},
    {SpvBuiltInPointCoord, FRAGMENT_IN, EMU_F32, 2},
    {SpvBuiltInInvocationId, GEOMETRY_IN, EMU_U32, 1},
    {SpvBuiltInPrimitiveId, FRAGMENT_IN | GEOMETRY_IN | GEOMETRY_OUT, EMU_U32, 1},
    {SpvBuiltInLayer, FRAGMENT_IN | LAST_OUT, EMU_U32, 1},
    {SpvBuiltInViewportIndex, FRAGMENT_IN | LAST_OUT, EMU_U32, 1},
    {SpvBuiltInHelperInvocation, FRAGMENT_IN, EMU_BOOL, 1},
    {SpvBuiltInSampleId, FRAGMENT_IN, EMU_U32, 1},
    {SpvBuiltInBaryCoordKHR, FRAGMENT_IN, EMU_F32, 3},
    {SpvBuiltInBaryCoordNoPerspKHR, FRAGMENT_IN, EMU_F32, 3},
    {SpvBuiltInSamplePosition, FRAGMENT_IN, EMU_F32, 2},
    {SpvBuiltInSampleMask, FRAGMENT_IN | FRAGMENT_OUT, EMU_U32, 0},
    {SpvBuiltInFragDepth, FRAGMENT_OUT, EMU_F32, 1},
    {SpvBuiltInFragStencilRefEXT, FRAGMENT_OUT, EMU_U32, 1},
};

enum { MOST_DISTANCES = 8 };

static uint32_t place_of(const EmuDecode *d, bool written) {
  switch (d->p->model) {
  case SpvExecutionModelVertex:
    return written ? VERTEX_OUT : VERTEX_IN;
  case SpvExecutionModelGeometry:
    return written ? GEOMETRY_OUT : GEOMETRY_IN;
  default:
    return written ? FRAGMENT_OUT : FRAGMENT_IN;
  }
}

static const struct Builtin *find_builtin(const EmuDecode *d, uint32_t builtin, bool written) {
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (builtins[i].builtin == builtin && builtins[i].places & place_of(d, written))
      return &builtins[i];
  return NULL;
}

/* glslang declares distances as outputs of each shader, but the capability only if they are used. */
static bool is_unused(const EmuDecode *d, uint32_t builtin, bool written) {
  return written && ((builtin == SpvBuiltInClipDistance &&
                      !sr_has_capability(d->m, SpvCapabilityClipDistance)) ||
                     (builtin == SpvBuiltInCullDistance &&
                      !sr_has_capability(d->m, SpvCapabilityCullDistance)));
}

/* `corner`: 1 + the number of the vertex that the builtin belongs to; 0: to none. */
static bool add_builtin(EmuDecode *d, SrRef r, uint32_t builtin, uint32_t type, bool written,
                        uint32_t row, uint8_t corner) {
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
                     .kind = t->kind,
                     .corner = corner ? corner - 1 : 0};
  if (builtin >= SpvBuiltInSubgroupEqMask && builtin <= SpvBuiltInSubgroupLtMask)
    d->p->ballots = true;
  if (builtin == SpvBuiltInSampleId || builtin == SpvBuiltInSamplePosition)
    d->p->facts.per_sample = true;
  if (is_unused(d, builtin, written))
    return true;
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
  bool per_vertex; /* an array of the values at the corners */
  uint8_t varying, at;
  uint8_t corner; /* 1 + number of the corner whose value it has; 0: interpolated */
} Declared;

/* Applies a decoration. False: it is not supported. */
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
  case SpvDecorationPerVertexKHR:
    to->per_vertex = true;
    break;
  case SpvDecorationPatch:
    return emu_refuse(d, r, "decoration Patch is not supported");
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

/* Counts the locations of each type, up to MOST_LOCATIONS. Types come after their parts. */
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

/* Limits that drivers have: 128 components between stages; 32 attributes of four components; 8
 * color outputs. */
enum { LOCATIONS = 32, COLORS = 8 };
#define LOCATIONS_TEXT "inputs and outputs have locations 0 to 31"
#define COLORS_TEXT "a fragment shader's outputs have locations 0 to 7"

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

static bool add_ports(Walk *w, const Part *part, const EmuType *t) {
  EmuDecode *d = w->d;
  uint32_t wide = is_wide(t) ? 2 : 1, bytes = emu_kind_bytes((EmuKind)t->kind);
  uint32_t last = part->as.location + (part->as.component + (t->components - 1) * wide) / 4;
  bool color = w->written && d->p->model == SpvExecutionModelFragment;
  if (last >= (color ? COLORS : LOCATIONS))
    return emu_refuse(d, w->r, "location %u; %s", last, color ? COLORS_TEXT : LOCATIONS_TEXT);
  if (color && bytes > 4)
    return emu_refuse(d, w->r, "a colour with 64-bit numbers, which Vulkan does not have");
  for (uint32_t i = 0; i < t->components; i++) {
    uint32_t component = part->as.component + i * wide;
    EmuPort port = {.location = part->as.location + component / 4,
                    .component = (uint8_t)(component % 4),
                    .index = (uint8_t)part->as.index,
                    .kind = t->kind,
                    .varying =
                        part->as.corner ? EMU_VARY_FLAT + part->as.corner - 1 : part->as.varying,
                    .at = part->as.at,
                    .sign = is_signed(d, part->type),
                    .row = w->segment_row + ((uint32_t)part->offset + i * bytes) * d->p->width};
    if (w->written)
      SR_PUSH(d->arena, &d->p->outputs, port);
    else
      SR_PUSH(d->arena, &d->p->inputs, port);
  }
  return true;
}

/* Members, columns or elements, each with its own locations. */
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

/* The array of a PerVertexKHR input or a geometry shader's input, whose elements have the same
 * locations. */
static bool add_vertices(Walk *w, const Part *part, const EmuType *t) {
  if (t->op != SpvOpTypeArray || t->count > 3)
    return emu_refuse(w->d, w->r, "an input by vertex that is not an array of at most 3");
  for (uint32_t i = 0; i < t->count; i++) {
    Part p = {t->element, part->offset + i * emu_type(w->d, t->element)->row_size, part->as};
    p.as.per_vertex = false;
    p.as.corner = (uint8_t)(1 + i);
    SR_PUSH(w->d->scratch, &w->todo, p);
  }
  return true;
}

static bool add_part(Walk *w, const Part *part) {
  EmuDecode *d = w->d;
  const EmuType *t = emu_type(d, part->type);
  if (part->as.per_vertex)
    return add_vertices(w, part, t);
  if (part->as.is_builtin)
    return add_builtin(d, w->r, part->as.builtin, part->type, w->written,
                       w->segment_row + (uint32_t)part->offset * d->p->width, part->as.corner);
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
    return t->kind == EMU_BOOL
               ? emu_refuse(d, w->r, "an input or output of type bool is not possible")
               : add_ports(w, part, t);
  }
  return emu_refuse(d, w->r, "an input or output of this type is not supported");
}

static bool add_all(EmuDecode *d, SrRef r, Part whole, bool written, const EmuPointer *place) {
  Walk w = {
      .d = d, .r = r, .segment_row = d->p->segments.at[place->segment].at, .written = written};
  count_locations(d);
  SR_PUSH(d->scratch, &w.todo, whole);
  while (w.todo.count) {
    Part part = SR_POP(&w.todo);
    if (!add_part(&w, &part))
      return false;
  }
  return true;
}

bool emu_stage_variable(EmuDecode *d, SrRef r, uint32_t id, uint32_t type, bool written,
                        const EmuPointer *place) {
  Part whole = {.type = type};
  if (!declared_by(d, r, id, &whole.as))
    return false;
  if (d->p->model == SpvExecutionModelGeometry && !written &&
      emu_type(d, type)->op == SpvOpTypeArray)
    whole.as.per_vertex = true;
  if (whole.as.is_builtin && whole.as.builtin == SpvBuiltInHelperInvocation)
    d->helper_segment = place->segment;
  return add_all(d, r, whole, written, place);
}

bool emu_stage_corner(EmuDecode *d, SrRef r, uint32_t id, uint32_t type, uint32_t corner,
                      const EmuPointer *place) {
  Part whole = {.type = type};
  if (!declared_by(d, r, id, &whole.as))
    return false;
  if (whole.as.is_builtin || whole.as.per_vertex)
    return emu_refuse(d, r, "interpolation of a builtin or a PerVertexKHR input");
  whole.as.corner = (uint8_t)(1 + corner);
  return add_all(d, r, whole, false, place);
}

bool emu_stage_has_perspective(const EmuDecode *d, const EmuPointer *place) {
  uint64_t row = d->p->segments.at[place->segment].at + place->offset;
  for (uint32_t i = 0; i < d->p->inputs.count; i++)
    if (d->p->inputs.at[i].row == row)
      return d->p->inputs.at[i].varying != EMU_VARY_LINEAR;
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
    emit_step(d, emu_quad_blank, result, emu_kind_bytes(emu_register_kind(d, result)));
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
    d->p->facts.ends_early = d->p->facts.demotes = true;
    emit_step(d, emu_quad_demote, EMU_NO_ROW, 0);
    return true;
  case SpvOpIsHelperInvocationEXT:
    return emu_stage_load_helper(d, r);
  case SpvOpBeginInvocationInterlockEXT:
  case SpvOpEndInvocationInterlockEXT:
    return true; /* EmuStageFacts.interlock: the whole shader is the critical section */
  }
  *mine = false;
  return true;
}
