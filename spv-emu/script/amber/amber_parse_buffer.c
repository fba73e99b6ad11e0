/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse_buffer: STRUCT, BUFFER and IMAGE. */
#include "spv-emu/script/amber/amber_parse.h"

#include <string.h>

/* ---- types ----------------------------------------------------------------------------------- */

/* The type that the name of a struct, or of an array of structs, stands for. */
static const char *struct_type(AmberParser *parser, const AmberToken *word, uint32_t stride,
                               AmberType *type, bool *found) {
  size_t length = word->length;
  uint32_t count;
  const char *why;
  bool array = amber_type_dimension(word->text, &length, &count, &why);
  uint32_t index = amber_names_find(&parser->names, AMBER_NAME_STRUCT, word->text, length);
  *found = index != AMBER_NONE && !why;
  if (!*found)
    return NULL;
  if (index >= parser->struct_count)
    return "a struct cannot hold itself";
  *type = parser->structs[index];
  if (count)
    return amber_type_repeat(parser->pool, &parser->structs[index], count, stride, type);
  type->array = type->unsized = array;
  return NULL;
}

static bool type_of_word(AmberParser *parser, const AmberToken *word, AmberStrides strides,
                         AmberType *type) {
  bool found;
  const char *why = struct_type(parser, word, strides.array, type, &found);
  if (!found)
    why = amber_type_parse(parser->pool, word->text, word->length, strides, type);
  return !why || amber_fail(parser, word, "%s%s", why,
                            found ? "" : "; types are, for example, uint32, float and vec4<float>");
}

bool amber_parse_type(AmberParser *parser, AmberStrides strides, AmberType *type) {
  AmberToken word;
  return amber_word(parser, "the type", &word) && type_of_word(parser, &word, strides, type);
}

static bool parse_member(AmberParser *parser, AmberType *structure) {
  AmberToken word, name;
  AmberStrides strides = {0};
  uint32_t offset = AMBER_NONE;
  if (!amber_word(parser, "the type", &word) ||
      !amber_word(parser, "the struct member's name", &name))
    return false;
  while (parser->token.kind == AMBER_TOKEN_WORD) {
    bool read = amber_accept(parser, "OFFSET") ? amber_u32(parser, "OFFSET", 0, 1 << 28, &offset)
                : amber_accept(parser, "ARRAY_STRIDE")
                    ? amber_u32(parser, "ARRAY_STRIDE", 1, 1 << 28, &strides.array)
                : amber_accept(parser, "MATRIX_STRIDE")
                    ? amber_u32(parser, "MATRIX_STRIDE", 1, 1 << 28, &strides.matrix)
                    : amber_fail(parser, &parser->token,
                                 "OFFSET, ARRAY_STRIDE or MATRIX_STRIDE was expected");
    if (!read)
      return false;
  }
  AmberType type = {0};
  if (!type_of_word(parser, &word, strides, &type))
    return false;
  if (type.unsized)
    return amber_fail(parser, &word, "an array in a struct needs a length");
  const char *why = amber_type_add(parser->pool, structure, &type, offset);
  return !why || amber_fail(parser, &word, "%s", why);
}

bool amber_parse_struct(AmberParser *parser) {
  AmberType structure = {0};
  AmberToken word = parser->token;
  const char *name;
  uint32_t stride = 0;
  if (!amber_new_name(parser, AMBER_NAME_STRUCT, "the struct's name", parser->struct_count, &name))
    return false;
  if (amber_accept(parser, "STRIDE") && !amber_u32(parser, "STRIDE", 1, 1 << 28, &stride))
    return false;
  if (!amber_line_end(parser))
    return false;
  while (amber_block_word(parser, "STRUCT"))
    if (!parse_member(parser, &structure))
      return false;
  if (parser->status != AMBER_OK)
    return false;
  const char *why = amber_type_close(&structure, stride);
  if (why)
    return amber_fail(parser, &word, "%s", why);
  parser->structs =
      amber_pool_grow(parser->pool, parser->structs, parser->struct_count, sizeof *parser->structs);
  if (!parser->structs)
    return amber_no_memory(parser);
  parser->structs[parser->struct_count++] = structure;
  return true;
}

/* ---- buffers and images ---------------------------------------------------------------------- */

/* A declaration up to its contents. */
typedef struct Declaration {
  AmberBuffer buffer;
  AmberType type;
  AmberRules rules;
  bool image, typed;
  uint32_t size; /* SIZE; 0: it is not given */
  uint32_t dimensions;
} Declaration;

