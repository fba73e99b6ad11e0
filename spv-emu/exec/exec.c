/* SPDX-License-Identifier: Apache-2.0 */
/* exec: see exec.h. A block's instructions are functions called one after the other. Costly work is
 * kept out of that loop: masks are examined only where a block starts and ends. */
#include "spv-emu/exec/exec.h"

#include "spv-emu/cost/timeline.h"
#include "spv-emu/exec/dispatch_heat.h"
#include "spv-emu/exec/exec_message.h"
#include "spv-emu/exec/exec_step.h"
#include "spv-emu/exec/hammock_run.h"
#include "spv-emu/exec/native_check.h"
#include "spv-emu/subgroup/quad.h"

#include <string.h>

void emu_exec_init(EmuExec *e, SrArena *arena, EmuShared *shared, const EmuBlockTable *table) {
  EmuLanes *s = &e->lanes;
  e->shared = shared;
  e->on_row = SR_NEW(arena, uint32_t, s->width);
  s->on_row = e->on_row;
  s->seen = SR_NEW(arena, EmuSeen, 1);
  e->targets = SR_NEW(arena, EmuTarget, s->size);
  e->edge_of = SR_NEW(arena, uint32_t, s->size);
  e->livelock.seen = sr_bits_new(arena, table->count);
  e->policy = shared->policy->create(arena, table, shared->plan, s->size, &e->counts);
}

/* Are there helper lanes, or may lanes become helper lanes? */
static bool has_helpers(const EmuExec *e) {
  const EmuProgram *p = e->shared->program;
  return p->model == SpvExecutionModelFragment &&
         (p->facts.ends_early || emu_mask_any(&e->lanes.helper, e->lanes.words));
}

static bool has_listener(const EmuExec *e) {
  return e->shared->stage && e->shared->stage->issued;
}

/* Does the stage, or a heat map, want a report of what is issued? */
static bool reports_issues(const EmuExec *e) {
  return e->heat || has_listener(e);
}

void emu_exec_start(EmuExec *e) {
  e->live = e->lanes.exist;
  e->living = emu_mask_count(&e->live, e->lanes.words);
  e->inside = e->stays = e->too_long = e->ending = false;
  e->recorded = 0;
  e->watched = e->paths || e->lanes.timeline || e->lanes.clock || e->schedule.to || e->detail ||
               reports_issues(e) || e->shared->debug; /* rounds and hammocks would hide blocks */
  if (e->detail)
    emu_detail_start(e->detail);
  if (e->heat)
    emu_dispatch_heat_start(e->heat, e->lanes.size);
  e->quads = has_helpers(e);
  e->reported = e->counts.added;
  emu_round_start(e);
  emu_livelock_begin(e);
  e->shared->policy->start(e->policy, &e->lanes.exist);
}

/* ---- counts and limits ----------------------------------------------------------------------- */

enum { PAUSE = 1 << 16, SUSPECT = 1 << 20 };
/* A period of looking costs as much as many times its blocks, and hashes memory: its share of a run is kept
 * small. */
enum { LEAST_LOOK = 1 << 14, LOOK_SHARE = 256 };
enum { LEAST_BYTES = 1 << 24, MOST_BYTES = 1 << 30 };

/* Begins a period of looking for a livelock (livelock.h), if it is time, and sets the next one. */
EMU_ASIDE void look_for_livelock(EmuShared *shared) {
  uint64_t half = shared->max_issues / 2;
  if (!shared->livelock_at)
    shared->livelock_at = half < SUSPECT ? half : SUSPECT;
  if (shared->issued <= shared->livelock_at)
    return;
  uint64_t look = shared->issued / LOOK_SHARE;
  shared->looks = shared->issued + (look < LEAST_LOOK ? LEAST_LOOK : look);
  shared->look_bytes = shared->issued < MOST_BYTES ? shared->issued : (uint64_t)MOST_BYTES;
  if (shared->look_bytes < LEAST_BYTES)
    shared->look_bytes = LEAST_BYTES;
  shared->livelock_at = shared->issued < UINT64_MAX / 4 ? 4 * shared->issued : UINT64_MAX;
}

EmuNativeDone emu_exec_done(const EmuShared *shared) {
  EmuNativeDone done = {.issued = shared->issued};
  for (uint32_t b = 0; b < shared->program->blocks.count; b++)
    done.blocks += shared->blocks[b].executions;
  return done;
}

