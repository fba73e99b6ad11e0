/* SPDX-License-Identifier: Apache-2.0 */
/* new_text: see new_text.h.
 *
 * The numbers of a buffer are walked in the order of its type: the fields of each record, of each
 * element of an array. A buffer that is one array of one type of numbers is declared as that; any
 * other is one element of a STRUCT with the offsets of the shader's block. */
#include "new/new_text.h"

#include <math.h>
#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 16 /* numbers in a line */ };

/* ---- types ----------------------------------------------------------------------------------- */

static const char *type_name(spv_emu_number kind, uint32_t bits) {
  static const char *const unsigned_names[] = {"uint8", "uint16", "uint32", "uint64"};
  static const char *const signed_names[] = {"int8", "int16", "int32", "int64"};
  static const char *const floats[] = {"", "float16", "float", "double"};
  int size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
  return (kind == SPV_EMU_UINT   ? unsigned_names
          : kind == SPV_EMU_SINT ? signed_names
                                 : floats)[size];
}

static AmberField field_of(const spv_emu_field *f) {
  return (AmberField){.unit = (uint8_t)(f->bits / 8),
                      .bits = (uint8_t)f->bits,
                      .kind = f->kind == SPV_EMU_FLOAT  ? AMBER_FLOAT
                              : f->kind == SPV_EMU_SINT ? AMBER_SINT
                                                        : AMBER_UINT};
}

static uint64_t field_bytes(const spv_emu_field *f) {
  return (uint64_t)f->count * f->bits / 8;
}

/* How many elements of the array the buffer holds. */
static uint64_t record_count(const HnNewBuffer *b, const spv_emu_record *r) {
  return r->count ? r->count : r->stride ? (b->values->size - r->offset) / r->stride : 0;
}

/* Is an element of the array nothing but numbers of one type? */
static bool is_numbers(const spv_emu_record *r) {
  return r->field_count == 1 && !r->fields[0].offset && field_bytes(&r->fields[0]) == r->stride;
}

/* Is the buffer an array of numbers of one type and nothing else? */
static bool is_plain(const HnNewBuffer *b) {
  const spv_emu_record *r = b->shape->records;
  return b->shape->record_count == 1 && !r->offset && is_numbers(r);
}

static bool is_image(const HnNewBuffer *b) {
  return b->shape->image;
}

