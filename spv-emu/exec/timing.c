/* SPDX-License-Identifier: Apache-2.0 */
/* timing: see timing.h. */
#include "spv-emu/exec/timing.h"

void emu_timing_attach(EmuExec *e, SrArena *arena, const EmuCost *cost) {
  bool stack = cost && cost->stack && e->shared->policy->stacked;
  bool clock = e->shared->program->reads_clock;
  if (!stack && !clock && !(cost && cost->waits))
    return;
  EmuTiming *t = e->timing = SR_NEW(arena, EmuTiming, 1);
  t->timeline = (EmuTimeline){.arena = arena, .clock = {.cost = cost, .counts = &e->counts}};
  if (clock)
    e->lanes.clock = &t->timeline.clock;
  if (cost->waits)
    e->lanes.timeline = &t->timeline;
  if (cost->waits && cost->model->subwarps > 1) {
    t->timeline.lanes = e->lanes.size;
    t->timeline.strand = SR_NEW_RAW(arena, uint32_t, e->lanes.size);
  }
  if (stack) {
    t->stack =
        (EmuStackCost){.model = cost->model, .clock = e->lanes.clock, .waits = e->lanes.timeline};
    emu_stack_cost_init(&t->stack);
    t->stack.log.next = e->counts.log;
    e->counts.log = &t->stack.log;
  }
}

void emu_timing_start(EmuExec *e) {
  if (e->timing && e->timing->stack.model)
    emu_stack_cost_start(&e->timing->stack);
  if (e->lanes.timeline)
    emu_timeline_start(e->lanes.timeline);
  else if (e->lanes.clock)
    emu_shader_clock_start(e->lanes.clock);
}

EmuRecord emu_timing_end(EmuExec *e) {
  if (e->timing && e->timing->stack.model)
    emu_stack_cost_end(&e->timing->stack);
  return e->lanes.timeline ? emu_timeline_end(e->lanes.timeline) : (EmuRecord){0};
}
