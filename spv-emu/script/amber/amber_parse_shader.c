/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse_shader: requirements, SHADER, VIRTUAL_FILE and COMPILE_OPTIONS. */
#include "spv-emu/script/amber/amber_parse.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the device must have --------------------------------------------------------------- */

static bool add_requirement(AmberParser *parser, AmberRequirements *list, const char *what) {
  uint32_t line = parser->token.line;
  list->items = amber_pool_grow(parser->pool, list->items, list->count, sizeof *list->items);
  if (!list->items)
    return amber_no_memory(parser);
  AmberRequirement *item = &list->items[list->count];
  item->line = line;
  if (!amber_text(parser, what, &item->name))
    return false;
  list->count++;
  return true;
}

bool amber_parse_feature(AmberParser *parser) {
  return add_requirement(parser, &parser->script->features, "DEVICE_FEATURE's name");
}

bool amber_parse_property(AmberParser *parser) {
  return add_requirement(parser, &parser->script->properties, "DEVICE_PROPERTY's name");
}

bool amber_parse_device_extension(AmberParser *parser) {
  return add_requirement(parser, &parser->script->device_extensions, "DEVICE_EXTENSION's name");
}

bool amber_parse_instance_extension(AmberParser *parser) {
  return add_requirement(parser, &parser->script->instance_extensions, "INSTANCE_EXTENSION's name");
}

bool amber_parse_set(AmberParser *parser) {
  return amber_expect_word(parser, "ENGINE_DATA") &&
         amber_expect_word(parser, "fence_timeout_ms") &&
         amber_u32(parser, "fence_timeout_ms", 0, UINT32_MAX, &parser->script->fence_timeout_ms);
}

/* ---- SHADER ---------------------------------------------------------------------------------- */

enum { RAY_STAGE = 100, OTHER_FORMAT = 100 };

bool amber_parse_stage(AmberParser *parser, AmberStage *stage) {
  static const AmberChoice stages[] = {
      {"vertex", AMBER_VERTEX},
      {"tessellation_control", AMBER_TESSELLATION_CONTROL},
      {"tessellation_evaluation", AMBER_TESSELLATION_EVALUATION},
      {"geometry", AMBER_GEOMETRY},
      {"fragment", AMBER_FRAGMENT},
      {"compute", AMBER_COMPUTE},
      {"multi", AMBER_MULTI},
      {"ray_generation", RAY_STAGE},
      {"any_hit", RAY_STAGE},
      {"closest_hit", RAY_STAGE},
      {"miss", RAY_STAGE},
      {"intersection", RAY_STAGE},
      {"callable", RAY_STAGE},
      {"mesh", RAY_STAGE},
      {"task", RAY_STAGE},
  };
  AmberToken word = parser->token;
  uint32_t number;
  if (!amber_choose(parser, stages, AMBER_COUNT(stages), "shader stage", &number))
    return false;
  *stage = (AmberStage)number;
  return number != RAY_STAGE || amber_unsupported(parser, &word, "a shader of that stage");
}

static bool parse_shader_format(AmberParser *parser, AmberShader *shader) {
  static const AmberChoice formats[] = {
      {"GLSL", AMBER_GLSL},
      {"SPIRV-ASM", AMBER_SPIRV_ASM},
      {"SPIRV-HEX", AMBER_SPIRV_HEX},
      {"SPIRV-BIN", AMBER_SPIRV_BIN},
      {"HLSL", OTHER_FORMAT},
      {"OPENCL-C", AMBER_OPENCL_C},
      {"PASSTHROUGH", AMBER_PASSTHROUGH},
  };
  AmberToken word = parser->token;
  uint32_t number;
  if (!amber_choose(parser, formats, AMBER_COUNT(formats), "shader format", &number))
    return false;
  shader->format = (AmberShaderFormat)number;
  if (number == OTHER_FORMAT)
    return amber_unsupported(parser, &word, "a shader in that language");
  if (number == AMBER_PASSTHROUGH && shader->stage != AMBER_VERTEX)
    return amber_fail(parser, &word, "only vertex shaders can be PASSTHROUGH");
  if (number == AMBER_OPENCL_C && shader->stage != AMBER_COMPUTE)
    return amber_fail(parser, &word, "OPENCL-C is for compute shaders");
  if (number == AMBER_GLSL && shader->stage == AMBER_MULTI)
    return amber_fail(parser, &word, "a multi shader must be SPIR-V");
  return true;
}

static bool parse_target_env(AmberParser *parser, AmberShader *shader) {
  static const AmberChoice envs[] = {
      {"spv1.0", 0},    {"spv1.1", 1},    {"spv1.2", 2},     {"spv1.3", 3},
      {"spv1.4", 4},    {"spv1.5", 5},    {"spv1.6", 6},     {"vulkan1.0", 7},
      {"vulkan1.1", 8}, {"vulkan1.2", 9}, {"vulkan1.3", 10}, {"vulkan1.1spv1.4", 11},
  };
  uint32_t number;
  if (!amber_accept(parser, "TARGET_ENV"))
    return true;
  if (!amber_choose(parser, envs, AMBER_COUNT(envs), "target environment", &number))
    return false;
  shader->target_env = envs[number].word;
  return true;
}

static bool inline_source(AmberParser *parser, const char *what, const char **text, size_t *size,
                          uint32_t *line) {
  const char *start;
  if (parser->token.kind == AMBER_TOKEN_WORD)
    return amber_fail(parser, &parser->token, "the line should end here");
  /* The word ahead is the end of this line; the text after it is not split into words yet. */
  *line = parser->lex.line;
  if (parser->token.kind == AMBER_TOKEN_END || !amber_lex_raw(&parser->lex, &start, size))
    return amber_fail(parser, NULL, "%s has no END", what);
  *text = amber_pool_text(parser->pool, start, *size);
  amber_take(parser);
  return *text || amber_no_memory(parser);
}

