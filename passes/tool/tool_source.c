/* SPDX-License-Identifier: Apache-2.0 */
/* tool_source: see tool_source.h. */
#include "passes/tool/tool_source.h"

#include "passes/tool/compile/compile_file.h"
#include "passes/tool/compile/compile_ids.h"
#include "passes/tool/tool_usage.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

ToolSource tool_source_none(void) {
  return (ToolSource){.stage = COMPILE_NO_STAGE};
}

void tool_source_free(ToolSource *source) {
  for (uint32_t i = 0; i < source->option_count; i++)
    free((void *)source->options[i]);
  free(source->options);
}

/* Prints a note if there is no such folder, since the name may be misspelt; but it is not an error,
 * since build systems pass missing folders. */
static bool tell_missing(const char *folder) {
  struct stat st;
  bool there = stat(folder, &st) == 0;
  if (!there || !S_ISDIR(st.st_mode))
    tool_say(folder, "note: -I: nothing is found there: %s",
             there ? "not a folder" : strerror(errno));
  return true;
}

/* Checks the value of -I or -D: a compiler would use the next argument as an empty value, and
 * report an error in line -1 for a wrong one. */
static bool check_value(char letter, const char *value) {
  if (letter == 'I')
    return *value ? tell_missing(value) : tool_wrong("-I expects a folder, not nothing");
  return ((isalpha((unsigned char)*value) || *value == '_') && !strpbrk(value, "\n\r")) ||
         tool_wrong("-D expects NAME or NAME=VALUE, in one line, not '%.40s'", value);
}

bool tool_source_add(ToolSource *source, char letter, const char *value) {
  if (!check_value(letter, value))
    return false;
  const char **more =
      realloc(source->options, (source->option_count + 1u) * sizeof *source->options);
  char *option = NULL;
  if (more)
    source->options = more;
  if (!more || asprintf(&option, "-%c%s", letter, value) < 0)
    return tool_wrong("out of memory");
  more[source->option_count++] = option;
  if (!source->first &&
      letter == 'D') /* -I is not only for sources: a module's text is looked for there */
    source->first = "-D";
  return true;
}

bool tool_source_stage(ToolSource *source, const char *name) {
  source->stage = compile_stage_find(name);
  if (!source->first)
    source->first = "--stage";
  return source->stage != COMPILE_NO_STAGE ||
         tool_wrong("--stage: there is no stage '%s'; stages are %s, and cl for OpenCL C", name,
                    compile_stage_endings);
}

bool tool_source_is(const ToolSource *source, const char *path) {
  CompileLanguage language;
  CompileStage stage;
  return source->stage != COMPILE_NO_STAGE || compile_kind_of(path, &language, &stage);
}

bool tool_source_is_glsl(const ToolInput *in) {
  const char *text = in->bytes + strspn(in->bytes, " \t\r\n");
  return !in->binary && strncmp(text, "#version", strlen("#version")) == 0;
}

bool tool_source_refuse_glsl(const char *path) {
  tool_say(path, "this is GLSL: add --stage=comp, or name the file SHADER.comp");
  return false;
}

/* ---- compiling ------------------------------------------------------------------------------- */

/* Is it a compute shader? In a file FILE.hlsl without a stage, only compute shaders can be
 * recognized by their text. */
static bool is_compute(const CompileSource *all, const ToolInput *in) {
  return all->language == COMPILE_HLSL && strstr(in->bytes, "numthreads");
}

static bool choose_stage(const ToolSource *source, const char *path, const ToolInput *in,
                         CompileSource *all) {
  compile_kind_of(path, &all->language, &all->stage);
  if (source->stage != COMPILE_NO_STAGE)
    all->stage = source->stage;
  if (all->stage == COMPILE_NO_STAGE && is_compute(all, in))
    all->stage = COMPILE_COMPUTE;
  if (all->stage == COMPILE_KERNEL)
    all->language = COMPILE_OPENCL_C;
  if (all->stage != COMPILE_NO_STAGE)
    return true;
  tool_say(path,
           "the name does not say of which stage the shader is: add --stage=comp, or another "
           "of: %s",
           compile_stage_endings);
  return false;
}

static bool choose_target(const ToolSource *source, const char *path, CompileSource *all) {
  bool kernel = all->language == COMPILE_OPENCL_C;
  all->target = !source->target ? NULL
                : kernel        ? compile_target_find_kernel(source->target)
                                : compile_target_find(source->target);
  if (!source->target || all->target)
    return true;
  if (kernel)
    tool_say(path,
             "kernels cannot be compiled for --target-env=%s; environments are opencl1.2 to "
             "opencl2.2, spv1.0 to spv1.6, and spirv64, for clang's own code generator",
             source->target);
  else
    tool_say(path,
             "sources cannot be compiled for --target-env=%s; environments are vulkan1.0 to "
             "vulkan1.3 and spv1.0 to spv1.6",
             source->target);
  return false;
}

static void print_log(const char *log) {
  if (log && *log)
    fprintf(stderr, "%s%s", log, log[strlen(log) - 1] == '\n' ? "" : "\n");
}

/* Prints the compiler's lines, and what to do about them. */
static bool refuse(const ToolSource *source, const char *path, CompileOutcome outcome,
                   const CompileResult *result) {
  switch (outcome) {
  case COMPILE_UNKNOWN:
    tool_say(path, "the installed glslang does not know the extension %s: update it, or do without",
             result->log);
    break;
  case COMPILE_MISSING:
    tool_say(path, "%s", result->log ? result->log : "out of memory");
    break;
  case COMPILE_NEWER:
    print_log(result->log);
    tool_say(path,
             "the shader does not compile for --target-env=%s: try a higher one, or leave it out",
             source->target ? source->target : "spv1.6");
    break;
  default:
    print_log(result->log);
    tool_say(path, "the shader does not compile");
  }
  return false;
}

static void take_plain_ids(const CompileSource *all, CompileResult *result) {
  CompileSource without = *all;
  CompileResult plain;
  without.debug = false;
  if (compile_run(&without, &plain) == COMPILE_DONE)
    compile_ids_take(result, &plain);
  compile_free(&plain);
}

static bool compile(const ToolSource *source, const char *path, ToolInput *in, CompileSource *all) {
  const CompileText text = {strcmp(path, "-") != 0 ? path : "standard input", in->bytes, in->count};
  CompileResult result;
  all->texts = &text;
  all->text_count = 1;
  if (all->language == COMPILE_HLSL && !(strcmp(path, "-") != 0 && compile_file_is_regular(path))) {
    tool_say(path, "HLSL is compiled from a file, which is read twice: name one");
    return false;
  }
  CompileOutcome outcome = compile_run(all, &result);
  if (outcome == COMPILE_DONE && all->debug && source->plain_ids)
    take_plain_ids(all, &result);
  bool good = outcome == COMPILE_DONE || refuse(source, path, outcome, &result);
  if (good && result.note)
    tool_say(path, "note: %s", result.note);
  if (good) {
    free(in->bytes);
    *in = (ToolInput){(char *)result.words, result.count * sizeof *result.words, true};
    result.words = NULL;
  }
  compile_free(&result);
  return good;
}

bool tool_source_compile(const ToolSource *source, const char *path, ToolInput *in,
                         CompileStage *stage) {
  CompileSource all = {.entry = source->entry,
                       .options = source->options,
                       .option_count = source->option_count,
                       .debug = source->debug};
  *stage = COMPILE_NO_STAGE;
  if (in->binary)
    return true;
  if (!choose_stage(source, path, in, &all) || !choose_target(source, path, &all))
    return false;
  *stage = all.stage;
  return compile(source, path, in, &all);
}
