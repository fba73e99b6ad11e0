/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse_pipeline: PIPELINE, DERIVE_PIPELINE, ATTACH, VERTEX_DATA, INDEX_DATA,
 * FRAMEBUFFER_SIZE. */
#include "spv-emu/format/format_number.h"
#include "spv-emu/script/amber/amber_parse.h"

#include <string.h>

/* ---- ATTACH ---------------------------------------------------------------------------------- */

static bool parse_specialization(AmberParser *parser, AmberAttachedShader *attached) {
  AmberSpecialization item;
  AmberToken word;
  AmberType type;
  EmuNumber value;
  if (!amber_u32(parser, "the constant's id", 0, UINT32_MAX, &item.id) ||
      !amber_expect_word(parser, "AS"))
    return false;
  AmberToken type_word = parser->token;
  if (!amber_parse_type(parser, (AmberStrides){0}, &type) ||
      !amber_word(parser, "the value", &word))
    return false;
  const AmberShape *shape = &type.shapes[AMBER_SCALAR];
  if (type.is_format || shape->field_count != 1 || shape->fields->bits != 32)
    return amber_fail(parser, &type_word, "the type must be a 32-bit number");
  const char *why = emu_number_parse(word.text, word.length, shape->fields, &value);
  if (why)
    return amber_fail(parser, &word, "%s", why);
  emu_field_set(shape->fields, value, &item.bits);
  attached->specializations = amber_pool_grow(parser->pool, attached->specializations,
                                              attached->specialization_count, sizeof item);
  if (!attached->specializations)
    return amber_no_memory(parser);
  attached->specializations[attached->specialization_count++] = item;
  return true;
}

static bool parse_attach_options(AmberParser *parser, AmberAttachedShader *attached) {
  while (parser->token.kind == AMBER_TOKEN_WORD) {
    bool read =
        amber_accept(parser, "TYPE") ? amber_parse_stage(parser, &attached->stage)
        : amber_accept(parser, "ENTRY_POINT")
            ? amber_text(parser, "the entry point's name", &attached->entry_point)
        : amber_accept(parser, "SPECIALIZE")
            ? parse_specialization(parser, attached)
            : amber_fail(parser, &parser->token, "TYPE, ENTRY_POINT or SPECIALIZE was expected");
    if (!read)
      return false;
  }
  return true;
}

/* In a derived pipeline, a shader replaces the inherited shader of the same stage. */
static bool place_shader(AmberParser *parser, const AmberAttachedShader *attached) {
  AmberPipeline *pipeline = amber_build_pipeline(parser);
  for (uint32_t i = 0; i < pipeline->shader_count; i++)
    if (pipeline->shaders[i].stage == attached->stage) {
      pipeline->shaders[i] = *attached;
      return true;
    }
  pipeline->shaders = amber_pool_grow(parser->pool, pipeline->shaders, pipeline->shader_count,
                                      sizeof *pipeline->shaders);
  if (!pipeline->shaders)
    return amber_no_memory(parser);
  pipeline->shaders[pipeline->shader_count++] = *attached;
  return true;
}

static bool parse_attach(AmberParser *parser) {
  AmberAttachedShader attached = {.entry_point = "main", .line = parser->token.line};
  AmberToken word = parser->token;
  if (!amber_known_name(parser, AMBER_NAME_SHADER, "the shader", &attached.shader))
    return false;
  AmberStage declared = parser->script->shaders[attached.shader].stage;
  attached.stage = declared;
  if (!parse_attach_options(parser, &attached))
    return false;
  if (attached.stage == AMBER_MULTI)
    return amber_fail(parser, &word, "a multi shader needs TYPE");
  if (declared != AMBER_MULTI && attached.stage != declared)
    return amber_fail(parser, &word, "the shader is of another stage");
  if ((attached.stage == AMBER_COMPUTE) == amber_build_pipeline(parser)->graphics)
    return amber_fail(parser, &word, "the shader does not fit the kind of pipeline");
  return place_shader(parser, &attached);
}

/* ---- vertices -------------------------------------------------------------------------------- */

static bool parse_rate(AmberParser *parser, AmberVertexInput *input) {
  static const AmberChoice rates[] = {{"vertex", 0}, {"instance", 1}};
  uint32_t rate = 0;
  bool chosen = amber_choose(parser, rates, 2, "rate (vertex, instance)", &rate);
  input->per_instance = rate;
  return chosen;
}

