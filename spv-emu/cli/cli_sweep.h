/* SPDX-License-Identifier: Apache-2.0 */
/* cli_sweep: what is swept: a run for each value of a specialization constant or of a number of the
 * cost model (--sweep), or for each seed of the contents that are made up (--seed). Of several
 * sweeps, the runs are the product: a *point* has a value of each, and those of the last sweep vary
 * fastest. */
#ifndef EMU_CLI_SWEEP_H
#define EMU_CLI_SWEEP_H

#include "spv-emu/report/report_row.h"

enum { EMU_SWEEP_NAME = 64, EMU_SWEEP_MOST = 4096 };

typedef enum EmuSweepKind {
  EMU_SWEEP_CONSTANT, /* a specialization constant */
  EMU_SWEEP_COST,     /* a number of the cost model */
  EMU_SWEEP_SEED,
} EmuSweepKind;

typedef struct EmuSweep {
  EmuSweepKind kind;
  char name[EMU_SWEEP_NAME];
  char column[EMU_SWEEP_NAME + 8]; /* the name in reports; for a number of the cost model cost_NAME,
                                      since `subgroups` is also a count */
  uint64_t *values;                /* owned */
  uint32_t count;
} EmuSweep;

typedef struct EmuSweeps {
  EmuSweep at[EMU_ROW_VALUES];
  uint32_t count; /* 0: nothing is swept */
} EmuSweeps;

/* Adds the sweep of an option, NAME:VALUES, where VALUES is a list of numbers and of FIRST..LAST.
 * False: one line is on standard error. Free the sweeps in any case. */
bool emu_cli_sweep(EmuSweeps *sweeps, const char *text);
/* Adds a sweep over these seeds; a single seed is none. False: as above. */
bool emu_cli_sweep_seeds(EmuSweeps *sweeps, const char *text);
/* Are there too many points? False: as above. */
bool emu_cli_sweep_check(const EmuSweeps *sweeps);
void emu_cli_sweep_free(EmuSweeps *sweeps);

/* Is a number of the cost model swept? */
bool emu_sweeps_cost(const EmuSweeps *sweeps);
/* The number of points; 1 if nothing is swept. */
uint32_t emu_sweeps_points(const EmuSweeps *sweeps);
/* The values of a point, by sweep. */
void emu_sweeps_point(const EmuSweeps *sweeps, uint32_t point, uint64_t values[EMU_ROW_VALUES]);

#endif