const char *hn_new_obstacle(const HnNewBuffer *b) {
  if (is_image(b) && (b->shape->arrayed || b->shape->dimension == SpvDimCube))
    return "an array of images or a cube, which AmberScript does not have";
  for (uint32_t i = 0; !is_image(b) && i + 1 < b->shape->record_count; i++)
    if (b->shape->records[i + 1].offset <= b->shape->records[i].offset)
      return "members that share memory, which AmberScript does not have";
  return NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Calls `visit` for each number of the buffer with its place in bytes, in ascending order. */
typedef void Visit(void *user, const AmberField *field, uint64_t at);

static void walk_record(const HnNewBuffer *b, const spv_emu_record *r, Visit *visit, void *user) {
  uint64_t count = record_count(b, r);
  for (uint64_t i = 0; i < count; i++)
    for (uint32_t f = 0; f < r->field_count; f++) {
      const AmberField field = field_of(&r->fields[f]);
      for (uint32_t k = 0; k < r->fields[f].count; k++)
        visit(user, &field, r->offset + i * r->stride + r->fields[f].offset + k * field.unit);
    }
}

static void walk(const HnNewBuffer *b, Visit *visit, void *user) {
  const AmberLayout *texel = &b->values->layout;
  if (is_image(b)) {
    for (uint64_t at = 0; at < b->values->size; at += texel->stride)
      for (uint32_t f = 0; f < texel->field_count; f++) {
        AmberField field = texel->fields[f];
        uint32_t offset = field.offset;
        field.offset = 0;
        visit(user, &field, at + offset);
      }
    return;
  }
  for (uint32_t i = 0; i < b->shape->record_count; i++)
    walk_record(b, &b->shape->records[i], visit, user);
}

/* Floats of 32 bits as short as they can be. */
static void print_number(FILE *out, const AmberField *field, const uint8_t *bytes) {
  enum { DIGITS = 9 };
  char text[64];
  AmberValue value = amber_field_get(field, bytes);
  amber_value_print(field, value, text, sizeof text);
  if (field->kind == AMBER_FLOAT && field->bits == 32 && isfinite(value.d))
    for (int digits = 1; digits <= DIGITS; digits++) {
      snprintf(text, sizeof text, "%.*g", digits, value.d);
      if (strtof(text, NULL) == (float)value.d)
        break;
    }
  fprintf(out, " %s", text);
}

typedef struct Data {
  FILE *out;
  const uint8_t *bytes;
  uint64_t count;
} Data;

static void write_number(void *user, const AmberField *field, uint64_t at) {
  Data *d = user;
  if (d->count++ % ROW == 0)
    fputs("\n ", d->out);
  print_number(d->out, field, d->bytes + at);
}

/* ---- declarations ---------------------------------------------------------------------------- */

/* Members have the names of the block's, and their offsets, since several may have one name. */
static void write_member(FILE *out, const spv_emu_field *f, uint64_t count, uint64_t offset) {
  size_t length = strspn(f->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
  fprintf(out, "  %s", type_name(f->kind, f->bits));
  if (count > 1)
    fprintf(out, "[%llu]", (unsigned long long)count);
  fprintf(out, " %.*s_%llu OFFSET %llu", length ? (int)length : 1, length ? f->name : "m",
          (unsigned long long)offset, (unsigned long long)offset);
  if (count > 1)
    fprintf(out, " ARRAY_STRIDE %u", f->bits / 8);
  fputc('\n', out);
}

/* The STRUCTs of the elements of arrays, which come first. */
static void write_elements(FILE *out, const HnNewBuffer *b) {
  for (uint32_t i = 0; i < b->shape->record_count; i++) {
    const spv_emu_record *r = &b->shape->records[i];
    if (r->count == 1 || is_numbers(r))
      continue;
    fprintf(out, "STRUCT %s_%u STRIDE %llu\n", b->name, i, (unsigned long long)r->stride);
    for (uint32_t f = 0; f < r->field_count; f++)
      write_member(out, &r->fields[f], r->fields[f].count, r->fields[f].offset);
    fputs("END\n", out);
  }
}

static void write_struct(FILE *out, const HnNewBuffer *b) {
  write_elements(out, b);
  fprintf(out, "STRUCT %s_block STRIDE %llu\n", b->name, (unsigned long long)b->values->size);
  for (uint32_t i = 0; i < b->shape->record_count; i++) {
    const spv_emu_record *r = &b->shape->records[i];
    for (uint32_t f = 0; r->count == 1 && f < r->field_count; f++)
      write_member(out, &r->fields[f], r->fields[f].count, r->offset + r->fields[f].offset);
    if (r->count != 1 && is_numbers(r))
      write_member(out, &r->fields[0], record_count(b, r) * r->fields[0].count, r->offset);
    else if (r->count != 1)
      fprintf(out, "  %s_%u[%llu] array%u OFFSET %llu ARRAY_STRIDE %llu\n", b->name, i,
              (unsigned long long)record_count(b, r), i, (unsigned long long)r->offset,
              (unsigned long long)r->stride);
  }
  fputs("END\n", out);
}

static void declare_image(FILE *out, const HnNewBuffer *b) {
  const EmuValues *v = b->values;
  static const char *const dims[] = {[SpvDim1D] = "1D",
                                     [SpvDim2D] = "2D",
                                     [SpvDim3D] = "3D",
                                     [SpvDimCube] = "2D",
                                     [SpvDimRect] = "2D"};
  if (b->shape->dimension == SpvDimBuffer)
    fprintf(out, "BUFFER %s DATA_TYPE %s DATA", b->name, v->format->name);
  else
    fprintf(out, "IMAGE %s FORMAT %s DIM_%s WIDTH %u HEIGHT %u DEPTH %u DATA", b->name,
            v->format->name, dims[b->shape->dimension], v->extent[0], v->extent[1], v->extent[2]);
}

void hn_new_declare(FILE *out, const HnNewBuffer *b) {
  Data data = {out, b->values->bytes, 0};
  if (is_image(b)) {
    declare_image(out, b);
  } else if (is_plain(b)) {
    const spv_emu_field *f = &b->shape->records[0].fields[0];
    fprintf(out, "BUFFER %s DATA_TYPE %s STD430 DATA", b->name, type_name(f->kind, f->bits));
  } else {
    write_struct(out, b);
    fprintf(out, "BUFFER %s DATA_TYPE %s_block STD430 DATA", b->name, b->name);
  }
  walk(b, write_number, &data);
  fputs("\nEND\n", out);
}

/* ---- EXPECTs --------------------------------------------------------------------------------- */

typedef struct Expects {
  FILE *out;
  const HnNewBuffer *buffer;
  double largest;   /* of all floats */
  uint64_t next;    /* the place after the last number of the line; 0: no line is open */
  uint32_t in_line; /* numbers */
  uint8_t kind, bits;
  uint64_t left_out;
} Expects;

static bool is_packed(const AmberField *field) {
  return field->shift || field->bits != 8u * field->unit;
}

static double float_of(const AmberField *field, const uint8_t *bytes) {
  return amber_field_get(field, bytes).d;
}

/* Floats agree if they differ by rounding at most. */
static bool agrees(const Expects *e, const AmberField *field, uint64_t at, double tolerance) {
  const HnNewBuffer *b = e->buffer;
  for (int i = 0; i < HN_NEW_RUNS; i++) {
    if (!b->after[i])
      continue;
    if (field->kind == AMBER_FLOAT) {
      double first = float_of(field, b->after[0] + at), other = float_of(field, b->after[i] + at);
      if (!isfinite(first) || !(fabs(first - other) <= tolerance))
        return false;
    } else if (memcmp(b->after[0] + at, b->after[i] + at, field->unit) != 0) {
      return false;
    }
  }
  return true;
}

/* For rounding, which drivers may do in other ways: a ten-thousandth of the largest float in the
 * buffer. */
static double tolerance_of(const Expects *e, const AmberField *field) {
  if (field->kind == AMBER_FLOAT)
    return e->largest > 0 ? 1e-4 * e->largest : 1e-6;
  return field->kind == AMBER_UINT || field->kind == AMBER_SINT ? 0 : 1;
}

static void close_line(Expects *e) {
  if (e->next)
    fputc('\n', e->out);
  e->next = 0;
}

static void open_line(Expects *e, const AmberField *field, uint64_t at) {
  double tolerance = tolerance_of(e, field);
  close_line(e);
  fprintf(e->out, "EXPECT %s IDX %llu", e->buffer->name, (unsigned long long)at);
  if (tolerance > 0)
    fprintf(e->out, " TOLERANCE %.3g", tolerance);
  fputs(" EQ", e->out);
  e->in_line = 0;
  e->kind = field->kind;
  e->bits = field->bits;
}

static void find_largest(void *user, const AmberField *field, uint64_t at) {
  Expects *e = user;
  double value = field->kind == AMBER_FLOAT ? fabs(float_of(field, e->buffer->after[0] + at)) : 0;
  if (isfinite(value) && value > e->largest)
    e->largest = value;
}

static void expect_number(void *user, const AmberField *field, uint64_t at) {
  Expects *e = user;
  if (is_packed(field) || !agrees(e, field, at, tolerance_of(e, field))) {
    e->left_out++;
    close_line(e);
    return;
  }
  if (!e->next || e->next != at || e->in_line == ROW || e->kind != field->kind ||
      e->bits != field->bits)
    open_line(e, field, at);
  print_number(e->out, field, e->buffer->after[0] + at);
  e->in_line++;
  e->next = at + field->unit;
}

bool hn_new_changes(const HnNewBuffer *b) {
  for (int i = 0; i < HN_NEW_RUNS; i++)
    if (b->after[i] && memcmp(b->after[i], b->values->bytes, b->values->size) != 0)
      return true;
  return false;
}

uint64_t hn_new_expect(FILE *out, const HnNewBuffer *b) {
  Expects e = {.out = out, .buffer = b};
  walk(b, find_largest, &e);
  walk(b, expect_number, &e);
  close_line(&e);
  return e.left_out;
}