static bool parse_vertex_options(AmberParser *parser, AmberVertexInput *input, bool *strided) {
  while (parser->token.kind == AMBER_TOKEN_WORD) {
    bool read;
    if (amber_accept(parser, "RATE"))
      read = parse_rate(parser, input);
    else if (amber_accept(parser, "FORMAT"))
      read = amber_take_format(parser, &input->format);
    else if (amber_accept(parser, "OFFSET"))
      read = amber_u32(parser, "OFFSET", 0, 1 << 28, &input->offset);
    else if (amber_accept(parser, "STRIDE"))
      *strided = read = amber_u32(parser, "STRIDE", 0, 1 << 28, &input->stride);
    else
      read = amber_fail(parser, &parser->token, "not an option of VERTEX_DATA");
    if (!read)
      return false;
  }
  return true;
}

static bool location_free(AmberParser *parser, const AmberPipeline *pipeline, uint32_t location) {
  for (uint32_t i = 0; i < pipeline->vertex_input_count; i++)
    if (pipeline->vertex_inputs[i].location == location)
      return amber_fail(parser, NULL, "LOCATION %u has vertex data already", location);
  return true;
}

bool amber_parse_vertex_data(AmberParser *parser) {
  AmberPipeline *pipeline = amber_build_pipeline(parser);
  AmberVertexInput input = {.line = parser->token.line};
  AmberToken word = parser->token;
  bool strided = false;
  if (!amber_known_name(parser, AMBER_NAME_BUFFER, "the buffer", &input.buffer) ||
      !amber_expect_word(parser, "LOCATION") ||
      !amber_u32(parser, "LOCATION", 0, 1 << 16, &input.location) ||
      !parse_vertex_options(parser, &input, &strided) ||
      !location_free(parser, pipeline, input.location))
    return false;
  const AmberBuffer *buffer = &parser->script->buffers[input.buffer];
  if (!strided)
    input.stride = input.format ? input.format->bytes : buffer->layout.stride;
  input.format = input.format ? input.format : buffer->format;
  if (!input.format)
    return amber_fail(parser, &word, "vertex data of this type needs a FORMAT");
  pipeline->vertex_inputs = amber_pool_grow(parser->pool, pipeline->vertex_inputs,
                                            pipeline->vertex_input_count, sizeof input);
  if (!pipeline->vertex_inputs)
    return amber_no_memory(parser);
  pipeline->vertex_inputs[pipeline->vertex_input_count++] = input;
  return true;
}

bool amber_parse_index_data(AmberParser *parser) {
  AmberToken word = parser->token;
  uint32_t buffer;
  if (!amber_known_name(parser, AMBER_NAME_BUFFER, "the buffer", &buffer))
    return false;
  const EmuElementLayout *layout = &parser->script->buffers[buffer].layout;
  const EmuField *field = layout->fields;
  if (layout->field_count != 1 || field->kind > EMU_FORMAT_SINT || field->bits > 32 ||
      layout->stride != field->unit)
    return amber_fail(parser, &word, "indices must be integers of 8, 16 or 32 bits");
  amber_build_pipeline(parser)->index_buffer = buffer;
  return true;
}

/* ---- PIPELINE -------------------------------------------------------------------------------- */

typedef struct PipelineKeyword {
  AmberKeyword keyword;
  bool graphics; /* only in a graphics pipeline */
} PipelineKeyword;

static const PipelineKeyword body[] = {
    {{"ATTACH", parse_attach}, false},
    {{"BIND", amber_parse_bind}, false},
    {{"SUBGROUP", amber_parse_subgroup}, false},
    {{"COMPILE_OPTIONS", amber_parse_compile_options}, false},
    {{"SHADER_OPTIMIZATION", NULL}, false},
    {{"SET", amber_parse_set_kernel}, false},
    {{"VERTEX_DATA", amber_parse_vertex_data}, true},
    {{"INDEX_DATA", amber_parse_index_data}, true},
    {{"FRAMEBUFFER_SIZE", amber_parse_framebuffer_size}, false},
    {{"VIEWPORT", amber_parse_viewport}, true},
    {{"PROVOKING_VERTEX", amber_parse_provoking_vertex}, true},
    {{"SCISSOR", amber_parse_scissor}, true},
    {{"POLYGON_MODE", amber_parse_polygon_mode}, true},
    {{"PATCH_CONTROL_POINTS", amber_parse_patch_control_points}, true},
    {{"CULL_MODE", amber_parse_cull_mode}, true},
    {{"FRONT_FACE", amber_parse_front_face}, true},
    {{"COLOR_WRITE_MASK", amber_parse_color_write_mask}, true},
    {{"PRIMITIVE_RESTART", amber_parse_primitive_restart}, true},
    {{"DEPTH", amber_parse_depth}, true},
    {{"STENCIL", amber_parse_stencil}, true},
    {{"BLEND", amber_parse_blend}, true},
};