void emu_exec_wake(EmuShared *shared) {
  if (!shared->asleep || !shared->asleep->awake)
    return;
  shared->native = shared->asleep;
  shared->asleep = NULL;
}

/* What a round has noted before there was machine code is not enough for it. */
static void meet_native(EmuExec *e) {
  if (e->native != (e->shared->native != NULL))
    emu_round_start(e);
  e->native = e->shared->native != NULL;
}

/* Is this workgroup alone worth making machine code? */
static void look_at_native(EmuExec *e) {
  EmuShared *shared = e->shared;
  if (!shared->asleep)
    return;
  if (shared->issued > shared->asleep->pause_at) {
    const EmuNativeDone done = emu_exec_done(shared);
    emu_native_look(shared->asleep, &done);
    emu_exec_wake(shared);
    meet_native(e);
  }
  if (shared->asleep && shared->pause > shared->asleep->pause_at)
    shared->pause = shared->asleep->pause_at;
}

/* At a pause: asks the caller whether to continue, and sets the next pause. */
EMU_ASIDE bool ask_to_go_on(EmuExec *e) {
  EmuShared *shared = e->shared;
  if (shared->ended || shared->issued > shared->max_issues)
    return false;
  shared->ended = shared->go_on && !shared->go_on(shared->worker);
  if (shared->ended) /* and stays so: the pause is not moved */
    return false;
  shared->pause = shared->max_issues;
  if (shared->go_on && shared->max_issues - shared->issued > PAUSE)
    shared->pause = shared->issued + PAUSE;
  look_for_livelock(shared);
  if (shared->pause > shared->livelock_at)
    shared->pause = shared->livelock_at;
  look_at_native(e);
  return true;
}

EMU_STEP bool may_go_on(EmuExec *e) {
  return !e->too_long && (e->shared->issued <= e->shared->pause || ask_to_go_on(e));
}

/* ---- where lanes go -------------------------------------------------------------------------- */

/* Field by field, since most of the mask's words are not in use. */
static void begin_went(const EmuExec *e, EmuWent *went) {
  went->kind = EMU_WENT_BRANCH;
  went->count = 0;
  went->targets = e->targets;
  emu_mask_clear(&went->gone, e->lanes.words);
  if (e->ending)
    emu_mask_copy(&went->gone, &e->over, e->lanes.words);
}

EMU_STEP void go(EmuExec *e, EmuWent *went, const EmuEdge *edge, const EmuMask *lanes, bool full,
                 uint32_t words) {
  EmuTarget *t = &e->targets[went->count++];
  t->block = edge->to;
  emu_mask_copy(&t->lanes, lanes, words);
  emu_exec_move(e, edge, lanes, full);
}

/* Counts a branch at which lanes go to several blocks. */
EMU_STEP void count_divergence(EmuExec *e, const EmuBlock *b, uint32_t targets) {
  EmuShared *shared = e->shared;
  shared->divergent_branches++;
  shared->blocks[e->lanes.block].diverged++;
  if (!shared->policy->logs_divergence)
    emu_log_divergence(&e->counts, targets - 1);
  if (b->uniform && shared->check_uniform)
    emu_fault(&e->lanes, emu_mask_next(&e->lanes.on, 0, e->lanes.words),
              "the branch is proven uniform but diverges");
}

/* ---- divergence ------------------------------------------------------------------------------ */

/* The hammock that starts here; NULL: there is none, a log needs its single steps, or a limit may
 * end the run inside it. */
EMU_STEP const EmuHammock *hammock_ahead(const EmuExec *e) {
  const EmuShared *shared = e->shared;
  if (!shared->policy->hammock || e->watched || e->ending || e->counts.log ||
      shared->issued >= shared->max_issues || shared->program->facts.demotes)
    return NULL;
  return shared->policy->hammock(e->policy, shared->max_issues - shared->issued);
}

/* Called when the lanes of a block diverge. */
EMU_STEP void diverge(EmuExec *e, const EmuBlock *b, EmuWent *went) {
  count_divergence(e, b, went->count);
  const EmuHammock *h = hammock_ahead(e);
  if (h)
    emu_hammock_run(e, h, went->count);
  else
    e->shared->policy->went(e->policy, went);
}

/* ---- ends of blocks -------------------------------------------------------------------------- */

