/* SPDX-License-Identifier: Apache-2.0 */
/* compile_hlsl: HLSL to SPIR-V with the program glslangValidator. The C interface of glslang cannot
 * name the entry point, and glslang generates no code without it. */
#include "passes/tool/compile/compile_log.h"
#include "passes/tool/compile/compile_parts.h"
#include "passes/tool/compile/compile_program.h"
#include "passes/tool/compile/compile_registers.h"
#include "passes/tool/os/os_path.h"

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

/* The path of a file, so that a name with - is not mistaken for an option. The caller frees it;
 * NULL: out of memory. */
static char *path_of(const char *name) {
  char *path;
  return asprintf(&path, "%s%s", *name == '-' ? "./" : "", name) < 0 ? NULL : path;
}

typedef struct Arguments {
  const char *at[MOST_OPTIONS];
  size_t count;
} Arguments;

static void add(Arguments *a, const char *argument) {
  if (a->count + 1 < MOST_OPTIONS)
    a->at[a->count++] = argument;
}

/* Adds the arguments that all runs on the source need: its stage, its options, its path.
 * glslangValidator reads the source from the source's own folder, which #include searches first. */
static void add_source(Arguments *a, const CompileSource *source, const char *path) {
  add(a, "-S");
  add(a, compile_stage_ending(source->stage));
  add(a, "-e");
  add(a, source->entry ? source->entry : "main");
  for (uint32_t i = 0; i < source->option_count; i++)
    add(a, source->options[i]);
  add(a, path);
}

/* Separates registers of several classes that would share a binding. */
static void separate(const CompileWork *work, const CompileSource *source, const char *path,
                     CompileResult *result) {
  Arguments a = {{program, "-D", "-E"}, 3};
  if (!compile_registers_collide(result))
    return;
  add_source(&a, source, path);
  char *text = compile_work_run(work, a.at) ? compile_work_log(work) : NULL;
  compile_registers_shift(result, text ? text : "");
  free(text);
}

static CompileOutcome compile_path(const CompileWork *work, const CompileSource *source,
                                   const char *path, CompileResult *result) {
  CompilePath module;
  char vulkan[32], spirv[32];
  Arguments a = {{program, "-V", "-D", "--amb", "--aml", "--target-env", vulkan, "--target-env",
                  spirv, "-o", compile_work_file(work, "module", module)},
                 11};
  snprintf(vulkan, sizeof vulkan, "vulkan%u.%u", source->target->vulkan / 10,
           source->target->vulkan % 10);
  snprintf(spirv, sizeof spirv, "spirv%u.%u", source->target->spirv / 10,
           source->target->spirv % 10);
  if (source->debug)
    add(&a, "-g");
  add_source(&a, source, path);
  if (!compile_work_run(work, a.at))
    return refuse(work, source, result);
  if (!compile_work_module(work, "module", result))
    return compile_wrong(result, source->texts->name,
                         "glslangValidator wrote no module: run it on this file");
  separate(work, source, path, result);
  return COMPILE_DONE;
}

static CompileOutcome compile(const CompileWork *work, const CompileSource *source,
                              CompileResult *result) {
  enum { OWN_OPTIONS = 32 };
  const char *name = source->texts->name;
  if (source->option_count > MOST_OPTIONS - OWN_OPTIONS)
    return compile_wrong(result, name, "there are too many -I and -D: #define them in the source");
  char *path = path_of(name);
  if (!path)
    return compile_wrong(result, name, "out of memory");
  CompileOutcome outcome = compile_path(work, source, path, result);
  free(path);
  return outcome;
}

CompileOutcome compile_hlsl(const CompileSource *source, CompileResult *result) {
  CompileWork work;
  if (!os_path_has_program(program)) {
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
