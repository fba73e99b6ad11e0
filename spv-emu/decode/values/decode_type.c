/* SPDX-License-Identifier: Apache-2.0 */
/* decode_type: types by id. SPIR-V declares a type after its parts, so one walk over the module
 * computes all of them; nothing recurses.
 *
 * There are two layouts. In memory, offsets and strides are as decorated; without decorations
 * (workgroup memory, kernels) they are as in C, and in kernels a vector of three is as large as one
 * of four. In rows (variables of one invocation) each scalar has a row of its own, in order, and
 * decorations are ignored. */
#include "passes/ir/decorations.h"
#include "spv-emu/decode/values/decoder.h"

#define MAX_COMPONENTS (1u << 20) /* limit on the registers of one value */
#define MAX_DEPTH 255u /* SPIR-V 2.17 has this limit for structs; here it is for all composites */

static uint64_t round_up(uint64_t n, uint64_t to) {
  return (n + to - 1) / to * to;
}

const EmuType *emu_type(const EmuDecode *d, uint32_t id) {
  return &d->types[id];
}

EmuKind emu_type_kind(const EmuDecode *d, uint32_t type) {
  return (EmuKind)d->types[type].kind;
}

uint32_t emu_type_components(EmuDecode *d, uint32_t type) {
  return d->types[type].components;
}

bool emu_type_is_array(const EmuType *t) {
  return t->op == SpvOpTypeArray || t->op == SpvOpTypeRuntimeArray;
}

bool emu_type_is_descriptor(const EmuType *t) {
  return t->op == SpvOpTypeImage || t->op == SpvOpTypeSampler || t->op == SpvOpTypeSampledImage;
}

static bool is_composite(const EmuType *t) {
  return t->op >= SpvOpTypeVector && t->op <= SpvOpTypeMatrix
             ? true
             : t->op >= SpvOpTypeArray && t->op <= SpvOpTypeStruct;
}

/* ---- one type -------------------------------------------------------------------------------- */

static void scalar(EmuType *t, EmuKind kind) {
  uint32_t bytes = emu_kind_bytes(kind);
  t->kind = (uint8_t)kind;
  t->components = 1;
  t->value = true;
  t->size = t->align = bytes;
  t->row_size = bytes;
}

static bool number(EmuDecode *d, SrRef r, EmuType *t, const uint32_t *w) {
  bool is_float = t->op == SpvOpTypeFloat;
  switch (w[2]) {
  case 8:
    if (is_float)
      break;
    scalar(t, EMU_U8);
    return true;
  case 16:
    scalar(t, is_float ? EMU_F16 : EMU_U16);
    return true;
  case 32:
    scalar(t, is_float ? EMU_F32 : EMU_U32);
    return true;
  case 64:
    scalar(t, is_float ? EMU_F64 : EMU_U64);
    return true;
  }
  return emu_refuse(d, r, "%s of %u bits are not supported; 8 (integers), 16, 32 and 64 are",
                    is_float ? "floats" : "integers", w[2]);
}

static void handle(EmuType *t, uint32_t components) {
  scalar(t, EMU_U32);
  t->components = components;
  t->row_size = UINT64_C(4) * components;
}

/* Sets how many registers a value has, if the type can have values. */
static void set_components(EmuType *t, bool value, uint64_t components) {
  t->value = value && components <= MAX_COMPONENTS;
  t->components = t->value ? (uint32_t)components : 0;
}

static void vector(EmuDecode *d, EmuType *t, const uint32_t *w) {
  const EmuType *e = emu_type(d, w[2]);
  t->element = w[2];
  t->count = w[3];
  t->kind = e->kind;
  set_components(t, e->value, w[3]);
  t->stride = e->size;
  t->row_size = e->row_size * w[3];
  uint32_t slots = w[3] == 3 ? 4 : w[3];
  t->align = slots * e->align;
  t->size = e->size * (d->physical ? slots : w[3]);
}

static void matrix(EmuDecode *d, EmuType *t, const uint32_t *w) {
  const EmuType *column = emu_type(d, w[2]);
  t->element = w[2];
  t->count = w[3];
  t->kind = column->kind;
  set_components(t, column->value, (uint64_t)column->components * w[3]);
  t->stride = round_up(column->size, column->align);
  t->row_size = column->row_size * w[3];
  t->align = column->align;
  t->size = t->stride * w[3];
}