EMU_STEP void split_if(EmuExec *e, const EmuBlock *b, uint32_t words) {
  EmuLanes *s = &e->lanes;
  const EmuEdge *edges = &e->shared->program->edges.at[b->edge];
  EmuWent went;
  EmuMask no;
  begin_went(e, &went);
  emu_mask_copy(&no, &s->on, words);
  emu_mask_drop(&no, &s->yes, words);
  go(e, &went, &edges[0], &s->yes, false, words);
  go(e, &went, &edges[1], &no, false, words);
  diverge(e, b, &went);
}

EMU_ASIDE void go_all(EmuExec *e, const EmuEdge *edge) {
  EmuWent went;
  begin_went(e, &went);
  go(e, &went, edge, &e->lanes.on, e->full, e->lanes.words);
  e->shared->policy->went(e->policy, &went);
}

/* Goes to the edge's block and records the path. Loops lead back to blocks with lower numbers. */
EMU_STEP void follow(EmuExec *e, const EmuEdge *edge) {
  EmuRound *r = &e->round;
  uint32_t from = e->lanes.block;
  r->path[r->count] = edge;
  r->count += r->count < EMU_ROUND_EDGES;
  if (e->shared->native)
    emu_round_follow(e, edge);
  e->lanes.block = edge->to;
  if (!e->stays)
    return;
  if (edge->to <= from)
    emu_round_reach(e);
  else if (e->shared->native && e->shared->native->starts[2 * edge->to + e->full].path)
    emu_round_enter(e, &e->shared->native->starts[2 * edge->to + e->full]);
}

/* All lanes take one edge. */
EMU_STEP void go_together(EmuExec *e, const EmuEdge *edge) {
  const EmuPolicy *policy = e->shared->policy;
  bool joined = false;
  if (e->ending || !policy->stays || !policy->stays(e->policy, edge->to, &joined)) {
    go_all(e, edge);
    return;
  }
  emu_exec_move(e, edge, &e->lanes.on, e->full);
  e->stays = !joined;
  follow(e, edge);
}

EMU_STEP void leave_if(EmuExec *e, const EmuBlock *b, uint32_t words) {
  EmuLanes *s = &e->lanes;
  const EmuEdge *edges = &e->shared->program->edges.at[b->edge];
  emu_exec_condition(e, b, words);
  bool all = emu_mask_equal(&s->yes, &s->on, words);
  if (all || !emu_mask_any(&s->yes, words))
    go_together(e, &edges[all ? 0 : 1]);
  else
    split_if(e, b, words);
}

static uint64_t selector_of(const EmuLanes *s, const EmuBlock *b, uint32_t lane) {
  switch (emu_kind_bytes((EmuKind)b->kind)) {
  case 1:
    return EMU_ROW(s, uint8_t, b->row)[lane];
  case 2:
    return EMU_ROW(s, uint16_t, b->row)[lane];
  case 4:
    return EMU_ROW(s, uint32_t, b->row)[lane];
  }
  return EMU_ROW(s, uint64_t, b->row)[lane];
}

