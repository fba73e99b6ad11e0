/* SPDX-License-Identifier: Apache-2.0 */
/* emu_bench_case: measures a case in the emulator and on a driver, alternately, so that other load
 * on the machine affects both. */
#include "tests/bench-emu/emu_bench_script.h"

#include "spv-emu/cases/amber_bind.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE = 512 };

typedef struct Bench {
  EmuBenchScript of;
  EmuAmberBuffer *buffers; /* by index in the script */
  EmuAmberBindings bindings;
  spv_emu_program *program;
} Bench;

double emu_bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool open_emulator(Bench *b) {
  char message[MESSAGE];
  const AmberScript *script = b->of.script;
  const AmberPipeline *pipeline = &script->pipelines[b->of.run->pipeline];
  const HnModule *module = &b->of.modules[pipeline->shaders[0].shader];
  const spv_emu_load_options load = {.entry = pipeline->shaders[0].entry_point,
                                     .subgroup_size = EMU_BENCH_LANES};
  b->buffers = calloc(script->buffer_count + 1u, sizeof *b->buffers);
  for (uint32_t i = 0; i < script->buffer_count; i++)
    if (!b->buffers || !emu_amber_buffer_create(&script->buffers[i], &b->buffers[i]))
      return emu_bench_fail(&b->of, "out of memory");
  if (emu_amber_bind(script, pipeline, NULL, b->buffers, &b->bindings, message, sizeof message) !=
          SPV_EMU_OK ||
      spv_emu_load(module->words, module->count, &load, &b->program, message, sizeof message) !=
          SPV_EMU_OK)
    return emu_bench_fail(&b->of, "%s", message);
  return true;
}

static void close_bench(Bench *b) {
  spv_emu_free(b->program);
  emu_amber_unbind(&b->bindings);
  for (uint32_t i = 0; b->buffers && i < b->of.script->buffer_count; i++)
    free(b->buffers[i].bytes);
  free(b->buffers);
  emu_bench_close(&b->of);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void keep_best(double *best, double seconds) {
  if (*best == 0 || seconds < *best)
    *best = seconds;
}

static bool check_expects(const Bench *b) {
  const AmberScript *script = b->of.script;
  AmberContents *contents = calloc(script->buffer_count + 1u, sizeof *contents);
  char text[MESSAGE] = "out of memory";
  bool good = contents;
  for (uint32_t i = 0; good && i < script->buffer_count; i++)
    contents[i] = (AmberContents){b->buffers[i].bytes, script->buffers[i].size};
  for (uint32_t i = 0; good && i < script->command_count; i++)
    good = script->commands[i].kind != AMBER_EXPECT ||
           amber_expect_check(script, &script->commands[i], contents, text, sizeof text);
  free(contents);
  return good || emu_bench_fail(&b->of, "%s", text);
}

static bool run_emulator(Bench *b, EmuBenchTimes *times) {
  const AmberCommand *run = b->of.run;
  for (uint32_t i = 0; i < b->of.script->buffer_count; i++)
    emu_amber_buffer_reset(&b->of.script->buffers[i], &b->buffers[i]);
  const spv_emu_run_options options = {
      .policy = "structured",
      .groups = {run->run.x, run->run.y, run->run.z},
      .buffers = b->bindings.buffers,
      .buffer_count = b->bindings.buffer_count,
      .threads = 1,
      .native = emu_bench_native,
  };
  char message[MESSAGE];
  spv_emu_result *result;
  double start = emu_bench_now();
  if (spv_emu_run(b->program, &options, &result, message, sizeof message) != SPV_EMU_OK)
    return emu_bench_fail(&b->of, "%s", message);
  keep_best(&times->emulator, emu_bench_now() - start);
  times->lane_instructions = result->lane_instructions;
  bool good = result->outcome == SPV_EMU_RAN || emu_bench_fail(&b->of, "%s", result->message);
  spv_emu_result_free(result);
  return good && check_expects(b);
}

static bool run_driver(const Bench *b, EmuBenchTimes *times) {
  HnReport report;
  bool good = emu_bench_run_driver(&b->of, &report);
  if (good)
    keep_best(&times->other, (double)report.gpu_ns * 1e-9);
  hn_report_clear(&report);
  return good;
}

bool emu_bench_case(const char *path, EmuBenchForm form, const char *icd, unsigned runs,
                    EmuBenchTimes *times) {
  Bench b = {.of = {.path = path}};
  *times = (EmuBenchTimes){0};
  bool good = emu_bench_open(&b.of, form) && open_emulator(&b) &&
              (!icd || emu_bench_open_driver(&b.of, icd));
  for (unsigned i = 0; good && i < runs; i++)
    good = run_emulator(&b, times) && (!icd || run_driver(&b, times));
  close_bench(&b);
  return good;
}

/* ---- from load to result, in a process of its own --------------------------------------------- */

typedef bool Work(Bench *b, const char *icd, EmuBenchTimes *times);

static bool emulate(Bench *b, const char *icd, EmuBenchTimes *times) {
  (void)icd;
  return open_emulator(b) && run_emulator(b, times);
}

static bool drive(Bench *b, const char *icd, EmuBenchTimes *times) {
  return emu_bench_open_driver(&b->of, icd) && run_driver(b, times);
}

/* CPU seconds of a child that does the work, in which nothing has been loaded; 0: it fails. */
static double child_seconds(Bench *b, Work *work, const char *icd) {
  EmuBenchTimes times = {0};
  struct rusage used;
  int status;
  pid_t child = fork();
  if (child == 0)
    _exit(work(b, icd, &times) ? EXIT_SUCCESS : EXIT_FAILURE);
  if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0)
    return 0;
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

bool emu_bench_whole(const char *path, uint32_t groups, const char *icd, unsigned runs,
                     EmuBenchTimes *times) {
  Bench b = {.of = {.path = path}};
  *times = (EmuBenchTimes){0};
  bool good = emu_bench_open(&b.of, EMU_BENCH_WRITTEN);
  if (good && groups) {
    b.of.run->run.x = groups;
    b.of.script->command_count = (uint32_t)(b.of.run - b.of.script->commands) + 1; /* no EXPECT */
  }
  for (unsigned i = 0; good && i < runs; i++) {
    double emulator = child_seconds(&b, emulate, NULL), driver = child_seconds(&b, drive, icd);
    good = emulator > 0 && driver > 0;
    keep_best(&times->emulator, emulator);
    keep_best(&times->other, driver);
  }
  close_bench(&b);
  return good;
}