enum { CUBE_FACES = 6, MOST_LAYERS = 2048 };

static bool parse_element(AmberParser *parser, Declaration *d) {
  d->typed = true;
  if (amber_accept(parser, "DATA_TYPE"))
    return amber_parse_type(parser, (AmberStrides){0}, &d->type);
  if (!amber_expect_word(parser, "FORMAT") || !amber_take_format(parser, &d->type.format))
    return false;
  d->type.is_format = true;
  return true;
}

static bool parse_samples(AmberParser *parser, uint32_t *samples) {
  AmberToken word = parser->token;
  if (!amber_u32(parser, "SAMPLES", 1, 64, samples))
    return false;
  return (*samples & (*samples - 1)) == 0 ||
         amber_fail(parser, &word, "SAMPLES must be a power of two");
}

static bool parse_number_option(AmberParser *parser, Declaration *d, bool *found) {
  struct {
    const char *word;
    uint32_t *number;
    uint32_t most;
  } options[] = {
      {"SIZE", &d->size, UINT32_MAX},
      {"WIDTH", &d->buffer.width, 1 << 16},
      {"HEIGHT", &d->buffer.height, 1 << 16},
      {"DEPTH", &d->buffer.depth, 1 << 16},
      {"MIP_LEVELS", &d->buffer.mip_levels, 16},
      {"LAYERS", &d->buffer.layers, MOST_LAYERS},
  };
  *found = true;
  for (size_t i = 0; i < AMBER_COUNT(options); i++)
    if (amber_accept(parser, options[i].word))
      return amber_u32(parser, options[i].word, 1, options[i].most, options[i].number);
  if (amber_accept(parser, "SAMPLES"))
    return parse_samples(parser, &d->buffer.samples);
  *found = false;
  return true;
}

static bool word_option(AmberParser *parser, Declaration *d) {
  static const AmberChoice rules[] = {
      {"STD140", AMBER_STD140}, {"STD430", AMBER_STD430}, {"SCALAR", AMBER_SCALAR}};
  static const struct {
    const char *word;
    uint32_t number;
    AmberArray array;
  } dimensions[] = {
      {"DIM_1D", 1, AMBER_PLAIN},
      {"DIM_2D", 2, AMBER_PLAIN},
      {"DIM_3D", 3, AMBER_PLAIN},
      {"DIM_1D_ARRAY", 1, AMBER_LAYERED},
      {"DIM_2D_ARRAY", 2, AMBER_LAYERED},
      {"DIM_CUBE", 2, AMBER_CUBE},
      {"DIM_CUBE_ARRAY", 2, AMBER_CUBE_ARRAY},
  };
  for (size_t i = 0; i < AMBER_COUNT(rules); i++)
    if (!d->image && amber_accept(parser, rules[i].word)) {
      d->rules = (AmberRules)rules[i].number;
      return true;
    }
  for (size_t i = 0; i < AMBER_COUNT(dimensions); i++)
    if (d->image && amber_accept(parser, dimensions[i].word)) {
      d->dimensions = dimensions[i].number;
      d->buffer.array = dimensions[i].array;
      return true;
    }
  return false;
}

static bool at_type(const AmberParser *parser) {
  return amber_token_is(&parser->token, "DATA_TYPE") || amber_token_is(&parser->token, "FORMAT");
}

/* An image's type may be anywhere among its options; a buffer's comes before them. */
static bool parse_options(AmberParser *parser, Declaration *d) {
  bool found = true;
  while (found) {
    if (!d->typed && (!d->image || at_type(parser))) {
      if (!parse_element(parser, d))
        return false;
      continue;
    }
    if (!parse_number_option(parser, d, &found))
      return false;
    found = found || word_option(parser, d);
  }
  return d->typed || amber_fail(parser, &parser->token, "DATA_TYPE or FORMAT was expected");
}

/* May a picture give the image's size? Only the file will say whether it is one. */
static bool may_be_picture(const AmberParser *parser, const Declaration *d) {
  return d->dimensions == 2 && !d->buffer.width && !d->buffer.height && !d->buffer.depth &&
         amber_token_is(&parser->token, "FILE");
}

static bool refuse_size(AmberParser *parser) {
  return amber_fail(parser, NULL, "an IMAGE needs DIM_1D, DIM_2D or DIM_3D and its sizes");
}

