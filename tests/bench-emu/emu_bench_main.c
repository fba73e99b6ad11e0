/* SPDX-License-Identifier: Apache-2.0 */
/* spv-emu-bench: the emulator's speed, compared with lavapipe on one core and with the tests'
 * interpreter, which runs one invocation at a time. Run it in the root of the repository. The exit
 * code is 1 only if something does not run or gives wrong results. */
#include "emu_bench.h"

#include "run/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool measure_oracle(unsigned runs) {
  EmuBenchTimes times;
  if (!emu_bench_oracle("tests/bench-emu/arithmetic.spvasm", runs, &times))
    return false;
  puts("\nprogram      module       10^6 li  10^9/s    oracle   ratio  target");
  print_times("arithmetic", "integers", &times, ORACLE_TARGET);
  return true;
}

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
  bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
  if (argc > 1 && !quick) {
    fputs("usage: spv-emu-bench [--quick]\n", stderr);
    return 2;
  }
  unsigned runs = quick ? 3 : 10;
  setenv("LP_NUM_THREADS", "0", 1); /* lavapipe runs in the submitting thread */
  printf("spv-emu-bench: best of %u runs; subgroups of 32, policy structured, one thread\n", runs);
  char *icd = find_lavapipe();
  bool good = measure_programs(icd, runs);
  good &= measure_oracle(runs);
  free(icd);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
