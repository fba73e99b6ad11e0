/* SPDX-License-Identifier: Apache-2.0 */
/* emu_bench_case: measures a case in the emulator and on a driver, alternately, so that other load
 * on the machine affects both. */
#include "emu_bench.h"

#include "cases/amber_bind.h"
#include "compile/compile_file.h"
#include "run/backend_open.h"
#include "shader/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SUBGROUP_SIZE = 32, MESSAGE = 512 };

typedef struct Bench {
  const char *path;
  AmberScript *script;
  HnModule *modules; /* by index in the script */
  const AmberCommand *run;
  EmuAmberBuffer *buffers; /* by index in the script */
  EmuAmberBindings bindings;
  spv_emu_program *program;
  HnBackend *driver; /* NULL: there is none */
} Bench;

double emu_bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((format(printf, 2, 3))) static bool fail(const Bench *b, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "spv-emu-bench: %s: ", b->path);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return false;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool parse(Bench *b) {
  uint8_t *text;
  size_t size;
  char *why;
  const AmberFiles none = {0};
  AmberMessage parsed;
  if (!compile_file_read(b->path, HN_FILE_MOST, &text, &size))
    return fail(b, "cannot be read; run this in the root of the repository");
  AmberStatus status = amber_parse((const char *)text, size, &none, &b->script, &parsed);
  free(text);
  if (status != AMBER_OK)
    return fail(b, "%s", parsed.text);
  if (hn_shaders_make(b->script, &b->modules, &why) != HN_PASS) {
    fail(b, "%s", why ? why : "out of memory");
    free(why);
    return false;
  }
  for (uint32_t i = 0; i < b->script->command_count && !b->run; i++)
    if (b->script->commands[i].kind == AMBER_RUN_COMPUTE)
      b->run = &b->script->commands[i];
  return b->run || fail(b, "no RUN");
}

static const AmberAttachedShader *shader_of(const Bench *b) {
  return &b->script->pipelines[b->run->pipeline].shaders[0];
}

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

/* Converts the module of the RUN to the form EMU_BENCH_SSA. Not with -O, which also fuses
 * operations (Fma): the rates count the operations of the source. */
static bool rewrite(Bench *b) {
  char folder[] = "/tmp/spv-emu-bench-XXXXXX", in[64], out[64];
  HnModule *module = &b->modules[shader_of(b)->shader];
  uint8_t *bytes = NULL;
  size_t size;
  if (!mkdtemp(folder))
    return fail(b, "no folder in /tmp");
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
  return good || fail(b, "spirv-opt does not do it");
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool open_emulator(Bench *b) {
  char message[MESSAGE];
  const HnModule *module = &b->modules[shader_of(b)->shader];
  const spv_emu_load_options load = {.entry = shader_of(b)->entry_point,
                                     .subgroup_size = SUBGROUP_SIZE};
  b->buffers = calloc(b->script->buffer_count + 1u, sizeof *b->buffers);
  for (uint32_t i = 0; i < b->script->buffer_count; i++)
    if (!b->buffers || !emu_amber_buffer_create(&b->script->buffers[i], &b->buffers[i]))
      return fail(b, "out of memory");
  if (emu_amber_bind(b->script, &b->script->pipelines[b->run->pipeline], NULL, b->buffers,
                     &b->bindings, message, sizeof message) != SPV_EMU_OK ||
      spv_emu_load(module->words, module->count, &load, &b->program, message, sizeof message) !=
          SPV_EMU_OK)
    return fail(b, "%s", message);
  return true;
}

static bool open_driver(Bench *b, const char *icd) {
  const HnBackendOptions options = {.icd = icd};
  char *message;
  if (hn_backend_open(&options, b->script, &b->driver, &message) == HN_PASS)
    return true;
  fail(b, "%s", message ? message : "out of memory");
  free(message);
  return false;
}

static void close_bench(Bench *b) {
  if (b->driver)
    free(hn_backend_close(b->driver));
  spv_emu_free(b->program);
  emu_amber_unbind(&b->bindings);
  for (uint32_t i = 0; b->buffers && i < b->script->buffer_count; i++)
    free(b->buffers[i].bytes);
  free(b->buffers);
  if (b->script)
    hn_shaders_free(b->modules, b->script->shader_count);
  amber_destroy(b->script);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void keep_best(double *best, double seconds) {
  if (*best == 0 || seconds < *best)
    *best = seconds;
}

static bool check_expects(const Bench *b) {
  const AmberScript *script = b->script;
  AmberContents *contents = calloc(script->buffer_count + 1u, sizeof *contents);
  char text[MESSAGE] = "out of memory";
  bool good = contents;
  for (uint32_t i = 0; good && i < script->buffer_count; i++)
    contents[i] = (AmberContents){b->buffers[i].bytes, script->buffers[i].size};
  for (uint32_t i = 0; good && i < script->command_count; i++)
    good = script->commands[i].kind != AMBER_EXPECT ||
           amber_expect_check(script, &script->commands[i], contents, text, sizeof text);
  free(contents);
  return good || fail(b, "%s", text);
}

static bool run_emulator(Bench *b, EmuBenchTimes *times) {
  for (uint32_t i = 0; i < b->script->buffer_count; i++)
    emu_amber_buffer_reset(&b->script->buffers[i], &b->buffers[i]);
  const spv_emu_run_options options = {
      .policy = "structured",
      .groups = {b->run->run.x, b->run->run.y, b->run->run.z},
      .buffers = b->bindings.buffers,
      .buffer_count = b->bindings.buffer_count,
      .threads = 1,
  };
  char message[MESSAGE];
  spv_emu_result *result;
  double start = emu_bench_now();
  if (spv_emu_run(b->program, &options, &result, message, sizeof message) != SPV_EMU_OK)
    return fail(b, "%s", message);
  keep_best(&times->emulator, emu_bench_now() - start);
  times->lane_instructions = result->lane_instructions;
  bool good = result->outcome == SPV_EMU_RAN || fail(b, "%s", result->message);
  spv_emu_result_free(result);
  return good && check_expects(b);
}

static bool run_driver(Bench *b, EmuBenchTimes *times) {
  HnReport report;
  hn_backend_run(b->driver, b->modules, &report);
  bool good = report.outcome == HN_PASS ||
              fail(b, "on the driver: %s", report.message ? report.message : "does not run");
  if (good)
    keep_best(&times->other, (double)report.gpu_ns * 1e-9);
  hn_report_clear(&report);
  return good;
}

bool emu_bench_case(const char *path, EmuBenchForm form, const char *icd, unsigned runs,
                    EmuBenchTimes *times) {
  Bench b = {.path = path};
  *times = (EmuBenchTimes){0};
  bool good = parse(&b) && (form == EMU_BENCH_WRITTEN || rewrite(&b)) && open_emulator(&b) &&
              (!icd || open_driver(&b, icd));
  for (unsigned i = 0; good && i < runs; i++)
    good = run_emulator(&b, times) && (!icd || run_driver(&b, times));
  close_bench(&b);
  return good;
}