/* The edge for a selector's value; 0, the default, if there is no such case. */
static uint32_t edge_for(const EmuProgram *p, const EmuBlock *b, uint64_t value) {
  const EmuSwitchCase *cases = &p->cases.at[b->cases];
  uint32_t low = 0, high = b->case_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (cases[middle].value < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < b->case_count && cases[low].value == value ? cases[low].edge : 0;
}

/* The target for an edge, created if needed, in the order of edges. */
static EmuTarget *target_for(EmuExec *e, EmuWent *went, uint32_t edge) {
  uint32_t at = went->count;
  while (at > 0 && e->edge_of[at - 1] > edge)
    at--;
  if (at > 0 && e->edge_of[at - 1] == edge)
    return &e->targets[at - 1];
  for (uint32_t i = went->count++; i > at; i--) {
    e->edge_of[i] = e->edge_of[i - 1];
    emu_mask_copy(&e->targets[i].lanes, &e->targets[i - 1].lanes, e->lanes.words);
  }
  e->edge_of[at] = edge;
  emu_mask_clear(&e->targets[at].lanes, e->lanes.words);
  return &e->targets[at];
}

/* Moves the lanes whose selector has that value from `left` to `same`. */
EMU_STEP void take_value(const EmuExec *e, const EmuBlock *b, uint64_t value, EmuMask *left,
                         EmuMask *same, uint32_t words) {
  const EmuLanes *s = &e->lanes;
  uint32_t bytes = emu_kind_bytes((EmuKind)b->kind);
  e->shared->isa->equal[bytes](s->file + b->row, value, s->width, same->w);
  emu_mask_keep(same, left, words);
  emu_mask_drop(left, same, words);
}

/* Looks up each selector once, for all lanes that have it. */
EMU_ASIDE void split_many(EmuExec *e, const EmuBlock *b, EmuWent *went) {
  EmuLanes *s = &e->lanes;
  const EmuProgram *p = e->shared->program;
  EmuMask left, same;
  uint32_t lane;
  emu_mask_copy(&left, &s->on, s->words);
  while ((lane = emu_mask_next(&left, 0, s->words)) < EMU_MAX_LANES) {
    uint64_t value = selector_of(s, b, lane);
    take_value(e, b, value, &left, &same, s->words);
    emu_mask_add(&target_for(e, went, edge_for(p, b, value))->lanes, &same, s->words);
  }
  for (uint32_t i = 0; i < went->count; i++) {
    const EmuEdge *edge = &p->edges.at[b->edge + e->edge_of[i]];
    e->targets[i].block = edge->to;
    emu_exec_move(e, edge, &e->targets[i].lanes, went->count == 1 && e->full);
  }
}

enum { FEW_CASES = 7 };

/* Adds lanes to a mask, which is not initialized unless `some`. Returns 1 if it has lanes. */
EMU_STEP uint32_t collect(EmuMask *mask, uint32_t some, const EmuMask *lanes, uint32_t words) {
  if (some)
    emu_mask_add(mask, lanes, words);
  else
    emu_mask_copy(mask, lanes, words);
  return some | emu_mask_any(lanes, words);
}

/* Looks for each case's value in all lanes. False: all lanes have taken one edge. */
EMU_STEP bool split_few(EmuExec *e, const EmuBlock *b, EmuWent *went, uint32_t words) {
  const EmuProgram *p = e->shared->program;
  const EmuSwitchCase *c = &p->cases.at[b->cases];
  EmuMask left, same, by_edge[FEW_CASES + 1]; /* not initialized until `there` has their bit */
  uint32_t there = 0;
  emu_mask_copy(&left, &e->lanes.on, words);
  for (const EmuSwitchCase *end = c + b->case_count; c < end; c++) {
    take_value(e, b, c->value, &left, &same, words);
    there |= collect(&by_edge[c->edge], there >> c->edge & 1, &same, words) << c->edge;
  }
  /* Cases may have the default's edge, 0. */
  there |= collect(&by_edge[0], there & 1, &left, words);
  const EmuEdge *edges = &p->edges.at[b->edge];
  if ((there & (there - 1)) == 0) {
    go_together(e, &edges[__builtin_ctz(there)]);
    return false;
  }
  for (; there; there &= there - 1) {
    uint32_t edge = (uint32_t)__builtin_ctz(there);
    go(e, went, &edges[edge], &by_edge[edge], false, words);
  }
  return true;
}

EMU_STEP void leave_switch(EmuExec *e, const EmuBlock *b, uint32_t words) {
  EmuWent went;
  begin_went(e, &went);
  if (b->case_count > FEW_CASES)
    split_many(e, b, &went);
  else if (!split_few(e, b, &went, words))
    return;
  if (went.count > 1)
    diverge(e, b, &went);
  else
    e->shared->policy->went(e->policy, &went);
}

static void call(EmuExec *e, const EmuBlock *b, EmuWent *went) {
  EmuLanes *s = &e->lanes;
  const EmuProgram *p = e->shared->program;
  const EmuEdge *edge = &p->edges.at[b->edge];
  uint32_t *back = EMU_ROW(s, uint32_t, p->functions.at[p->blocks.at[edge->to].function].row);
  if (e->full) /* the other lanes have ended */
    emu_row_fill((uint8_t *)back, EMU_U32, s->width, b->next);
  else
    for (EMU_EACH_LANE(lane, &s->on, s->words))
      back[lane] = b->next;
  went->kind = EMU_WENT_CALL;
  go(e, went, edge, &s->on, e->full, s->words);
}

/* Have all lanes been called from one place? `back`: the blocks after their calls. */
static bool return_together(const EmuExec *e, const uint32_t *back) {
  const EmuLanes *s = &e->lanes;
  EmuMask same;
  uint32_t first = back[emu_mask_next(&s->on, 0, s->words)];
  e->shared->isa->equal[sizeof *back](back, first, s->width, same.w);
  emu_mask_keep(&same, &s->on, s->words);
  return emu_mask_equal(&same, &s->on, s->words);
}

/* Groups the lanes by the block after their call, in the order of blocks. */
static uint32_t group_by_return(EmuExec *e, const uint32_t *back) {
  const EmuLanes *s = &e->lanes;
  uint32_t count = 0;
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    uint32_t at = 0;
    while (at < count && e->targets[at].block < back[lane])
      at++;
    if (at == count || e->targets[at].block != back[lane]) {
      memmove(&e->targets[at + 1], &e->targets[at], (count - at) * sizeof *e->targets);
      e->targets[at].block = back[lane];
      emu_mask_clear(&e->targets[at].lanes, s->words);
      count++;
    }
    emu_mask_set(&e->targets[at].lanes, lane);
  }
  return count;
}

