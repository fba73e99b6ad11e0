/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse_bind: BIND: descriptors, attachments, push constants. */
#include "spv-emu/script/amber/amber_parse.h"

/* ---- attachments ----------------------------------------------------------------------------- */

static bool add_attachment(AmberParser *parser, AmberAttachment **list, uint32_t *count,
                           const AmberAttachment *attachment) {
  *list = amber_pool_grow(parser->pool, *list, *count, sizeof **list);
  if (!*list)
    return amber_no_memory(parser);
  (*list)[(*count)++] = *attachment;
  return true;
}

static bool has_channel(AmberParser *parser, uint32_t buffer, char channel, char or_channel,
                        const AmberToken *word) {
  const EmuFormat *format = parser->script->buffers[buffer].format;
  return (format && (emu_format_has(format, channel) || emu_format_has(format, or_channel))) ||
         amber_fail(parser, word, "the buffer's format does not fit");
}

static bool bind_color(AmberParser *parser, uint32_t buffer, const AmberToken *word) {
  AmberPipeline *pipeline = amber_build_pipeline(parser);
  AmberAttachment attachment = {.buffer = buffer, .line = word->line};
  if (!has_channel(parser, buffer, 'R', 'R', word) || !amber_expect_word(parser, "LOCATION") ||
      !amber_u32(parser, "LOCATION", 0, 255, &attachment.location))
    return false;
  if (amber_accept(parser, "BASE_MIP_LEVEL") &&
      !amber_u32(parser, "BASE_MIP_LEVEL", 0, 15, &attachment.base_mip_level))
    return false;
  for (uint32_t i = 0; i < pipeline->color_count; i++) {
    const AmberAttachment *other = &pipeline->colors[i];
    if (other->location == attachment.location)
      return amber_fail(parser, word, "LOCATION %u has a buffer already", attachment.location);
    if (other->buffer == buffer && other->base_mip_level == attachment.base_mip_level)
      return amber_fail(parser, word, "the buffer has LOCATION %u already", other->location);
  }
  return add_attachment(parser, &pipeline->colors, &pipeline->color_count, &attachment);
}

static bool bind_resolve(AmberParser *parser, uint32_t buffer, const AmberToken *word) {
  AmberPipeline *pipeline = amber_build_pipeline(parser);
  AmberAttachment attachment = {.buffer = buffer, .line = word->line};
  return has_channel(parser, buffer, 'R', 'R', word) &&
         add_attachment(parser, &pipeline->resolves, &pipeline->resolve_count, &attachment);
}

static bool bind_depth_stencil(AmberParser *parser, uint32_t buffer, const AmberToken *word) {
  amber_build_pipeline(parser)->depth_stencil = buffer;
  return has_channel(parser, buffer, 'D', 'S', word);
}

static bool bind_push_constant(AmberParser *parser, uint32_t buffer, const AmberToken *word) {
  (void)word;
  amber_build_pipeline(parser)->push_constant = buffer;
  return true;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

static bool is_dynamic(AmberBindKind kind) {
  return kind == AMBER_BIND_UNIFORM_DYNAMIC || kind == AMBER_BIND_STORAGE_DYNAMIC;
}

static bool is_plain_buffer(AmberBindKind kind) {
  return kind == AMBER_BIND_UNIFORM || kind == AMBER_BIND_STORAGE || is_dynamic(kind);
}

static bool is_sampled(AmberBindKind kind) {
  return kind == AMBER_BIND_COMBINED_IMAGE_SAMPLER || kind == AMBER_BIND_SAMPLED_IMAGE;
}

static bool is_image(AmberBindKind kind) {
  return is_sampled(kind) || kind == AMBER_BIND_STORAGE_IMAGE;
}

static bool parse_offset(AmberParser *parser, AmberDescriptor *descriptor) {
  return amber_u32(parser, "OFFSET", 0, 1 << 28, &descriptor->dynamic_offset);
}

static bool parse_descriptor_offset(AmberParser *parser, AmberDescriptor *descriptor) {
  return amber_u64(parser, "DESCRIPTOR_OFFSET", &descriptor->offset);
}

static bool parse_range(AmberParser *parser, AmberDescriptor *descriptor) {
  return amber_accept(parser, "-1") || amber_u64(parser, "DESCRIPTOR_RANGE", &descriptor->range);
}

static bool parse_mip_level(AmberParser *parser, AmberDescriptor *descriptor) {
  return amber_u32(parser, "BASE_MIP_LEVEL", 0, 15, &descriptor->base_mip_level);
}

/* The extension SWIZZLE: where each of the four components that the shader reads comes from. */
static bool parse_swizzle(AmberParser *parser, AmberDescriptor *descriptor) {
  static const AmberChoice sources[] = {{"identity", 0}, {"zero", 1}, {"one", 2}, {"r", 3},
                                        {"g", 4},        {"b", 5},    {"a", 6}};
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t source;
    if (!amber_choose(parser, sources, AMBER_COUNT(sources), "component", &source))
      return false;
    descriptor->swizzle[i] = (uint8_t)source;
  }
  return true;
}