static bool array(EmuDecode *d, SrRef r, EmuType *t, const uint32_t *w) {
  const EmuType *e = emu_type(d, w[2]);
  uint64_t count = 0;
  if (t->op == SpvOpTypeArray && (!emu_constant_value(d, w[3], &count) || count == 0))
    return emu_refuse(
        d, r, "the array's length %%%u is not 1 or more; is it a specialization constant?", w[3]);
  if (count > UINT32_MAX)
    return emu_refuse(d, r, "an array of %llu elements is too long; %u is the most",
                      (unsigned long long)count, UINT32_MAX);
  uint32_t declared;
  t->element = w[2];
  t->count = (uint32_t)count;
  t->kind = e->kind;
  set_components(t, e->value && count, e->components * count);
  t->align = e->align ? e->align : 1;
  t->stride = sr_decoration_value(d->m, w[1], SpvDecorationArrayStride, &declared)
                  ? declared
                  : round_up(e->size, t->align);
  if (__builtin_mul_overflow(t->stride, count, &t->size) || t->size > EMU_OFFSET_MASK ||
      __builtin_mul_overflow(e->row_size, count, &t->row_size) || t->row_size > UINT32_MAX / 2)
    return emu_refuse(d, r, "the type is too large: make its arrays shorter");
  return true;
}

/* Computes offsets without decorations, which are applied later. */
static bool structure(EmuDecode *d, SrRef r, EmuType *t, const uint32_t *w) {
  t->count = sr_word_count(d->m, r) - 2;
  t->member = d->members.count;
  t->align = 1;
  bool packed = sr_is_decorated(d->m, w[1], SpvDecorationCPacked);
  uint64_t components = 0, rows = 0;
  bool value = true;
  for (uint32_t i = 0; i < t->count; i++) {
    const EmuType *e = emu_type(d, w[2 + i]);
    uint32_t align = packed || e->align == 0 ? 1 : e->align;
    EmuMember member = {.offset = round_up(t->size, align), .row_offset = (uint32_t)rows};
    SR_PUSH(d->scratch, &d->members, member);
    t->size = member.offset + e->size;
    t->align = align > t->align ? align : t->align;
    rows += e->row_size;
    components += e->components;
    value = value && e->value;
    if (rows > UINT32_MAX / 2 || t->size > EMU_OFFSET_MASK)
      return emu_refuse(d, r, "the type is too large: make its arrays shorter");
  }
  t->size = round_up(t->size, t->align);
  t->row_size = rows;
  set_components(t, value, components);
  return true;
}

static uint32_t depth_of(const EmuDecode *d, SrRef r, const EmuType *t) {
  const uint32_t *w = sr_words(d->m, r);
  if (t->op == SpvOpTypePointer || !is_composite(t))
    return 0;
  uint32_t depth = 0, end = t->op == SpvOpTypeStruct ? sr_word_count(d->m, r) : 3;
  for (uint32_t i = 2; i < end; i++)
    if (d->types[w[i]].depth > depth)
      depth = d->types[w[i]].depth;
  return depth + 1;
}

static bool declare(EmuDecode *d, SrRef r, EmuType *t, const uint32_t *w) {
  switch (t->op) {
  case SpvOpTypeBool:
    scalar(t, EMU_BOOL);
    return true;
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
    return number(d, r, t, w);
  case SpvOpTypeVector:
    vector(d, t, w);
    return true;
  case SpvOpTypeMatrix:
    matrix(d, t, w);
    return true;
  case SpvOpTypeArray:
  case SpvOpTypeRuntimeArray:
    return array(d, r, t, w);
  case SpvOpTypeStruct:
    return structure(d, r, t, w);
  case SpvOpTypePointer:
    scalar(t, EMU_U64);
    t->storage_class = w[2];
    t->element = w[3];
    return true;
  case SpvOpTypeForwardPointer: /* OpTypePointer declares what it points to */
    scalar(t, EMU_U64);
    t->op = SpvOpTypePointer;
    t->storage_class = w[2];
    return true;
  case SpvOpTypeImage:
  case SpvOpTypeSampler:
  case SpvOpTypeEvent:
    handle(t, 1);
    return true;
  case SpvOpTypeSampledImage:
    handle(t, 2);
    t->element = w[2];
    return true;
  }
  return true; /* void, functions, and types that only unsupported instructions can use */
}

bool emu_type_declare(EmuDecode *d, SrRef r) {
  const uint32_t *w = sr_words(d->m, r);
  EmuType *t = &d->types[w[1]];
  *t = (EmuType){.op = sr_inst(d->m, r)->op};
  t->depth = depth_of(d, r, t);
  if (t->depth > MAX_DEPTH)
    return emu_refuse(d, r, "types nest more than %u levels deep, SPIR-V's limit", MAX_DEPTH);
  return declare(d, r, t, w);
}

