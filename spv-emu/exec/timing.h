/* SPDX-License-Identifier: Apache-2.0 */
/* timing: records what a cost model needs of a subgroup's run: its stack operations, and when it
 * waits; and the clock, if the program reads it. Without a cost model, or if the model needs neither,
 * nothing is recorded. */
#ifndef EMU_TIMING_H
#define EMU_TIMING_H

#include "spv-emu/cost/stack_cost.h"
#include "spv-emu/exec/exec.h"
#include "spv-emu/exec/latency.h"

typedef struct EmuTiming {
  EmuTimeline timeline;
  EmuStackCost stack;
} EmuTiming;

/* Makes `e` record what the model needs; call it after emu_exec_init and before its first start.
 * `opt`, which has no schedule, is not timed. A program that reads a clock needs a model. */
void emu_timing_attach(EmuExec *e, SrArena *arena, const EmuCost *cost);
void emu_timing_start(EmuExec *e);
/* To be called when the subgroup has ended. Returns its record, empty if nothing is timed. */
EmuRecord emu_timing_end(EmuExec *e);

#endif