static bool parse_sampler_name(AmberParser *parser, AmberDescriptor *descriptor) {
  return amber_known_name(parser, AMBER_NAME_SAMPLER, "the sampler", &descriptor->sampler);
}

/* An option with one value for each descriptor. */
typedef struct Option {
  const char *word;
  bool (*parse)(AmberParser *parser, AmberDescriptor *descriptor);
  bool (*fits)(AmberBindKind kind);
} Option;

static const Option options[] = {
    {"OFFSET", parse_offset, is_dynamic},
    {"DESCRIPTOR_OFFSET", parse_descriptor_offset, is_plain_buffer},
    {"DESCRIPTOR_RANGE", parse_range, is_plain_buffer},
    {"BASE_MIP_LEVEL", parse_mip_level, is_image},
    {"SWIZZLE", parse_swizzle, is_sampled},
};

static bool parse_for_each(AmberParser *parser, AmberBinding *binding,
                           bool (*parse)(AmberParser *parser, AmberDescriptor *descriptor)) {
  for (uint32_t i = 0; i < binding->descriptor_count; i++)
    if (!parse(parser, &binding->descriptors[i]))
      return false;
  return true;
}

static bool parse_option(AmberParser *parser, AmberBinding *binding, bool *offset) {
  for (size_t i = 0; i < AMBER_COUNT(options); i++) {
    AmberToken word = parser->token;
    if (!amber_accept(parser, options[i].word))
      continue;
    bool fits = options[i].fits(binding->kind) &&
                !(binding->kernel && options[i].parse == parse_swizzle); /* OpenCL has none */
    if (!fits)
      return amber_fail(parser, &word, "not an option of this binding");
    *offset = *offset || i == 0;
    return parse_for_each(parser, binding, options[i].parse);
  }
  return amber_fail(parser, &parser->token, "not an option of BIND");
}

static bool at_slot(const AmberParser *parser) {
  return amber_token_is(&parser->token, "DESCRIPTOR_SET") ||
         amber_token_is(&parser->token, "KERNEL");
}

/* SAMPLER: either one for all images, or one for each image. */
static bool parse_samplers(AmberParser *parser, AmberBinding *binding) {
  if (!amber_expect_word(parser, "SAMPLER"))
    return false;
  for (uint32_t i = 0; i < binding->descriptor_count; i++)
    if (i == 1 && at_slot(parser))
      break;
    else if (!parse_sampler_name(parser, &binding->descriptors[i]))
      return false;
  for (uint32_t i = 1; i < binding->descriptor_count; i++)
    if (binding->descriptors[i].sampler == AMBER_NONE)
      binding->descriptors[i].sampler = binding->descriptors[0].sampler;
  return true;
}

static bool parse_slot(AmberParser *parser, AmberBinding *binding) {
  AmberToken word = parser->token;
  if (amber_accept(parser, "KERNEL"))
    return binding->descriptor_count == 1
               ? amber_parse_kernel_slot(parser, binding)
               : amber_fail(parser, &word, "an array cannot be an argument of a kernel");
  return amber_expect_word(parser, "DESCRIPTOR_SET") &&
         amber_u32(parser, "DESCRIPTOR_SET", 0, 1 << 16, &binding->set) &&
         amber_expect_word(parser, "BINDING") &&
         amber_u32(parser, "BINDING", 0, UINT32_MAX - 1, &binding->binding);
}

static bool parse_descriptors(AmberParser *parser, AmberBinding *binding) {
  bool offset = false;
  if (binding->kind == AMBER_BIND_COMBINED_IMAGE_SAMPLER && !parse_samplers(parser, binding))
    return false;
  if (!parse_slot(parser, binding))
    return false;
  while (parser->token.kind == AMBER_TOKEN_WORD)
    if (!parse_option(parser, binding, &offset))
      return false;
  if (is_dynamic(binding->kind) && !offset)
    return amber_fail(parser, NULL, "a dynamic buffer needs an OFFSET");
  return amber_build_binding(parser, binding);
}

