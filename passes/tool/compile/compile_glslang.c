/* SPDX-License-Identifier: Apache-2.0 */
/* compile_glslang: GLSL to SPIR-V with glslang's library, if it was found when this was built.
 *
 * glslang parses the output of its preprocessor, which has the lines of the source, but neither
 * comments nor macros. The source text in the module is the file's.
 *
 * glslang builds tables of its built-in functions for each language version and target when they
 * are first used, in about 0.1 s. They stay until the process ends, because glslang is never
 * finalized. */
#include "passes/tool/compile/compile_parts.h"

#include <stdlib.h>
#include <string.h>

#ifdef COMPILE_HAS_GLSLANG

#include "passes/tool/compile/compile_include.h"
#include "passes/tool/compile/compile_log.h"
#include "passes/tool/compile/compile_program.h"

#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>
#include <stdio.h>

/* ---- what glslang is asked for --------------------------------------------------------------- */

static const glslang_stage_t stages[] = {
    [COMPILE_VERTEX] = GLSLANG_STAGE_VERTEX,
    [COMPILE_TESSELLATION_CONTROL] = GLSLANG_STAGE_TESSCONTROL,
    [COMPILE_TESSELLATION_EVALUATION] = GLSLANG_STAGE_TESSEVALUATION,
    [COMPILE_GEOMETRY] = GLSLANG_STAGE_GEOMETRY,
    [COMPILE_FRAGMENT] = GLSLANG_STAGE_FRAGMENT,
    [COMPILE_COMPUTE] = GLSLANG_STAGE_COMPUTE,
    [COMPILE_RAY_GENERATION] = GLSLANG_STAGE_RAYGEN_NV,
    [COMPILE_INTERSECTION] = GLSLANG_STAGE_INTERSECT_NV,
    [COMPILE_ANY_HIT] = GLSLANG_STAGE_ANYHIT_NV,
    [COMPILE_CLOSEST_HIT] = GLSLANG_STAGE_CLOSESTHIT_NV,
    [COMPILE_MISS] = GLSLANG_STAGE_MISS_NV,
    [COMPILE_CALLABLE] = GLSLANG_STAGE_CALLABLE_NV,
    [COMPILE_TASK] = GLSLANG_STAGE_TASK_NV,
    [COMPILE_MESH] = GLSLANG_STAGE_MESH_NV,
};

static glslang_target_client_version_t client_version(const CompileTarget *target) {
  static const glslang_target_client_version_t versions[] = {
      GLSLANG_TARGET_VULKAN_1_0, GLSLANG_TARGET_VULKAN_1_1, GLSLANG_TARGET_VULKAN_1_2,
      GLSLANG_TARGET_VULKAN_1_3};
  return versions[target->vulkan - 10];
}

static glslang_target_language_version_t language_version(const CompileTarget *target) {
  static const glslang_target_language_version_t versions[] = {
      GLSLANG_TARGET_SPV_1_0, GLSLANG_TARGET_SPV_1_1, GLSLANG_TARGET_SPV_1_2,
      GLSLANG_TARGET_SPV_1_3, GLSLANG_TARGET_SPV_1_4, GLSLANG_TARGET_SPV_1_5,
      GLSLANG_TARGET_SPV_1_6};
  return versions[target->spirv - 10];
}

static glslang_input_t input_of(const CompileSource *source) {
  return (glslang_input_t){
      .language = GLSLANG_SOURCE_GLSL,
      .stage = stages[source->stage],
      .client = GLSLANG_CLIENT_VULKAN,
      .client_version = client_version(source->target),
      .target_language = GLSLANG_TARGET_SPV,
      .target_language_version = language_version(source->target),
      .default_version = 450,
      .default_profile = GLSLANG_NO_PROFILE,
      .messages = GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT,
      .resource = glslang_default_resource(),
  };
}

