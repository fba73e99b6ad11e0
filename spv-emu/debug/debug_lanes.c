/* SPDX-License-Identifier: Apache-2.0 */
/* debug_lanes: see debug_lanes.h. What waits, and why, is the policy's to say: EmuPolicy.held,
 * or EmuPolicy.waiting and EmuPolicy.rule. */
#include "spv-emu/debug/debug_lanes.h"

#include "spv-emu/debug/debug_place.h"

#include <inttypes.h>

/* ---- sets of lanes --------------------------------------------------------------------------- */

void emu_debug_add_lanes(SrText *to, const EmuMask *lanes, uint32_t words) {
  uint32_t count = emu_mask_count(lanes, words);
  sr_text_add(to, "%s", count == 0 ? "no lanes" : count == 1 ? "lane" : "lanes");
  const char *before = " ";
  for (uint32_t lane = 0; (lane = emu_mask_next(lanes, lane, words)) < EMU_MAX_LANES; lane++) {
    uint32_t last = lane;
    while (last + 1 < words * 64 && emu_mask_has(lanes, last + 1))
      last++;
    sr_text_add(to, last > lane ? "%s%u-%u" : "%s%u", before, lane, last);
    before = ",";
    lane = last;
  }
}

static void add_lanes(EmuDebugger *d, const EmuMask *lanes) {
  emu_debug_add_lanes(&d->out, lanes, d->e->lanes.words);
}

/* Reads the number of a lane that has not ended. */
static bool read_lane(EmuDebugger *d, const char *text, uint32_t *lane) {
  uint64_t value;
  if (!emu_debug_number(text, &value) || value >= d->e->lanes.size)
    sr_text_add(&d->out, "'%.40s' is not a lane: there are lanes 0 to %u\n", text,
                d->e->lanes.size - 1);
  else if (!emu_mask_has(&d->e->lanes.exist, (uint32_t)value))
    sr_text_add(&d->out, "lane %" PRIu64 " has no invocation\n", value);
  else if (!emu_mask_has(&d->e->live, (uint32_t)value))
    sr_text_add(&d->out, "lane %" PRIu64 " has ended\n", value);
  else
    return *lane = (uint32_t)value, true;
  return false;
}

/* ---- groups ---------------------------------------------------------------------------------- */

typedef struct Group {
  uint32_t block;
  EmuMask lanes;
} Group;

typedef struct Groups {
  EmuDebugger *d;
  SR_VEC(Group) at;
} Groups;

static void add_group(void *user, uint32_t block, const EmuMask *lanes) {
  Groups *g = user;
  Group group = {.block = block};
  emu_mask_copy(&group.lanes, lanes, g->d->e->lanes.words);
  emu_mask_drop(&group.lanes, &g->d->e->lanes.on, g->d->e->lanes.words);
  if (emu_mask_any(&group.lanes, g->d->e->lanes.words))
    SR_PUSH(&g->d->scratch, &g->at, group);
}

static Groups waiting_groups(EmuDebugger *d) {
  Groups g = {.d = d};
  d->e->shared->policy->waiting(d->e->policy, add_group, &g);
  return g;
}

/* The block where a lane is. */
static uint32_t block_of_lane(EmuDebugger *d, uint32_t lane) {
  const Groups g = waiting_groups(d);
  for (uint32_t i = 0; i < g.at.count; i++)
    if (emu_mask_has(&g.at.at[i].lanes, lane))
      return g.at.at[i].block;
  return d->e->lanes.block;
}

static void add_waiting_block(EmuDebugger *d, uint32_t block) {
  emu_debug_add_block(d, block, d->p->blocks.at[block].place);
}

static void add_running(EmuDebugger *d) {
  emu_debug_add_block(d, d->e->lanes.block, emu_debug_here(d));
}

void emu_debug_show(EmuDebugger *d, uint32_t breakpoint) {
  const EmuLanes *s = &d->e->lanes;
  if (breakpoint)
    sr_text_add(&d->out, "breakpoint %u, ", breakpoint);
  sr_text_add(&d->out, "subgroup %" PRIu64 ", issue %" PRIu64 ": ", s->subgroup, d->sub->issue);
  add_lanes(d, &s->on);
  sr_text_add(&d->out, " in %s, ", d->p->functions.at[d->p->blocks.at[s->block].function].name);
  emu_debug_add_block(d, s->block, emu_debug_here(d));
  sr_text_add(&d->out, "\n");
  emu_debug_show_line(d);
}

/* ---- lanes, masks ---------------------------------------------------------------------------- */

static void print_helpers(EmuDebugger *d) {
  EmuMask helpers;
  const EmuExec *e = d->e;
  emu_mask_copy(&helpers, &e->lanes.helper, e->lanes.words);
  emu_mask_keep(&helpers, &e->live, e->lanes.words);
  if (!emu_mask_any(&helpers, e->lanes.words))
    return;
  sr_text_add(&d->out, "helpers  ");
  add_lanes(d, &helpers);
  sr_text_add(&d->out, "\n");
}

