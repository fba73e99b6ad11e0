/* SPDX-License-Identifier: Apache-2.0 */
/* vkscript_data: [vertex data] and [indices].
 *
 * The columns of the vertex data are the attributes; a row is a vertex, and the rows are one
 * buffer, in which each column begins at a multiple of its components' size. */
#include "spv-emu/format/format_number.h"
#include "spv-emu/script/amber_build.h"
#include "spv-emu/script/vkscript/vkscript.h"

#include <stdlib.h>
#include <string.h>

/* ---- bytes that grow ------------------------------------------------------------------------- */

typedef struct Bytes {
  uint8_t *at; /* on the heap */
  size_t size, room;
} Bytes;

/* Adds zeroed bytes; NULL: out of memory. */
static uint8_t *add_bytes(AmberParser *parser, Bytes *bytes, size_t count) {
  if (bytes->size + count > AMBER_MAX_BUFFER_BYTES) {
    amber_fail(parser, NULL, "the data are larger than %u MiB",
               (unsigned)(AMBER_MAX_BUFFER_BYTES >> 20));
    return NULL;
  }
  while (bytes->room < bytes->size + count) {
    size_t room = bytes->room ? 2 * bytes->room : 4096;
    uint8_t *grown = realloc(bytes->at, room);
    if (!grown) {
      amber_no_memory(parser);
      return NULL;
    }
    bytes->at = grown;
    bytes->room = room;
  }
  uint8_t *added = bytes->at + bytes->size;
  memset(added, 0, count);
  bytes->size += count;
  return added;
}

/* Makes the bytes a buffer of the script, and frees them. */
static bool keep_bytes(AmberParser *parser, Bytes *bytes, const char *name, uint32_t line,
                       uint32_t *index) {
  bool kept = amber_build_bytes(parser, name, bytes->at, bytes->size, line, index);
  free(bytes->at);
  return kept;
}

/* ---- column heads ---------------------------------------------------------------------------- */

/* "float/vec3": the type of a component, and how many components there are. */
static const EmuFormat *gl_format(const char *text, size_t length) {
  static const struct {
    const char *name;
    EmuFormatKind kind;
    uint32_t bits;
  } types[] = {
      {"byte", EMU_FORMAT_SINT, 8},     {"ubyte", EMU_FORMAT_UINT, 8},
      {"short", EMU_FORMAT_SINT, 16},   {"ushort", EMU_FORMAT_UINT, 16},
      {"int", EMU_FORMAT_SINT, 32},     {"uint", EMU_FORMAT_UINT, 32},
      {"half", EMU_FORMAT_FLOAT, 16},   {"float", EMU_FORMAT_FLOAT, 32},
      {"double", EMU_FORMAT_FLOAT, 64},
  };
  const char *slash = memchr(text, '/', length);
  size_t head = slash ? (size_t)(slash - text) : 0;
  const char *glsl = slash ? slash + 1 : "";
  size_t left = slash ? length - head - 1 : 0;
  uint32_t count = 1;
  for (size_t at = 0; at + 3 <= left; at++)
    if (memcmp(glsl + at, "vec", 3) == 0)
      count = at + 3 < left ? (uint32_t)(glsl[at + 3] - '0') : 4;
  for (size_t i = 0; left && i < AMBER_COUNT(types); i++)
    if (strlen(types[i].name) == head && memcmp(types[i].name, text, head) == 0)
      return emu_format_equal(types[i].kind, types[i].bits, count);
  return NULL;
}

/* "0/R32G32_SFLOAT" or "0/float/vec2" */
static bool parse_head(AmberParser *parser, AmberVertexInput *input) {
  AmberToken word = amber_take(parser);
  const char *slash = memchr(word.text, '/', word.length);
  size_t digits = slash ? (size_t)(slash - word.text) : 0;
  uint64_t location;
  if (!emu_number_u64(word.text, digits, &location) || location > 1 << 16)
    return amber_fail(parser, &word, "a column is LOCATION/FORMAT, as in 0/R32G32_SFLOAT");
  const char *name = amber_pool_text(parser->pool, slash + 1, word.length - digits - 1);
  if (!name)
    return amber_no_memory(parser);
  const EmuFormat *format = emu_format_find(name);
  format = format ? format : gl_format(name, strlen(name));
  if (!format)
    return amber_fail(parser, &word, "there is no such format");
  *input = (AmberVertexInput){.location = (uint32_t)location, .format = format, .line = word.line};
  return true;
}

static uint32_t round_up(uint32_t offset, uint32_t unit) {
  return (offset + unit - 1) / unit * unit;
}

/* Places the columns; returns the bytes of a row. */
static uint32_t place_columns(VkScript *vk) {
  uint32_t end = 0, unit = 1;
  for (uint32_t i = 0; i < vk->vertex_input_count; i++) {
    AmberVertexInput *input = &vk->vertex_inputs[i];
    uint32_t own = input->format->fields->unit;
    input->offset = round_up(end, own);
    end = input->offset + input->format->bytes;
    unit = own > unit ? own : unit;
  }
  end = round_up(end, unit);
  for (uint32_t i = 0; i < vk->vertex_input_count; i++)
    vk->vertex_inputs[i].stride = end;
  return end;
}

