/* SPDX-License-Identifier: Apache-2.0 */
/* emu_bench: the measurements of spv-emu-bench. A missed target is not a failure; wrong results
 * are. */
#ifndef EMU_BENCH_H
#define EMU_BENCH_H

#include <stdbool.h>
#include <stdint.h>

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

/* Measures a module of integer arithmetic in the emulator and in the tests' interpreter, which runs
 * one invocation at a time, and fewer of them: its time is scaled to as many invocations. False as
 * above. */
bool emu_bench_oracle(const char *path, unsigned runs, EmuBenchTimes *times);

/* CPU seconds of this process. On a busy machine the emulator and the interpreter run long enough
 * to be interrupted; a driver's dispatch is usually done before that. */
double emu_bench_now(void);

#endif
