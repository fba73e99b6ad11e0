/* SPDX-License-Identifier: Apache-2.0 */
/* cli_sweep: --sweep=NAME:FIRST..LAST, one run for each value of a specialization constant or of a
 * number of the cost model. */
#ifndef EMU_CLI_SWEEP_H
#define EMU_CLI_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

enum { EMU_SWEEP_NAME = 64, EMU_SWEEP_MOST = 4096 };

typedef struct EmuSweep {
  char name[EMU_SWEEP_NAME];       /* empty: nothing is swept */
  char column[EMU_SWEEP_NAME + 8]; /* the name in reports; for a number of the cost model cost_NAME,
                                      since `subgroups` is also a count */
  uint64_t first, last;
  bool cost; /* a number of the cost model */
} EmuSweep;

/* Reads the option. False: one line is on standard error. */
bool emu_cli_sweep(const char *text, EmuSweep *sweep);
/* The number of runs; 1: nothing is swept. */
uint32_t emu_sweep_count(const EmuSweep *sweep);

#endif
