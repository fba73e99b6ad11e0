/* SPDX-License-Identifier: Apache-2.0 */
/* bare_value: see bare_value.h. */
#include "spv-emu/cases/bare_value.h"

#include "spv-emu/cases/case_say.h"

#include "passes/tool/compile/compile_file.h"
#include "spv-emu/cases/random.h"
#include "spv-emu/format/format_number.h"
#include "spv-emu/format/png_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Type {
  const char *name;
  EmuField field;
} Type;

#define TYPE(name, bits_, kind_)                                                                   \
  {                                                                                                \
    name, {                                                                                        \
      .unit = (bits_) / 8, .bits = (bits_), .kind = (kind_)                                        \
    }                                                                                              \
  }

static const Type types[] = {
    TYPE("u8", 8, EMU_FORMAT_UINT),    TYPE("u16", 16, EMU_FORMAT_UINT),
    TYPE("u32", 32, EMU_FORMAT_UINT),  TYPE("u64", 64, EMU_FORMAT_UINT),
    TYPE("i8", 8, EMU_FORMAT_SINT),    TYPE("i16", 16, EMU_FORMAT_SINT),
    TYPE("i32", 32, EMU_FORMAT_SINT),  TYPE("i64", 64, EMU_FORMAT_SINT),
    TYPE("f16", 16, EMU_FORMAT_FLOAT), TYPE("f32", 32, EMU_FORMAT_FLOAT),
    TYPE("f64", 64, EMU_FORMAT_FLOAT),
};

enum { TYPES = sizeof types / sizeof *types };

#define TYPE_NAMES "u8 to u64, i8 to i64, f16 to f64"

