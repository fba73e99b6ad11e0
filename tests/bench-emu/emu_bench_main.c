/* SPDX-License-Identifier: Apache-2.0 */
/* spv-emu-bench: the emulator's speed, compared with lavapipe and with the tests' interpreter,
 * which runs one invocation at a time. Run it in the root of the repository. The exit code is 1
 * only if something does not run or gives wrong results. */
#include "tests/bench-emu/emu_bench.h"

#include "harness/run/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

spv_emu_native emu_bench_native;

typedef struct Program {
  const char *name;
  double target; /* a share of lavapipe's rate, for EMU_BENCH_SSA; 0: none */
} Program;

static const Program programs[] = {
    {"arithmetic", 0.3}, {"mandelbrot", 0.12}, {"hash", 0.15}, {"stream", 0}, {"reduction", 0},
};

#define ORACLE_TARGET 20.0

static const char *const form_names[EMU_BENCH_FORMS] = {"as written", "in SSA"};

static double rate(const EmuBenchTimes *t, double seconds) {
  return (double)t->lane_instructions / seconds * 1e-9;
}

static void print_times(const char *name, const char *form, const EmuBenchTimes *t, double target) {
  printf("%-12s %-10s %10.1f %8.2f", name, form, (double)t->lane_instructions * 1e-6,
         rate(t, t->emulator));
  if (t->other > 0) {
    double ratio = t->other / t->emulator;
    printf(" %8.2f %7.3f", rate(t, t->other), ratio);
    if (target > 0)
      printf(" %7.2f %s", target, ratio >= target ? "ok" : "below");
  }
  putchar('\n');
  fflush(stdout);
}

static bool measure_programs(const char *icd, unsigned runs) {
  bool good = true;
  puts("program      module       10^6 li  10^9/s  lavapipe   ratio  target");
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    for (int form = 0; form < EMU_BENCH_FORMS; form++) {
      char path[64];
      EmuBenchTimes times;
      snprintf(path, sizeof path, "shaders/bench/%s.amber", programs[i].name);
      if (emu_bench_case(path, (EmuBenchForm)form, icd, runs, &times))
        print_times(programs[i].name, form_names[form], &times,
                    form == EMU_BENCH_SSA ? programs[i].target : 0);
      else
        good = false;
    }
  return good;
}

/* From loading to the result: one workgroup, 64 of them, and all. */
static bool measure_whole(const char *icd, unsigned runs) {
  static const uint32_t groups[] = {1, 64, 0};
  static const char *const sizes[] = {"64", "4096", "all"};
  puts("program      invocations  milliseconds  lavapipe   ratio");
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
      char path[64];
      EmuBenchTimes t;
      snprintf(path, sizeof path, "shaders/bench/%s.amber", programs[i].name);
      if (!emu_bench_whole(path, groups[k], icd, runs, &t))
        return false;
      printf("%-12s %11s %13.1f %9.1f %7.3f\n", programs[i].name, sizes[k], t.emulator * 1e3,
             t.other * 1e3, t.emulator / t.other);
      fflush(stdout);
    }
  return true;
}

static bool measure_oracle(unsigned runs) {
  EmuBenchTimes times;
  if (!emu_bench_oracle("tests/bench-emu/arithmetic.spvasm", runs, &times))
    return false;
  puts("\nprogram      module       10^6 li  10^9/s    oracle   ratio  target");
  print_times("arithmetic", "integers", &times, ORACLE_TARGET);
  return true;
}

/* ---- draws ----------------------------------------------------------------------------------- */

#define DRAW_TARGET 3.0   /* times lavapipe's time, with two threads */
#define TRIVIAL_TARGET 5. /* milliseconds of CPU */

static void print_draw(const char *form, unsigned threads, const EmuBenchDraw *d) {
  printf("mandelbrot   %-10s %7u %6.1f %8.1f %6.0f %6.0f", form, threads, d->steps,
         (double)d->lane_instructions * 1e-6, d->emulator.wall * 1e3, d->emulator.cpu * 1e3);
  if (d->ratio.wall > 0) {
    printf(" %6.0f %6.0f %6.2f %6.2f", d->driver.wall * 1e3, d->driver.cpu * 1e3, d->ratio.wall,
           d->ratio.cpu);
    if (threads > 1)
      printf(" %6.2f %s", DRAW_TARGET, d->ratio.wall <= DRAW_TARGET ? "ok" : "above");
  }
  putchar('\n');
  fflush(stdout);
}

static bool measure_trivial(void) {
  enum { DRAWS = 100 };
  double seconds;
  if (!emu_bench_trivial("tests/bench-emu/trivial_draw.amber", DRAWS, &seconds))
    return false;
  printf("\na triangle in 16x16 pixels, both modules loaded: %.2f ms of CPU, target %.0f %s\n",
         seconds * 1e3, TRIVIAL_TARGET, seconds * 1e3 <= TRIVIAL_TARGET ? "ok" : "above");
  return true;
}

/* One measurement will do for a quick run. */
static bool measure_draws(const char *icd, unsigned runs, bool quick) {
  const int forms = quick ? 1 : EMU_BENCH_FORMS;
  bool good = true;
  puts("\n1920x1080 fragments, milliseconds     emulator       lavapipe        ratio\n"
       "draw         module     threads  steps  10^6 li   wall    cpu   wall    cpu   wall    cpu"
       " target");
  for (int form = 0; form < forms; form++)
    for (unsigned threads = quick ? 2 : 1; threads <= 2; threads++) {
      EmuBenchDraw draw;
      if (emu_bench_draw("tests/bench-emu/mandelbrot_draw.amber", (EmuBenchForm)form, icd, threads,
                         runs, &draw))
        print_draw(form_names[form], threads, &draw);
      else
        good = false;
    }
  return measure_trivial() && good;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* lavapipe's manifest, if it is installed. */
static char *find_lavapipe(void) {
  HnDevices devices;
  char *message, *icd = NULL;
  if (hn_devices_find("lavapipe", 0, &devices, &message)) {
    puts(devices.at[0].info);
    icd = devices.at[0].icd ? strdup(devices.at[0].icd) : NULL;
    hn_devices_free(&devices);
  } else {
    printf("lavapipe left out: %s\n", message ? message : "out of memory");
    free(message);
  }
  return icd;
}

int main(int argc, char **argv) {
  static const char native[] = "--native=";
  bool quick = false, draws = false, whole = false, bad = false;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--quick") == 0)
      quick = true;
    else if (strcmp(argv[i], "--draws") == 0)
      draws = true;
    else if (strcmp(argv[i], "--whole") == 0)
      whole = true;
    else if (strncmp(argv[i], native, strlen(native)) == 0)
      bad |= !spv_emu_native_mode(argv[i] + strlen(native), &emu_bench_native);
    else
      bad = true;
  if (bad) {
    fputs("usage: spv-emu-bench [--quick] [--draws] [--whole] [--native=auto|on|off|check]\n",
          stderr);
    return 2;
  }
  unsigned runs = quick ? 3 : 10;
  setenv("LP_NUM_THREADS", "0", 1); /* lavapipe runs in the submitting thread */
  printf("spv-emu-bench: %u runs; subgroups of 32, policy structured\n", runs);
  char *icd = find_lavapipe();
  if (whole) {
    bool measured = icd && measure_whole(icd, runs);
    free(icd);
    return measured ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  bool good = draws || (measure_programs(icd, runs) && measure_oracle(runs));
  good &= measure_draws(icd, quick ? 1 : runs, quick);
  free(icd);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