static bool file_source(AmberParser *parser, AmberShader *shader) {
  AmberToken word = parser->token;
  uint8_t *bytes = NULL;
  size_t size = 0;
  if (!amber_rest(parser, "the file's name", &shader->path))
    return false;
  if (!parser->files || !parser->files->read ||
      !parser->files->read(parser->files->user, shader->path, AMBER_MAX_BUFFER_BYTES, &bytes,
                           &size))
    return amber_fail(parser, &word, "the file cannot be read");
  shader->source = amber_pool_text(parser->pool, (const char *)bytes, size);
  shader->source_size = size;
  free(bytes);
  return shader->source || amber_no_memory(parser);
}

static bool virtual_source(AmberParser *parser, AmberShader *shader) {
  AmberToken word = parser->token;
  uint32_t index;
  if (!amber_known_name(parser, AMBER_NAME_FILE, "VIRTUAL_FILE", &index))
    return false;
  shader->path = amber_pool_text(parser->pool, word.text, word.length);
  shader->source = parser->virtual_files[index].text;
  shader->source_size = parser->virtual_files[index].size;
  shader->source_line = parser->virtual_files[index].line;
  return shader->path || amber_no_memory(parser);
}

static bool parse_source(AmberParser *parser, AmberShader *shader) {
  if (shader->format == AMBER_PASSTHROUGH)
    return true;
  if (amber_accept(parser, "FILE"))
    return file_source(parser, shader);
  if (amber_accept(parser, "VIRTUAL_FILE"))
    return virtual_source(parser, shader);
  if (shader->format == AMBER_SPIRV_BIN)
    return amber_fail(parser, &parser->token, "SPIRV-BIN needs a FILE");
  return inline_source(parser, "SHADER", &shader->source, &shader->source_size,
                       &shader->source_line);
}

bool amber_parse_shader(AmberParser *parser) {
  AmberShader shader = {.line = parser->token.line};
  return amber_parse_stage(parser, &shader.stage) &&
         amber_new_name(parser, AMBER_NAME_SHADER, "the shader's name",
                        parser->script->shader_count, &shader.name) &&
         parse_shader_format(parser, &shader) && parse_target_env(parser, &shader) &&
         parse_source(parser, &shader) && amber_build_shader(parser, &shader);
}

bool amber_parse_virtual_file(AmberParser *parser) {
  AmberFile file;
  AmberToken word = parser->token;
  const char *name;
  if (!amber_text(parser, "the file's name", &name))
    return false;
  if (amber_names_find(&parser->names, AMBER_NAME_FILE, word.text, word.length) != AMBER_NONE)
    return amber_fail(parser, &word, "the file's name is taken already");
  parser->virtual_files =
      amber_pool_grow(parser->pool, parser->virtual_files, parser->virtual_file_count, sizeof file);
  if (!parser->virtual_files || !amber_names_add(&parser->names, AMBER_NAME_FILE, name, word.length,
                                                 parser->virtual_file_count))
    return amber_no_memory(parser);
  if (!inline_source(parser, "VIRTUAL_FILE", &file.text, &file.size, &file.line))
    return false;
  parser->virtual_files[parser->virtual_file_count++] = file;
  return true;
}

/* ---- COMPILE_OPTIONS ------------------------------------------------------------------------- */

static bool parse_compile_option(AmberParser *parser, AmberShader *shader) {
  AmberToken word = parser->token;
  shader->options =
      amber_pool_grow(parser->pool, shader->options, shader->option_count, sizeof *shader->options);
  if (!shader->options)
    return amber_no_memory(parser);
  if (!amber_text(parser, "the option", &shader->options[shader->option_count]))
    return false;
  if (shader->format == AMBER_GLSL &&
      (word.length < 3 || word.text[0] != '-' || word.text[1] != 'D' || word.text[2] == '='))
    return amber_fail(parser, &word, "there is no such option; -DNAME or -DNAME=VALUE is one");
  shader->option_count++;
  return true;
}

/* Is the shader the same text with the same options? */
static bool is_same(const AmberShader *a, const AmberShader *b) {
  bool same = a->source == b->source && a->option_count == b->option_count;
  for (uint32_t i = 0; same && i < a->option_count; i++)
    same = strcmp(a->options[i], b->options[i]) == 0;
  return same;
}

/* In a pipeline: COMPILE_OPTIONS shader, words, END. Other pipelines may attach the same text with
 * different options, so the pipeline gets a copy of the shader, which it shares with those that have
 * the same options. */
bool amber_parse_compile_options(AmberParser *parser) {
  AmberScript *script = parser->script;
  AmberToken word = parser->token;
  AmberAttachedShader *attached = amber_build_attached(parser);
  if (!attached)
    return false;
  AmberShader shader = script->shaders[attached->shader];
  if (shader.format != AMBER_GLSL && shader.format != AMBER_OPENCL_C)
    return amber_fail(parser, &word, "only GLSL and OPENCL-C have compile options");
  shader.options =
      amber_pool_copy(parser->pool, shader.options, shader.option_count, sizeof *shader.options);
  if (!shader.options)
    return amber_no_memory(parser);
  while (amber_block_word(parser, "COMPILE_OPTIONS"))
    if (!parse_compile_option(parser, &shader))
      return false;
  attached->shader = 0;
  while (attached->shader < script->shader_count &&
         !is_same(&script->shaders[attached->shader], &shader))
    attached->shader++;
  return parser->status == AMBER_OK &&
         (attached->shader < script->shader_count || amber_build_shader(parser, &shader));
}