static const Type *find_type(const char *text, size_t length) {
  for (size_t i = 0; i < TYPES; i++)
    if (strlen(types[i].name) == length && memcmp(types[i].name, text, length) == 0)
      return &types[i];
  return NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool number(EmuSay say, const char *text, size_t length, const EmuField *field,
                   EmuNumber *value) {
  const char *wrong = emu_number_parse(text, length, field, value);
  return !wrong || emu_say_wrong(say, "'%.*s': %s", length > 40 ? 40 : (int)length, text, wrong);
}

/* The field of number `at`; the numbers of all elements are counted together. */
static const EmuField *field_of(const EmuValues *values, uint64_t at) {
  return &values->layout.fields[at % values->layout.field_count];
}

static void put(const EmuValues *values, uint64_t at, EmuNumber value) {
  emu_field_set(field_of(values, at), value,
                values->bytes + at / values->layout.field_count * values->layout.stride);
}

static uint64_t number_count(const EmuValues *values) {
  return values->count * values->layout.field_count;
}

static bool allocate(EmuSay say, EmuValues *values) {
  values->size = values->count * values->layout.stride;
  values->bytes = calloc(values->size + 1, 1);
  return values->bytes != NULL || emu_say_wrong(say, "out of memory");
}

/* ---- INIT ------------------------------------------------------------------------------------ */

/* The series must not exceed the type's largest number; for floats there is no limit. */
static bool series_fits(const EmuField *field, EmuNumber first, uint64_t count) {
  uint64_t more = count ? count - 1 : 0;
  unsigned unused = 64u - field->bits;
  if (field->kind == EMU_FORMAT_UINT)
    return more <= (UINT64_MAX >> unused) - first.u;
  if (field->kind == EMU_FORMAT_SINT)
    return more <= (uint64_t)(INT64_MAX >> unused) - (uint64_t)first.i;
  return true;
}

static bool fill_series(EmuSay say, EmuValues *values, const char *text, size_t length) {
  uint32_t fields = values->layout.field_count;
  if (!allocate(say, values))
    return false;
  for (uint32_t f = 0; f < fields; f++) {
    const EmuField *field = &values->layout.fields[f];
    EmuNumber first;
    if (!number(say, text, length, field, &first))
      return false;
    if (!series_fits(field, first, values->count))
      return emu_say_wrong(say, "the series exceeds the range of %s", values->type);
    for (uint64_t i = 0; i < values->count; i++) {
      EmuNumber value = first;
      if (field->kind == EMU_FORMAT_FLOAT)
        value.d += (double)i;
      else
        value.u += i;
      put(values, i * fields + f, value);
    }
  }
  return true;
}

static bool fill_one(EmuSay say, EmuValues *values, const char *text) {
  uint32_t fields = values->layout.field_count;
  if (!allocate(say, values))
    return false;
  for (uint32_t f = 0; f < fields; f++) {
    EmuNumber value;
    if (!number(say, text, strlen(text), &values->layout.fields[f], &value))
      return false;
    for (uint64_t i = 0; i < values->count; i++)
      put(values, i * fields + f, value);
  }
  return true;
}

static bool fill_list(EmuSay say, EmuValues *values, const char *text, uint64_t given) {
  if (given > number_count(values))
    return emu_say_wrong(say, "%llu numbers for %llu elements", (unsigned long long)given,
                         (unsigned long long)values->count);
  if (!allocate(say, values))
    return false;
  for (uint64_t i = 0; i < given; i++) {
    size_t length = strcspn(text, ",");
    EmuNumber value;
    if (!number(say, text, length, field_of(values, i), &value))
      return false;
    put(values, i, value);
    text += length + 1;
  }
  return true;
}

enum { DEFAULT_BELOW = 64 };

/* Normalized numbers have random bits; other integers and floats are below `below`. */
static EmuNumber random_number(uint64_t *state, const EmuField *field, uint64_t below) {
  uint64_t bits = emu_random(state);
  if (field->kind == EMU_FORMAT_FLOAT)
    return (EmuNumber){.d = (double)(bits >> 40) / (1 << 24) * (double)(below ? below : 1)};
  if (field->kind == EMU_FORMAT_UINT || field->kind == EMU_FORMAT_SINT)
    return (EmuNumber){.u = bits % (below ? below : DEFAULT_BELOW)};
  return (EmuNumber){.u = bits & (UINT64_MAX >> (64 - field->bits))};
}

/* Does every number below `below` fit the type? */
static bool below_fits(const EmuField *field, uint64_t below) {
  unsigned bits = field->bits - (field->kind == EMU_FORMAT_SINT);
  return field->kind == EMU_FORMAT_FLOAT || bits >= 64 || !below ||
         below - 1 <= UINT64_MAX >> (64 - bits);
}

/* `text`: what follows the word, "", ":SEED" or ":SEED:BELOW". */
static bool fill_random(EmuSay say, EmuValues *values, const char *text) {
  uint64_t state = 0, below = 0;
  size_t seed = *text ? strcspn(text + 1, ":") : 0;
  const char *rest = *text ? text + 1 + seed : text;
  if (*text && !emu_number_u64(text + 1, seed, &state))
    return emu_say_wrong(say, "random:SEED: '%.*s' is not a number", (int)seed, text + 1);
  if (*rest && (!emu_number_u64(rest + 1, strlen(rest + 1), &below) || !below))
    return emu_say_wrong(say, "random:SEED:BELOW: '%s' is not a number, 1 or more", rest + 1);
  for (uint32_t i = 0; i < values->layout.field_count; i++)
    if (!below_fits(&values->layout.fields[i], below))
      return emu_say_wrong(say, "random: numbers below %llu exceed the range of %s",
                           (unsigned long long)below, values->type);
  if (!allocate(say, values))
    return false;
  for (uint64_t i = 0; i < number_count(values); i++)
    put(values, i, random_number(&state, field_of(values, i), below));
  return true;
}

static bool fill(EmuSay say, EmuValues *values, const char *init) {
  size_t length = strlen(init);
  uint64_t given = 1, fields = values->layout.field_count;
  if (init[0] == '@') {
    values->file = init + 1;
    return init[1] || emu_say_wrong(say, "no file after the '@'");
  }
  for (const char *p = init; (p = strchr(p, ',')); p++)
    given++;
  bool series = length > 2 && strcmp(init + length - 2, "..") == 0;
  bool random = strncmp(init, "random", 6) == 0 && (!init[6] || init[6] == ':');
  if (!values->counted && (series || random || given < fields || given == 1))
    return emu_say_wrong(say, "the number of elements is missing: %s[N]=%s", values->type, init);
  if (series)
    return fill_series(say, values, init, length - 2);
  if (random)
    return fill_random(say, values, init + 6);
  if (!values->counted)
    values->count = (given + fields - 1) / fields;
  return given == 1 ? fill_one(say, values, init) : fill_list(say, values, init, given);
}

/* ---- TYPE[N]= -------------------------------------------------------------------------------- */

enum { MOST_NUMBERS = 1 << 16 /* numbers of a record */ };

static bool wrong_type(EmuSay say, const char *text, size_t length) {
  return emu_say_wrong(say,
                       "'%.*s' is not a type; types are " TYPE_NAMES ", or the name of an image "
                       "format",
                       length > 40 ? 40 : (int)length, text);
}

/* Adds "f32x3" to a record. */
static bool add_numbers(EmuSay say, const char *text, size_t length, EmuValues *values) {
  const char *times = memchr(text, 'x', length);
  size_t name = times ? (size_t)(times - text) : length;
  const Type *type = find_type(text, name);
  EmuElementLayout *layout = &values->layout;
  uint64_t count = 1;
  if (!type || (times && (!emu_number_u64(times + 1, length - name - 1, &count) || !count)))
    return wrong_type(say, text, length);
  if (count > MOST_NUMBERS - layout->field_count)
    return emu_say_wrong(say, "more than %d numbers in a record", MOST_NUMBERS);
  EmuField *more = realloc(values->fields, (layout->field_count + count) * sizeof *more);
  if (!more)
    return emu_say_wrong(say, "out of memory");
  values->fields = more;
  for (uint64_t i = 0; i < count; i++) {
    EmuField field = type->field;
    field.offset = layout->size;
    layout->size += field.unit;
    more[layout->field_count++] = field;
  }
  layout->fields = more;
  layout->stride = layout->size;
  return true;
}

static bool parse_record(EmuSay say, const char *text, size_t length, EmuValues *values) {
  values->type = "the record";
  for (size_t at = 0; at <= length;) {
    const char *comma = memchr(text + at, ',', length - at);
    size_t part = comma ? (size_t)(comma - text) - at : length - at;
    if (!add_numbers(say, text + at, part, values))
      return false;
    at += part + 1;
  }
  return true;
}

static bool parse_type(EmuSay say, const char *text, size_t length, EmuValues *values) {
  const Type *type = find_type(text, length);
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  values->format = type ? NULL : emu_format_find(name);
  if (type) {
    values->layout = (EmuElementLayout){&type->field, 1, type->field.unit, type->field.unit};
    values->type = type->name;
  } else if (values->format) {
    values->layout = emu_format_layout(values->format);
    values->type = values->format->name;
  } else {
    return parse_record(say, text, length, values);
  }
  return true;
}

/* Reads the size of an image: "64x64". */
static bool read_extent(EmuSay say, const char *text, size_t length, EmuValues *values) {
  size_t at = 0;
  values->count = 1;
  for (int i = 0; i < 3; i++) {
    uint64_t size = 1;
    size_t part = at < length ? strcspn(text + at, "x]") : 0;
    if (at < length && (!emu_number_u64(text + at, part, &size) || !size || size > 1 << 16))
      return emu_say_wrong(say, "'%.*s' is not the size of an image: WIDTHxHEIGHTxDEPTH",
                           length > 40 ? 40 : (int)length, text);
    values->extent[i] = (uint32_t)size;
    values->count *= size;
    at += part + 1;
  }
  return at > length || emu_say_wrong(say, "an image has up to three sizes");
}

static bool read_count(EmuSay say, const char *text, size_t length, EmuValues *values) {
  values->counted = length > 0;
  if (!values->counted)
    return !values->format || values->picture ||
           emu_say_wrong(say, "the size of the image is missing: %s[WxH]", values->type);
  if (values->format) {
    if (!read_extent(say, text, length, values))
      return false;
  } else if (!emu_number_u64(text, length, &values->count) || values->count == 0) {
    return emu_say_wrong(say, "'%.*s' is not a number of elements", length > 40 ? 40 : (int)length,
                         text);
  }
  return values->count <= EMU_VALUES_MOST / values->layout.stride ||
         emu_say_wrong(say, "more than %llu MiB, the most that a buffer can have",
                       (unsigned long long)(EMU_VALUES_MOST >> 20));
}

/* Is this "=@FILE.png"? */
static bool is_picture(const char *text) {
  return text[0] == '=' && text[1] == '@' && emu_png_is_name(text + 2);
}

static bool parse_part(EmuSay say, const char *text, EmuValues *values) {
  size_t name = strcspn(text, "[=:");
  if (!parse_type(say, text, name, values))
    return false;
  const char *equals = strchr(text + name, '=');
  values->picture = values->format && equals && is_picture(equals);
  if (values->picture && equals == text + name)
    return fill(say, values, equals + 1);
  const char *open = text + name, *close = strchr(open, ']');
  if (*open != '[' || !close || close[1] != '=')
    return emu_say_wrong(say, "expected %s[N]=VALUES", values->type);
  return read_count(say, open + 1, (size_t)(close - open - 1), values) &&
         fill(say, values, close + 2);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* The '+' before the next part, which begins with a type. Any other '+' belongs to the name of a
 * file. */
static const char *next_part(const char *text) {
  for (const char *p = text; *p && *p != '@'; p++)
    if (*p == '+' && strchr("uif", p[1]) && p[1] && p[2] >= '0' && p[2] <= '9')
      return p;
  return NULL;
}

static bool same_layout(const EmuElementLayout *a, const EmuElementLayout *b) {
  return a->fields == b->fields && a->field_count == 1 && b->field_count == 1;
}

/* Appends a part. The values are then of type u32, unless they and the part have the same scalar
 * type. */
static bool join(EmuSay say, EmuValues *values, EmuValues *part) {
  uint64_t size = values->size + part->size;
  if (part->file || values->file || part->format || values->format)
    return emu_say_wrong(say, "an image or @FILE cannot be one of several parts");
  uint8_t *bytes = size <= EMU_VALUES_MOST ? realloc(values->bytes, size + 1) : NULL;
  if (!bytes)
    return emu_say_wrong(say, "more than %llu MiB", (unsigned long long)(EMU_VALUES_MOST >> 20));
  memcpy(bytes + values->size, part->bytes, part->size);
  values->bytes = bytes;
  values->size = size;
  if (!same_layout(&values->layout, &part->layout)) {
    const Type *word = find_type("u32", 3);
    values->layout = (EmuElementLayout){&word->field, 1, word->field.unit, word->field.unit};
    values->type = word->name;
  }
  values->count = size / values->layout.stride;
  return true;
}

static bool parse_values(EmuSay say, const char *text, EmuValues *values) {
  const char *plus = next_part(text);
  if (!plus)
    return parse_part(say, text, values);
  char *first = strndup(text, (size_t)(plus - text));
  bool good = first ? parse_part(say, first, values) : emu_say_wrong(say, "out of memory");
  free(first);
  while (good && plus) {
    const char *start = plus + 1;
    plus = next_part(start);
    char *one = strndup(start, plus ? (size_t)(plus - start) : strlen(start));
    EmuValues part = {0};
    good = one ? parse_part(say, one, &part) && join(say, values, &part)
               : emu_say_wrong(say, "out of memory");
    emu_values_free(&part);
    free(one);
  }
  return good;
}

bool emu_values_parse(const char *text, EmuValues *values, char *message, size_t message_size) {
  *values = (EmuValues){0};
  if (parse_values((EmuSay){message, message_size}, text, values))
    return true;
  emu_values_free(values);
  return false;
}

/* ---- SET:BINDING or NAME --------------------------------------------------------------------- */

/* Reads decimal digits at the start of *text, and moves it past them. */
static bool take_u32(const char **text, uint32_t *value) {
  size_t length = strspn(*text, "0123456789");
  uint64_t number64;
  if (!emu_number_u64(*text, length, &number64) || number64 > UINT32_MAX)
    return false;
  *value = (uint32_t)number64;
  *text += length;
  return true;
}

/* `ends`: the characters that may follow the place. */
static bool parse_place(EmuSay say, const char **text, const char *ends,
                        EmuDescriptorPlace *place) {
  *place = (EmuDescriptorPlace){0};
  if (**text && !strchr("-0123456789:", **text)) {
    place->name = *text;
    place->name_length = (uint32_t)strcspn(*text, ends);
    *text += place->name_length;
    return true;
  }
  if (take_u32(text, &place->set) && **text == ':') {
    ++*text;
    if (take_u32(text, &place->binding) && (!**text || strchr(ends, **text)))
      return true;
  }
  return emu_say_wrong(say, "expected two numbers, SET:BINDING, or the name of a buffer");
}

bool emu_place_parse(const char **text, const char *ends, EmuDescriptorPlace *place, char *message,
                     size_t message_size) {
  return parse_place((EmuSay){message, message_size}, text, ends, place);
}

/* What follows the place of a picture: the number of the element, or nothing. */
static bool parse_picture(EmuSay say, const char *text, EmuValues *values) {
  values->picture = true;
  values->type = "the picture";
  values->layout.stride = 1;
  return fill(say, values, text + 1);
}

bool emu_buffer_parse(const char *text, EmuBareBuffer *buffer, char *message, size_t message_size) {
  EmuSay say = {message, message_size};
  *buffer = (EmuBareBuffer){0};
  if (!parse_place(say, &text, ":=", &buffer->place))
    return false;
  if (is_picture(text))
    return parse_picture(say, text, &buffer->values);
  if (text[0] == '=' && text[1] == '@')
    return emu_say_wrong(
        say, "a picture is a file @FILE.png; other contents have a type: TYPE[N]=@FILE");
  if (*text++ != ':')
    return emu_say_wrong(say, "expected :TYPE[N]=INIT after SET:BINDING or the name");
  bool number = *text >= '0' && *text <= '9';
  if (number && take_u32(&text, &buffer->element) && is_picture(text))
    return parse_picture(say, text, &buffer->values);
  if (number && *text++ != ':')
    return emu_say_wrong(say,
                         "the element after the place must be a number, followed by :TYPE[N]=INIT");
  return emu_values_parse(text, &buffer->values, message, message_size);
}

/* ---- samplers -------------------------------------------------------------------------------- */

/* Numbers of VkFilter and VkSamplerAddressMode; LESS is a number of VkCompareOp. */
enum { NEAREST, LINEAR, REPEAT = 0, MIRROR, CLAMP, BORDER, LESS = 1 };

static bool set_word(spv_emu_sampler *s, const char *word, size_t length) {
  static const struct {
    const char *name;
    bool filter;
    uint32_t number;
  } words[] = {{"nearest", true, NEAREST}, {"linear", true, LINEAR}, {"repeat", false, REPEAT},
               {"mirror", false, MIRROR},  {"clamp", false, CLAMP},  {"border", false, BORDER}};
  if (length == strlen("compare") && memcmp(word, "compare", length) == 0) {
    s->compare = true;
    s->compare_op = LESS;
    return true;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strlen(words[i].name) != length || memcmp(words[i].name, word, length) != 0)
      continue;
    if (words[i].filter)
      s->mag_filter = s->min_filter = words[i].number;
    else
      s->address_mode[0] = s->address_mode[1] = s->address_mode[2] = words[i].number;
    return true;
  }
  return false;
}

bool emu_sampler_parse(const char *text, spv_emu_sampler *sampler, char *message,
                       size_t message_size) {
  EmuSay say = {message, message_size};
  *sampler = (spv_emu_sampler){.max_lod = 1000};
  if (!take_u32(&text, &sampler->set) || *text++ != ':' || !take_u32(&text, &sampler->binding) ||
      (*text == ':' && (text++, !take_u32(&text, &sampler->element))) || *text != '=')
    return emu_say_wrong(say, "expected SET:BINDING=linear,repeat");
  do {
    size_t length = strcspn(++text, ",");
    if (!set_word(sampler, text, length))
      return emu_say_wrong(
          say, "'%.*s' is not one of linear, nearest, repeat, mirror, clamp, border, compare",
          length > 40 ? 40 : (int)length, text);
    text += length;
  } while (*text);
  return true;
}

/* ---- spec ------------------------------------------------------------------------------------ */

static uint64_t bits_of(const EmuField *field, EmuNumber value) {
  uint64_t bits = 0;
  emu_field_set(field, value, &bits);
  return bits;
}

/* A value without a type is read once the constant is known; here it only has to be a value. */
static bool check_plain(EmuSay say, const char *text) {
  static const EmuField number_field = {.unit = 8, .bits = 64, .kind = EMU_FORMAT_FLOAT};
  EmuNumber value;
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
    return true;
  return number(say, text, strlen(text), &number_field, &value);
}

static bool read_typed(EmuSay say, const char *text, const char *colon, spv_emu_spec *spec) {
  size_t length = (size_t)(colon - text);
  const Type *type = find_type(text, length);
  EmuNumber value;
  if (!type)
    return emu_say_wrong(say, "'%.*s' is not a type; types are " TYPE_NAMES,
                         length > 40 ? 40 : (int)length, text);
  if (!number(say, colon + 1, strlen(colon + 1), &type->field, &value))
    return false;
  spec->bits = bits_of(&type->field, value);
  spec->width = type->field.bits;
  return true;
}

static bool parse_spec(EmuSay say, char *text, spv_emu_spec *spec) {
  char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return emu_say_wrong(say, "expected ID=VALUE or NAME=VALUE");
  *equals = '\0';
  const char *value = equals + 1, *colon = strchr(value, ':');
  if (colon)
    return read_typed(say, value, colon, spec);
  spec->text = value;
  return check_plain(say, value);
}

/* One copy of the text holds the name, followed by the value. */
bool emu_spec_parse(const char *text, spv_emu_spec *spec, char *message, size_t message_size) {
  EmuSay say = {message, message_size};
  char *copy = strdup(text);
  *spec = (spv_emu_spec){.name = copy};
  if (!copy)
    return emu_say_wrong(say, "out of memory");
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

void emu_values_choose(EmuValues *values, const EmuFormat *format) {
  values->format = format;
  values->layout = emu_format_layout(format);
  values->type = format->name;
}

static bool take_picture(EmuSay say, EmuValues *values, const EmuPng *png) {
  const uint32_t *e = values->extent;
  if (values->counted && (e[0] != png->width || e[1] != png->height || e[2] != 1))
    return emu_say_wrong(say, "%s: the picture has %ux%u pixels, not %ux%u%s", values->file,
                         png->width, png->height, e[0], e[1],
                         e[2] == 1 ? "" : " in several layers");
  values->extent[0] = png->width;
  values->extent[1] = png->height;
  values->extent[2] = 1;
  values->count = (uint64_t)png->width * png->height;
  if (values->count > EMU_VALUES_MOST / values->layout.stride)
    return emu_say_wrong(say, "%s: more than %llu MiB", values->file,
                         (unsigned long long)(EMU_VALUES_MOST >> 20));
  if (!allocate(say, values))
    return false;
  emu_png_texels(png, values->format, values->layout.stride, values->bytes);
  if (values->plain)
    values->format = NULL;
  return true;
}

static bool read_picture(EmuSay say, EmuValues *values, uint8_t *bytes, size_t size) {
  const char *why;
  EmuPng png;
  bool good =
      emu_png_read(bytes, size, &png, &why) || emu_say_wrong(say, "%s: %s", values->file, why);
  good = good && take_picture(say, values, &png);
  emu_png_free(&png);
  free(bytes);
  return good;
}

bool emu_values_read(EmuValues *values, char *message, size_t message_size) {
  EmuSay say = {message, message_size};
  uint8_t *bytes;
  size_t size;
  if (!values->file || values->bytes)
    return true;
  if (!compile_file_read(values->file, EMU_VALUES_MOST, &bytes, &size))
    return emu_say_wrong(say, "%s: %s", values->file, strerror(errno));
  if (values->picture)
    return read_picture(say, values, bytes, size);
  values->bytes = bytes;
  values->size = size;
  uint32_t stride = values->layout.stride;
  if (values->counted && size != values->count * stride)
    return emu_say_wrong(say, "%s: %zu bytes do not fill %s[%llu], which takes %llu", values->file,
                         size, values->type, (unsigned long long)values->count,
                         (unsigned long long)values->count * stride);
  if (size % stride || !size)
    return emu_say_wrong(say, "%s: %zu bytes are not a whole number of %s", values->file, size,
                         values->type);
  values->count = size / stride;
  return true;
}

void emu_values_free(EmuValues *values) {
  free(values->bytes);
  free(values->fields);
  *values = (EmuValues){0};
}