/* ---- BIND ------------------------------------------------------------------------------------ */

enum { KIND_COLOR = 100, KIND_RESOLVE, KIND_DEPTH_STENCIL, KIND_PUSH_CONSTANT };

static const AmberChoice kinds[] = {
    {"combined_image_sampler", AMBER_BIND_COMBINED_IMAGE_SAMPLER},
    {"sampled_image", AMBER_BIND_SAMPLED_IMAGE},
    {"storage_image", AMBER_BIND_STORAGE_IMAGE},
    {"uniform_texel_buffer", AMBER_BIND_UNIFORM_TEXEL_BUFFER},
    {"storage_texel_buffer", AMBER_BIND_STORAGE_TEXEL_BUFFER},
    {"uniform", AMBER_BIND_UNIFORM},
    {"storage", AMBER_BIND_STORAGE},
    {"uniform_dynamic", AMBER_BIND_UNIFORM_DYNAMIC},
    {"storage_dynamic", AMBER_BIND_STORAGE_DYNAMIC},
    {"color", KIND_COLOR},
    {"resolve", KIND_RESOLVE},
    {"depth_stencil", KIND_DEPTH_STENCIL},
    {"push_constant", KIND_PUSH_CONSTANT},
};

static bool bind_other(AmberParser *parser, uint32_t kind, const AmberBinding *binding,
                       const AmberToken *word) {
  typedef bool Bind(AmberParser * parser, uint32_t buffer, const AmberToken *word);
  static Bind *const binds[] = {bind_color, bind_resolve, bind_depth_stencil, bind_push_constant};
  if (binding->descriptor_count != 1)
    return amber_fail(parser, word, "an array cannot be bound as this");
  if (kind != KIND_PUSH_CONSTANT && !amber_build_pipeline(parser)->graphics)
    return amber_fail(parser, word, "this is for graphics pipelines");
  return binds[kind - KIND_COLOR](parser, binding->descriptors->buffer, word);
}

static bool parse_names(AmberParser *parser, AmberBinding *binding, AmberNameKind kind,
                        const char *stop, bool array) {
  do {
    uint32_t index;
    const char *what = kind == AMBER_NAME_BUFFER ? "the buffer" : "the sampler";
    if (!amber_known_name(parser, kind, what, &index) ||
        !amber_build_descriptor(parser, binding, kind == AMBER_NAME_BUFFER ? index : AMBER_NONE,
                                kind == AMBER_NAME_BUFFER ? AMBER_NONE : index))
      return false;
  } while (array && parser->token.kind == AMBER_TOKEN_WORD &&
           !amber_token_is(&parser->token, stop) && !amber_token_is(&parser->token, "KERNEL"));
  return true;
}

static bool bind_buffers(AmberParser *parser, AmberBinding *binding, bool array) {
  uint32_t kind;
  if (!parse_names(parser, binding, AMBER_NAME_BUFFER, "AS", array))
    return false;
  if (amber_token_is(&parser->token, "KERNEL")) {
    binding->kind = AMBER_BIND_STORAGE;
    binding->computed = true;
    return parse_descriptors(parser, binding);
  }
  if (!amber_expect_word(parser, "AS"))
    return false;
  AmberToken word = parser->token;
  if (!amber_choose(parser, kinds, AMBER_COUNT(kinds), "kind of binding", &kind))
    return false;
  if (kind >= KIND_COLOR)
    return bind_other(parser, kind, binding, &word);
  binding->kind = (AmberBindKind)kind;
  return parse_descriptors(parser, binding);
}

bool amber_parse_bind(AmberParser *parser) {
  AmberBinding binding = {.line = parser->token.line};
  AmberToken word = parser->token;
  if (amber_accept(parser, "BUFFER"))
    return bind_buffers(parser, &binding, false);
  if (amber_accept(parser, "BUFFER_ARRAY"))
    return bind_buffers(parser, &binding, true);
  if (amber_accept(parser, "SAMPLER") || amber_accept(parser, "SAMPLER_ARRAY"))
    return parse_names(parser, &binding, AMBER_NAME_SAMPLER, "DESCRIPTOR_SET", word.length > 7) &&
           parse_descriptors(parser, &binding);
  if (amber_token_is(&word, "ACCELERATION_STRUCTURE"))
    return amber_unsupported(parser, &word, "an acceleration structure");
  return amber_fail(parser, &word, "BUFFER or SAMPLER was expected");
}