static void ended_lanes(const EmuDebugger *d, EmuMask *ended) {
  emu_mask_copy(ended, &d->e->lanes.exist, d->e->lanes.words);
  emu_mask_drop(ended, &d->e->live, d->e->lanes.words);
}

void emu_debug_lanes(EmuDebugger *d) {
  const Groups g = waiting_groups(d);
  EmuMask ended;
  sr_text_add(&d->out, "run      ");
  add_lanes(d, &d->e->lanes.on);
  sr_text_add(&d->out, ": ");
  add_running(d);
  sr_text_add(&d->out, "\n");
  for (uint32_t i = 0; i < g.at.count; i++) {
    sr_text_add(&d->out, "wait     ");
    add_lanes(d, &g.at.at[i].lanes);
    sr_text_add(&d->out, ": ");
    add_waiting_block(d, g.at.at[i].block);
    sr_text_add(&d->out, "\n");
  }
  print_helpers(d);
  ended_lanes(d, &ended);
  if (!emu_mask_any(&ended, d->e->lanes.words))
    return;
  sr_text_add(&d->out, "ended    ");
  add_lanes(d, &ended);
  sr_text_add(&d->out, "\n");
}

static void print_mask(EmuDebugger *d, const char *what, const EmuMask *lanes) {
  sr_text_add(&d->out, "%-9s", what);
  for (uint32_t lane = 0; lane < d->e->lanes.size; lane++)
    sr_text_add(&d->out, "%s%c", lane && lane % 8 == 0 ? " " : "",
                emu_mask_has(lanes, lane) ? '1' : '.');
  sr_text_add(&d->out, "\n");
}

void emu_debug_masks(EmuDebugger *d) {
  const EmuExec *e = d->e;
  EmuMask waiting, ended;
  emu_mask_copy(&waiting, &e->live, e->lanes.words);
  emu_mask_drop(&waiting, &e->lanes.on, e->lanes.words);
  ended_lanes(d, &ended);
  print_mask(d, "exist", &e->lanes.exist);
  print_mask(d, "active", &e->lanes.on);
  print_mask(d, "waiting", &waiting);
  print_mask(d, "ended", &ended);
  if (emu_mask_any(&e->lanes.helper, e->lanes.words))
    print_mask(d, "helper", &e->lanes.helper);
}

/* ---- the policy's state ---------------------------------------------------------------------- */

static void print_held(void *user, const EmuHeld *held) {
  EmuDebugger *d = user;
  sr_text_add(&d->out, "%s", held->what);
  if (held->number != SR_NONE)
    sr_text_add(&d->out, "%s%u", held->what[strlen(held->what) - 1] == 'B' ? "" : " ",
                held->number);
  sr_text_add(&d->out, ": ");
  add_lanes(d, held->lanes);
  if (held->block != SR_NONE) {
    sr_text_add(&d->out, ", ");
    add_waiting_block(d, held->block);
  }
  if (held->rejoin != SR_NONE && held->rejoin != held->block)
    sr_text_add(&d->out, ", reconverges at %%%u", d->p->blocks.at[held->rejoin].id);
  sr_text_add(&d->out, "\n");
}

/* For a policy that reports only the waiting groups. */
static void print_groups(EmuDebugger *d) {
  const Groups g = waiting_groups(d);
  const EmuHeld running = {"runs", SR_NONE, d->e->lanes.block, SR_NONE, &d->e->lanes.on, NULL};
  print_held(d, &running);
  for (uint32_t i = 0; i < g.at.count; i++) {
    const EmuHeld held = {"waits", SR_NONE, g.at.at[i].block, SR_NONE, &g.at.at[i].lanes, NULL};
    print_held(d, &held);
  }
}

void emu_debug_policy(EmuDebugger *d) {
  const EmuPolicy *policy = d->e->shared->policy;
  sr_text_add(&d->out, "policy %s: %s\n", d->policy->name, d->policy->purpose);
  if (policy->held)
    policy->held(d->e->policy, print_held, d);
  else
    print_groups(d);
}

/* ---- why a lane waits ------------------------------------------------------------------------ */

typedef struct Why {
  EmuDebugger *d;
  uint32_t lane;
  bool found;
  uint32_t block;
  const char *why;
} Why;

static void look_for_lane(void *user, const EmuHeld *held) {
  Why *w = user;
  if (w->found || !held->why || !emu_mask_has(held->lanes, w->lane))
    return;
  w->found = true;
  w->block = held->block;
  w->why = held->why;
}

