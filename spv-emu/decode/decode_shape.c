/* SPDX-License-Identifier: Apache-2.0 */
/* decode_shape: see decode_shape.h.
 *
 * A block is a list of records: each member that is an array makes one record, with the fields of
 * an element; the members between two arrays together make one. The fields of a record are its
 * numbers in the order of their offsets; neighbours of the same type and member make one field. A
 * budget bounds the work on huge types; what exceeds it has no fields. */
#include "spv-emu/decode/decode_shape.h"

#include "passes/base/sort.h"
#include "passes/ir/decorations.h"
#include "passes/ir/label.h"
#include "spv-emu/decode/decode.h"

#include <stdlib.h>

enum { MOST_LEAVES = 1 << 22 }; /* leaves of all shapes of a program */

typedef struct Shapes {
  EmuDecode *d;
  const char **names; /* by id: OpName, or NULL */
  SrRef *members;     /* by id: the first OpMemberName */
  uint64_t left;      /* what is left of the budget */
  SR_VEC(spv_emu_record) records;
  SR_VEC(spv_emu_field) fields;
  /* of the leaves being listed */
  const char *name;
  spv_emu_number kind;
  uint64_t offset;
} Shapes;

/* ---- names ----------------------------------------------------------------------------------- */

static void list_names(Shapes *s) {
  SrModule *m = s->d->m;
  s->names = sr_label_names(s->d->arena, m);
  s->members = sr_new_none(s->d->scratch, sr_bound(m));
  for (SR_EACH(m, r, m->globals)) {
    uint32_t id = sr_inst(m, r)->op == SpvOpMemberName ? sr_words(m, r)[1] : sr_bound(m);
    if (id < sr_bound(m) && s->members[id] == SR_NONE)
      s->members[id] = r;
  }
}

/* The string at word `at` of the instruction, kept in the program's arena. */
static const char *text_of(Shapes *s, SrRef r, uint32_t at) {
  const char *text = (const char *)&sr_words(s->d->m, r)[at];
  size_t length = strnlen(text, (sr_word_count(s->d->m, r) - at) * sizeof(uint32_t));
  char *copy = SR_NEW(s->d->arena, char, length + 1);
  memcpy(copy, text, length);
  return copy;
}

static const char *name_of(Shapes *s, uint32_t id) {
  return s->names[id] ? s->names[id] : "";
}

/* The names of a struct's members are consecutive instructions. */
static const char *member_name(Shapes *s, uint32_t type, uint32_t member) {
  const SrModule *m = s->d->m;
  for (SrRef r = s->members[type];
       r != SR_NONE && sr_inst(m, r)->op == SpvOpMemberName && sr_words(m, r)[1] == type;
       r = sr_inst(m, r)->next)
    if (sr_words(m, r)[2] == member)
      return text_of(s, r, 3);
  return "";
}

/* ---- records --------------------------------------------------------------------------------- */

/* Signed if the type consists only of arrays, matrices and vectors of a signed type. */
static spv_emu_number integer_kind(const EmuDecode *d, uint32_t type) {
  const EmuType *t = emu_type(d, type);
  while (emu_type_is_array(t) || t->op == SpvOpTypeMatrix || t->op == SpvOpTypeVector) {
    type = t->element;
    t = emu_type(d, type);
  }
  bool is_signed = t->op == SpvOpTypeInt && sr_words(d->m, sr_def(d->m, type))[3];
  return is_signed ? SPV_EMU_SINT : SPV_EMU_UINT;
}

static void add_leaf(void *user, uint64_t offset, EmuKind kind) {
  Shapes *s = user;
  spv_emu_number number =
      kind == EMU_F16 || kind == EMU_F32 || kind == EMU_F64 ? SPV_EMU_FLOAT : s->kind;
  uint32_t bytes = emu_kind_bytes(kind);
  offset += s->offset;
  if (s->fields.count) {
    spv_emu_field *last = &SR_LAST(&s->fields);
    if (last->name == s->name && last->kind == number && last->bits == 8 * bytes &&
        last->offset + (uint64_t)last->count * bytes == offset) {
      last->count++;
      return;
    }
  }
  SR_PUSH(s->d->scratch, &s->fields,
          (spv_emu_field){
              .name = s->name, .kind = number, .bits = 8 * bytes, .count = 1, .offset = offset});
}

