/* SPDX-License-Identifier: Apache-2.0 */
/* runaway: the loop in which a subgroup was when the limit of issues ended its run.
 *
 * The running lanes may be in several loops, one inside the other, also across calls. The loop at
 * fault is the one whose iterations are most for each iteration of the loop around it: an inner
 * loop of eight iterations in a loop without end is not at fault. Iterations are counted by the
 * executions of the loop's header. */
#ifndef EMU_RUNAWAY_H
#define EMU_RUNAWAY_H

#include "spv-emu/exec/exec.h"

typedef struct EmuRunaway {
  uint32_t loop;       /* the header, in program->blocks; SR_NONE: the lanes are in no loop */
  uint32_t place;      /* the first block of the loop that has a line; else the header */
  uint64_t iterations; /* iterations so far, of all subgroups of this worker */
  EmuMask lanes; /* of the subgroup that are in it: the running ones, and those that wait in it */
} EmuRunaway;

/* To be called after emu_exec_run has returned EMU_EXEC_LIMIT; the subgroup cannot run on. */
EmuRunaway emu_runaway_find(EmuExec *e, const EmuBlockTable *table, SrArena *scratch);

#endif
