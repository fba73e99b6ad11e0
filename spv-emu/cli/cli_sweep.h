/* cli_sweep: --sweep=NAME:FIRST..LAST, one run for each value of a specialization constant or of a
 * number of the cost model. */
#ifndef EMU_CLI_SWEEP_H
#define EMU_CLI_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

enum { EMU_SWEEP_NAME = 64, EMU_SWEEP_MOST = 4096 };

typedef struct EmuSweep {
  char name[EMU_SWEEP_NAME];       /* empty: nothing is swept */
  char column[EMU_SWEEP_NAME + 8]; /* the same in reports; cost_NAME of a number of the cost model,
                                      since subgroups are counted, too */
  uint64_t first, last;
  bool cost; /* a number of the cost model */
} EmuSweep;

/* False: one line on standard error says what is wrong. */
bool emu_cli_sweep(const char *text, EmuSweep *sweep);
/* Runs; 1 where nothing is swept. */
uint32_t emu_sweep_count(const EmuSweep *sweep);

#endif
