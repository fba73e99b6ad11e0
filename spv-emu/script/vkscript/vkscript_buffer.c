/* SPDX-License-Identifier: Apache-2.0 */
/* vkscript_buffer: uniform and storage buffers and push constants: commands that set their values,
 * sizes and layouts, and probes of storage buffers.
 *
 * As in VkRunner, a buffer has one size for the whole run, the largest that a command gives it or
 * that its values need; probes do not change it. */
#include "spv-emu/format/format_number.h"
#include "spv-emu/script/vkscript/vkscript.h"

#include <stdio.h>
#include <string.h>

/* ---- buffers --------------------------------------------------------------------------------- */

static bool add_buffer(AmberParser *parser, const VkBuffer *buffer, const char *name) {
  VkScript *vk = parser->vkscript;
  vk->buffers = amber_pool_grow(parser->pool, vk->buffers, vk->buffer_count, sizeof *vk->buffers);
  if (!vk->buffers)
    return amber_no_memory(parser);
  VkBuffer *added = &vk->buffers[vk->buffer_count++];
  *added = *buffer;
  return amber_build_bytes(parser, name, NULL, 0, buffer->line, &added->index);
}

static bool push_constants(AmberParser *parser, uint32_t *number) {
  VkScript *vk = parser->vkscript;
  *number = vk->push;
  if (vk->push != AMBER_NONE)
    return true;
  const VkBuffer buffer = {.kind = VK_BUFFER_PUSH, .line = parser->token.line};
  vk->push = *number = vk->buffer_count;
  return add_buffer(parser, &buffer, "push constants");
}

/* "4" or "1:4" */
static bool parse_place(AmberParser *parser, VkBuffer *buffer, AmberToken *word) {
  uint64_t set = 0, binding = 0;
  if (!amber_word(parser, "the binding", word))
    return false;
  const char *colon = memchr(word->text, ':', word->length);
  size_t head = colon ? (size_t)(colon - word->text) + 1 : 0;
  if ((colon && (!emu_number_u64(word->text, head - 1, &set) || set > 1 << 16)) ||
      !emu_number_u64(word->text + head, word->length - head, &binding) || binding >= UINT32_MAX)
    return amber_fail(parser, word, "the binding must be a number, or as in 1:2");
  buffer->set = (uint32_t)set;
  buffer->binding = (uint32_t)binding;
  return true;
}

/* The buffer at the next word; its number in vk->buffers. */
static bool parse_buffer(AmberParser *parser, VkBufferKind kind, uint32_t *number) {
  VkScript *vk = parser->vkscript;
  VkBuffer buffer = {.kind = kind, .line = parser->token.line};
  AmberToken word;
  char name[40];
  if (!parse_place(parser, &buffer, &word))
    return false;
  int length = snprintf(name, sizeof name, "binding %u:%u", buffer.set, buffer.binding);
  *number = amber_names_find(&parser->names, AMBER_NAME_BUFFER, name, (size_t)length);
  if (*number != AMBER_NONE)
    return vk->buffers[*number].kind == kind ||
           amber_fail(parser, &word, "the binding has a buffer of the other kind");
  const char *kept = amber_pool_text(parser->pool, name, (size_t)length);
  *number = vk->buffer_count;
  if (!kept || !amber_names_add(&parser->names, AMBER_NAME_BUFFER, kept, (size_t)length, *number))
    return amber_no_memory(parser);
  return add_buffer(parser, &buffer, kept);
}

static bool need(AmberParser *parser, uint32_t number, uint64_t size, uint32_t line) {
  VkBuffer *buffer = &parser->vkscript->buffers[number];
  buffer->size = size > buffer->size ? size : buffer->size;
  return size <= AMBER_MAX_BUFFER_BYTES ||
         amber_fail_line(parser, line, "the buffer is too large (at most %u MiB)",
                         (unsigned)(AMBER_MAX_BUFFER_BYTES >> 20));
}

/* ---- values ---------------------------------------------------------------------------------- */

typedef struct Values {
  EmuElementLayout *layout;
  uint32_t rows, offset;
  EmuNumber *items;
  uint32_t count;
} Values;

static bool parse_type(AmberParser *parser, VkBufferKind kind, Values *values) {
  *values = (Values){.layout = amber_pool_alloc(parser->pool, sizeof *values->layout)};
  return values->layout
             ? vkscript_type(parser, parser->vkscript->layouts[kind], values->layout, &values->rows)
             : amber_no_memory(parser);
}

static bool parse_offset(AmberParser *parser, Values *values) {
  return amber_u32(parser, "the offset", 0, (uint32_t)AMBER_MAX_BUFFER_BYTES, &values->offset);
}

static bool parse_values(AmberParser *parser, Values *values) {
  const EmuElementLayout *layout = values->layout;
  while (parser->token.kind == AMBER_TOKEN_WORD) {
    AmberToken word = amber_take(parser);
    EmuNumber value;
    const EmuField *field = &layout->fields[values->count % layout->field_count];
    const char *why = emu_number_parse(word.text, word.length, field, &value);
    if (why)
      return amber_fail(parser, &word, "%s", why);
    values->items = amber_pool_grow(parser->pool, values->items, values->count, sizeof value);
    if (!values->items)
      return amber_no_memory(parser);
    values->items[values->count++] = value;
  }
  return (values->count && values->count % layout->field_count == 0) ||
         amber_fail(parser, NULL, "the values must be a multiple of the %u of the type",
                    layout->field_count);
}

