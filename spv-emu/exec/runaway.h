/* SPDX-License-Identifier: Apache-2.0 */
/* runaway: the loop in which a subgroup was when the limit of issues ended its run.
 *
 * The running lanes may be in several loops, one inside the other, also across calls. The loop at
 * fault is the one whose iterations are most for each iteration of the loop around it: an inner
 * loop of eight iterations in a loop without end is not at fault. Iterations are counted by the
 * executions of the loop's header in this subgroup. The worker counts them for all of its subgroups
 * together. So the counts are noted whenever a subgroup starts to run, continues, or waits at a
 * barrier, and this subgroup's part is the difference. */
#ifndef EMU_RUNAWAY_H
#define EMU_RUNAWAY_H

#include "spv-emu/exec/exec.h"

typedef struct EmuRunaway {
  uint32_t loop;       /* the header, in program->blocks; SR_NONE: the lanes are in no loop */
  uint32_t place;      /* the first block of the loop that has a line; else the header */
  uint64_t iterations; /* iterations so far, of this subgroup; if the policy regroups lanes, of the
                          workgroup */
  uint64_t issued;     /* instructions, of the same */
  EmuMask lanes; /* of the subgroup that are in it: the running ones, and those that wait in it */
} EmuRunaway;

/* Allocates the counts of the subgroup; e->shared->loops is set. */
void emu_runaway_init(EmuExec *e, SrArena *arena);
/* A new subgroup begins; it waits. */
void emu_runaway_start(EmuExec *e);
/* The waiting subgroup runs, or the running one waits. */
void emu_runaway_switch(EmuExec *e);
/* To be called after emu_exec_run has returned EMU_EXEC_LIMIT; the subgroup cannot run on. */
EmuRunaway emu_runaway_find(EmuExec *e, const EmuBlockTable *table, SrArena *scratch);

#endif