bool emu_type_has_value(EmuDecode *d, SrRef r, uint32_t type) {
  return d->types[type].value ||
         emu_refuse(d, r,
                    "a value of %u parts or more, or of a type that has no values: use its parts",
                    MAX_COMPONENTS);
}

/* ---- members as decorated -------------------------------------------------------------------- */

/* Declared offsets fully determine the layout of a struct. Its size is then used only for an outer
 * type without declared offsets, which a valid module does not have. */

static void decorate_member(EmuDecode *d, const uint32_t *w, uint32_t words) {
  EmuType *t = &d->types[w[1]];
  if (t->op != SpvOpTypeStruct || w[2] >= t->count)
    return;
  EmuMember *member = &d->members.at[t->member + w[2]];
  if (w[3] == SpvDecorationRowMajor)
    member->row_major = true;
  else if (w[3] == SpvDecorationMatrixStride && words > 4)
    member->matrix_stride = w[4];
  else if (w[3] == SpvDecorationOffset && words > 4)
    member->offset = w[4];
}

static void decorate_members(EmuDecode *d, SrRef type) {
  const uint32_t id = sr_words(d->m, type)[1];
  EmuType *t = &d->types[id];
  const uint32_t *w = sr_words(d->m, type);
  for (uint32_t i = 0; i < t->count; i++) {
    uint64_t end = d->members.at[t->member + i].offset + d->types[w[2 + i]].size;
    t->size = end > t->size ? end : t->size;
  }
}

bool emu_types_finish(EmuDecode *d) {
  for (SR_EACH(d->m, r, d->m->globals))
    if (sr_inst(d->m, r)->op == SpvOpMemberDecorate)
      decorate_member(d, sr_words(d->m, r), sr_word_count(d->m, r));
    else if (sr_inst(d->m, r)->op == SpvOpGroupMemberDecorate)
      return emu_refuse(d, r, "it is not supported: spirv-opt --flatten-decorations replaces it");
  for (SR_EACH(d->m, r, d->m->globals))
    if (sr_inst(d->m, r)->op == SpvOpTypeStruct)
      decorate_members(d, r);
  return true;
}

/* ---- scalars of a type ----------------------------------------------------------------------- */

/* Part i of a composite, as a new level. */
static EmuLevel part(const EmuDecode *d, const EmuLevel *l, uint32_t i, bool rows) {
  const EmuType *t = emu_type(d, l->type);
  EmuLevel p = {.type = t->element, .matrix = l->matrix, .offset = l->offset};
  const EmuType *e = emu_type(d, t->element);
  switch (t->op) {
  case SpvOpTypeVector:
    p.offset += i * (rows ? e->row_size : l->component ? l->component : t->stride);
    break;
  case SpvOpTypeMatrix: {
    uint64_t stride = l->matrix.stride ? l->matrix.stride : t->stride;
    bool row_major = l->matrix.row_major && !rows;
    p.offset += i * (rows ? e->row_size : row_major ? e->stride : stride);
    p.component = row_major ? stride : 0;
    break;
  }
  case SpvOpTypeStruct: {
    const EmuMember *m = &d->members.at[t->member + i];
    p.type = sr_words(d->m, sr_def(d->m, l->type))[2 + i];
    p.offset += rows ? m->row_offset : m->offset;
    p.matrix = (EmuMatrix){m->matrix_stride, m->row_major};
    break;
  }
  default: /* arrays */
    p.offset += i * (rows ? e->row_size : t->stride);
  }
  return p;
}

/* Skips parts without scalars, of which there may be many. */
void emu_type_leaves(EmuDecode *d, uint32_t type, bool rows, EmuMatrix matrix, uint64_t component,
                     EmuLeafFn *leaf, void *user) {
  d->levels.count = 0;
  if (!d->types[type].components)
    return;
  SR_PUSH(d->scratch, &d->levels,
          (EmuLevel){.type = type, .component = component, .matrix = matrix});
  while (d->levels.count) {
    EmuLevel *top = &SR_LAST(&d->levels);
    const EmuType *t = emu_type(d, top->type);
    if (is_composite(t) && top->next < t->count) {
      EmuLevel p = part(d, top, top->next++, rows);
      if (d->types[p.type].components)
        SR_PUSH(d->scratch, &d->levels, p);
      continue;
    }
    if (!is_composite(t))
      leaf(user, top->offset, (EmuKind)t->kind);
    if (t->op == SpvOpTypeSampledImage)
      leaf(user, top->offset + emu_kind_bytes(EMU_U32), EMU_U32);
    d->levels.count--;
  }
}
