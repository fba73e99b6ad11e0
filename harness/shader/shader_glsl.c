/* SPDX-License-Identifier: Apache-2.0 */
/* shader_glsl: GLSL to SPIR-V with glslang; the tables that it builds for that. */
#include "shader/shader_maker.h"

#include <glslang/Public/resource_limits_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- GLSL ------------------------------------------------------------------------------------ */

/* "-DNAME=VALUE" becomes "#define NAME VALUE"; the parser accepts no other options. */
static bool preamble_of(const HnMaker *maker, char **preamble) {
  const AmberShader *shader = maker->shader;
  size_t size;
  FILE *out = open_memstream(preamble, &size);
  for (uint32_t i = 0; out && i < shader->option_count; i++) {
    const char *definition = shader->options[i] + 2;
    size_t name = strcspn(definition, "=");
    fprintf(out, "#define %.*s %s\n", (int)name, definition,
            definition[name] ? definition + name + 1 : "1");
  }
  return (out && fclose(out) == 0) || hn_maker_fail(maker, 0, "out of memory");
}

/* Reads "ERROR: STRING:LINE: TEXT". */
static bool log_line(const char *at, unsigned *line, const char **text) {
  static const char start[] = "ERROR: ";
  if (strncmp(at, start, strlen(start)) != 0)
    return false;
  at += strlen(start);
  at += strspn(at, "0123456789");
  if (*at != ':')
    return false;
  char *end;
  *line = (unsigned)strtoul(at + 1, &end, 10);
  if (*end != ':')
    return false;
  *text = end + 1 + strspn(end + 1, " ");
  return true;
}

/* The extension that an #extension of the shader names and glslang does not know. For `enable` that
 * is only a warning, and the error is the shader's use of the extension. */
static bool unknown_extension(const char *log, char *name, size_t size) {
  static const char begin[] = "extension not supported: ";
  const char *at = log ? strstr(log, begin) : NULL;
  if (!at)
    return false;
  at += strlen(begin);
  snprintf(name, size, "%.*s", (int)strcspn(at, " \r\n"), at);
  return true;
}

/* Reports the first error of the log that has a line: "ERROR: 0:12: 'x' : undeclared
 * identifier". */
static bool fail_with_log(const HnMaker *maker, const char *log) {
  char name[100];
  if (unknown_extension(log, name, sizeof name))
    return hn_maker_skip(maker, "the installed glslang does not know the extension %s", name);
  for (const char *at = log; at; at = strchr(at, '\n')) {
    unsigned line;
    const char *text;
    at += *at == '\n';
    if (log_line(at, &line, &text))
      return hn_maker_fail(maker, line, "%s", text);
  }
  return hn_maker_fail(maker, 0, "%s", log && *log ? log : "glslang refuses the shader");
}

static glslang_stage_t glslang_stage(AmberStage stage) {
  static const glslang_stage_t stages[] = {
      GLSLANG_STAGE_VERTEX,   GLSLANG_STAGE_TESSCONTROL, GLSLANG_STAGE_TESSEVALUATION,
      GLSLANG_STAGE_GEOMETRY, GLSLANG_STAGE_FRAGMENT,    GLSLANG_STAGE_COMPUTE,
  };
  return stages[stage];
}

static bool link_and_generate(const HnMaker *maker, glslang_program_t *program,
                              const glslang_input_t *input) {
  glslang_spv_options_t options = {.disable_optimizer = true, .generate_debug_info = maker->source};
  if (!glslang_program_link(program, (int)input->messages))
    return fail_with_log(maker, glslang_program_get_info_log(program));
  glslang_program_SPIRV_generate_with_options(program, input->stage, &options);
  return hn_maker_keep(maker, glslang_program_SPIRV_get_ptr(program),
                       glslang_program_SPIRV_get_size(program));
}

static bool needs_newer(const char *log) {
  return log && (strstr(log, "requires SPIR-V") || strstr(log, "targeted SPIR-V version"));
}

static glslang_input_t input_of(const HnMaker *maker) {
  return (glslang_input_t){
      .language = GLSLANG_SOURCE_GLSL,
      .stage = glslang_stage(maker->shader->stage),
      .client = GLSLANG_CLIENT_VULKAN,
      .client_version = maker->target->client,
      .target_language = GLSLANG_TARGET_SPV,
      .target_language_version = maker->target->language,
      .code = maker->shader->source,
      .default_version = 450,
      .default_profile = GLSLANG_NO_PROFILE,
      .messages = GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT |
                  (maker->source ? GLSLANG_MSG_DEBUG_INFO_BIT : 0),
      .resource = glslang_default_resource(),
  };
}

