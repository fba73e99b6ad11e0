/* SPDX-License-Identifier: Apache-2.0 */
/* amber_type: see amber_type.h. */
#include "spv-emu/script/amber_type.h"

#include "spv-emu/format/format_number.h"

#include <string.h>

static const char too_large[] = "the type has too many numbers, or is too large";
static const char no_memory[] = "the script takes too much memory";

static uint64_t round_up(uint64_t size, uint32_t align) {
  return (size + align - 1) / align * align;
}

/* ---- repetition: columns of a matrix, elements of an array, members of a struct ---- */

/* Appends `from`'s fields to `to`'s, each `offset` bytes further. */
static void append(AmberShape *to, const AmberShape *from, uint32_t offset) {
  for (uint32_t i = 0; i < from->field_count; i++) {
    to->fields[to->field_count] = from->fields[i];
    to->fields[to->field_count++].offset += offset;
  }
}

static const char *repeat_shape(AmberPool *pool, const AmberShape *from, uint32_t count,
                                uint32_t stride, AmberShape *to) {
  uint64_t fields = (uint64_t)from->field_count * count, size = (uint64_t)stride * count;
  if (fields > AMBER_MAX_FIELDS || size > AMBER_MAX_BUFFER_BYTES)
    return too_large;
  *to = (AmberShape){.size = (uint32_t)size, .align = from->align};
  to->fields = amber_pool_alloc(pool, fields * sizeof *to->fields);
  if (!to->fields)
    return no_memory;
  for (uint32_t i = 0; i < count; i++)
    append(to, from, i * stride);
  return NULL;
}

/* Where the last field ends, without padding. */
static uint32_t extent(const AmberShape *shape) {
  uint32_t end = 0;
  for (uint32_t i = 0; i < shape->field_count; i++) {
    uint32_t field_end = shape->fields[i].offset + shape->fields[i].unit;
    end = end > field_end ? end : field_end;
  }
  return end;
}

/* Elements lie at multiples of their alignment, which std140 rounds up to the alignment of a
 * vec4. */
static const char *repeat_by_rules(AmberPool *pool, const AmberShape *from, AmberRules rules,
                                   uint32_t count, uint32_t stride, AmberShape *to) {
  AmberShape aligned = *from;
  if (rules == AMBER_STD140)
    aligned.align = (uint32_t)round_up(from->align, 16);
  uint32_t natural = (uint32_t)round_up(from->size, aligned.align);
  if (stride && stride < extent(from)) /* padding that exists only in std140 may overlap */
    return "the stride is smaller than an element";
  return repeat_shape(pool, &aligned, count, stride ? stride : natural, to);
}

const char *amber_type_repeat(AmberPool *pool, const AmberType *element, uint32_t count,
                              uint32_t stride, AmberType *type) {
  AmberType result = *element;
  result.array = true;
  result.format = NULL;
  const char *why = NULL;
  for (AmberRules rules = 0; rules < AMBER_RULES_COUNT && !why; rules++)
    why =
        repeat_by_rules(pool, &element->shapes[rules], rules, count, stride, &result.shapes[rules]);
  *type = result;
  return why;
}

/* ---- numbers, vectors, matrices ---- */

typedef struct Scalar {
  const char *name;
  EmuFormatKind kind;
  uint8_t bits;
} Scalar;

static const Scalar scalars[] = {
    {"int8", EMU_FORMAT_SINT, 8},      {"int16", EMU_FORMAT_SINT, 16},
    {"int32", EMU_FORMAT_SINT, 32},    {"int64", EMU_FORMAT_SINT, 64},
    {"uint8", EMU_FORMAT_UINT, 8},     {"uint16", EMU_FORMAT_UINT, 16},
    {"uint32", EMU_FORMAT_UINT, 32},   {"uint64", EMU_FORMAT_UINT, 64},
    {"float16", EMU_FORMAT_FLOAT, 16}, {"float32", EMU_FORMAT_FLOAT, 32},
    {"float", EMU_FORMAT_FLOAT, 32},   {"double", EMU_FORMAT_FLOAT, 64},
    {"float64", EMU_FORMAT_FLOAT, 64},
};

static const Scalar *find_scalar(const char *text, size_t length) {
  for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
    if (strlen(scalars[i].name) == length && memcmp(scalars[i].name, text, length) == 0)
      return &scalars[i];
  return NULL;
}

static const char *vector_shape(AmberPool *pool, const Scalar *scalar, uint32_t rows,
                                AmberRules rules, AmberShape *shape) {
  uint32_t bytes = scalar->bits / 8u;
  EmuField field = {.unit = (uint8_t)bytes, .bits = scalar->bits, .kind = (uint8_t)scalar->kind};
  AmberShape one = {.fields = &field, .field_count = 1, .size = bytes, .align = bytes};
  const char *why = repeat_shape(pool, &one, rows, bytes, shape);
  if (!why && rules != AMBER_SCALAR)
    shape->align = bytes * (rows == 3 ? 4 : rows);
  return why;
}

/* A matrix is an array of its columns. */
static const char *number_type(AmberPool *pool, const Scalar *scalar, uint32_t columns,
                               uint32_t rows, uint32_t matrix_stride, AmberType *type) {
  *type = (AmberType){0};
  const char *why = NULL;
  for (AmberRules rules = 0; rules < AMBER_RULES_COUNT && !why; rules++) {
    AmberShape column;
    why = vector_shape(pool, scalar, rows, rules, &column);
    if (!why && columns > 1)
      why = repeat_by_rules(pool, &column, rules, columns, matrix_stride, &type->shapes[rules]);
    else
      type->shapes[rules] = column;
  }
  if (columns == 1)
    type->format = emu_format_equal(scalar->kind, scalar->bits, rows);
  return why;
}

