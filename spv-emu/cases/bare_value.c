/* SPDX-License-Identifier: Apache-2.0 */
/* bare_value: see bare_value.h. */
#include "cases/bare_value.h"

#include "compile/compile_file.h"
#include "script/amber_number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Type {
  const char *name;
  AmberField field;
} Type;

#define TYPE(name, bits_, kind_)                                                                   \
  {                                                                                                \
    name, {                                                                                        \
      .unit = (bits_) / 8, .bits = (bits_), .kind = (kind_)                                        \
    }                                                                                              \
  }

static const Type types[] = {
    TYPE("u8", 8, AMBER_UINT),    TYPE("u16", 16, AMBER_UINT),  TYPE("u32", 32, AMBER_UINT),
    TYPE("u64", 64, AMBER_UINT),  TYPE("i8", 8, AMBER_SINT),    TYPE("i16", 16, AMBER_SINT),
    TYPE("i32", 32, AMBER_SINT),  TYPE("i64", 64, AMBER_SINT),  TYPE("f16", 16, AMBER_FLOAT),
    TYPE("f32", 32, AMBER_FLOAT), TYPE("f64", 64, AMBER_FLOAT),
};

enum { TYPES = sizeof types / sizeof *types };

#define TYPE_NAMES "u8 to u64, i8 to i64, f16 to f64"

/* Where the message goes. */
typedef struct Say {
  char *text;
  size_t size;
} Say;

__attribute__((format(printf, 2, 3))) static bool fail(Say say, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(say.text, say.size, format, arguments);
  va_end(arguments);
  return false;
}