static void resume_callers(EmuExec *e, const EmuBlock *b, EmuWent *went) {
  EmuLanes *s = &e->lanes;
  const EmuProgram *p = e->shared->program;
  const uint32_t *back = EMU_ROW(s, uint32_t, p->functions.at[b->function].row);
  went->kind = EMU_WENT_RETURN;
  emu_exec_move(e, &p->edges.at[b->edge], &s->on, e->full);
  if (!return_together(e, back)) {
    went->count = group_by_return(e, back);
    return;
  }
  went->count = 1;
  e->targets[0].block = back[emu_mask_next(&s->on, 0, s->words)];
  emu_mask_copy(&e->targets[0].lanes, &s->on, s->words);
}

static void end_lanes(EmuExec *e, EmuWent *went, const EmuMask *lanes) {
  const EmuLanes *s = &e->lanes;
  emu_mask_add(&went->gone, lanes, s->words);
  emu_mask_drop(&e->live, lanes, s->words);
  e->living = emu_mask_count(&e->live, s->words);
}

/* Leaves a block by a terminator other than a branch. */
EMU_ASIDE void leave_otherwise(EmuExec *e, const EmuBlock *b) {
  EmuLanes *s = &e->lanes;
  EmuWent went;
  begin_went(e, &went);
  switch ((EmuEnd)b->end) {
  case EMU_END_CALL:
    call(e, b, &went);
    break;
  case EMU_END_RETURN:
    resume_callers(e, b, &went);
    break;
  case EMU_END_UNREACHABLE:
    emu_fault(s, emu_mask_next(&s->on, 0, s->words), "a lane has reached OpUnreachable");
    return;
  case EMU_END_EXIT:
    if (e->shared->stage)
      e->shared->stage->returned(e->shared->stage->user, s, e->subgroup, &s->on);
    end_lanes(e, &went, &s->on);
    break;
  default: /* EMU_END_KILL */
    end_lanes(e, &went, &s->on);
    break;
  }
  e->shared->policy->went(e->policy, &went);
}

/* Ends the helper lanes whose quad has no other lane left. False: no lane of the block is left. */
EMU_ASIDE bool end_helpers(EmuExec *e) {
  EmuLanes *s = &e->lanes;
  e->ending = emu_quad_over(s, &e->live, &s->on, &e->over);
  if (!e->ending)
    return true;
  emu_mask_drop(&s->on, &e->over, s->words);
  emu_mask_drop(&e->live, &e->over, s->words);
  e->living = emu_mask_count(&e->live, s->words);
  if (emu_mask_any(&s->on, s->words))
    return true;
  EmuWent went;
  begin_went(e, &went);
  e->shared->policy->went(e->policy, &went);
  return false;
}

EMU_STEP void leave_block(EmuExec *e, const EmuBlock *b, uint32_t words) {
  if (__builtin_expect(e->quads, false) && !end_helpers(e))
    return;
  if (b->end == EMU_END_BRANCH)
    go_together(e, &e->shared->program->edges.at[b->edge]);
  else if (b->end == EMU_END_IF)
    leave_if(e, b, words);
  else if (b->end == EMU_END_SWITCH)
    leave_switch(e, b, words);
  else
    leave_otherwise(e, b);
}

/* ---- one block ------------------------------------------------------------------------------- */

enum { MAX_RECORDED = 1 << 26 }; /* blocks, of all lanes of a subgroup */

