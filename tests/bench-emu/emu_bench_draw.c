/* SPDX-License-Identifier: Apache-2.0 */
/* emu_bench_draw: measures a draw in the emulator and on a driver, alternately. The ratio is taken
 * in each run, of two measurements that follow each other, so that other load on the machine
 * affects both. */
#include "passes/base/clock.h"
#include "tests/bench-emu/emu_bench_script.h"

#include "spv-emu/cases/amber_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 512, MOST_RUNS = 64, SMALL = 2 /* pixels */ };

typedef struct Bench {
  EmuBenchScript of;
  EmuAmber *amber;
  unsigned threads;
} Bench;

/* ---- clocks ---------------------------------------------------------------------------------- */

static EmuBenchClock now(void) {
  return (EmuBenchClock){sr_now(), emu_bench_now()};
}

static EmuBenchClock between(EmuBenchClock a, EmuBenchClock b) {
  return (EmuBenchClock){b.wall - a.wall, b.cpu - a.cpu};
}

static EmuBenchClock ratio_of(EmuBenchClock a, EmuBenchClock b) {
  return (EmuBenchClock){b.wall > 0 ? a.wall / b.wall : 0, b.cpu > 0 ? a.cpu / b.cpu : 0};
}

static int by_wall(const void *left, const void *right) {
  double a = ((const EmuBenchClock *)left)->wall, b = ((const EmuBenchClock *)right)->wall;
  return (a > b) - (a < b);
}

static int by_cpu(const void *left, const void *right) {
  double a = ((const EmuBenchClock *)left)->cpu, b = ((const EmuBenchClock *)right)->cpu;
  return (a > b) - (a < b);
}

/* The median of each clock by itself; sorts the times. */
static EmuBenchClock median(EmuBenchClock *times, unsigned count) {
  EmuBenchClock result;
  qsort(times, count, sizeof *times, by_wall);
  result.wall = times[count / 2].wall;
  qsort(times, count, sizeof *times, by_cpu);
  result.cpu = times[count / 2].cpu;
  return result;
}

/* ---- the emulator ---------------------------------------------------------------------------- */

static bool open_emulator(Bench *b) {
  const EmuAmberOptions options = {.subgroup_size = EMU_BENCH_LANES};
  char message[MESSAGE];
  return emu_amber_open(b->of.script, b->of.modules, &options, &b->amber, message,
                        sizeof message) == SPV_EMU_OK ||
         emu_bench_fail(&b->of, "%s", message);
}

static bool run_emulator(const Bench *b, EmuBenchClock *time, uint64_t *lane_instructions) {
  const spv_emu_run_options how = {
      .policy = "structured", .threads = b->threads, .native = emu_bench_native};
  char message[MESSAGE];
  EmuRow row;
  EmuBenchClock start = now();
  bool good = emu_amber_run(b->amber, &how, &row, message, sizeof message) == SPV_EMU_OK;
  *time = between(start, now());
  if (good) {
    spv_emu_result total = emu_row_total(&row);
    *lane_instructions = total.lane_instructions;
    snprintf(message, sizeof message, "%s", emu_row_message(&row, &total));
    good = !emu_row_failed(&row);
  }
  emu_row_free(&row);
  return good || emu_bench_fail(&b->of, "%s", message);
}

/* ---- the driver ------------------------------------------------------------------------------ */

/* Measures the whole run by CPU time, and the draw by the driver's timestamps. */
static bool run_driver(const Bench *b, EmuBenchClock *time, HnReport *report) {
  double start = emu_bench_now();
  bool good = emu_bench_run_driver(&b->of, report);
  *time = (EmuBenchClock){(double)report->gpu_ns * 1e-9, emu_bench_now() - start};
  return good;
}

static bool run_small(const Bench *b, EmuBenchClock *time) {
  const AmberDrawRect whole = b->of.run->rect;
  HnReport report;
  b->of.run->rect.width = b->of.run->rect.height = SMALL;
  bool good = run_driver(b, time, &report);
  b->of.run->rect = whole;
  hn_report_clear(&report);
  return good;
}

static bool same_picture(const Bench *b, const HnReport *report) {
  const uint8_t *own = emu_amber_contents(b->amber, 0);
  size_t size = (size_t)b->of.script->buffers[0].size;
  return (report->buffers[0].size >= size && memcmp(report->buffers[0].bytes, own, size) == 0) ||
         emu_bench_fail(&b->of, "emulator and driver draw different pictures");
}

static bool measure_driver(const Bench *b, EmuBenchClock *time) {
  EmuBenchClock small, whole;
  HnReport report;
  if (!run_small(b, &small))
    return false;
  bool good = run_driver(b, &whole, &report) && same_picture(b, &report);
  hn_report_clear(&report);
  *time = between(small, whole);
  return good;
}

static bool open_driver(Bench *b, const char *icd) {
  char threads[16];
  snprintf(threads, sizeof threads, "%u", b->threads > 1 ? b->threads : 0);
  setenv("LP_NUM_THREADS", threads, 1); /* 0: lavapipe runs in the submitting thread */
  return emu_bench_open_driver(&b->of, icd);
}

/* ---- all ------------------------------------------------------------------------------------- */

static double mean_steps(const Bench *b) {
  const uint8_t *rgba = emu_amber_contents(b->amber, 0);
  size_t pixels = (size_t)b->of.script->buffers[0].size / 4;
  uint64_t sum = 0;
  for (size_t i = 0; i < pixels; i++)
    sum += rgba[4 * i] + 256u * rgba[4 * i + 1];
  return (double)sum / (double)pixels;
}

static bool measure(Bench *b, unsigned runs, EmuBenchDraw *draw) {
  EmuBenchClock emulator[MOST_RUNS], driver[MOST_RUNS] = {{0}}, ratio[MOST_RUNS];
  for (unsigned i = 0; i < runs; i++) {
    if (!run_emulator(b, &emulator[i], &draw->lane_instructions) ||
        (b->of.driver && !measure_driver(b, &driver[i])))
      return false;
    ratio[i] = ratio_of(emulator[i], driver[i]);
  }
  draw->steps = mean_steps(b);
  draw->emulator = median(emulator, runs);
  draw->driver = median(driver, runs);
  draw->ratio = median(ratio, runs);
  return true;
}

static void close_bench(Bench *b) {
  emu_amber_close(b->amber);
  emu_bench_close(&b->of);
}

bool emu_bench_draw(const char *path, EmuBenchForm form, const char *icd, unsigned threads,
                    unsigned runs, EmuBenchDraw *draw) {
  Bench b = {.of = {.path = path}, .threads = threads};
  *draw = (EmuBenchDraw){0};
  bool good = emu_bench_open(&b.of, form) && open_emulator(&b) && (!icd || open_driver(&b, icd)) &&
              measure(&b, runs < MOST_RUNS ? runs : MOST_RUNS, draw);
  close_bench(&b);
  return good;
}

bool emu_bench_trivial(const char *path, unsigned runs, double *seconds) {
  Bench b = {.of = {.path = path}, .threads = 1};
  EmuBenchClock time;
  uint64_t lane_instructions;
  bool good = emu_bench_open(&b.of, EMU_BENCH_WRITTEN);
  double start = emu_bench_now();
  for (unsigned i = 0; good && i < runs; i++) {
    good = open_emulator(&b) && run_emulator(&b, &time, &lane_instructions);
    emu_amber_close(b.amber);
    b.amber = NULL;
  }
  *seconds = (emu_bench_now() - start) / runs;
  close_bench(&b);
  return good;
}