static bool is_size(char c) {
  return c >= '2' && c <= '4';
}

/* "vec3<" or "mat2x4<" ... ">": the sizes, and the name of the scalar. */
static bool split(const char **text, size_t *length, uint32_t *columns, uint32_t *rows) {
  const char *t = *text;
  size_t head;
  *columns = *rows = 1;
  if (*length > 6 && memcmp(t, "vec", 3) == 0 && is_size(t[3]) && t[4] == '<') {
    *rows = (uint32_t)(t[3] - '0');
    head = 5;
  } else if (*length > 8 && memcmp(t, "mat", 3) == 0 && is_size(t[3]) && t[4] == 'x' &&
             is_size(t[5]) && t[6] == '<') {
    *columns = (uint32_t)(t[3] - '0');
    *rows = (uint32_t)(t[5] - '0');
    head = 7;
  } else {
    return true;
  }
  if (t[*length - 1] != '>')
    return false;
  *text += head;
  *length -= head + 1;
  return true;
}

static bool format_type(AmberPool *pool, const char *text, size_t length, AmberType *type) {
  const char *name = amber_pool_text(pool, text, length);
  const EmuFormat *format = name ? emu_format_find(name) : NULL;
  if (!format)
    return false;
  const EmuElementLayout layout = emu_format_layout(format);
  *type = (AmberType){.format = format, .is_format = true};
  for (AmberRules rules = 0; rules < AMBER_RULES_COUNT; rules++)
    type->shapes[rules] = (AmberShape){.fields = (EmuField *)layout.fields,
                                       .field_count = layout.field_count,
                                       .size = layout.size,
                                       .align = 1};
  return true;
}

bool amber_type_dimension(const char *text, size_t *length, uint32_t *count, const char **why) {
  *why = NULL;
  *count = 0;
  if (*length < 3 || text[*length - 1] != ']')
    return false;
  size_t open = *length - 2;
  while (open > 0 && text[open] != '[')
    open--;
  size_t digits = *length - open - 2;
  uint64_t number = 0;
  if (open == 0 || (digits && (!emu_number_u64(text + open + 1, digits, &number) || number == 0 ||
                               number > AMBER_MAX_FIELDS)))
    *why = "the length of an array must be a number from 1 to 65536";
  *length = open;
  *count = (uint32_t)number;
  return !*why;
}

const char *amber_type_parse(AmberPool *pool, const char *text, size_t length, AmberStrides strides,
                             AmberType *type) {
  uint32_t count, columns, rows;
  const char *why;
  bool array = amber_type_dimension(text, &length, &count, &why);
  if (why)
    return why;
  if (!split(&text, &length, &columns, &rows))
    return "a > is missing";
  const Scalar *scalar = find_scalar(text, length);
  if (!scalar)
    return columns * rows == 1 && !array && format_type(pool, text, length, type)
               ? NULL
               : "there is no such type";
  why = number_type(pool, scalar, columns, rows, strides.matrix, type);
  if (!why && count)
    return amber_type_repeat(pool, type, count, strides.array, type);
  type->array = type->unsized = array;
  return why;
}

/* ---- structs ---- */

static const char *add_shape(AmberPool *pool, AmberShape *to, const AmberShape *member,
                             uint32_t offset) {
  uint64_t at = offset != AMBER_NONE ? offset : round_up(to->size, member->align);
  if (offset != AMBER_NONE && offset < to->size)
    return "the OFFSET lies inside the members before it";
  if (at + member->size > AMBER_MAX_BUFFER_BYTES ||
      to->field_count + member->field_count > AMBER_MAX_FIELDS)
    return too_large;
  for (uint32_t i = 0; i < member->field_count; i++) {
    to->fields = amber_pool_grow(pool, to->fields, to->field_count, sizeof *to->fields);
    if (!to->fields)
      return no_memory;
    to->fields[to->field_count] = member->fields[i];
    to->fields[to->field_count++].offset += (uint32_t)at;
  }
  to->size = (uint32_t)at + member->size;
  to->align = to->align > member->align ? to->align : member->align;
  return NULL;
}

const char *amber_type_add(AmberPool *pool, AmberType *structure, const AmberType *member,
                           uint32_t offset) {
  const char *why = NULL;
  for (AmberRules rules = 0; rules < AMBER_RULES_COUNT && !why; rules++)
    why = add_shape(pool, &structure->shapes[rules], &member->shapes[rules], offset);
  return why;
}

const char *amber_type_close(AmberType *structure, uint32_t stride) {
  for (AmberRules rules = 0; rules < AMBER_RULES_COUNT; rules++) {
    AmberShape *shape = &structure->shapes[rules];
    if (!shape->field_count)
      return "a struct needs members";
    if (rules == AMBER_STD140)
      shape->align = (uint32_t)round_up(shape->align, 16);
    shape->size = (uint32_t)round_up(shape->size, shape->align);
  }
  structure->stride = stride;
  return NULL;
}

const char *amber_type_layout(const AmberType *type, AmberRules rules, EmuElementLayout *layout) {
  const AmberShape *shape = &type->shapes[rules];
  uint32_t size = extent(shape), stride = (uint32_t)round_up(shape->size, shape->align);
  if (type->unsized && rules == AMBER_STD140)
    stride = (uint32_t)round_up(stride, 16);
  if (type->stride && (!type->array || type->unsized))
    stride = type->stride;
  *layout = (EmuElementLayout){
      .fields = shape->fields, .field_count = shape->field_count, .size = size, .stride = stride};
  return stride < size ? "the STRIDE is smaller than the struct" : NULL;
}