/* Adds the numbers of a type at `offset` of the record. */
static void add_fields(Shapes *s, uint32_t type, EmuMatrix matrix, uint64_t offset,
                       const char *name) {
  uint64_t leaves = emu_type(s->d, type)->components;
  if (leaves > s->left)
    return;
  s->left -= leaves;
  s->name = name;
  s->kind = integer_kind(s->d, type);
  s->offset = offset;
  emu_type_leaves(s->d, type, false, matrix, 0, add_leaf, s);
}

static int by_offset(const void *a, const void *b) {
  const spv_emu_field *x = a, *y = b;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Ends a record, whose fields are those added since the last record ended. */
static void end_record(Shapes *s, spv_emu_record record) {
  spv_emu_field *fields = SR_NEW(s->d->arena, spv_emu_field, s->fields.count);
  record.field_count = s->fields.count;
  if (s->fields.count)
    memcpy(fields, s->fields.at, s->fields.count * sizeof *fields);
  qsort(fields, record.field_count, sizeof *fields, by_offset);
  record.fields = fields;
  s->fields.count = 0;
  if (record.field_count || record.stride)
    SR_PUSH(s->d->scratch, &s->records, record);
}

/* The record of an array. */
static void array_record(Shapes *s, const EmuType *t, EmuMatrix matrix, uint64_t offset,
                         const char *name) {
  add_fields(s, t->element, matrix, 0, name);
  end_record(s, (spv_emu_record){.offset = offset, .stride = t->stride, .count = t->count});
}

typedef struct Member {
  uint64_t offset;
  uint32_t index;
} Member;

static int by_place(const void *a, const void *b) {
  const Member *x = a, *y = b;
  return x->offset != y->offset ? (x->offset < y->offset ? -1 : 1)
                                : (x->index > y->index) - (x->index < y->index);
}

/* The members of a struct in the order of their offsets, which may be any order. */
static const Member *members_of(Shapes *s, const EmuType *t) {
  Member *members = SR_NEW_RAW(s->d->scratch, Member, t->count);
  for (uint32_t i = 0; i < t->count; i++)
    members[i] = (Member){s->d->members.at[t->member + i].offset, i};
  if (t->count)
    qsort(members, t->count, sizeof *members, by_place);
  return members;
}

static void struct_records(Shapes *s, uint32_t type) {
  const EmuDecode *d = s->d;
  const EmuType *t = emu_type(d, type);
  const Member *members = members_of(s, t);
  uint64_t start = 0, end = 0;
  for (uint32_t k = 0; k < t->count; k++) {
    uint32_t i = members[k].index;
    const EmuMember *m = &d->members.at[t->member + i];
    uint32_t part = sr_words(d->m, sr_def(d->m, type))[2 + i];
    const EmuType *p = emu_type(d, part);
    const EmuMatrix matrix = {m->matrix_stride, m->row_major};
    const char *name = member_name(s, type, i);
    if (!emu_type_is_array(p)) {
      if (!s->fields.count)
        start = m->offset;
      add_fields(s, part, matrix, m->offset - start, name);
      end = m->offset + p->size > end ? m->offset + p->size : end;
      continue;
    }
    if (s->fields.count)
      end_record(s, (spv_emu_record){.offset = start, .stride = end - start, .count = 1});
    array_record(s, p, matrix, m->offset, name);
    end = 0;
  }
  if (s->fields.count)
    end_record(s, (spv_emu_record){.offset = start, .stride = end - start, .count = 1});
}

static void take_records(Shapes *s, spv_emu_shape *shape) {
  spv_emu_record *records = SR_NEW(s->d->arena, spv_emu_record, s->records.count);
  if (s->records.count)
    memcpy(records, s->records.at, s->records.count * sizeof *records);
  shape->records = records;
  shape->record_count = s->records.count;
  s->records.count = 0;
}

/* `many`: a kernel's pointer points to any number of values of the type. */
static void describe_memory(Shapes *s, uint32_t type, bool many, spv_emu_shape *shape) {
  const EmuType *t = emu_type(s->d, type);
  if (t->op == SpvOpTypeStruct && !many) {
    struct_records(s, type);
  } else {
    uint64_t stride = (t->size + t->align - 1) / (t->align ? t->align : 1) * t->align;
    add_fields(s, type, (EmuMatrix){0}, 0, shape->name);
    end_record(s, (spv_emu_record){.stride = stride, .count = many ? 0 : 1});
  }
  take_records(s, shape);
}

/* ---- images ---------------------------------------------------------------------------------- */

static void describe_image(Shapes *s, uint32_t type, spv_emu_shape *shape) {
  const EmuDecode *d = s->d;
  const EmuType *t = emu_type(d, type);
  shape->sampler = t->op == SpvOpTypeSampler || t->op == SpvOpTypeSampledImage;
  if (t->op == SpvOpTypeSampledImage)
    type = t->element;
  if (emu_type(d, type)->op != SpvOpTypeImage)
    return;
  const uint32_t *w = sr_words(d->m, sr_def(d->m, type));
  const EmuType *texel = emu_type(d, w[2]);
  shape->image = true;
  shape->texel = texel->op == SpvOpTypeFloat || texel->op == SpvOpTypeVoid ? SPV_EMU_FLOAT
                                                                           : integer_kind(d, w[2]);
  shape->texel_bits = texel->op == SpvOpTypeVoid ? 32 : emu_kind_bytes((EmuKind)texel->kind) * 8;
  shape->dimension = w[3];
  shape->sampler = shape->sampler && w[3] != SpvDimBuffer; /* a texel buffer has no sampler */
  shape->depth = w[4] == 1;
  shape->arrayed = w[5] == 1;
  shape->multisampled = w[6] == 1;
  shape->storage = w[7] == 2;
  shape->format = w[8];
}

/* ---- all shapes of a program ----------------------------------------------------------------- */

/* The name of a variable, or that of its block's type. */
static const char *shape_name(Shapes *s, uint32_t id, uint32_t type) {
  const char *name = name_of(s, id);
  return *name ? name : name_of(s, type);
}

static void describe(Shapes *s, const EmuBinding *b, spv_emu_shape *shape) {
  EmuDecode *d = s->d;
  bool parameter = sr_def_op(d->m, b->id) == SpvOpFunctionParameter;
  uint32_t type = sr_inst(d->m, sr_def(d->m, b->id))->type;
  bool pointer = emu_type(d, type)->op == SpvOpTypePointer;
  type = pointer ? emu_type(d, type)->element : type;
  if (!parameter && emu_type_is_array(emu_type(d, type)))
    type = emu_type(d, type)->element;
  shape->name = shape_name(s, b->id, type);
  shape->parameter = parameter;
  shape->value = parameter && !pointer;
  shape->local = b->storage_class == SpvStorageClassWorkgroup;
  shape->uniform = b->storage_class == SpvStorageClassUniform &&
                   !sr_is_decorated(d->m, type, SpvDecorationBufferBlock);
  if (b->image)
    describe_image(s, type, shape);
  else
    describe_memory(s, type, parameter && pointer, shape);
}

static void describe_pushed(Shapes *s) {
  EmuDecode *d = s->d;
  if (!d->p->push_segment)
    return;
  uint32_t id = d->p->segments.at[d->p->push_segment].id;
  uint32_t type = emu_type(d, sr_inst(d->m, sr_def(d->m, id))->type)->element;
  spv_emu_shape *shape = SR_NEW(d->arena, spv_emu_shape, 1);
  shape->name = shape_name(s, id, type);
  describe_memory(s, type, false, shape);
  d->p->push_shape = shape;
}

void emu_shapes_describe(EmuDecode *d) {
  Shapes s = {.d = d, .left = MOST_LEAVES};
  spv_emu_shape *shapes = SR_NEW(d->arena, spv_emu_shape, d->p->bindings.count);
  list_names(&s);
  for (uint32_t i = 0; i < d->p->bindings.count; i++)
    if (d->p->bindings.at[i].used)
      describe(&s, &d->p->bindings.at[i], &shapes[i]);
  describe_pushed(&s);
  d->p->shapes = shapes;
}
