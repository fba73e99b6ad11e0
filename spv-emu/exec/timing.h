/* timing: what a cost model wants to know of a subgroup while it runs: of its stack, and of when it
 * waits. Without a cost model, or where the model asks for neither, there is none of this. */
#ifndef EMU_TIMING_H
#define EMU_TIMING_H

#include "cost/stack_cost.h"
#include "exec/exec.h"
#include "exec/latency.h"

typedef struct EmuTiming {
  EmuTimeline timeline;
  EmuStackCost stack;
} EmuTiming;

/* Has `e` tell what the model wants to know: before its first start, and behind emu_exec_init.
 * `opt`, which has no schedule, is not timed. */
void emu_timing_attach(EmuExec *e, SrArena *arena, const EmuCost *cost);
void emu_timing_start(EmuExec *e);
/* The subgroup has come to its end; its record, empty where there is none. */
EmuRecord emu_timing_end(EmuExec *e);

#endif
