/* SPDX-License-Identifier: Apache-2.0 */
/* emu_bench_script: see emu_bench_script.h. */
#include "tests/bench-emu/emu_bench_script.h"

#include "harness/run/backend_open.h"
#include "harness/shader/case_file.h"
#include "passes/tool/compile/compile_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool emu_bench_fail(const EmuBenchScript *bench, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "spv-emu-bench: %s: ", bench->path);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return false;
}

/* ---- the script ------------------------------------------------------------------------------ */

static bool runs_shaders(const AmberCommand *command) {
  return command->kind == AMBER_RUN_COMPUTE || command->kind == AMBER_DRAW_RECT ||
         command->kind == AMBER_DRAW_ARRAY;
}

static bool parse(EmuBenchScript *b) {
  uint8_t *text;
  size_t size;
  char *why;
  const AmberFiles none = {0};
  AmberMessage parsed;
  if (!compile_file_read(b->path, HN_FILE_MOST, &text, &size))
    return emu_bench_fail(b, "cannot be read; run this in the root of the repository");
  AmberStatus status = amber_parse((const char *)text, size, &none, &b->script, &parsed);
  free(text);
  if (status != AMBER_OK)
    return emu_bench_fail(b, "%s", parsed.text);
  if (hn_shaders_make(b->script, &b->modules, &why) != HN_PASS) {
    emu_bench_fail(b, "%s", why ? why : "out of memory");
    free(why);
    return false;
  }
  for (uint32_t i = 0; i < b->script->command_count && !b->run; i++)
    if (runs_shaders(&b->script->commands[i]))
      b->run = &b->script->commands[i];
  return b->run || emu_bench_fail(b, "no RUN");
}

/* ---- the form in SSA ------------------------------------------------------------------------- */

static bool write_words(const char *path, const HnModule *module) {
  FILE *out = fopen(path, "wb");
  bool good =
      out && fwrite(module->words, sizeof *module->words, module->count, out) == module->count;
  return out && fclose(out) == 0 && good;
}

static bool call_spirv_opt(const char *in, const char *out) {
  char command[256];
  snprintf(command, sizeof command,
           "spirv-opt --ssa-rewrite --eliminate-dead-code-aggressive '%s' -o '%s'", in, out);
  return system(command) == 0;
}

/* Converts a module to the form EMU_BENCH_SSA. Not with -O, which also fuses operations (Fma): the
 * rates count the operations of the source. */
static bool rewrite(const EmuBenchScript *b, HnModule *module) {
  char folder[] = "/tmp/spv-emu-bench-XXXXXX", in[64], out[64];
  uint8_t *bytes = NULL;
  size_t size;
  if (!mkdtemp(folder))
    return emu_bench_fail(b, "no folder in /tmp");
  snprintf(in, sizeof in, "%s/in.spv", folder);
  snprintf(out, sizeof out, "%s/out.spv", folder);
  bool good = write_words(in, module) && call_spirv_opt(in, out) &&
              compile_file_read(out, HN_FILE_MOST, &bytes, &size);
  if (good) {
    free((void *)module->words);
    *module = (HnModule){(const uint32_t *)(const void *)bytes, size / sizeof *module->words};
  }
  unlink(in);
  unlink(out);
  rmdir(folder);
  return good || emu_bench_fail(b, "spirv-opt does not do it");
}

static bool rewrite_all(EmuBenchScript *b) {
  const AmberPipeline *pipeline = &b->script->pipelines[b->run->pipeline];
  bool good = true;
  for (uint32_t i = 0; good && i < pipeline->shader_count; i++)
    good = rewrite(b, &b->modules[pipeline->shaders[i].shader]);
  return good;
}

bool emu_bench_open(EmuBenchScript *bench, EmuBenchForm form) {
  return parse(bench) && (form == EMU_BENCH_WRITTEN || rewrite_all(bench));
}

void emu_bench_close(EmuBenchScript *bench) {
  if (bench->driver)
    free(hn_backend_close(bench->driver));
  if (bench->script)
    hn_shaders_free(bench->modules, bench->script->shader_count);
  amber_destroy(bench->script);
}

/* ---- the driver ------------------------------------------------------------------------------ */

bool emu_bench_open_driver(EmuBenchScript *bench, const char *icd) {
  const HnBackendOptions options = {.icd = icd};
  char *message;
  if (hn_backend_open(&options, bench->script, &bench->driver, &message) == HN_PASS)
    return true;
  emu_bench_fail(bench, "%s", message ? message : "out of memory");
  free(message);
  return false;
}

bool emu_bench_run_driver(const EmuBenchScript *bench, HnReport *report) {
  hn_backend_run(bench->driver, bench->modules, report);
  return report->outcome == HN_PASS ||
         emu_bench_fail(bench, "on the driver: %s",
                        report->message ? report->message : "does not run");
}