static bool parse_heads(AmberParser *parser) {
  VkScript *vk = parser->vkscript;
  while (parser->token.kind == AMBER_TOKEN_WORD) {
    vk->vertex_inputs = amber_pool_grow(parser->pool, vk->vertex_inputs, vk->vertex_input_count,
                                        sizeof *vk->vertex_inputs);
    if (!vk->vertex_inputs)
      return amber_no_memory(parser);
    AmberVertexInput *input = &vk->vertex_inputs[vk->vertex_input_count];
    AmberToken word = parser->token;
    if (!parse_head(parser, input))
      return false;
    for (uint32_t i = 0; i < vk->vertex_input_count; i++)
      if (vk->vertex_inputs[i].location == input->location)
        return amber_fail(parser, &word, "the location has a column already");
    vk->vertex_input_count++;
  }
  return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool parse_cell(AmberParser *parser, const EmuField *field, uint8_t *place) {
  AmberToken word;
  EmuNumber value;
  if (!amber_word(parser, "a number of the row", &word))
    return false;
  const char *why = emu_number_parse(word.text, word.length, field, &value);
  if (why)
    return amber_fail(parser, &word, "%s", why);
  emu_field_set(field, value, place);
  return true;
}

static bool parse_row(AmberParser *parser, uint8_t *row) {
  const VkScript *vk = parser->vkscript;
  for (uint32_t i = 0; i < vk->vertex_input_count; i++) {
    const AmberVertexInput *input = &vk->vertex_inputs[i];
    const EmuElementLayout layout = emu_format_layout(input->format);
    for (uint32_t k = 0; k < layout.field_count; k++)
      if (!parse_cell(parser, &layout.fields[k], row + input->offset))
        return false;
  }
  return parser->token.kind != AMBER_TOKEN_WORD || amber_line_end(parser);
}

static bool parse_rows(AmberParser *parser, Bytes *bytes, uint32_t stride) {
  for (amber_skip_lines(parser); parser->token.kind == AMBER_TOKEN_WORD; amber_skip_lines(parser)) {
    uint8_t *row = add_bytes(parser, bytes, stride);
    if (!row || !parse_row(parser, row))
      return false;
  }
  return true;
}

bool vkscript_vertex_data(AmberParser *parser) {
  VkScript *vk = parser->vkscript;
  Bytes bytes = {0};
  amber_skip_lines(parser);
  uint32_t line = parser->token.line, index;
  if (vk->vertex_input_count)
    return amber_fail(parser, NULL, "there is a [vertex data] already");
  if (parser->token.kind == AMBER_TOKEN_END)
    return true;
  if (!parse_heads(parser))
    return false;
  if (!parse_rows(parser, &bytes, place_columns(vk))) {
    free(bytes.at);
    return false;
  }
  if (!bytes.size)
    return amber_fail_line(parser, line, "[vertex data] has no rows");
  if (!keep_bytes(parser, &bytes, "vertex data", line, &index))
    return false;
  for (uint32_t i = 0; i < vk->vertex_input_count; i++)
    vk->vertex_inputs[i].buffer = index;
  return true;
}

/* ---- [indices] ------------------------------------------------------------------------------- */

/* Indices have 16 bits, as in google/amber and VkRunner, or 32 if an index needs them. */
static void narrow(Bytes *bytes) {
  uint32_t *wide = (uint32_t *)(void *)bytes->at;
  uint16_t *thin = (uint16_t *)(void *)bytes->at;
  for (size_t i = 0; i < bytes->size / 4; i++)
    thin[i] = (uint16_t)wide[i];
  bytes->size /= 2;
}

static bool parse_indices(AmberParser *parser, Bytes *bytes, uint32_t *most) {
  for (amber_skip_lines(parser); parser->token.kind == AMBER_TOKEN_WORD; amber_skip_lines(parser)) {
    uint32_t number;
    uint8_t *place = add_bytes(parser, bytes, sizeof number);
    if (!place || !amber_u32(parser, "an index", 0, UINT32_MAX, &number))
      return false;
    memcpy(place, &number, sizeof number);
    *most = number > *most ? number : *most;
  }
  return true;
}

bool vkscript_indices(AmberParser *parser) {
  static const EmuField words[] = {{.unit = 2, .bits = 16, .kind = EMU_FORMAT_UINT},
                                   {.unit = 4, .bits = 32, .kind = EMU_FORMAT_UINT}};
  VkScript *vk = parser->vkscript;
  Bytes bytes = {0};
  uint32_t most = 0, line = parser->token.line;
  if (vk->index_buffer != AMBER_NONE)
    return amber_fail(parser, NULL, "there is an [indices] already");
  if (!parse_indices(parser, &bytes, &most)) {
    free(bytes.at);
    return false;
  }
  if (!bytes.size)
    return true;
  const EmuField *word = &words[most > UINT16_MAX];
  if (word->unit == 2)
    narrow(&bytes);
  if (!keep_bytes(parser, &bytes, "indices", line, &vk->index_buffer))
    return false;
  AmberBuffer *buffer = &parser->script->buffers[vk->index_buffer];
  buffer->layout = (EmuElementLayout){word, 1, word->unit, word->unit};
  buffer->element_count = buffer->width = (uint32_t)(buffer->size / word->unit);
  return true;
}
