/* SPDX-License-Identifier: Apache-2.0 */
/* cli_inputs: see cli_inputs.h. */
#include "spv-emu/cli/cli_inputs.h"

#include "passes/tool/tool_batch.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct LeftOut { /* files that are left out for the same reason */
  size_t count;
  char *first; /* owned */
} LeftOut;

typedef struct Finder {
  const EmuCli *cli;
  EmuCliInputs *inputs;
  LeftOut others, stages;
} Finder;

static bool add(EmuCliInputs *inputs, const char *path) {
  if (inputs->count == inputs->room) {
    size_t room = inputs->room ? 2 * inputs->room : 64;
    char **at = realloc(inputs->at, room * sizeof *at);
    if (!at)
      return tool_batch_no_memory();
    inputs->at = at;
    inputs->room = room;
  }
  inputs->at[inputs->count] = strdup(path);
  return inputs->at[inputs->count++] || tool_batch_no_memory();
}

/* ---- folders --------------------------------------------------------------------------------- */

/* Can a shader of the stage run without a case? HLSL is a compute shader if nothing says its
 * stage. */
static bool runs(const EmuCli *cli, CompileLanguage language, CompileStage stage) {
  if (stage == COMPILE_NO_STAGE)
    return language == COMPILE_HLSL || cli->source.stage != COMPILE_NO_STAGE;
  return stage == COMPILE_VERTEX || stage == COMPILE_FRAGMENT || stage == COMPILE_COMPUTE ||
         stage == COMPILE_KERNEL;
}

static bool leave_out(LeftOut *left, const char *path) {
  if (left->count++ == 0)
    left->first = strdup(path);
  return left->first || tool_batch_no_memory();
}

static bool add_below(void *finder, const char *path, const char *below) {
  (void)below;
  Finder *f = finder;
  CompileLanguage language;
  CompileStage stage;
  if (tool_has_suffix(path, ".amber") || tool_is_module(path))
    return add(f->inputs, path);
  if (!compile_kind_of(path, &language, &stage))
    return leave_out(&f->others, path);
  return runs(f->cli, language, stage) ? add(f->inputs, path) : leave_out(&f->stages, path);
}

static bool fail_folder(void *finder, const char *path) {
  (void)finder;
  return tool_failed(path);
}

/* "2 files that are neither a module, a case nor a shader, as README.md" */
static void print_left_out(FILE *out, const char *before, const LeftOut *left, const char *one,
                           const char *several) {
  if (left->count)
    fprintf(out, "%s%zu %s, as %s", before, left->count, left->count == 1 ? one : several,
            left->first);
}

/* `none`: nothing below the folder can run. */
static bool say_left_out(const Finder *f, const char *folder, bool none) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return tool_batch_no_memory();
  print_left_out(out, "", &f->others, "file that is neither a module, a case nor a shader",
                 "files that are neither a module, a case nor a shader");
  print_left_out(out, f->others.count ? "; " : "", &f->stages,
                 "shader of a stage that does not run by itself",
                 "shaders of stages that do not run by themselves");
  bool good = fclose(out) == 0 || tool_batch_no_memory();
  if (good && none)
    tool_say(folder, "nothing below this folder can run: %s", *text ? text : "it has no files");
  else if (good && *text && !f->cli->frame)
    tool_say(folder, "left out: %s", text);
  free(text);
  return good && !none;
}

static bool add_folder(const EmuCli *cli, EmuCliInputs *inputs, const char *folder) {
  Finder f = {.cli = cli, .inputs = inputs};
  const ToolFolderVisitor visitor = {add_below, NULL, fail_folder, &f};
  size_t before = inputs->count;
  bool good =
      tool_folder_visit(folder, &visitor) && say_left_out(&f, folder, inputs->count == before);
  free(f.others.first);
  free(f.stages.first);
  return good;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

bool emu_cli_inputs_list(const EmuCli *cli, EmuCliInputs *inputs) {
  *inputs = (EmuCliInputs){0};
  for (int i = 0; i < cli->input_count; i++) {
    const char *input = cli->inputs[i];
    if (tool_is_folder(input) ? !add_folder(cli, inputs, input) : !add(inputs, input))
      return false;
  }
  return true;
}

void emu_cli_inputs_free(EmuCliInputs *inputs) {
  for (size_t i = 0; i < inputs->count; i++)
    free(inputs->at[i]);
  free(inputs->at);
  *inputs = (EmuCliInputs){0};
}
