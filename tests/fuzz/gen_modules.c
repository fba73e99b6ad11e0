/* SPDX-License-Identifier: Apache-2.0 */
/* gen_modules: the modules of many shaders and cases, by one process, since glslang takes 0.1 s to
 * start.
 *
 *   gen_modules [--debug] [--target-env=vulkan1.3] FOLDER FILE…
 *
 * Writes FOLDER/NAME.spv for each FILE that is named as a shader in GLSL, and FOLDER/NAME-1.spv,
 * FOLDER/NAME-2.spv, … for the shaders that a case's pipelines attach; in NAME each "/" is "-".
 * --debug: with source and lines. --target-env is for shaders; cases have their own. Exit code 1,
 * and a line for each, if some are refused. */
#include "harness/shader/case_file.h"
#include "harness/shader/shader.h"
#include "passes/tool/compile/compile.h"
#include "passes/tool/compile/compile_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
  const char *folder;
  const CompileTarget *target;
  bool debug, refused;
} Run;

static void refuse(Run *run, const char *path, const char *why) {
  printf("%s: %s\n", path, why ? why : "out of memory");
  run->refused = true;
}

/* number 0: none in the name */
static void keep(Run *run, const char *path, uint32_t number, HnModule module) {
  char name[512], to[1024], suffix[16] = "";
  snprintf(name, sizeof name, "%s", path);
  for (char *c = name; *c; c++)
    if (*c == '/')
      *c = '-';
  if (number)
    snprintf(suffix, sizeof suffix, "-%u", number);
  snprintf(to, sizeof to, "%s/%s%s.spv", run->folder, name, suffix);
  FILE *file = fopen(to, "wb");
  bool good =
      file && fwrite(module.words, sizeof *module.words, module.count, file) == module.count;
  if (!file || fclose(file) != 0 || !good)
    refuse(run, to, "cannot be written");
}

static void write_shader(Run *run, const char *path, CompileStage stage, const uint8_t *bytes,
                         size_t size) {
  const CompileText text = {path, (const char *)bytes, size};
  const CompileSource source = {.language = COMPILE_GLSL,
                                .stage = stage,
                                .texts = &text,
                                .text_count = 1,
                                .target = run->target,
                                .debug = run->debug};
  CompileResult result;
  if (compile_run(&source, &result) == COMPILE_DONE)
    keep(run, path, 0, (HnModule){result.words, result.count});
  else
    refuse(run, path, result.log);
  compile_free(&result);
}

static void write_case(Run *run, const char *path, const uint8_t *bytes, size_t size) {
  const AmberFiles files = hn_files_beside(path);
  AmberScript *script;
  AmberMessage parsed;
  HnModule *modules;
  char *why;
  if (amber_parse((const char *)bytes, size, &files, &script, &parsed) != AMBER_OK) {
    refuse(run, path, parsed.text);
    return;
  }
  if ((run->debug ? hn_shaders_make_with_source : hn_shaders_make)(script, &modules, &why) ==
      HN_PASS) {
    for (uint32_t i = 0; i < script->shader_count; i++)
      if (modules[i].count)
        keep(run, path, i + 1, modules[i]);
    hn_shaders_free(modules, script->shader_count);
  } else {
    refuse(run, path, why);
    free(why);
  }
  amber_destroy(script);
}

static void write_file(Run *run, const char *path) {
  CompileLanguage language;
  CompileStage stage;
  uint8_t *bytes = NULL;
  size_t size;
  if (!compile_file_read(path, HN_FILE_MOST, &bytes, &size)) {
    refuse(run, path, "cannot be read");
    return;
  }
  bytes[size] = 0; /* there is room for it */
  if (compile_kind_of(path, &language, &stage) && language == COMPILE_GLSL)
    write_shader(run, path, stage, bytes, size);
  else
    write_case(run, path, bytes, size);
  free(bytes);
}

int main(int argc, char **argv) {
  Run run = {.target = compile_target_find("vulkan1.3")};
  int i = 1;
  for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
    if (strcmp(argv[i], "--debug") == 0)
      run.debug = true;
    else if (strncmp(argv[i], "--target-env=", 13) == 0)
      run.target = compile_target_find(argv[i] + 13);
  }
  if (i == argc || !run.target) {
    fputs("usage: gen_modules [--debug] [--target-env=ENV] FOLDER FILE...\n", stderr);
    return 2;
  }
  run.folder = argv[i++];
  for (; i < argc; i++)
    write_file(&run, argv[i]);
  return run.refused;
}
