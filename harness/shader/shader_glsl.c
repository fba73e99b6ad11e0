/* SPDX-License-Identifier: Apache-2.0 */
/* shader_glsl: GLSL and OpenCL C to SPIR-V; the tables that glslang builds for GLSL. */
#include "harness/shader/shader_maker.h"

#include "passes/tool/compile/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- GLSL and OpenCL C ----------------------------------------------------------------------- */

_Static_assert((int)COMPILE_COMPUTE == AMBER_COMPUTE, "stages have the same numbers");

static bool is_own(const CompileError *error, const char *name) {
  return error->name_length == strlen(name) && memcmp(error->name, name, error->name_length) == 0;
}

/* Reports the first error of the log, with its line if it is in the source itself. */
static bool fail_with_log(const HnMaker *maker, const char *name, const char *log) {
  CompileError error;
  if (log && compile_first_error(log, &error))
    return hn_maker_fail(maker, is_own(&error, name) ? error.line : 0, "%.*s",
                         (int)error.text_length, error.text);
  return hn_maker_fail(maker, 0, "%s", log && *log ? log : "out of memory");
}

static bool take(const HnMaker *maker, CompileOutcome outcome, const char *name,
                 CompileResult *result) {
  switch (outcome) {
  case COMPILE_DONE:
    *maker->module = (HnModule){result->words, result->count};
    result->words = NULL;
    return true;
  case COMPILE_UNKNOWN:
    return hn_maker_skip(maker, "the installed glslang does not know the extension %s",
                         result->log);
  case COMPILE_MISSING:
    return hn_maker_skip(maker, "%s", result->log);
  default:
    return fail_with_log(maker, name, result->log);
  }
}

static CompileText text_of(const AmberShader *shader) {
  return (CompileText){shader->path ? shader->path : "", shader->source, shader->source_size};
}

static bool compile(const HnMaker *maker, CompileLanguage language, CompileStage stage,
                    bool *newer) {
  uint32_t count = 0;
  for (const AmberShader *part = maker->shader; part; part = part->linked)
    count++;
  CompileText *texts = calloc(count, sizeof *texts);
  if (!texts)
    return hn_maker_fail(maker, 0, "out of memory");
  count = 0;
  for (const AmberShader *part = maker->shader; part; part = part->linked)
    texts[count++] = text_of(part);
  const char *env = maker->shader->target_env;
  bool kernel = language == COMPILE_OPENCL_C;
  const CompileSource source = {.language = language,
                                .stage = stage,
                                .texts = texts,
                                .text_count = count,
                                .target = !kernel ? maker->target
                                          : env   ? compile_target_find_kernel(env)
                                                  : NULL,
                                .options = (const char *const *)maker->shader->options,
                                .option_count = maker->shader->option_count,
                                .debug = maker->source};
  CompileResult result;
  CompileOutcome outcome = compile_run(&source, &result);
  *newer = outcome == COMPILE_NEWER;
  bool made = take(maker, outcome, texts->name, &result);
  compile_free(&result);
  free(texts);
  return made;
}

bool hn_maker_glsl(const HnMaker *maker, bool *newer) {
  return compile(maker, COMPILE_GLSL, (CompileStage)maker->shader->stage, newer);
}

bool hn_maker_opencl(const HnMaker *maker) {
  bool newer;
  return compile(maker, COMPILE_OPENCL_C, COMPILE_KERNEL, &newer);
}

/* ---- tables kept for children ---------------------------------------------------------------- */

static const unsigned versions[] = {310, 320, 330, 400, 410, 420, 430, 440, 450, 460};

enum { VERSIONS = sizeof versions / sizeof *versions };

_Static_assert(COMPILE_TARGETS *VERSIONS <= HN_SHADER_TABLES, "every pair has a number");

struct HnShaderTables {
  bool warm[COMPILE_TARGETS * VERSIONS]; /* by table, that is, by target and version */
};

HnShaderTables *hn_shader_tables_open(void) {
  return calloc(1, sizeof(HnShaderTables));
}

void hn_shader_tables_close(HnShaderTables *tables) {
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
  bool needed[COMPILE_TARGETS * VERSIONS] = {false};
  uint32_t count = 0;
  for (uint32_t i = 0; i < script->shader_count; i++) {
    const AmberShader *shader = &script->shaders[i];
    size_t version = shader->format == AMBER_GLSL ? version_of(shader) : VERSIONS;
    size_t table = (size_t)(hn_target_of(shader) - compile_targets) * VERSIONS + version;
    if (version == VERSIONS || needed[table])
      continue;
    needed[table] = true;
    tables[count++] = (uint32_t)table;
  }
  return count;
}

/* The tables of a version are the same for all stages. */
void hn_shader_tables_warm(HnShaderTables *tables, uint32_t table) {
  if (table >= COMPILE_TARGETS * VERSIONS || tables->warm[table])
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
                         .target = &compile_targets[table / VERSIONS],
                         .module = &module,
                         .message = &message,
                         .outcome = &outcome};
  hn_maker_glsl(&maker, &newer);
  free((void *)module.words);
  free(message);
}
