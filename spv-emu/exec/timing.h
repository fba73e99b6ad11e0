/* SPDX-License-Identifier: Apache-2.0 */
/* timing: what a cost model needs of a subgroup's run: its stack operations, and when it waits.
 * Nothing is recorded without a cost model, or where the model needs neither. */
#ifndef EMU_TIMING_H
#define EMU_TIMING_H

#include "cost/stack_cost.h"
#include "exec/exec.h"
#include "exec/latency.h"

typedef struct EmuTiming {
  EmuTimeline timeline;
  EmuStackCost stack;
} EmuTiming;

/* Makes `e` record what the model needs: after emu_exec_init, before its first start. `opt`, which
 * has no schedule, is not timed. */
void emu_timing_attach(EmuExec *e, SrArena *arena, const EmuCost *cost);
void emu_timing_start(EmuExec *e);
/* The subgroup has ended; its record, empty if nothing is timed. */
EmuRecord emu_timing_end(EmuExec *e);

#endif
