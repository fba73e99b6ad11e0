/* SPDX-License-Identifier: Apache-2.0 */
/* amber_check: compares the commands with the sizes of the buffers that they name, so that running
 * a script needs no further check that a rectangle lies in its image or that a draw has its
 * vertices. */
#include "spv-emu/script/amber_build.h"

/* ---- DRAW_ARRAY ------------------------------------------------------------------------------ */

/* The number of vertices that all per-vertex inputs have; AMBER_NONE: no limit. */
static uint32_t vertices_of(const AmberScript *script, const AmberPipeline *pipeline) {
  uint64_t least = AMBER_NONE;
  for (uint32_t i = 0; i < pipeline->vertex_input_count; i++) {
    const AmberVertexInput *input = &pipeline->vertex_inputs[i];
    if (input->per_instance || !input->stride)
      continue;
    uint64_t room = script->buffers[input->buffer].size - input->offset - input->format->bytes;
    uint64_t count = room / input->stride + 1;
    least = count < least ? count : least;
  }
  return (uint32_t)least;
}

static bool check_draw_array(AmberParser *parser, AmberCommand *command) {
  const AmberScript *script = parser->script;
  const AmberPipeline *pipeline = &script->pipelines[command->pipeline];
  AmberDrawArray *array = &command->array;
  if (array->indexed && pipeline->index_buffer == AMBER_NONE)
    return amber_fail_line(parser, command->line, "the pipeline has no INDEX_DATA");
  uint32_t most = array->indexed ? script->buffers[pipeline->index_buffer].element_count
                                 : vertices_of(script, pipeline);
  if (array->count == AMBER_NONE && most == AMBER_NONE)
    return amber_fail_line(parser, command->line, "without vertex data a draw needs COUNT");
  if (array->first > most || (array->count != AMBER_NONE && array->count > most - array->first))
    return amber_fail_line(parser, command->line, "the draw goes beyond the pipeline's %u %s", most,
                           array->indexed ? "indices" : "vertices");
  if (array->count == AMBER_NONE)
    array->count = most - array->first;
  return true;
}

/* ---- COPY ------------------------------------------------------------------------------------ */

static bool check_sized(AmberParser *parser, uint32_t index, uint32_t line) {
  const AmberBuffer *buffer = &parser->script->buffers[index];
  return parser->declared[index].sized ||
         amber_fail_line(parser, line, "the buffer %s has no size", buffer->name);
}

static bool check_copy(AmberParser *parser, const AmberCommand *command) {
  AmberBuffer *from = &parser->script->buffers[command->copy.from];
  AmberBuffer *to = &parser->script->buffers[command->copy.to];
  from->uses |= AMBER_USE_COPY_SOURCE;
  to->uses |= AMBER_USE_COPY_TARGET;
  if (!check_sized(parser, command->copy.from, command->line) ||
      !check_sized(parser, command->copy.to, command->line))
    return false;
  return (from->size == to->size && from->layout.stride == to->layout.stride) ||
         amber_fail_line(parser, command->line, "the buffers differ in size or type");
}

/* ---- EXPECT ---------------------------------------------------------------------------------- */

/* For an EXPECT with a type of its own: does its last value lie in the buffer? */
static bool view_fits(const AmberExpect *expect, const AmberBuffer *buffer) {
  const EmuElementLayout *layout = expect->layout;
  uint64_t elements = expect->value_count / layout->field_count;
  return expect->offset + (elements - 1) * layout->stride + layout->size <= buffer->size;
}

static bool check_values(AmberParser *parser, const AmberCommand *command) {
  const AmberExpect *expect = &command->expect;
  const AmberBuffer *buffer = &parser->script->buffers[expect->buffer];
  uint64_t all = (uint64_t)buffer->element_count * buffer->layout.field_count;
  bool fits = expect->layout ? view_fits(expect, buffer)
                             : (uint64_t)expect->first + expect->value_count <= all;
  return fits ||
         amber_fail_line(parser, command->line, "the values go beyond the end of %s", buffer->name);
}