void emu_debug_why(EmuDebugger *d, const char *text) {
  const EmuPolicy *policy = d->e->shared->policy;
  Why w = {.d = d};
  if (!read_lane(d, text, &w.lane))
    return;
  if (emu_mask_has(&d->e->lanes.on, w.lane)) {
    sr_text_add(&d->out, "lane %u runs ", w.lane);
    add_running(d);
    sr_text_add(&d->out, "\n");
    return;
  }
  if (policy->held)
    policy->held(d->e->policy, look_for_lane, &w);
  if (!w.found) {
    w.block = block_of_lane(d, w.lane);
    w.why = d->policy->rule ? d->policy->rule : "the policy runs other lanes first";
  }
  sr_text_add(&d->out, "lane %u waits at ", w.lane);
  add_waiting_block(d, w.block);
  sr_text_add(&d->out, ", under policy %s: %s; ", d->policy->name, w.why);
  add_lanes(d, &d->e->lanes.on);
  sr_text_add(&d->out,
              emu_mask_count(&d->e->lanes.on, d->e->lanes.words) == 1 ? " runs " : " run ");
  add_running(d);
  sr_text_add(&d->out, "\n");
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The block after the call of the block's function; SR_NONE: it is the entry point. */
static uint32_t caller_of(const EmuDebugger *d, uint32_t block, uint32_t lane) {
  const EmuProgram *p = d->p;
  uint32_t f = p->blocks.at[block].function;
  if (f == p->entry)
    return SR_NONE;
  return EMU_ROW(&d->e->lanes, uint32_t, p->functions.at[f].row)[lane];
}

uint32_t emu_debug_depth(const EmuDebugger *d, uint32_t block, uint32_t lane) {
  uint32_t depth = 0;
  while ((block = caller_of(d, block, lane)) != SR_NONE)
    depth++;
  return depth;
}

/* Is the lane at the block in the function, or in a call from it? */
static bool is_in(const EmuDebugger *d, uint32_t function, uint32_t block, uint32_t lane) {
  while (block != SR_NONE && d->p->blocks.at[block].function != function)
    block = caller_of(d, block, lane);
  return block != SR_NONE;
}

static void add_lanes_in(const EmuDebugger *d, uint32_t function, uint32_t block,
                         const EmuMask *lanes, EmuMask *in) {
  for (EMU_EACH_LANE(lane, lanes, d->e->lanes.words))
    if (is_in(d, function, block, lane))
      emu_mask_set(in, lane);
}

void emu_debug_lanes_in(EmuDebugger *d, uint32_t function, EmuMask *in) {
  const Groups g = waiting_groups(d);
  emu_mask_clear(in, d->e->lanes.words);
  add_lanes_in(d, function, d->e->lanes.block, &d->e->lanes.on, in);
  for (uint32_t i = 0; i < g.at.count; i++)
    add_lanes_in(d, function, g.at.at[i].block, &g.at.at[i].lanes, in);
}

/* The part of the block that ends in the call from which lanes return to block `after`. */
static uint32_t call_before(const EmuDebugger *d, uint32_t after) {
  for (uint32_t b = 0; b < d->p->blocks.count; b++)
    if (d->p->blocks.at[b].end == EMU_END_CALL && d->p->blocks.at[b].next == after)
      return b;
  return after;
}

typedef struct Frame {
  uint32_t number, block; /* of an outer frame: the part of the block that ends in the call */
  SrSourcePlace place;
} Frame;

static Frame innermost(EmuDebugger *d, uint32_t lane) {
  if (emu_mask_has(&d->e->lanes.on, lane))
    return (Frame){0, d->e->lanes.block, emu_debug_here(d)};
  uint32_t block = block_of_lane(d, lane);
  return (Frame){0, block, d->p->blocks.at[block].place};
}

/* Goes on to the frame around it. False: it is the outermost one. */
static bool go_out(const EmuDebugger *d, uint32_t lane, Frame *f) {
  uint32_t after = caller_of(d, f->block, lane);
  if (after == SR_NONE)
    return false;
  f->number++;
  f->block = call_before(d, after);
  const EmuStepRange *of = &d->p->steps_of[f->block];
  f->place = of->count ? d->place[of->first + of->count - 1] : d->p->blocks.at[f->block].place;
  return true;
}

static void print_frame(EmuDebugger *d, const Frame *f) {
  sr_text_add(&d->out, "#%u %s, ", f->number,
              d->p->functions.at[d->p->blocks.at[f->block].function].name);
  emu_debug_add_block(d, f->block, f->place);
  sr_text_add(&d->out, "\n");
}

void emu_debug_backtrace(EmuDebugger *d, const char *text) {
  uint32_t lane = emu_mask_next(&d->e->lanes.on, 0, d->e->lanes.words);
  if (text && !read_lane(d, text, &lane))
    return;
  Frame f = innermost(d, lane);
  do
    print_frame(d, &f);
  while (go_out(d, lane, &f));
}

uint32_t emu_debug_frame_function(const EmuDebugger *d) {
  uint32_t block = d->e->lanes.block, lane = emu_mask_next(&d->e->lanes.on, 0, d->e->lanes.words);
  for (uint32_t i = 0; i < d->frame; i++)
    block = caller_of(d, block, lane);
  return d->p->blocks.at[block].function;
}

void emu_debug_frame(EmuDebugger *d, uint64_t number) {
  uint32_t lane = emu_mask_next(&d->e->lanes.on, 0, d->e->lanes.words);
  Frame f = innermost(d, lane);
  while (f.number < number)
    if (!go_out(d, lane, &f)) {
      sr_text_add(&d->out, "there is no frame %" PRIu64 ": #%u is the outermost one of lane %u\n",
                  number, f.number, lane);
      return;
    }
  d->frame = f.number;
  print_frame(d, &f);
}
