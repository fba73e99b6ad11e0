/* SPDX-License-Identifier: Apache-2.0 */
/* emu_bench_script: the case that a measurement runs, and the driver that runs it too. */
#ifndef EMU_BENCH_SCRIPT_H
#define EMU_BENCH_SCRIPT_H

#include "tests/bench-emu/emu_bench.h"

#include "harness/backend/backend.h"

#define EMU_BENCH_LANES 32 /* of a subgroup in the emulator */

typedef struct EmuBenchScript {
  const char *path;
  AmberScript *script;
  HnModule *modules; /* by index in the script */
  AmberCommand *run; /* the first RUN */
  HnBackend *driver; /* NULL: there is none */
} EmuBenchScript;

/* All functions that may fail write a line to standard error if they do. `bench->path` is set, all
 * else is zero; close it in any case. */
bool emu_bench_open(EmuBenchScript *bench, EmuBenchForm form);
bool emu_bench_open_driver(EmuBenchScript *bench, const char *icd);
void emu_bench_close(EmuBenchScript *bench);

/* Runs the case on the driver; the report is to be cleared in any case. */
bool emu_bench_run_driver(const EmuBenchScript *bench, HnReport *report);

/* Writes the line; always false. */
bool emu_bench_fail(const EmuBenchScript *bench, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