/* Adds the block to the paths of the active lanes. If the paths become too long, the run ends. */
static void record(EmuExec *e, uint32_t block) {
  for (EMU_EACH_LANE(lane, &e->lanes.on, e->lanes.words)) {
    SR_PUSH(e->path_arena, &e->paths[lane], block);
    e->recorded++;
  }
  e->too_long = e->recorded > MAX_RECORDED;
}

static void note_time(EmuExec *e) {
  EmuTimeline *t = e->lanes.timeline;
  emu_timeline_block(t, e->lanes.block, &e->lanes.on);
  e->too_long = e->too_long || emu_timeline_is_full(t);
}

static void tell_issues(EmuExec *e, uint32_t count, const EmuMask *on) {
  const EmuStage *stage = e->shared->stage;
  if (e->heat)
    emu_dispatch_heat_add(e->heat, count, on, e->lanes.words);
  if (has_listener(e))
    stage->issued(stage->user, &e->lanes, e->subgroup, count, on);
}

static void report_issues(EmuExec *e, uint32_t count, const EmuMask *on) {
  static const EmuMask none;
  uint32_t added = (uint32_t)(e->counts.added - e->reported);
  e->reported = e->counts.added;
  if (added)
    tell_issues(e, added, &none);
  if (count)
    tell_issues(e, count, on);
}

EMU_ASIDE void watch(EmuExec *e) {
  if (e->paths)
    record(e, e->lanes.block);
  if (e->lanes.timeline)
    note_time(e);
  else if (e->lanes.clock)
    emu_shader_clock_block(e->lanes.clock, e->lanes.block);
  if (e->schedule.to)
    emu_schedule_block(&e->schedule, &e->counts, e->lanes.block, emu_exec_block(e)->issues,
                       &e->lanes.on);
  if (e->detail)
    emu_detail_block(e->detail, e->lanes.block, &e->lanes.on);
  if (reports_issues(e))
    report_issues(e, emu_exec_block(e)->issues, &e->lanes.on);
}

void emu_exec_end(EmuExec *e) {
  emu_schedule_end(&e->schedule, &e->counts);
  if (e->detail)
    emu_detail_end(e->detail);
  if (reports_issues(e))
    report_issues(e, 0, NULL);
}

/* Issues a block without lanes. */
EMU_ASIDE void pass_block(EmuExec *e) {
  EmuWent nowhere;
  begin_went(e, &nowhere);
  e->shared->blocks[e->lanes.block].noops++;
  if (e->watched)
    watch(e);
  e->shared->policy->went(e->policy, &nowhere);
}

/* Gets the next block with lanes, and issues blocks without lanes as no-ops; false: there is
 * none. */
EMU_STEP bool enter_next(EmuExec *e, uint32_t words) {
  EmuLanes *s = &e->lanes;
  const EmuPolicy *policy = e->shared->policy;
  e->round.head = SR_NONE;
  while (may_go_on(e) && policy->next(e->policy, &s->block, &s->on)) {
    e->full = emu_mask_equal(&s->on, &e->live, words);
    e->running = e->full ? e->living : emu_mask_count(&s->on, words);
    emu_exec_count(e, emu_exec_block(e));
    if (e->running)
      return true;
    pass_block(e);
  }
  return false;
}

/* False: no lane is left, or too much has been issued. If the lanes of the last block stay
 * together, the policy is not asked. */
EMU_STEP bool enter_block(EmuExec *e, uint32_t words) {
  if (e->stays && may_go_on(e))
    emu_exec_count(e, emu_exec_block(e));
  else if (!enter_next(e, words))
    return false;
  e->stays = false;
  if (e->watched)
    watch(e);
  e->stop = e->ip = 0;
  return true;
}

/* ---- livelock, and ends ----------------------------------------------------------------------- */

/* A period of looking for a livelock: rounds would hide blocks. */
EMU_ASIDE bool is_livelock(EmuExec *e) {
  uint32_t loop;
  if (e->shared->issued > e->shared->looks) {
    e->shared->looks = 0;
    emu_round_start(e);
    emu_livelock_begin(e);
    return false;
  }
  e->round.possible = false;
  if (!emu_livelock_found(e, &loop))
    return false;
  emu_exec_message_livelock(e, loop);
  return true;
}

