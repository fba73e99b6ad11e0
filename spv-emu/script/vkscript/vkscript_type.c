/* SPDX-License-Identifier: Apache-2.0 */
/* vkscript_type: GLSL's names of types, translated to those of AmberScript. */
#include "spv-emu/script/vkscript/vkscript.h"

#include <stdio.h>
#include <string.h>

typedef struct Name {
  const char *vk, *amber;
} Name;

static const Name scalars[] = {
    {"int", "int32"},         {"uint", "uint32"},     {"int8_t", "int8"},   {"uint8_t", "uint8"},
    {"int16_t", "int16"},     {"uint16_t", "uint16"}, {"int64_t", "int64"}, {"uint64_t", "uint64"},
    {"float16_t", "float16"}, {"float", "float"},     {"double", "double"},
};

/* The prefixes of "vec" and "mat". */
static const Name prefixes[] = {
    {"", "float"},     {"d", "double"},  {"f16", "float16"}, {"i", "int32"},
    {"u", "uint32"},   {"i8", "int8"},   {"u8", "uint8"},    {"i16", "int16"},
    {"u16", "uint16"}, {"i64", "int64"}, {"u64", "uint64"},
};

/* The dimensions of a type. Vectors have one column. */
typedef struct Shape {
  const char *scalar;
  uint32_t columns, rows;
} Shape;

static const char *translate(const Name *names, size_t count, const char *text, size_t length) {
  for (size_t i = 0; i < count; i++)
    if (strlen(names[i].vk) == length && memcmp(names[i].vk, text, length) == 0)
      return names[i].amber;
  return NULL;
}

static bool size_of(char c, uint32_t *size) {
  *size = (uint32_t)(c - '0');
  return c >= '2' && c <= '4';
}

/* "" (google/amber takes "vec" for vec4, "mat" for one number), "3", or "2x4" of a matrix. */
static bool read_sizes(const char *text, size_t length, bool matrix, Shape *shape) {
  if (length == 0) {
    shape->rows = matrix ? 1 : 4;
    return true;
  }
  if (!matrix)
    return length == 1 && size_of(*text, &shape->rows);
  if (!size_of(*text, &shape->columns))
    return false;
  shape->rows = shape->columns;
  return length == 1 || (length == 3 && text[1] == 'x' && size_of(text[2], &shape->rows));
}

static bool read_shape(const AmberToken *word, Shape *shape) {
  *shape = (Shape){translate(scalars, AMBER_COUNT(scalars), word->text, word->length), 1, 1};
  for (size_t at = 0; !shape->scalar && at + 3 <= word->length; at++) {
    const char *head = word->text + at;
    bool matrix = memcmp(head, "mat", 3) == 0;
    if (!matrix && memcmp(head, "vec", 3) != 0)
      continue;
    shape->scalar = translate(prefixes, AMBER_COUNT(prefixes), word->text, at);
    return shape->scalar && (!matrix || strstr("double float", shape->scalar)) &&
           read_sizes(head + 3, word->length - at - 3, matrix, shape);
  }
  return shape->scalar != NULL;
}

/* The layout of the transposed matrix holds the same numbers in a different order. */
static bool transpose(AmberParser *parser, const Shape *shape, EmuElementLayout *layout) {
  EmuField *fields = amber_pool_alloc(parser->pool, layout->field_count * sizeof *layout->fields);
  if (!fields)
    return amber_no_memory(parser);
  for (uint32_t column = 0; column < shape->columns; column++)
    for (uint32_t row = 0; row < shape->rows; row++)
      fields[column * shape->rows + row] = layout->fields[row * shape->columns + column];
  layout->fields = fields;
  return true;
}

bool vkscript_type(AmberParser *parser, VkLayout how, EmuElementLayout *layout, uint32_t *rows) {
  AmberToken word;
  Shape shape;
  AmberType type;
  char name[40];
  if (!amber_word(parser, "the type", &word))
    return false;
  if (!read_shape(&word, &shape))
    return amber_fail(parser, &word, "there is no such type");
  *rows = shape.rows;
  bool is_transposed = how.row_major && shape.columns > 1;
  if (shape.columns > 1)
    snprintf(name, sizeof name, "mat%ux%u<%s>[]", is_transposed ? shape.rows : shape.columns,
             is_transposed ? shape.columns : shape.rows, shape.scalar);
  else if (shape.rows > 1)
    snprintf(name, sizeof name, "vec%u<%s>[]", shape.rows, shape.scalar);
  else
    snprintf(name, sizeof name, "%s[]", shape.scalar);
  const char *why = amber_type_parse(parser->pool, name, strlen(name), (AmberStrides){0, 0}, &type);
  why = why ? why : amber_type_layout(&type, how.rules, layout);
  if (why)
    return amber_fail(parser, &word, "%s", why);
  return !is_transposed || transpose(parser, &shape, layout);
}
