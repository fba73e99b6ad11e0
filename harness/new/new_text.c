/* SPDX-License-Identifier: Apache-2.0 */
/* new_text: see new_text.h. A buffer that is one array of numbers of one type is declared as such;
 * any other is one element of a STRUCT with the offsets of the shader's block. */
#include "harness/new/new_text.h"
#include "spv-emu/format/format_number.h"

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

static uint64_t field_bytes(const spv_emu_field *f) {
  return (uint64_t)f->count * f->bits / 8;
}

EmuTypedNumbers hn_new_numbers(const HnNewBuffer *b) {
  return (EmuTypedNumbers){b->shape, &b->values->layout, b->values->size};
}

static uint64_t record_end(const spv_emu_record *r) {
  uint64_t end = 0;
  for (uint32_t i = 0; r->count && i < r->field_count; i++)
    if (r->fields[i].offset + field_bytes(&r->fields[i]) > end)
      end = r->fields[i].offset + field_bytes(&r->fields[i]);
  return r->offset + (r->count ? (r->count - 1) * r->stride : 0) + end;
}

uint64_t hn_new_least(const HnNewBuffer *b) {
  uint64_t least = 0;
  for (uint32_t i = 0; i < b->shape->record_count; i++)
    if (record_end(&b->shape->records[i]) > least)
      least = record_end(&b->shape->records[i]);
  return least;
}

static uint64_t record_count(const HnNewBuffer *b, const spv_emu_record *r) {
  const EmuTypedNumbers numbers = hn_new_numbers(b);
  return emu_typed_numbers_records(&numbers, r);
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

void hn_new_number(FILE *out, const EmuField *field, const uint8_t *bytes) {
  enum { DIGITS = 9 };
  char text[64];
  EmuNumber value = emu_field_get(field, bytes);
  emu_number_print(field, value, text, sizeof text);
  if (field->kind == EMU_FORMAT_FLOAT && field->bits == 32 && isfinite(value.d))
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

static void write_number(void *user, const EmuField *field, uint64_t at) {
  Data *d = user;
  if (d->count++ % ROW == 0)
    fputs("\n ", d->out);
  hn_new_number(d->out, field, d->bytes + at);
}

/* ---- declarations ---------------------------------------------------------------------------- */

/* A member is named after that of the shader's block and its offset, since several members may have
 * the same name. */
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
  const EmuTypedNumbers numbers = hn_new_numbers(b);
  emu_typed_numbers_visit(&numbers, write_number, &data);
  fputs("\nEND\n", out);
}