/* The policy has no block to run: all lanes have ended, or wait for one another. */
EMU_ASIDE EmuExecEnd end_of_lanes(EmuExec *e) {
  const EmuPolicy *policy = e->shared->policy;
  if (!policy->stuck || !policy->stuck(e->policy))
    return EMU_EXEC_DONE;
  emu_exec_message_stuck(e);
  return EMU_EXEC_DEADLOCK;
}

/* ---- under a debugger ------------------------------------------------------------------------ */

/* Is it the instruction of the block's next barrier? */
static bool is_stop(const EmuExec *e, const EmuBlock *b, SrRef inst) {
  return e->stop < b->stops && e->shared->program->stops.at[b->stop + e->stop].inst == inst;
}

/* Runs the block up to its last instruction, or its next barrier, and asks the debugger before each
 * instruction. False: the run ends. */
EMU_ASIDE bool run_steps(EmuExec *e, const EmuBlock *b) {
  const EmuDebugHook *to = e->shared->debug;
  const EmuStepRange *of = &e->shared->program->steps_of[e->lanes.block];
  while (e->step < of->count && !e->lanes.fault.stop) {
    const EmuStep *s = &e->shared->program->steps.at[of->first + e->step];
    emu_exec_run_to(e, b, e->full ? s->full : s->some);
    if (!to->issue(to->user, e)) {
      e->shared->ended = true;
      return false;
    }
    e->step++;
    if (is_stop(e, b, s->inst))
      break;
  }
  return true;
}

/* ---- all blocks ------------------------------------------------------------------------------ */

/* Runs a block up to its next barrier. */
EMU_ASIDE EmuExecEnd run_to_stop(EmuExec *e, const EmuBlock *b) {
  const EmuStop *stop = &e->shared->program->stops.at[b->stop + e->stop++];
  emu_exec_run_to(e, b, e->full ? stop->full : stop->some);
  e->inside = true;
  if (!e->full) {
    emu_exec_message_barrier(e, stop->inst);
    return EMU_EXEC_DEADLOCK;
  }
  if (e->lanes.timeline)
    emu_timeline_barrier(e->lanes.timeline, stop->inst);
  return e->lanes.fault.stop ? EMU_EXEC_FAULT : EMU_EXEC_BARRIER;
}

/* `once`: only the next block, or the rest of the one with the barrier; `steps`: a debugger is asked
 * before each instruction. Both are constants in the usual loop, which so has no test of them. */
EMU_STEP EmuExecEnd run_blocks(EmuExec *e, uint32_t words, bool once, bool steps) {
  for (;;) {
    if (!e->inside && !enter_block(e, words))
      return may_go_on(e) ? end_of_lanes(e) : e->shared->ended ? EMU_EXEC_ENDED : EMU_EXEC_LIMIT;
    if (__builtin_expect(e->shared->looks != 0, false) && is_livelock(e))
      return EMU_EXEC_LIVELOCK;
    const EmuBlock *b = emu_exec_block(e);
    if (steps && !e->inside)
      e->step = 0;
    e->inside = false;
    if (steps && !run_steps(e, b))
      return EMU_EXEC_ENDED;
    if (e->stop < b->stops)
      return run_to_stop(e, b);
    emu_exec_run_to(e, b, e->full ? b->full_count : b->some_count);
    if (e->shared->native && __builtin_expect(e->shared->native->expected.waits, false))
      emu_check_arrive(e);
    for (;;) { /* leave_block is inlined: it is here once */
      leave_block(e, b, words);
      if (once || __builtin_expect(!e->round.ready, true) || !emu_round_run(e))
        break;
      b = emu_exec_block(e);
    }
    if (e->lanes.fault.stop)
      return EMU_EXEC_FAULT;
    if (once)
      return EMU_EXEC_DONE;
  }
}

/* Blocks one at a time, or under a debugger: one copy of the loop for both. */
EMU_ASIDE EmuExecEnd run_in_steps(EmuExec *e, bool once) {
  return run_blocks(e, e->lanes.words, once, e->shared->debug != NULL);
}

EmuExecEnd emu_exec_run(EmuExec *e) {
  meet_native(e);
  if (__builtin_expect(e->shared->debug != NULL, false))
    return run_in_steps(e, false);
  return e->lanes.words == 1 ? run_blocks(e, 1, false, false)
                             : run_blocks(e, e->lanes.words, false, false);
}

EmuExecEnd emu_exec_run_block(EmuExec *e) {
  meet_native(e);
  return run_in_steps(e, true);
}
