/* SPDX-License-Identifier: Apache-2.0 */
/* emu_bench: the measurements of spv-emu-bench. A missed target is not a failure; wrong results
 * are. */
#ifndef EMU_BENCH_H
#define EMU_BENCH_H

#include <spv-emu/spv_emu.h>

/* Two measurements of the same work. Times are the best of several runs, in seconds. */
typedef struct EmuBenchTimes {
  uint64_t lane_instructions; /* the emulator's count */
  double emulator;
  double other; /* 0: not measured */
} EmuBenchTimes;

/* Which module of a case runs. */
typedef enum EmuBenchForm {
  EMU_BENCH_WRITTEN, /* the output of glslang: all local variables in memory */
  EMU_BENCH_SSA,     /* local variables are values and phis, as in a driver's own code */
  EMU_BENCH_FORMS
} EmuBenchForm;

/* Measures the first RUN of a case in the emulator (one thread, policy `structured`, subgroups of
 * 32) and on the driver at `icd` (NULL: there is none), by the driver's timestamps. False, with a
 * line on standard error: something did not run, or gave wrong results. */
bool emu_bench_case(const char *path, EmuBenchForm form, const char *icd, unsigned runs,
                    EmuBenchTimes *times);

/* Measures the first RUN of a case with so many workgroups in x (0: its own) from loading the module to
 * the result, compilation included: the user and system time of a process that does nothing else. `icd`
 * is not NULL. False as above. */
bool emu_bench_whole(const char *path, uint32_t groups, const char *icd, unsigned runs,
                     EmuBenchTimes *times);

/* Measures a module of integer arithmetic in the emulator and in the tests' interpreter, which runs
 * fewer invocations, one at a time: its time is scaled to the emulator's number of invocations.
 * False as above. */
bool emu_bench_oracle(const char *path, unsigned runs, EmuBenchTimes *times);

/* Seconds on the clock, and of CPU in all threads of the process. */
typedef struct EmuBenchClock {
  double wall, cpu;
} EmuBenchClock;

typedef struct EmuBenchDraw {
  uint64_t lane_instructions;
  double steps;                   /* of the loop, on average */
  EmuBenchClock emulator, driver; /* medians of all runs */
  EmuBenchClock ratio;            /* the median of emulator / driver of a run; 0: not measured */
} EmuBenchDraw;

/* Measures a draw whose fragments leave the length of their loop in red (its low 8 bits) and green:
 * in the emulator (its clears included; the modules are loaded before) and on the driver, each with
 * `threads` threads. The time of a draw of 2x2 pixels, just before, is subtracted from that of the
 * driver, so that compilation and transfers do not count. False, with a line on standard error:
 * something did not run, or the pictures differ. */
bool emu_bench_draw(const char *path, EmuBenchForm form, const char *icd, unsigned threads,
                    unsigned runs, EmuBenchDraw *draw);

/* CPU seconds of loading and drawing a case, once, on average over `runs` times. False as above. */
bool emu_bench_trivial(const char *path, unsigned runs, double *seconds);

/* Whether the emulator makes machine code; all measurements use it. */
extern spv_emu_native emu_bench_native;

/* CPU seconds of this process. On a busy machine the emulator and the interpreter run long enough
 * to be interrupted; a driver's dispatch is usually done before that. */
double emu_bench_now(void);

#endif