/* An array needs LAYERS; a cube has six, an array of cubes a multiple of six. */
static bool settle_layers(AmberParser *parser, AmberBuffer *buffer) {
  if (buffer->array == AMBER_CUBE && !buffer->layers)
    buffer->layers = CUBE_FACES;
  bool cubes = buffer->array == AMBER_CUBE || buffer->array == AMBER_CUBE_ARRAY;
  bool good = buffer->array == AMBER_PLAIN ? !buffer->layers
              : cubes                      ? buffer->layers && buffer->layers % CUBE_FACES == 0
                                           : buffer->layers > 0;
  good = good && (buffer->array != AMBER_CUBE || buffer->layers == CUBE_FACES);
  return good ||
         amber_fail(parser, NULL, "LAYERS is for arrays; those of cubes have a multiple of 6");
}

static bool settle_image_size(AmberParser *parser, Declaration *d) {
  AmberBuffer *buffer = &d->buffer;
  if (!settle_layers(parser, buffer))
    return false;
  if (d->image && !buffer->layers && may_be_picture(parser, d))
    return true;
  if (d->image && (!d->dimensions || !buffer->width || (d->dimensions > 1 && !buffer->height) ||
                   (d->dimensions > 2 && !buffer->depth)))
    return refuse_size(parser);
  if (d->dimensions == 1)
    buffer->height = 1;
  if (d->dimensions && d->dimensions < 3)
    buffer->depth = 1;
  if (!buffer->width)
    return true;
  buffer->height = buffer->height ? buffer->height : 1;
  buffer->depth = buffer->depth ? buffer->depth : 1;
  uint64_t texels = (uint64_t)buffer->width * buffer->height;
  texels = texels > AMBER_MAX_BUFFER_BYTES ? texels : texels * buffer->depth;
  texels = texels > AMBER_MAX_BUFFER_BYTES ? texels : texels * amber_buffer_layers(buffer);
  if (texels > AMBER_MAX_BUFFER_BYTES)
    return amber_fail(parser, NULL, "the image is too large (at most %u MiB)",
                      (unsigned)(AMBER_MAX_BUFFER_BYTES >> 20));
  if (d->size && d->size != texels)
    return amber_fail(parser, NULL, "SIZE is not WIDTH times HEIGHT");
  d->size = (uint32_t)texels;
  return true;
}

/* Images and buffers of a format have the tight layout of the format. */
static bool settle_layout(AmberParser *parser, Declaration *d) {
  AmberBuffer *buffer = &d->buffer;
  const EmuFormat *format = d->type.format;
  buffer->format = format;
  if (d->image && !format)
    return amber_fail(parser, NULL, "no image format has these components: name one with FORMAT");
  if (d->image || d->type.is_format) {
    buffer->layout = emu_format_layout(format);
    return true;
  }
  const char *why = amber_type_layout(&d->type, d->rules, &buffer->layout);
  return !why || amber_fail(parser, NULL, "%s", why);
}

static bool parse_contents(AmberParser *parser, Declaration *d) {
  AmberBuffer *buffer = &d->buffer;
  buffer->element_count = d->size;
  if (d->size && !amber_build_allocate(parser, buffer))
    return false;
  if (!amber_parse_initializer(parser, buffer, d->size != 0, &buffer->initialised))
    return false;
  if (d->image && !buffer->width)
    return refuse_size(parser);
  if (!buffer->initialised && !d->image && (d->size || !d->type.is_format))
    return amber_fail(parser, &parser->token, "DATA, FILL, SERIES_FROM or FILE was expected");
  return true;
}

static bool parse_declaration(AmberParser *parser, bool image) {
  Declaration d = {.image = image, .rules = AMBER_STD430};
  AmberBuffer *buffer = &d.buffer;
  buffer->line = parser->token.line;
  buffer->mip_levels = buffer->samples = 1;
  if (!amber_new_name(parser, AMBER_NAME_BUFFER, image ? "the image's name" : "the buffer's name",
                      parser->script->buffer_count, &buffer->name) ||
      !parse_options(parser, &d) || !settle_image_size(parser, &d) || !settle_layout(parser, &d) ||
      !parse_contents(parser, &d))
    return false;
  buffer->dimensions = d.dimensions ? d.dimensions : 2;
  bool sized = d.size || buffer->initialised;
  if (sized && !buffer->width) {
    buffer->width = buffer->element_count;
    buffer->height = buffer->depth = 1;
  }
  return amber_build_buffer(parser, buffer, sized);
}

bool amber_parse_buffer(AmberParser *parser) {
  return parse_declaration(parser, false);
}

bool amber_parse_image(AmberParser *parser) {
  return parse_declaration(parser, true);
}
