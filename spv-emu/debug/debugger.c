/* SPDX-License-Identifier: Apache-2.0 */
/* debugger: see debugger.h. This file decides where the run stops.
 *
 * A step belongs to the subgroup in which it was requested. While this subgroup waits at a barrier,
 * the others run without stopping, except at breakpoints. The policy chooses which lanes run, so a
 * step leads to the next line that the subgroup issues, whichever lanes run it. */
#include "spv-emu/debug/debugger.h"

#include "spv-emu/debug/debug_command.h"
#include "spv-emu/debug/debug_lanes.h"
#include "spv-emu/debug/debug_name.h"
#include "spv-emu/debug/debug_place.h"
#include "spv-emu/debug/debug_trace.h"

#include <inttypes.h>

/* ---- subgroups ------------------------------------------------------------------------------- */

static EmuSubgroup *subgroup_of(EmuDebugger *d, const EmuExec *e) {
  for (uint32_t i = 0; i < d->subgroups.count; i++)
    if (d->subgroups.at[i].e == e)
      return &d->subgroups.at[i];
  return NULL;
}

static EmuSubgroup new_subgroup(EmuDebugger *d, EmuExec *e) {
  size_t values = (size_t)d->variables.count * e->lanes.size;
  size_t texts = (size_t)d->to->name_count * e->lanes.size;
  return (EmuSubgroup){.e = e,
                       .ran = SR_NEW(d->arena, EmuMask, d->p->blocks.count),
                       .value = SR_NEW(d->arena, uint32_t, values + 1),
                       .last = SR_NEW(d->arena, char *, texts + 1),
                       .room = SR_NEW(d->arena, uint32_t, texts + 1)};
}

/* The tables of a subgroup that has ended serve the next one. */
static void clear(EmuDebugger *d, EmuSubgroup *s) {
  size_t lanes = s->e->lanes.size;
  s->issue = 0;
  memset(s->ran, 0, d->p->blocks.count * sizeof *s->ran);
  memset(s->value, 0, d->variables.count * lanes * sizeof *s->value);
  for (size_t i = 0; i < d->to->name_count * lanes; i++)
    if (s->last[i])
      s->last[i][0] = 0;
}

static void look_at(EmuDebugger *d, EmuExec *e) {
  d->e = e;
  d->sub = subgroup_of(d, e);
}

static void begin(void *user, EmuExec *e) {
  EmuDebugger *d = user;
  if (!subgroup_of(d, e))
    SR_PUSH(d->arena, &d->subgroups, new_subgroup(d, e));
  look_at(d, e);
  clear(d, d->sub);
}

/* ---- where to stop --------------------------------------------------------------------------- */

static uint32_t function_at(const EmuDebugger *d, uint32_t step) {
  return d->p->blocks.at[d->block_of[step]].function;
}

/* Are the running lanes at another line than where the step began, or there again? Code without
 * lines is stepped through block by block. */
static bool has_moved(const EmuDebugger *d, uint32_t step) {
  SrSourcePlace here = d->place[step], then = d->place[d->origin.step];
  if (step == d->origin.step)
    return true;
  if (!then.line)
    return here.line || d->block_of[step] != d->block_of[d->origin.step];
  return here.line && (!emu_debug_same_line(here, then) ||
                       function_at(d, step) != function_at(d, d->origin.step));
}

static uint32_t running_depth(const EmuDebugger *d) {
  const EmuLanes *s = &d->e->lanes;
  return emu_debug_depth(d, s->block, emu_mask_next(&s->on, 0, s->words));
}

static bool has_returned(const EmuDebugger *d) {
  EmuMask both;
  const EmuLanes *s = &d->e->lanes;
  emu_mask_copy(&both, &s->on, s->words);
  emu_mask_keep(&both, &d->origin.lanes, s->words);
  return emu_mask_any(&both, s->words) && running_depth(d) < d->origin.depth;
}

/* Is it a step of the kind that was asked for? */
static bool is_step(const EmuDebugger *d, uint32_t step) {
  switch (d->resume) {
  case EMU_RESUME_ISSUE:
    return true;
  case EMU_RESUME_LINE:
    return has_moved(d, step);
  case EMU_RESUME_NEXT:
    return running_depth(d) <= d->origin.depth && has_moved(d, step);
  case EMU_RESUME_FINISH:
    return has_returned(d);
  default:
    return false;
  }
}