/* "-DNAME=VALUE" becomes "#define NAME VALUE". NULL: out of memory. */
static char *preamble_of(const CompileSource *source) {
  char *preamble = NULL;
  size_t size;
  FILE *out = open_memstream(&preamble, &size);
  for (uint32_t i = 0; out && i < source->option_count; i++) {
    const char *definition = source->options[i] + 2;
    size_t name = strcspn(definition, "=");
    if (strncmp(source->options[i], "-D", 2) == 0)
      fprintf(out, "#define %.*s %s\n", (int)name, definition,
              definition[name] ? definition + name + 1 : "1");
  }
  return out && fclose(out) == 0 ? preamble : NULL;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static CompileOutcome refuse(const char *log, const char *name, CompileResult *result) {
  result->log = compile_log_extension(log);
  if (result->log)
    return COMPILE_UNKNOWN;
  result->log = compile_log_glslang(log, name);
  if (result->log && !*result->log)
    return compile_wrong(result, name, log && *log ? log : "glslang refuses the shader");
  return compile_log_needs_newer(log) ? COMPILE_NEWER : COMPILE_WRONG;
}

/* Parses one text of the stage. On failure returns NULL and sets *outcome. */
static glslang_shader_t *parse(const CompileSource *source, const CompileText *text,
                               const char *preamble, CompileOutcome *outcome,
                               CompileResult *result) {
  char *code = *text->name ? compile_include(text, source->options, source->option_count)
                           : strdup(text->text);
  glslang_input_t input = input_of(source);
  input.code = code;
  glslang_shader_t *shader = code ? glslang_shader_create(&input) : NULL;
  if (!shader) {
    *outcome = compile_wrong(result, text->name,
                             code ? "glslang refuses shaders of its stage" : "out of memory");
    free(code);
    return NULL;
  }
  glslang_shader_set_preamble(shader, preamble);
  bool good = glslang_shader_preprocess(shader, &input) && glslang_shader_parse(shader, &input);
  free(code);
  if (good)
    return shader;
  *outcome = refuse(glslang_shader_get_info_log(shader), text->name, result);
  glslang_shader_delete(shader);
  return NULL;
}

static CompileOutcome keep(const CompileSource *source, glslang_program_t *program,
                           CompileResult *result) {
  size_t count = glslang_program_SPIRV_get_size(program);
  result->words = malloc(count * sizeof *result->words + 1);
  result->count = count;
  if (!result->words)
    return compile_wrong(result, source->texts->name, "out of memory");
  if (count)
    memcpy(result->words, glslang_program_SPIRV_get_ptr(program), count * sizeof *result->words);
  return COMPILE_DONE;
}

static CompileOutcome generate(const CompileSource *source, glslang_program_t *program,
                               CompileResult *result) {
  glslang_spv_options_t options = {.disable_optimizer = true, .generate_debug_info = source->debug};
  glslang_stage_t stage = stages[source->stage];
  const glslang_input_t input = input_of(source);
  if (!glslang_program_link(program, (int)input.messages))
    return refuse(glslang_program_get_info_log(program), source->texts->name, result);
  if (source->debug)
    glslang_program_set_source_file(program, stage, source->texts->name);
  for (uint32_t i = 0; source->debug && i < source->text_count; i++)
    glslang_program_add_source_text(program, stage, source->texts[i].text, source->texts[i].size);
  glslang_program_SPIRV_generate_with_options(program, stage, &options);
  return keep(source, program, result);
}

static CompileOutcome link_parts(const CompileSource *source, const char *preamble,
                                 CompileResult *result) {
  glslang_program_t *program = glslang_program_create();
  glslang_shader_t **shaders = calloc(source->text_count, sizeof *shaders);
  CompileOutcome outcome = COMPILE_DONE;
  uint32_t count = 0;
  if (!shaders)
    outcome = compile_wrong(result, source->texts->name, "out of memory");
  for (uint32_t i = 0; outcome == COMPILE_DONE && i < source->text_count; i++)
    if ((shaders[count] = parse(source, &source->texts[i], preamble, &outcome, result)))
      glslang_program_add_shader(program, shaders[count++]);
  if (outcome == COMPILE_DONE)
    outcome = generate(source, program, result);
  glslang_program_delete(program);
  while (count)
    glslang_shader_delete(shaders[--count]);
  free(shaders);
  return outcome;
}

CompileOutcome compile_glsl(const CompileSource *source, CompileResult *result) {
  glslang_initialize_process();
  char *preamble = preamble_of(source);
  if (!preamble)
    return compile_wrong(result, source->texts->name, "out of memory");
  CompileOutcome outcome = link_parts(source, preamble, result);
  free(preamble);
  return outcome;
}

#else

CompileOutcome compile_glsl(const CompileSource *source, CompileResult *result) {
  (void)source;
  result->log = strdup("GLSL needs glslang, which was not there when this was built (Debian: "
                       "glslang-dev)");
  return COMPILE_MISSING;
}

#endif