static uint64_t end_of(const Values *values) {
  const EmuElementLayout *layout = values->layout;
  uint64_t elements = values->count / layout->field_count;
  return values->offset + (elements - 1) * layout->stride + layout->size;
}

static void note_type(VkBuffer *buffer, const AmberToken *type) {
  if (!buffer->type.length)
    buffer->type = *type;
  buffer->mixed_types |= buffer->type.length != type->length ||
                         memcmp(buffer->type.text, type->text, type->length) != 0;
}

/* Parses TYPE OFFSET VALUE…, and writes the values to the buffer. */
static bool parse_write(AmberParser *parser, VkBufferKind kind, uint32_t number) {
  Values values;
  uint32_t line = parser->token.line;
  note_type(&parser->vkscript->buffers[number], &parser->token);
  if (!parse_type(parser, kind, &values) || !parse_offset(parser, &values) ||
      !parse_values(parser, &values) || !need(parser, number, end_of(&values), line))
    return false;
  AmberCommand *command = amber_build_command(parser, AMBER_WRITE);
  if (!command)
    return false;
  command->line = line;
  command->write = (AmberWrite){.buffer = parser->vkscript->buffers[number].index,
                                .offset = values.offset,
                                .layout = values.layout,
                                .values = values.items,
                                .value_count = values.count};
  return true;
}

/* ---- commands -------------------------------------------------------------------------------- */

static bool parse_layout(AmberParser *parser, VkBufferKind kind) {
  VkLayout *layout = &parser->vkscript->layouts[kind];
  parser->vkscript->says_ubo_layout |= kind == VK_BUFFER_UBO;
  layout->row_major = false;
  do {
    if (amber_accept(parser, "std140"))
      layout->rules = AMBER_STD140;
    else if (amber_accept(parser, "std430"))
      layout->rules = AMBER_STD430;
    else if (amber_accept(parser, "row_major"))
      layout->row_major = true;
    else if (!amber_accept(parser, "column_major"))
      return amber_fail(parser, &parser->token, "there is no such layout");
  } while (parser->token.kind == AMBER_TOKEN_WORD);
  return true;
}

/* KIND layout …, KIND BINDING SIZE, KIND BINDING subdata … */
static bool parse_bound(AmberParser *parser, VkBufferKind kind) {
  uint32_t number, size, line = parser->token.line;
  if (amber_accept(parser, "layout"))
    return parse_layout(parser, kind);
  if (!parse_buffer(parser, kind, &number))
    return false;
  parser->vkscript->buffers[number].vkrunner = true;
  if (amber_accept(parser, "subdata"))
    return parse_write(parser, kind, number);
  return amber_u32(parser, "the size", 1, UINT32_MAX, &size) && need(parser, number, size, line);
}

bool vkscript_ssbo(AmberParser *parser) {
  return parse_bound(parser, VK_BUFFER_SSBO);
}

bool vkscript_ubo(AmberParser *parser) {
  return parse_bound(parser, VK_BUFFER_UBO);
}

static bool parse_push(AmberParser *parser) {
  uint32_t number;
  return push_constants(parser, &number) && parse_write(parser, VK_BUFFER_PUSH, number);
}

bool vkscript_push(AmberParser *parser) {
  return amber_accept(parser, "layout") ? parse_layout(parser, VK_BUFFER_PUSH) : parse_push(parser);
}

bool vkscript_uniform(AmberParser *parser) {
  uint32_t number;
  if (!amber_accept(parser, "ubo"))
    return parse_push(parser);
  return parse_buffer(parser, VK_BUFFER_UBO, &number) && parse_write(parser, VK_BUFFER_UBO, number);
}

/* ---- probe ssbo ------------------------------------------------------------------------------ */

static const AmberChoice comparisons[] = {
    {"==", AMBER_EQ}, {"~=", AMBER_EQ}, {"!=", AMBER_NE}, {"<", AMBER_LT},
    {"<=", AMBER_LE}, {">", AMBER_GT},  {">=", AMBER_GE},
};

static void set_tolerances(const VkScript *vk, AmberExpect *expect) {
  expect->tolerance_count = vk->tolerance_count;
  memcpy(expect->tolerances, vk->tolerances, sizeof expect->tolerances);
}