static const Type *find_type(const char *text, size_t length) {
  for (size_t i = 0; i < TYPES; i++)
    if (strlen(types[i].name) == length && memcmp(types[i].name, text, length) == 0)
      return &types[i];
  return NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool number(Say say, const char *text, size_t length, const AmberField *field,
                   AmberValue *value) {
  const char *wrong = amber_number_parse(text, length, field, value);
  return !wrong || fail(say, "'%.*s': %s", length > 40 ? 40 : (int)length, text, wrong);
}

static void put(const EmuValues *values, uint64_t at, AmberValue value) {
  amber_field_set(values->layout.fields, value, values->bytes + at * values->layout.stride);
}

static bool allocate(Say say, EmuValues *values) {
  values->size = values->count * values->layout.stride;
  values->bytes = calloc(values->size + 1, 1);
  return values->bytes != NULL || fail(say, "out of memory");
}

/* ---- init ------------------------------------------------------------------------------------ */

/* The series must not exceed the type's largest number; for floats there is no limit. */
static bool series_fits(const AmberField *field, AmberValue first, uint64_t count) {
  uint64_t more = count ? count - 1 : 0;
  unsigned unused = 64u - field->bits;
  if (field->kind == AMBER_UINT)
    return more <= (UINT64_MAX >> unused) - first.u;
  if (field->kind == AMBER_SINT)
    return more <= (uint64_t)(INT64_MAX >> unused) - (uint64_t)first.i;
  return true;
}

static bool fill_series(Say say, EmuValues *values, const char *text, size_t length) {
  const AmberField *field = values->layout.fields;
  AmberValue first;
  if (!number(say, text, length, field, &first))
    return false;
  if (!series_fits(field, first, values->count))
    return fail(say, "the series exceeds the range of %s", values->type);
  if (!allocate(say, values))
    return false;
  for (uint64_t i = 0; i < values->count; i++) {
    AmberValue value = first;
    if (field->kind == AMBER_FLOAT)
      value.d += (double)i;
    else
      value.u += i;
    put(values, i, value);
  }
  return true;
}

static bool fill_one(Say say, EmuValues *values, const char *text) {
  AmberValue value;
  if (!number(say, text, strlen(text), values->layout.fields, &value) || !allocate(say, values))
    return false;
  for (uint64_t i = 0; i < values->count; i++)
    put(values, i, value);
  return true;
}

static bool fill_list(Say say, EmuValues *values, const char *text, uint64_t given) {
  if (given > values->count)
    return fail(say, "%llu numbers for %llu elements", (unsigned long long)given,
                (unsigned long long)values->count);
  if (!allocate(say, values))
    return false;
  for (uint64_t i = 0; i < given; i++) {
    size_t length = strcspn(text, ",");
    AmberValue value;
    if (!number(say, text, length, values->layout.fields, &value))
      return false;
    put(values, i, value);
    text += length + 1;
  }
  return true;
}

static bool fill(Say say, EmuValues *values, const char *init) {
  size_t length = strlen(init);
  uint64_t given = 1;
  if (init[0] == '@') {
    values->file = init + 1;
    return init[1] || fail(say, "no file after the '@'");
  }
  for (const char *p = init; (p = strchr(p, ',')); p++)
    given++;
  bool series = length > 2 && strcmp(init + length - 2, "..") == 0;
  if (!values->counted && (series || given == 1))
    return fail(say, "the number of elements is missing: %s[N]=%s", values->type, init);
  if (series)
    return fill_series(say, values, init, length - 2);
  if (!values->counted)
    values->count = given;
  return given == 1 ? fill_one(say, values, init) : fill_list(say, values, init, given);
}

/* ---- TYPE[N]= -------------------------------------------------------------------------------- */

static bool read_count(Say say, const char *text, size_t length, EmuValues *values) {
  values->counted = length > 0;
  if (!values->counted)
    return true;
  if (!amber_number_u64(text, length, &values->count) || values->count == 0)
    return fail(say, "'%.*s' is not a number of elements", length > 40 ? 40 : (int)length, text);
  return values->count <= EMU_VALUES_MOST / values->layout.stride ||
         fail(say, "more than %llu MiB", (unsigned long long)(EMU_VALUES_MOST >> 20));
}

static bool parse_values(Say say, const char *text, EmuValues *values) {
  size_t name = strcspn(text, "[=:");
  const Type *type = find_type(text, name);
  if (!type)
    return fail(say, "'%.*s' is not a type; types are " TYPE_NAMES, name > 40 ? 40 : (int)name,
                text);
  values->layout = (AmberLayout){&type->field, 1, type->field.unit, type->field.unit};
  values->type = type->name;
  const char *open = text + name, *close = strchr(open, ']');
  if (*open != '[' || !close || close[1] != '=')
    return fail(say, "expected %s[N]=VALUES", type->name);
  return read_count(say, open + 1, (size_t)(close - open - 1), values) &&
         fill(say, values, close + 2);
}

bool emu_values_parse(const char *text, EmuValues *values, char *message, size_t message_size) {
  *values = (EmuValues){0};
  if (parse_values((Say){message, message_size}, text, values))
    return true;
  emu_values_free(values);
  return false;
}

/* ---- SET:BINDING or NAME --------------------------------------------------------------------- */

/* Reads decimal digits at the start of *text, and moves it past them. */
static bool take_u32(const char **text, uint32_t *value) {
  size_t length = strspn(*text, "0123456789");
  uint64_t number64;
  if (!amber_number_u64(*text, length, &number64) || number64 > UINT32_MAX)
    return false;
  *value = (uint32_t)number64;
  *text += length;
  return true;
}

bool emu_place_parse(const char **text, EmuPlace *place, char *message, size_t message_size) {
  Say say = {message, message_size};
  *place = (EmuPlace){0};
  if (**text && !strchr("-0123456789:", **text)) {
    place->name = *text;
    place->name_length = (uint32_t)strcspn(*text, ":");
    *text += place->name_length;
    return true;
  }
  if (take_u32(text, &place->set) && **text == ':') {
    ++*text;
    if (take_u32(text, &place->binding) && (**text == ':' || !**text))
      return true;
  }
  return fail(say, "expected two numbers, SET:BINDING, or the name of a buffer");
}

bool emu_buffer_parse(const char *text, EmuBareBuffer *buffer, char *message, size_t message_size) {
  Say say = {message, message_size};
  *buffer = (EmuBareBuffer){0};
  if (!emu_place_parse(&text, &buffer->place, message, message_size))
    return false;
  if (!*text++)
    return fail(say, "expected :TYPE[N]=INIT after SET:BINDING or the name");
  if (*text >= '0' && *text <= '9' && (!take_u32(&text, &buffer->element) || *text++ != ':'))
    return fail(say, "the element after the place must be a number, followed by :TYPE[N]=INIT");
  return emu_values_parse(text, &buffer->values, message, message_size);
}

/* ---- spec ------------------------------------------------------------------------------------ */

static uint64_t bits_of(const AmberField *field, AmberValue value) {
  uint64_t bits = 0;
  amber_field_set(field, value, &bits);
  return bits;
}

/* The value without a type is read once the constant is known; here it only has to be one. */
static bool check_plain(Say say, const char *text) {
  static const AmberField number_field = {.unit = 8, .bits = 64, .kind = AMBER_FLOAT};
  AmberValue value;
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
    return true;
  return number(say, text, strlen(text), &number_field, &value);
}

static bool read_typed(Say say, const char *text, const char *colon, spv_emu_spec *spec) {
  size_t length = (size_t)(colon - text);
  const Type *type = find_type(text, length);
  AmberValue value;
  if (!type)
    return fail(say, "'%.*s' is not a type; types are " TYPE_NAMES, length > 40 ? 40 : (int)length,
                text);
  if (!number(say, colon + 1, strlen(colon + 1), &type->field, &value))
    return false;
  spec->bits = bits_of(&type->field, value);
  spec->width = type->field.bits;
  return true;
}

static bool parse_spec(Say say, char *text, spv_emu_spec *spec) {
  char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return fail(say, "expected ID=VALUE or NAME=VALUE");
  *equals = '\0';
  const char *value = equals + 1, *colon = strchr(value, ':');
  if (colon)
    return read_typed(say, value, colon, spec);
  spec->text = value;
  return check_plain(say, value);
}

/* One copy of the text holds the name, followed by the value. */
bool emu_spec_parse(const char *text, spv_emu_spec *spec, char *message, size_t message_size) {
  Say say = {message, message_size};
  char *copy = strdup(text);
  *spec = (spv_emu_spec){.name = copy};
  if (!copy)
    return fail(say, "out of memory");
  if (parse_spec(say, copy, spec))
    return true;
  emu_spec_free(spec);
  return false;
}

void emu_spec_free(spv_emu_spec *spec) {
  free((char *)spec->name);
  *spec = (spv_emu_spec){0};
}

/* ---- files ----------------------------------------------------------------------------------- */

bool emu_values_read(EmuValues *values, char *message, size_t message_size) {
  Say say = {message, message_size};
  size_t size;
  if (!values->file || values->bytes)
    return true;
  if (!compile_file_read(values->file, EMU_VALUES_MOST, &values->bytes, &size))
    return fail(say, "%s: %s", values->file, strerror(errno));
  values->size = size;
  uint32_t stride = values->layout.stride;
  if (values->counted && size != values->count * stride)
    return fail(say, "%s: %zu bytes do not fill %s[%llu]", values->file, size, values->type,
                (unsigned long long)values->count);
  if (size % stride || !size)
    return fail(say, "%s: %zu bytes are not a whole number of %s", values->file, size,
                values->type);
  values->count = size / stride;
  return true;
}

void emu_values_free(EmuValues *values) {
  free(values->bytes);
  *values = (EmuValues){0};
}
