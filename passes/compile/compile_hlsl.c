/* SPDX-License-Identifier: Apache-2.0 */
/* compile_hlsl: HLSL to SPIR-V with the program glslangValidator. glslang's C interface cannot name
 * the entry point, without which glslang generates no code. */
#include "compile/compile_log.h"
#include "compile/compile_parts.h"
#include "compile/compile_program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 128 };

static const char program[] = "glslangValidator";

static CompileOutcome no_entry(const CompileSource *source, CompileResult *result) {
  char text[128];
  snprintf(text, sizeof text, "there is no entry point %.40s; --entry=NAME names another",
           source->entry ? source->entry : "main");
  return compile_wrong(result, source->texts->name, text);
}

static CompileOutcome refuse(const CompileWork *work, const CompileSource *source,
                             CompileResult *result) {
  const CompileText *text = source->texts;
  char *log = compile_work_log(work);
  bool lost = log && strstr(log, "Entry point not found") && !strstr(log, "ERROR:");
  bool newer = compile_log_needs_newer(log);
  result->log = log ? compile_log_glslang(log, text->name) : NULL;
  free(log);
  if (lost)
    return no_entry(source, result);
  if (result->log && !*result->log)
    return compile_wrong(result, text->name,
                         "glslangValidator fails without a message: run it on this file");
  return newer ? COMPILE_NEWER : COMPILE_WRONG;
}

/* The path of a file, so that a name with - is not taken for an option. To be freed; NULL: out of
 * memory. */
static char *path_of(const char *name) {
  char *path;
  return asprintf(&path, "%s%s", *name == '-' ? "./" : "", name) < 0 ? NULL : path;
}

/* glslangValidator reads the source from the source's own folder, which #include searches first. */
static CompileOutcome compile(const CompileWork *work, const CompileSource *source,
                              CompileResult *result) {
  const CompileText *text = source->texts;
  CompilePath module;
  char vulkan[32], spirv[32];
  const char *arguments[MOST_OPTIONS] = {program,
                                         "-V",
                                         "-D",
                                         "--amb",
                                         "--aml",
                                         "-S",
                                         compile_stage_ending(source->stage),
                                         "-e",
                                         source->entry ? source->entry : "main",
                                         "--target-env",
                                         vulkan,
                                         "--target-env",
                                         spirv,
                                         "-o",
                                         compile_work_file(work, "module", module)};
  size_t count = 15;
  snprintf(vulkan, sizeof vulkan, "vulkan%u.%u", source->target->vulkan / 10,
           source->target->vulkan % 10);
  snprintf(spirv, sizeof spirv, "spirv%u.%u", source->target->spirv / 10,
           source->target->spirv % 10);
  if (source->debug)
    arguments[count++] = "-g";
  for (uint32_t i = 0; i < source->option_count; i++) {
    if (count + 2 == MOST_OPTIONS)
      return compile_wrong(result, text->name,
                           "there are too many -I and -D: #define them in the source");
    arguments[count++] = source->options[i];
  }
  char *path = path_of(text->name);
  if (!path)
    return compile_wrong(result, text->name, "out of memory");
  arguments[count] = path;
  bool good = compile_work_run(work, arguments);
  free(path);
  if (!good)
    return refuse(work, source, result);
  return compile_work_module(work, "module", result)
             ? COMPILE_DONE
             : compile_wrong(result, text->name,
                             "glslangValidator wrote no module: run it on this file");
}

CompileOutcome compile_hlsl(const CompileSource *source, CompileResult *result) {
  CompileWork work;
  if (!compile_in_path(program)) {
    result->log = strdup("HLSL needs glslangValidator, which is not in PATH (Debian: "
                         "glslang-tools)");
    return COMPILE_MISSING;
  }
  if (!compile_work_open(&work, result, source->texts->name))
    return COMPILE_WRONG;
  CompileOutcome outcome = compile(&work, source, result);
  compile_work_close(&work);
  return outcome;
}