static bool ends_step(EmuDebugger *d, uint32_t step) {
  if ((d->origin.e && d->origin.e != d->e) || !is_step(d, step))
    return false;
  d->origin.step = step;
  return d->repeat-- == 0;
}

static bool stop(EmuDebugger *d, uint32_t breakpoint) {
  d->listed = 0;
  d->out = (SrText){.arena = &d->scratch};
  emu_debug_show(d, breakpoint);
  return emu_debug_commands(d);
}

/* ---- the hook -------------------------------------------------------------------------------- */

/* Lanes that enter a function have computed none of its values in this call. */
static void forget_earlier_call(EmuDebugger *d) {
  const EmuLanes *s = &d->e->lanes;
  uint32_t function = d->p->blocks.at[s->block].function;
  const EmuFunctionBlocks *f = &d->table->functions[function];
  if (d->e->step || s->block != f->first)
    return;
  for (uint32_t b = f->first; b < f->first + f->count; b++)
    emu_mask_drop(&d->sub->ran[b], &s->on, s->words);
  for (uint32_t i = 0; i < d->variables.count; i++)
    for (EMU_EACH_LANE(lane, &s->on, s->words))
      if (d->variables.at[i].function == function)
        d->sub->value[i * s->size + lane] = 0;
}

static bool issue(void *user, EmuExec *e) {
  EmuDebugger *d = user;
  const EmuLanes *s = &e->lanes;
  look_at(d, e);
  uint32_t step = emu_debug_step(d);
  forget_earlier_call(d);
  emu_debug_assign(d);
  if (d->to->row)
    emu_debug_trace(d);
  if (!d->detached) {
    bool wanted = d->only == UINT64_MAX || d->only == s->subgroup;
    uint32_t breakpoint = wanted ? emu_debug_break_at(d, step) : 0;
    bool stepped = ends_step(d, step);
    if ((breakpoint || stepped) && !stop(d, breakpoint))
      return false;
  }
  d->sub->issue++;
  if (e->step + 1 == d->p->steps_of[s->block].count)
    emu_mask_add(&d->sub->ran[s->block], &s->on, s->words);
  return true;
}

/* After a failure the lanes are where it happened, or in the block that they would run next. */
static void show_failure(EmuDebugger *d, const char *failure) {
  uint32_t steps = d->p->steps_of[d->e->lanes.block].count;
  if (d->e->step >= steps)
    d->e->step = steps - 1;
  d->out = (SrText){.arena = &d->scratch};
  sr_text_add(&d->out, "subgroup %" PRIu64 " cannot go on: %s\n", d->e->lanes.subgroup, failure);
  (void)emu_debug_commands(d);
}

static void end(void *user, EmuExec *e, const char *failure) {
  EmuDebugger *d = user;
  look_at(d, e);
  if (d->detached || d->quit || !d->sub)
    return;
  if (failure) {
    show_failure(d, failure);
    return;
  }
  if (d->resume == EMU_RESUME_RUN || (d->origin.e && d->origin.e != e))
    return;
  d->out = (SrText){.arena = &d->scratch};
  sr_text_add(&d->out, "subgroup %" PRIu64 " has ended\n", e->lanes.subgroup);
  emu_debug_flush(d);
  d->resume = EMU_RESUME_ISSUE;
  d->origin.e = NULL;
  d->repeat = 0;
}

/* ---- making one ------------------------------------------------------------------------------ */

EmuDebugger *emu_debugger_new(SrArena *arena, const EmuDebugged *what, const spv_emu_debug *to) {
  EmuDebugger *d = SR_NEW(arena, EmuDebugger, 1);
  *d = (EmuDebugger){.own = sr_arena_new(arena->heap), /* dispatches reset the caller's */
                     .scratch = sr_arena_new(arena->heap),
                     .program = what->program,
                     .p = what->program->p,
                     .table = what->table,
                     .policy = what->policy,
                     .to = to,
                     .hook = {d, begin, issue, end},
                     .detached = to->read == NULL,
                     .resume = EMU_RESUME_ISSUE,
                     .only = UINT64_MAX};
  d->arena = &d->own;
  emu_debug_names(d);
  emu_debug_places(d);
  return d;
}

const EmuDebugHook *emu_debugger_hook(const EmuDebugger *d) {
  return &d->hook;
}
