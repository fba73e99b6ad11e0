/* SPDX-License-Identifier: Apache-2.0 */
/* shader: see shader.h. A Maker translates one shader, by its format: GLSL, SPIR-V as text, as
 * hexadecimal numbers or as bytes, or the built-in pass-through vertex shader. */
#include "shader/shader.h"

#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>
#include <spirv-tools/libspirv.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x07230203u

/* ---- target environments --------------------------------------------------------------------- */

typedef struct Target {
  const char *name;
  spv_target_env env;
  glslang_target_client_version_t client;
  glslang_target_language_version_t language;
} Target;

#define TARGET(name, env, vulkan, spirv)                                                           \
  { name, SPV_ENV_##env, GLSLANG_TARGET_VULKAN_##vulkan, GLSLANG_TARGET_SPV_##spirv }

static const Target targets[] = {
    TARGET("spv1.0", UNIVERSAL_1_0, 1_0, 1_0),
    TARGET("spv1.1", UNIVERSAL_1_1, 1_1, 1_1),
    TARGET("spv1.2", UNIVERSAL_1_2, 1_1, 1_2),
    TARGET("spv1.3", UNIVERSAL_1_3, 1_1, 1_3),
    TARGET("spv1.4", UNIVERSAL_1_4, 1_2, 1_4),
    TARGET("spv1.5", UNIVERSAL_1_5, 1_2, 1_5),
    TARGET("spv1.6", UNIVERSAL_1_6, 1_3, 1_6),
    TARGET("vulkan1.0", VULKAN_1_0, 1_0, 1_0),
    TARGET("vulkan1.1", VULKAN_1_1, 1_1, 1_3),
    TARGET("vulkan1.1spv1.4", VULKAN_1_1_SPIRV_1_4, 1_1, 1_4),
    TARGET("vulkan1.2", VULKAN_1_2, 1_2, 1_5),
    TARGET("vulkan1.3", VULKAN_1_3, 1_3, 1_6),
};

enum { TARGETS = sizeof targets / sizeof *targets };

static const Target *target_of(const AmberShader *shader) {
  if (shader->target_env)
    for (size_t i = 0; i < TARGETS; i++)
      if (strcmp(targets[i].name, shader->target_env) == 0)
        return &targets[i];
  return &targets[0];
}

/* ---- messages -------------------------------------------------------------------------------- */

typedef struct Maker {
  const AmberShader *shader;
  HnModule *module;
  char **message;
  bool source; /* keep it in the module */
} Maker;

/* `line` of the source, from 1; 0: no particular line. Only the first line of the text is kept. */
static bool fail(const Maker *maker, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(const Maker *maker, unsigned line, const char *format, ...) {
  const AmberShader *shader = maker->shader;
  char what[512], place[64] = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  what[strcspn(what, "\r\n")] = '\0';
  unsigned script_line = shader->line;
  if (line && shader->source_line)
    script_line = shader->source_line + line - 1;
  else if (line)
    snprintf(place, sizeof place, "line %u of its file: ", line);
  if (asprintf(maker->message, "line %u: shader %s: %s%s", script_line, shader->name, place, what) <
      0)
    *maker->message = NULL;
  return false;
}

static bool keep(const Maker *maker, const uint32_t *words, size_t count) {
  uint32_t *copy = malloc(count * sizeof *copy + 1);
  if (!copy)
    return fail(maker, 0, "out of memory");
  if (count)
    memcpy(copy, words, count * sizeof *copy);
  *maker->module = (HnModule){.words = copy, .count = count};
  return true;
}

/* ---- GLSL ------------------------------------------------------------------------------------ */

/* "-DNAME=VALUE" becomes "#define NAME VALUE"; the parser accepts no other options. */
static bool preamble_of(const Maker *maker, char **preamble) {
  const AmberShader *shader = maker->shader;
  size_t size;
  FILE *out = open_memstream(preamble, &size);
  for (uint32_t i = 0; out && i < shader->option_count; i++) {
    const char *definition = shader->options[i] + 2;
    size_t name = strcspn(definition, "=");
    fprintf(out, "#define %.*s %s\n", (int)name, definition,
            definition[name] ? definition + name + 1 : "1");
  }
  return (out && fclose(out) == 0) || fail(maker, 0, "out of memory");
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

/* Reports the first error of the log that has a line: "ERROR: 0:12: 'x' : undeclared identifier".
 * */
static bool fail_with_log(const Maker *maker, const char *log) {
  for (const char *at = log; at; at = strchr(at, '\n')) {
    unsigned line;
    const char *text;
    at += *at == '\n';
    if (log_line(at, &line, &text))
      return fail(maker, line, "%s", text);
  }
  return fail(maker, 0, "%s", log && *log ? log : "glslang refuses the shader");
}

static glslang_stage_t glslang_stage(AmberStage stage) {
  static const glslang_stage_t stages[] = {
      GLSLANG_STAGE_VERTEX,   GLSLANG_STAGE_TESSCONTROL, GLSLANG_STAGE_TESSEVALUATION,
      GLSLANG_STAGE_GEOMETRY, GLSLANG_STAGE_FRAGMENT,    GLSLANG_STAGE_COMPUTE,
  };
  return stages[stage];
}

static bool link_and_generate(const Maker *maker, glslang_program_t *program,
                              const glslang_input_t *input) {
  glslang_spv_options_t options = {.disable_optimizer = true, .generate_debug_info = maker->source};
  if (!glslang_program_link(program, (int)input->messages))
    return fail_with_log(maker, glslang_program_get_info_log(program));
  glslang_program_SPIRV_generate_with_options(program, input->stage, &options);
  return keep(maker, glslang_program_SPIRV_get_ptr(program),
              glslang_program_SPIRV_get_size(program));
}

static bool compile(const Maker *maker, glslang_shader_t *shader, const glslang_input_t *input) {
  if (!glslang_shader_preprocess(shader, input) || !glslang_shader_parse(shader, input))
    return fail_with_log(maker, glslang_shader_get_info_log(shader));
  glslang_program_t *program = glslang_program_create();
  glslang_program_add_shader(program, shader);
  bool made = link_and_generate(maker, program, input);
  glslang_program_delete(program);
  return made;
}

static bool make_glsl(const Maker *maker) {
  const Target *target = target_of(maker->shader);
  glslang_input_t input = {
      .language = GLSLANG_SOURCE_GLSL,
      .stage = glslang_stage(maker->shader->stage),
      .client = GLSLANG_CLIENT_VULKAN,
      .client_version = target->client,
      .target_language = GLSLANG_TARGET_SPV,
      .target_language_version = target->language,
      .code = maker->shader->source,
      .default_version = 450,
      .default_profile = GLSLANG_NO_PROFILE,
      .messages = GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT |
                  (maker->source ? GLSLANG_MSG_DEBUG_INFO_BIT : 0),
      .resource = glslang_default_resource(),
  };
  char *preamble = NULL;
  bool made = preamble_of(maker, &preamble);
  glslang_shader_t *shader = made ? glslang_shader_create(&input) : NULL;
  if (shader) {
    glslang_shader_set_preamble(shader, preamble);
    made = compile(maker, shader, &input);
    glslang_shader_delete(shader);
  } else if (made) {
    made = fail(maker, 0, "glslang refuses shaders of its stage");
  }
  free(preamble);
  return made;
}

/* ---- SPIR-V ---------------------------------------------------------------------------------- */

static bool assemble(const Maker *maker, const char *text, size_t size) {
  spv_context context = spvContextCreate(target_of(maker->shader)->env);
  spv_binary binary = NULL;
  spv_diagnostic diagnostic = NULL;
  bool made;
  if (spvTextToBinaryWithOptions(context, text, size,
                                 SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary,
                                 &diagnostic) == SPV_SUCCESS)
    made = keep(maker, binary->code, binary->wordCount);
  else
    made = fail(maker, diagnostic ? (unsigned)diagnostic->position.line + 1 : 0, "%s",
                diagnostic ? diagnostic->error : "the assembler refuses the shader");
  spvDiagnosticDestroy(diagnostic);
  spvBinaryDestroy(binary);
  spvContextDestroy(context);
  return made;
}

/* Keeps bytes in either order as words in the host's order. */
static bool keep_bytes(const Maker *maker, const uint8_t *bytes, size_t size) {
  if (size < 20 || size % 4)
    return fail(maker, 0, "%zu bytes are not a SPIR-V module", size);
  uint32_t *words = malloc(size);
  if (!words)
    return fail(maker, 0, "out of memory");
  memcpy(words, bytes, size);
  if (words[0] == __builtin_bswap32(MAGIC))
    for (size_t i = 0; i < size / 4; i++)
      words[i] = __builtin_bswap32(words[i]);
  *maker->module = (HnModule){.words = words, .count = size / 4};
  return words[0] == MAGIC || fail(maker, 0, "it is not a SPIR-V module");
}

/* Reads numbers between blanks, each a byte or each a word, as the first one is. */
static bool make_hex(const Maker *maker) {
  const char *at = maker->shader->source;
  uint8_t *bytes =
      malloc(2 * maker->shader->source_size + 4); /* a word has at least two characters */
  if (!bytes)
    return fail(maker, 0, "out of memory");
  size_t size = 0, width = 0;
  bool good = true;
  unsigned line = 1;
  while (good) {
    for (; *at && strchr(" \t\r\n,", *at); at++)
      line += *at == '\n';
    if (!*at)
      break;
    char *end;
    unsigned long number = strtoul(at, &end, 16);
    width = width ? width : number > 255 ? 4 : 1;
    uint32_t word = (uint32_t)number;
    good = (end > at && number >> (8 * width) == 0 && *at != '-' && *at != '+') ||
           fail(maker, line, "there is no hexadecimal number of %zu byte(s) at '%.16s'", width, at);
    if (good)
      memcpy(bytes + size, &word, width);
    size += width;
    at = end;
  }
  good = good && keep_bytes(maker, bytes, size);
  free(bytes);
  return good;
}

static const char passthrough[] = "OpCapability Shader\n"
                                  "OpMemoryModel Logical GLSL450\n"
                                  "OpEntryPoint Vertex %main \"main\" %in %out\n"
                                  "OpDecorate %in Location 0\n"
                                  "OpDecorate %out BuiltIn Position\n"
                                  "%void = OpTypeVoid\n"
                                  "%type = OpTypeFunction %void\n"
                                  "%float = OpTypeFloat 32\n"
                                  "%vec4 = OpTypeVector %float 4\n"
                                  "%pin = OpTypePointer Input %vec4\n"
                                  "%pout = OpTypePointer Output %vec4\n"
                                  "%in = OpVariable %pin Input\n"
                                  "%out = OpVariable %pout Output\n"
                                  "%main = OpFunction %void None %type\n"
                                  "%entry = OpLabel\n"
                                  "%value = OpLoad %vec4 %in\n"
                                  "OpStore %out %value\n"
                                  "OpReturn\n"
                                  "OpFunctionEnd\n";

static bool make(const Maker *maker) {
  const AmberShader *shader = maker->shader;
  switch (shader->format) {
  case AMBER_GLSL:
    return make_glsl(maker);
  case AMBER_SPIRV_ASM:
    return assemble(maker, shader->source, shader->source_size);
  case AMBER_SPIRV_HEX:
    return make_hex(maker);
  case AMBER_SPIRV_BIN:
    return keep_bytes(maker, (const uint8_t *)shader->source, shader->source_size);
  default:
    return assemble(maker, passthrough, sizeof passthrough - 1);
  }
}

/* ---- all of a script ------------------------------------------------------------------------- */

/* For each shader: does a pipeline attach it? NULL: out of memory. */
static bool *attached_shaders(const AmberScript *script) {
  bool *attached = calloc(script->shader_count + 1u, sizeof *attached);
  for (uint32_t p = 0; attached && p < script->pipeline_count; p++)
    for (uint32_t i = 0; i < script->pipelines[p].shader_count; i++)
      attached[script->pipelines[p].shaders[i].shader] = true;
  return attached;
}

static bool make_attached(const AmberScript *script, const bool *attached, HnModule *modules,
                          char **message, bool source) {
  bool good = true, glslang = false;
  for (uint32_t i = 0; good && i < script->shader_count; i++) {
    const Maker maker = {&script->shaders[i], &modules[i], message, source};
    if (!attached[i])
      continue;
    if (maker.shader->format == AMBER_GLSL && !glslang)
      glslang = glslang_initialize_process();
    good = make(&maker);
  }
  if (glslang)
    glslang_finalize_process();
  return good;
}

static bool make_all(const AmberScript *script, bool source, HnModule **modules, char **message) {
  bool *attached = attached_shaders(script);
  *message = NULL;
  *modules = calloc(script->shader_count + 1u, sizeof **modules);
  bool good = attached && *modules && make_attached(script, attached, *modules, message, source);
  free(attached);
  if (good)
    return true;
  if (!*message)
    *message = strdup("out of memory");
  hn_shaders_free(*modules, script->shader_count);
  *modules = NULL;
  return false;
}

bool hn_shaders_make(const AmberScript *script, HnModule **modules, char **message) {
  return make_all(script, false, modules, message);
}

bool hn_shaders_make_with_source(const AmberScript *script, HnModule **modules, char **message) {
  return make_all(script, true, modules, message);
}

void hn_shaders_free(HnModule *modules, size_t count) {
  for (size_t i = 0; modules && i < count; i++)
    free((void *)modules[i].words);
  free(modules);
}

/* ---- tables kept for children ---------------------------------------------------------------- */

static const unsigned versions[] = {310, 320, 330, 400, 410, 420, 430, 440, 450, 460};

enum { VERSIONS = sizeof versions / sizeof *versions };

_Static_assert(TARGETS *VERSIONS <= HN_SHADER_TABLES, "every pair has a number");

struct HnShaderTables {
  bool warm[TARGETS * VERSIONS]; /* by table: target, version */
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
  bool needed[TARGETS * VERSIONS] = {false};
  uint32_t count = 0;
  for (uint32_t i = 0; i < script->shader_count; i++) {
    const AmberShader *shader = &script->shaders[i];
    size_t version = shader->format == AMBER_GLSL ? version_of(shader) : VERSIONS;
    size_t table = (size_t)(target_of(shader) - targets) * VERSIONS + version;
    if (version == VERSIONS || needed[table])
      continue;
    needed[table] = true;
    tables[count++] = (uint32_t)table;
  }
  return count;
}

/* The tables of a version are the same for all stages. */
void hn_shader_tables_warm(HnShaderTables *tables, uint32_t table) {
  if (table >= TARGETS * VERSIONS || tables->warm[table])
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
                             .target_env = targets[table / VERSIONS].name,
                             .source = source,
                             .source_size = strlen(source)};
  const Maker maker = {&empty, &module, &message, false};
  make_glsl(&maker);
  free((void *)module.words);
  free(message);
}