/* TYPE BINDING OFFSET COMPARISON VALUE… */
bool vkscript_probe_ssbo(AmberParser *parser) {
  Values values;
  uint32_t number, comparison, line = parser->token.line;
  if (!parse_type(parser, VK_BUFFER_SSBO, &values) ||
      !parse_buffer(parser, VK_BUFFER_SSBO, &number) || !parse_offset(parser, &values))
    return false;
  bool fuzzy = amber_token_is(&parser->token, "~=");
  if (!amber_choose(parser, comparisons, AMBER_COUNT(comparisons), "comparison", &comparison) ||
      !parse_values(parser, &values))
    return false;
  AmberCommand *command = amber_build_command(parser, AMBER_EXPECT);
  if (!command)
    return false;
  command->line = line;
  command->expect = (AmberExpect){.comparator = (AmberComparator)comparison,
                                  .buffer = parser->vkscript->buffers[number].index,
                                  .other = AMBER_NONE,
                                  .layout = values.layout,
                                  .offset = values.offset,
                                  .values = values.items,
                                  .value_count = values.count,
                                  .full = 1,
                                  .rows = values.rows};
  if (fuzzy)
    set_tolerances(parser->vkscript, &command->expect);
  return true;
}

/* ---- buffers, at the end of the script ------------------------------------------------------- */

/* Several values of "uniform ubo" are an array of std140 in VkRunner, where each takes 16 bytes,
 * and packed in google/amber. google/amber also requires one type for all values of a buffer. So a
 * buffer with several types, or with a command that only VkRunner has, is laid out as in
 * VkRunner. */
static bool is_packed(const VkScript *vk, const VkBuffer *buffer) {
  return buffer->kind == VK_BUFFER_UBO && !vk->says_ubo_layout && !buffer->vkrunner &&
         !buffer->mixed_types;
}

static bool is_vector(const EmuElementLayout *layout) {
  bool vector = layout->field_count <= 4;
  for (uint32_t i = 0; vector && i < layout->field_count; i++)
    vector = layout->fields[i].offset == i * layout->fields->unit;
  return vector;
}

static bool pack(AmberParser *parser, AmberWrite *write) {
  uint32_t rows = write->layout->field_count;
  if (!is_vector(write->layout))
    return true;
  EmuElementLayout *packed = amber_pool_alloc(parser->pool, sizeof *packed);
  if (!packed)
    return amber_no_memory(parser);
  *packed = *write->layout;
  packed->stride = (rows == 3 ? 4 : rows) * packed->fields->unit;
  write->layout = packed;
  return true;
}

static bool pack_writes(AmberParser *parser) {
  const VkScript *vk = parser->vkscript;
  AmberScript *script = parser->script;
  bool *packed = amber_pool_alloc(parser->pool, script->buffer_count + 1u);
  if (!packed)
    return amber_no_memory(parser);
  for (uint32_t i = 0; i < vk->buffer_count; i++)
    packed[vk->buffers[i].index] = is_packed(vk, &vk->buffers[i]);
  for (uint32_t i = 0; i < script->command_count; i++)
    if (script->commands[i].kind == AMBER_WRITE && packed[script->commands[i].write.buffer] &&
        !pack(parser, &script->commands[i].write))
      return false;
  return true;
}

/* A uniform buffer has whole vec4s, as blocks of GLSL have; push constants have whole words. */
static bool allocate(AmberParser *parser, const VkBuffer *buffer) {
  static const uint64_t units[] = {
      [VK_BUFFER_PUSH] = 4, [VK_BUFFER_UBO] = 16, [VK_BUFFER_SSBO] = 1};
  uint64_t unit = units[buffer->kind], size = (buffer->size + unit - 1) / unit * unit;
  AmberBuffer *made = &parser->script->buffers[buffer->index];
  if (!size)
    return amber_fail_line(parser, buffer->line, "no command gives %s a size, as in ssbo 0 64",
                           made->name);
  made->element_count = made->width = (uint32_t)size;
  parser->declared[buffer->index].sized = true;
  return amber_build_allocate(parser, made);
}

static bool bind(AmberParser *parser, const VkBuffer *buffer, AmberBinding *binding) {
  AmberDescriptor *descriptor = amber_pool_alloc(parser->pool, sizeof *descriptor);
  if (!descriptor)
    return amber_no_memory(parser);
  *descriptor =
      (AmberDescriptor){.buffer = buffer->index, .sampler = AMBER_NONE, .range = UINT64_MAX};
  *binding = (AmberBinding){.kind = buffer->kind == VK_BUFFER_UBO ? AMBER_BIND_UNIFORM
                                                                  : AMBER_BIND_STORAGE,
                            .set = buffer->set,
                            .binding = buffer->binding,
                            .descriptors = descriptor,
                            .descriptor_count = 1,
                            .line = buffer->line};
  return true;
}

bool vkscript_buffer_finish(AmberParser *parser, AmberBinding **bindings, uint32_t *count) {
  const VkScript *vk = parser->vkscript;
  *count = 0;
  *bindings = amber_pool_alloc(parser->pool, (vk->buffer_count + 1u) * sizeof **bindings);
  if (!*bindings)
    return amber_no_memory(parser);
  for (uint32_t i = 0; i < vk->buffer_count; i++) {
    const VkBuffer *buffer = &vk->buffers[i];
    if (!allocate(parser, buffer))
      return false;
    if (buffer->kind != VK_BUFFER_PUSH && !bind(parser, buffer, &(*bindings)[(*count)++]))
      return false;
  }
  return pack_writes(parser);
}
