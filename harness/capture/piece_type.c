/* SPDX-License-Identifier: Apache-2.0 */
/* piece_type: see piece_type.h. */
#include "harness/capture/piece_type.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_FIELDS = 16384 };

static EmuField field_of(const CpLeaf *leaf, uint32_t base) {
  return (EmuField){.offset = base + leaf->offset,
                    .unit = (uint8_t)(leaf->bits / 8),
                    .bits = leaf->bits,
                    .kind = leaf->kind};
}

static bool scalar(uint8_t kind, uint8_t bits, uint64_t size, CpType *type) {
  bool fits = bits >= 8 && size % (bits / 8u) == 0;
  const CpLeaf leaf = {0, fits ? kind : EMU_FORMAT_UINT, fits ? bits : 8};
  *type =
      (CpType){.fields = malloc(sizeof *type->fields), .field_count = 1, .stride = leaf.bits / 8u};
  if (type->fields)
    *type->fields = field_of(&leaf, 0);
  return type->fields != NULL;
}

/* One struct: the leaves, then `elements` times the tail. */
static bool whole_struct(const CpBlock *b, uint64_t size, uint32_t elements, CpType *type) {
  uint32_t count = b->leaf_count + elements * b->tail_count, at = 0;
  *type = (CpType){.fields = malloc((count + 1u) * sizeof *type->fields),
                   .field_count = count,
                   .stride = (uint32_t)size,
                   .is_struct = true};
  for (uint32_t i = 0; type->fields && i < b->leaf_count; i++)
    type->fields[at++] = field_of(&b->leaves[i], 0);
  for (uint32_t e = 0; type->fields && e < elements; e++)
    for (uint32_t i = 0; i < b->tail_count; i++)
      type->fields[at++] = field_of(&b->tail[i], b->tail_offset + e * b->stride);
  return type->fields != NULL;
}

static bool array_of_structs(const CpBlock *b, CpType *type) {
  *type = (CpType){.fields = malloc((b->tail_count + 1u) * sizeof *type->fields),
                   .field_count = b->tail_count,
                   .stride = b->stride,
                   .is_struct = true};
  for (uint32_t i = 0; type->fields && i < b->tail_count; i++)
    type->fields[i] = field_of(&b->tail[i], 0);
  return type->fields != NULL;
}

bool cp_type_of_block(const CpBlock *b, uint64_t size, bool whole, CpType *type) {
  uint64_t elements = b->stride && size > b->tail_offset ? (size - b->tail_offset) / b->stride : 0;
  bool whole_elements = !b->stride || b->tail_offset + elements * b->stride == size;
  if (b->same || !whole || !whole_elements || b->too_many)
    return scalar(b->kind, b->bits, size, type);
  if (b->stride && !b->leaf_count)
    return array_of_structs(b, type);
  uint64_t fields = b->leaf_count + elements * b->tail_count;
  return fields && fields <= MOST_FIELDS && size <= UINT32_MAX
             ? whole_struct(b, size, (uint32_t)elements, type)
             : scalar(b->kind, b->bits, size, type);
}

bool cp_type_of_format(uint32_t vk, CpType *type) {
  const EmuFormat *format = emu_format_numbered(vk);
  *type = (CpType){.format = format,
                   .fields = malloc((format->field_count + 1u) * sizeof *type->fields),
                   .field_count = format->field_count,
                   .stride = format->bytes};
  for (uint32_t i = 0; type->fields && i < format->field_count; i++)
    type->fields[i] = format->fields[i];
  return type->fields != NULL;
}

void cp_type_free(CpType *type) {
  free(type->fields);
  *type = (CpType){0};
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char *kind_name(const EmuField *field) {
  return field->kind == EMU_FORMAT_FLOAT  ? "float"
         : field->kind == EMU_FORMAT_SINT ? "int"
                                          : "uint";
}

/* The number of fields from `first` on that follow each other without gaps and have one type. */
static uint32_t run_of(const CpType *type, uint32_t first) {
  const EmuField *f = &type->fields[first];
  uint32_t count = 1;
  while (first + count < type->field_count && f[count].kind == f->kind &&
         f[count].bits == f->bits && f[count].offset == f->offset + count * f->unit)
    count++;
  return count;
}

void cp_type_declare(FILE *out, const CpType *type, const char *name) {
  if (!type->is_struct)
    return;
  fprintf(out, "STRUCT %s STRIDE %u\n", name, type->stride);
  for (uint32_t i = 0; i < type->field_count;) {
    const EmuField *f = &type->fields[i];
    uint32_t count = run_of(type, i);
    fprintf(out, "  %s%u", kind_name(f), f->bits);
    if (count > 1)
      fprintf(out, "[%u]", count);
    fprintf(out, " at_%u OFFSET %u", f->offset, f->offset);
    if (count > 1)
      fprintf(out, " ARRAY_STRIDE %u", f->unit);
    fputc('\n', out);
    i += count;
  }
  fputs("END\n", out);
}

void cp_type_write(FILE *out, const CpType *type, const char *struct_name) {
  if (type->format)
    fprintf(out, " FORMAT %s", type->format->name);
  else if (type->is_struct)
    fprintf(out, " DATA_TYPE %s", struct_name);
  else
    fprintf(out, " DATA_TYPE %s%u", kind_name(type->fields), type->fields->bits);
}

/* ---- tolerance ------------------------------------------------------------------------------- */

/* The step of a normalised number; 0: it is none. */
static double step_of(const EmuField *field) {
  if (field->kind == EMU_FORMAT_UNORM || field->kind == EMU_FORMAT_SRGB)
    return 1 / (double)((UINT64_C(1) << field->bits) - 1);
  return field->kind == EMU_FORMAT_SNORM ? 1 / (double)((UINT64_C(1) << (field->bits - 1)) - 1) : 0;
}

/* A part of the largest number that is more than the precision of the stored floats. */
static double relative(const EmuField *field) {
  return field->bits >= 32 ? 0 : field->bits == 16 ? 1e-3 : 0.03;
}

static double float_room(const EmuField *f, const uint8_t *element, double error) {
  double value = f->kind == EMU_FORMAT_FLOAT ? fabs(emu_field_get(f, element).d) : 0;
  return isfinite(value) ? value * fmax(relative(f), error) : 0;
}

double cp_type_tolerance(const CpType *type, const uint8_t *bytes, uint64_t size, double error) {
  double tolerance = 0;
  for (uint64_t at = 0; at + type->stride <= size; at += type->stride)
    for (uint32_t i = 0; i < type->field_count; i++) {
      double room = float_room(&type->fields[i], bytes + at, error);
      tolerance = room > tolerance ? room : tolerance;
    }
  for (uint32_t i = 0; i < type->field_count; i++) {
    double step = 1.01 * step_of(&type->fields[i]);
    step = step > 0 && type->fields[i].bits > 16 ? 1e-4 : step; /* depths are computed as floats */
    tolerance = step > tolerance ? step : tolerance;
  }
  return tolerance;
}

double cp_type_rmse(const CpType *type, double tolerance) {
  const EmuField *f = type->fields;
  double step = step_of(f);
  if (!type->format || f->shift || f->bits != 8 * f->unit)
    return 0;
  return step > 0 ? 0.03 / step : f->kind == EMU_FORMAT_FLOAT ? 300 * tolerance : 0;
}
