/* SPDX-License-Identifier: Apache-2.0 */
/* rerun: see rerun.h. */
#include "harness/run/rerun.h"

#include "passes/tool/tool_shell.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { DEFAULT_TIMEOUT = 60, DEFAULT_SUBGROUP = 32 };

static void put_options(FILE *out, const HnRun *run) {
  if (run->validation)
    fputs(" --validation", out);
  if (run->check)
    fputs(" --check", out);
  if (run->timeout != DEFAULT_TIMEOUT)
    fprintf(out, " --timeout=%g", run->timeout);
  for (size_t i = 0; i < run->devices.count; i++)
    if (run->devices.at[i].emulated && run->devices.at[i].emulated != DEFAULT_SUBGROUP)
      fprintf(out, " --emu-subgroup-size=%u", run->devices.at[i].emulated);
  if (run->against.count) {
    fputs(" --against=", out);
    tool_shell_word(out, run->against.at[0].name);
  }
  if (run->ulps)
    fprintf(out, " --ulps=%llu", (unsigned long long)run->ulps);
}

/* Writes the options that the case of a shader depends on. */
static void put_shader(FILE *out, const HnNewCase *shader) {
  const ToolSource *source = &shader->source;
  for (uint32_t i = 0; i < source->option_count; i++) {
    fputc(' ', out);
    tool_shell_word(out, source->options[i]);
  }
  if (source->stage != COMPILE_NO_STAGE)
    fprintf(out, " --stage=%s", compile_stage_ending(source->stage));
  if (source->target) {
    fputs(" --target-env=", out);
    tool_shell_word(out, source->target);
  }
  for (uint32_t i = 0; i < shader->given->typed_count; i++) {
    fputc(' ', out);
    tool_shell_word(out, shader->given->typed[i]);
  }
  if (!shader->given->seeded)
    fprintf(out, " --seed=%llu", (unsigned long long)shader->given->seed);
}

char *hn_rerun_command(const HnRun *run, const HnNewCase *shader) {
  char program[PATH_MAX], *text = NULL, *folder = getcwd(NULL, 0);
  size_t size;
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  FILE *out = folder && length > 0 ? open_memstream(&text, &size) : NULL;
  if (out) {
    program[length] = 0;
    fputs("cd ", out);
    tool_shell_word(out, folder);
    fputs(" && ", out);
    tool_shell_word(out, program);
    fputs(" run", out);
    put_options(out, run);
    if (shader)
      put_shader(out, shader);
  }
  free(folder);
  if (out && fclose(out) == 0)
    return text;
  free(text);
  return NULL;
}