/* One text of the stage, parsed; NULL: it failed. */
static glslang_shader_t *parse(const HnMaker *maker, const char *preamble, bool *newer) {
  const glslang_input_t input = input_of(maker);
  glslang_shader_t *shader = glslang_shader_create(&input);
  if (!shader) {
    hn_maker_fail(maker, 0, "glslang refuses shaders of its stage");
    return NULL;
  }
  glslang_shader_set_preamble(shader, preamble);
  if (glslang_shader_preprocess(shader, &input) && glslang_shader_parse(shader, &input))
    return shader;
  *newer = needs_newer(glslang_shader_get_info_log(shader));
  fail_with_log(maker, glslang_shader_get_info_log(shader));
  glslang_shader_delete(shader);
  return NULL;
}

enum { MOST_PARTS = 64 };

static bool link_parts(const HnMaker *maker, const char *preamble, bool *newer) {
  glslang_shader_t *shaders[MOST_PARTS];
  size_t count = 0;
  bool made = true;
  glslang_program_t *program = glslang_program_create();
  for (const AmberShader *part = maker->shader; made && part; part = part->linked) {
    HnMaker one = *maker;
    one.shader = part;
    if (count == MOST_PARTS)
      made = hn_maker_fail(maker, 0, "more than %d texts are one shader", MOST_PARTS);
    else if ((made = (shaders[count] = parse(&one, preamble, newer))))
      glslang_program_add_shader(program, shaders[count++]);
  }
  const glslang_input_t input = input_of(maker);
  made = made && link_and_generate(maker, program, &input);
  glslang_program_delete(program);
  while (count)
    glslang_shader_delete(shaders[--count]);
  return made;
}

bool hn_maker_glsl(const HnMaker *maker, bool *newer) {
  char *preamble = NULL;
  *newer = false;
  bool made = preamble_of(maker, &preamble) && link_parts(maker, preamble, newer);
  free(preamble);
  return made;
}

/* ---- tables kept for children ---------------------------------------------------------------- */

static const unsigned versions[] = {310, 320, 330, 400, 410, 420, 430, 440, 450, 460};

enum { VERSIONS = sizeof versions / sizeof *versions };

_Static_assert(HN_TARGETS *VERSIONS <= HN_SHADER_TABLES, "every pair has a number");

struct HnShaderTables {
  bool warm[HN_TARGETS * VERSIONS]; /* by table: target, version */
};

HnShaderTables *hn_shader_tables_open(void) {
  HnShaderTables *tables = calloc(1, sizeof *tables);
  if (tables)
    glslang_initialize_process();
  return tables;
}

void hn_shader_tables_close(HnShaderTables *tables) {
  if (tables)
    glslang_finalize_process();
  free(tables);
}

/* The index of the version that the source declares, or VERSIONS. */
static size_t version_of(const AmberShader *shader) {
  const char *directive = strstr(shader->source, "#version");
  unsigned long number = directive ? strtoul(directive + strlen("#version"), NULL, 10) : 450;
  size_t i = 0;
  while (i < VERSIONS && versions[i] != number)
    i++;
  return i;
}

uint32_t hn_shader_tables_needed(const AmberScript *script, uint32_t tables[HN_SHADER_TABLES]) {
  bool needed[HN_TARGETS * VERSIONS] = {false};
  uint32_t count = 0;
  for (uint32_t i = 0; i < script->shader_count; i++) {
    const AmberShader *shader = &script->shaders[i];
    size_t version = shader->format == AMBER_GLSL ? version_of(shader) : VERSIONS;
    size_t table = (size_t)(hn_target_of(shader) - hn_targets) * VERSIONS + version;
    if (version == VERSIONS || needed[table])
      continue;
    needed[table] = true;
    tables[count++] = (uint32_t)table;
  }
  return count;
}

/* The tables of a version are the same for all stages. */
void hn_shader_tables_warm(HnShaderTables *tables, uint32_t table) {
  if (table >= HN_TARGETS * VERSIONS || tables->warm[table])
    return;
  tables->warm[table] = true;
  unsigned version = versions[table % VERSIONS];
  char source[64], *message = NULL;
  HnModule module = {0};
  snprintf(source, sizeof source, "#version %u%s\nvoid main() {}\n", version,
           version < 330 ? " es" : "");
  const AmberShader empty = {.name = "empty",
                             .stage = AMBER_FRAGMENT,
                             .format = AMBER_GLSL,
                             .source = source,
                             .source_size = strlen(source)};
  HnOutcome outcome = HN_PASS;
  bool newer;
  const HnMaker maker = {.shader = &empty,
                         .target = &hn_targets[table / VERSIONS],
                         .module = &module,
                         .message = &message,
                         .outcome = &outcome};
  hn_maker_glsl(&maker, &newer);
  free((void *)module.words);
  free(message);
}