static bool check_pixels(AmberParser *parser, const AmberCommand *command) {
  const AmberExpect *expect = &command->expect;
  const AmberBuffer *buffer = &parser->script->buffers[expect->buffer];
  if (!buffer->format || buffer->format->bytes != buffer->layout.stride ||
      !emu_format_has(buffer->format, 'R'))
    return amber_fail_line(parser, command->line, "%s has no colours", buffer->name);
  return ((uint64_t)expect->x + expect->width <= buffer->width &&
          (uint64_t)expect->y + expect->height <= buffer->height) ||
         amber_fail_line(parser, command->line, "the rectangle goes beyond the %u x %u of %s",
                         buffer->width, buffer->height, buffer->name);
}

/* Do the elements have the same numbers at the same offsets? */
static bool same_type(const EmuElementLayout *a, const EmuElementLayout *b) {
  bool same = a->field_count == b->field_count && a->stride == b->stride;
  for (uint32_t i = 0; same && i < a->field_count; i++) {
    const EmuField *x = &a->fields[i], *y = &b->fields[i];
    same = x->kind == y->kind && x->bits == y->bits && x->offset == y->offset;
  }
  return same;
}

static bool has_bins(const AmberBuffer *buffer) {
  const EmuFormat *format = buffer->format;
  bool has = format && format->bytes == buffer->layout.stride && emu_format_has(format, 'R');
  for (uint32_t i = 0; has && i < format->field_count; i++) {
    uint32_t kind = format->fields[i].kind;
    has = format->fields[i].bits == 8 && (kind == EMU_FORMAT_UINT || kind == EMU_FORMAT_UNORM ||
                                          kind == EMU_FORMAT_USCALED || kind == EMU_FORMAT_SRGB);
  }
  return has;
}

static bool check_whole(AmberParser *parser, const AmberCommand *command) {
  const AmberExpect *expect = &command->expect;
  const AmberBuffer *a = &parser->script->buffers[expect->buffer];
  const AmberBuffer *b = &parser->script->buffers[expect->other];
  if (!check_sized(parser, expect->other, command->line))
    return false;
  if (a->size != b->size || !same_type(&a->layout, &b->layout))
    return amber_fail_line(parser, command->line, "the buffers differ in size or type");
  if (expect->comparator != AMBER_EQ_HISTOGRAM_EMD_BUFFER)
    return true;
  return (has_bins(a) && has_bins(b)) ||
         amber_fail_line(parser, command->line,
                         "histograms need a colour format of unsigned channels of 8 bits");
}

static bool check_expect(AmberParser *parser, const AmberCommand *command) {
  uint32_t index = command->expect.buffer;
  if (!check_sized(parser, index, command->line))
    return false;
  if (parser->script->buffers[index].samples > 1)
    return amber_fail_line(
        parser, command->line,
        "an image with several samples cannot be read: read one that is bound AS resolve");
  switch (command->expect.comparator) {
  case AMBER_EQ_RGB:
  case AMBER_EQ_RGBA:
    return check_pixels(parser, command);
  case AMBER_EQ_BUFFER:
  case AMBER_RMSE_BUFFER:
  case AMBER_EQ_HISTOGRAM_EMD_BUFFER:
    return check_whole(parser, command);
  default:
    return check_values(parser, command);
  }
}

bool amber_check_commands(AmberParser *parser) {
  for (uint32_t i = 0; i < parser->script->command_count; i++) {
    AmberCommand *command = &parser->script->commands[i];
    if ((command->kind == AMBER_DRAW_ARRAY && !check_draw_array(parser, command)) ||
        (command->kind == AMBER_COPY && !check_copy(parser, command)) ||
        (command->kind == AMBER_EXPECT && !check_expect(parser, command)))
      return false;
  }
  return true;
}