static bool parse_body_line(AmberParser *parser, bool graphics) {
  for (size_t i = 0; i < AMBER_COUNT(body); i++) {
    if (!amber_token_is(&parser->token, body[i].keyword.word))
      continue;
    if (body[i].graphics && !graphics)
      return amber_fail(parser, &parser->token, "this is for graphics pipelines");
    return amber_dispatch(parser, &body[i].keyword, 1, "") && amber_line_end(parser);
  }
  for (size_t i = 0; i < AMBER_COUNT(body); i++)
    amber_near_note(&parser->near, &parser->token, body[i].keyword.word);
  return amber_fail(parser, &parser->token, "there is no such command in a PIPELINE");
}

static bool parse_body(AmberParser *parser) {
  if (!amber_line_end(parser))
    return false;
  while (amber_block_word(parser, "PIPELINE"))
    if (!parse_body_line(parser, amber_build_pipeline(parser)->graphics))
      return false;
  return parser->status == AMBER_OK;
}

bool amber_parse_pipeline(AmberParser *parser) {
  static const AmberChoice kinds[] = {{"compute", 0}, {"graphics", 1}, {"ray_tracing", 2}};
  enum { COMPARE_ALWAYS = 7 }; /* VkCompareOp */
  AmberPipeline pipeline = amber_build_plain(parser->token.line);
  AmberToken word = parser->token;
  uint32_t kind;
  if (!amber_choose(parser, kinds, AMBER_COUNT(kinds), "kind of pipeline", &kind))
    return false;
  if (kind == 2)
    return amber_unsupported(parser, &word, "a pipeline of that kind");
  pipeline.graphics = kind;
  pipeline.raster.depth.compare_op =
      COMPARE_ALWAYS; /* google/amber's default; VkRunner's is LESS */
  return amber_new_name(parser, AMBER_NAME_PIPELINE, "the pipeline's name",
                        parser->script->pipeline_count, &pipeline.name) &&
         amber_build_add_pipeline(parser, &pipeline) && parse_body(parser);
}

/* Copies the lists, so that the derived pipeline can add to them. */
static bool own_lists(AmberParser *parser, AmberPipeline *p) {
  AmberPool *pool = parser->pool;
  p->shaders = amber_pool_copy(pool, p->shaders, p->shader_count, sizeof *p->shaders);
  p->bindings = amber_pool_copy(pool, p->bindings, p->binding_count, sizeof *p->bindings);
  p->colors = amber_pool_copy(pool, p->colors, p->color_count, sizeof *p->colors);
  p->resolves = amber_pool_copy(pool, p->resolves, p->resolve_count, sizeof *p->resolves);
  p->vertex_inputs =
      amber_pool_copy(pool, p->vertex_inputs, p->vertex_input_count, sizeof *p->vertex_inputs);
  return (p->shaders && p->bindings && p->colors && p->resolves && p->vertex_inputs) ||
         amber_no_memory(parser);
}

bool amber_parse_derive(AmberParser *parser) {
  uint32_t parent, index = parser->script->pipeline_count, line = parser->token.line;
  const char *name;
  if (!amber_new_name(parser, AMBER_NAME_PIPELINE, "the pipeline's name", index, &name) ||
      !amber_expect_word(parser, "FROM"))
    return false;
  AmberToken word = parser->token;
  if (!amber_known_name(parser, AMBER_NAME_PIPELINE, "the pipeline", &parent))
    return false;
  if (parent == index)
    return amber_fail(parser, &word, "a pipeline cannot derive from itself");
  AmberPipeline pipeline = parser->script->pipelines[parent];
  pipeline.name = name;
  pipeline.line = line;
  return own_lists(parser, &pipeline) && amber_build_add_pipeline(parser, &pipeline) &&
         parse_body(parser);
}
