/* exec: see exec.h. A block's instructions are functions called one after the other; what costs is
 * kept out of that loop: masks are looked at when a block begins and when it ends. */
#include "exec.h"

#include "timeline.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void emu_exec_init(EmuExec *e, SrArena *arena, EmuShared *shared, const EmuFlow *flow) {
  EmuLanes *s = &e->lanes;
  e->shared = shared;
  e->on_row = SR_NEW(arena, uint32_t, s->width);
  s->on_row = e->on_row;
  e->targets = SR_NEW(arena, EmuTarget, s->size);
  e->edge_of = SR_NEW(arena, uint32_t, s->size);
  e->policy = shared->policy->create(arena, flow, s->size, &e->counts);
}

void emu_exec_start(EmuExec *e) {
  e->live = e->lanes.exist;
  e->living = emu_mask_count(&e->live, e->lanes.words);
  e->inside = e->stays = e->too_long = false;
  e->recorded = 0;
  e->watched = e->paths || e->lanes.timeline;
  e->shared->policy->start(e->policy, &e->lanes.exist);
}

/* ---- where lanes go -------------------------------------------------------------------------- */

/* Rows of lanes are made where something reads them; often the last one made is the same. */
static void set_on_row(EmuExec *e, const EmuMask *lanes) {
  if (emu_mask_equal(lanes, &e->on_row_lanes, e->lanes.words))
    return;
  emu_mask_copy(&e->on_row_lanes, lanes, e->lanes.words);
  e->shared->isa->expand(lanes->w, e->lanes.width, e->on_row);
}

/* The moves of an edge, for the lanes that take it; in whole rows where all living lanes do. */
static void move_along(EmuExec *e, const EmuEdge *edge, const EmuMask *lanes) {
  if (edge->moves == 0)
    return;
  EmuLanes *s = &e->lanes;
  const EmuProgram *p = e->shared->program;
  EmuHandler *const *move = e->shared->isa->move;
  if (!emu_mask_equal(lanes, &e->live, s->words)) {
    set_on_row(e, lanes);
    move = e->shared->isa->move_on;
  }
  const EmuMove *end = &p->moves.at[edge->move + edge->moves];
  for (const EmuMove *m = &p->moves.at[edge->move]; m < end; m++) {
    EmuIns ins = {.d = m->d, .a = m->a};
    move[m->bytes](s, &ins);
  }
}

/* Field by field: the mask's words that are not in use are many. */
static void begin_went(const EmuExec *e, EmuWent *went) {
  went->kind = EMU_WENT_BRANCH;
  went->count = 0;
  went->targets = e->targets;
  emu_mask_clear(&went->gone, e->lanes.words);
}

static void go(EmuExec *e, EmuWent *went, const EmuEdge *edge, const EmuMask *lanes) {
  EmuTarget *t = &e->targets[went->count++];
  t->block = edge->to;
  emu_mask_copy(&t->lanes, lanes, e->lanes.words);
  move_along(e, edge, lanes);
}

/* All lanes take one edge. True: the policy knows, and has nothing more to say. */
static bool go_together(EmuExec *e, EmuWent *went, const EmuEdge *edge) {
  EmuLanes *s = &e->lanes;
  const EmuPolicy *policy = e->shared->policy;
  bool joined = false;
  if (!policy->stays || !policy->stays(e->policy, edge->to, &joined)) {
    go(e, went, edge, &s->on);
    return false;
  }
  move_along(e, edge, &s->on);
  e->stays = !joined;
  s->block = edge->to;
  return true;
}

/* True as above. */
static bool split_if(EmuExec *e, const EmuBlock *b, EmuWent *went) {
  EmuLanes *s = &e->lanes;
  const EmuEdge *edges = &e->shared->program->edges.at[b->edge];
  EmuMask yes, no;
  e->shared->isa->bits((const uint32_t *)(void *)(s->file + b->row), s->width, yes.w);
  emu_mask_copy(&no, &s->on, s->words);
  emu_mask_drop(&no, &yes, s->words);
  emu_mask_keep(&yes, &s->on, s->words);
  if (!emu_mask_any(&no, s->words))
    return go_together(e, went, &edges[0]);
  if (!emu_mask_any(&yes, s->words))
    return go_together(e, went, &edges[1]);
  go(e, went, &edges[0], &yes);
  go(e, went, &edges[1], &no);
  return false;
}

static uint64_t selector_of(const EmuLanes *s, const EmuBlock *b, uint32_t lane) {
  uint32_t bytes = emu_kind_bytes((EmuKind)b->kind);
  uint64_t value = 0;
  memcpy(&value, s->file + b->row + (size_t)lane * bytes, bytes);
  return value;
}

/* The edge for a selector's value: 0, the default, where no case has it. */
static uint32_t edge_for(const EmuProgram *p, const EmuBlock *b, uint64_t value) {
  const EmuCase *cases = &p->cases.at[b->cases];
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

/* The target for an edge, in the order of edges, made where it is not there yet. */
static EmuTarget *target_for(EmuExec *e, EmuWent *went, uint32_t edge) {
  uint32_t at = went->count;
  while (at > 0 && e->edge_of[at - 1] > edge)
    at--;
  if (at > 0 && e->edge_of[at - 1] == edge)
    return &e->targets[at - 1];
  memmove(&e->edge_of[at + 1], &e->edge_of[at], (went->count - at) * sizeof *e->edge_of);
  memmove(&e->targets[at + 1], &e->targets[at], (went->count - at) * sizeof *e->targets);
  went->count++;
  e->edge_of[at] = edge;
  emu_mask_clear(&e->targets[at].lanes, e->lanes.words);
  return &e->targets[at];
}

/* Looks up each selector once, for all lanes that have it. */
static void split_switch(EmuExec *e, const EmuBlock *b, EmuWent *went) {
  EmuLanes *s = &e->lanes;
  const EmuProgram *p = e->shared->program;
  uint32_t bytes = emu_kind_bytes((EmuKind)b->kind), lane;
  EmuMask left, same;
  emu_mask_copy(&left, &s->on, s->words);
  while ((lane = emu_mask_next(&left, 0, s->words)) < EMU_MAX_LANES) {
    uint64_t value = selector_of(s, b, lane);
    e->shared->isa->equal[bytes](s->file + b->row, value, s->width, same.w);
    emu_mask_keep(&same, &left, s->words);
    emu_mask_drop(&left, &same, s->words);
    emu_mask_add(&target_for(e, went, edge_for(p, b, value))->lanes, &same, s->words);
  }
  for (uint32_t i = 0; i < went->count; i++) {
    const EmuEdge *edge = &p->edges.at[b->edge + e->edge_of[i]];
    e->targets[i].block = edge->to;
    move_along(e, edge, &e->targets[i].lanes);
  }
}

static void call(EmuExec *e, const EmuBlock *b, EmuWent *went) {
  EmuLanes *s = &e->lanes;
  const EmuProgram *p = e->shared->program;
  const EmuEdge *edge = &p->edges.at[b->edge];
  uint32_t *back = EMU_ROW(s, uint32_t, p->functions.at[p->blocks.at[edge->to].function].row);
  for (EMU_EACH_LANE(lane, &s->on, s->words))
    back[lane] = b->next;
  went->kind = EMU_WENT_CALL;
  go(e, went, edge, &s->on);
}

/* Groups the lanes by the block behind their call, in the order of blocks. */
static void come_back(EmuExec *e, const EmuBlock *b, EmuWent *went) {
  EmuLanes *s = &e->lanes;
  const EmuProgram *p = e->shared->program;
  const uint32_t *back = EMU_ROW(s, uint32_t, p->functions.at[b->function].row);
  went->kind = EMU_WENT_RETURN;
  move_along(e, &p->edges.at[b->edge], &s->on);
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
  went->count = count;
}

static void leave_block(EmuExec *e, const EmuBlock *b) {
  EmuLanes *s = &e->lanes;
  EmuShared *shared = e->shared;
  EmuWent went;
  begin_went(e, &went);
  switch ((EmuEnd)b->end) {
  case EMU_END_BRANCH:
    if (go_together(e, &went, &shared->program->edges.at[b->edge]))
      return;
    break;
  case EMU_END_IF:
    if (split_if(e, b, &went))
      return;
    break;
  case EMU_END_SWITCH:
    split_switch(e, b, &went);
    break;
  case EMU_END_CALL:
    call(e, b, &went);
    break;
  case EMU_END_RETURN:
    come_back(e, b, &went);
    break;
  case EMU_END_EXIT:
    emu_mask_copy(&went.gone, &s->on, s->words);
    emu_mask_drop(&e->live, &s->on, s->words);
    e->living = emu_mask_count(&e->live, s->words);
    break;
  case EMU_END_UNREACHABLE:
    emu_fault(s, emu_mask_next(&s->on, 0, s->words), "a lane has come to OpUnreachable");
    return;
  }
  if (went.kind == EMU_WENT_BRANCH && went.count > 1) {
    shared->divergent_branches++;
    if (!shared->policy->tells_partings)
      emu_tell_parting(&e->counts, went.count - 1);
    if (b->uniform && shared->check_uniform)
      emu_fault(s, emu_mask_next(&s->on, 0, s->words), "the branch is proven uniform and diverges");
  }
  shared->policy->went(e->policy, &went);
}

/* ---- one block ------------------------------------------------------------------------------- */

enum { MAX_RECORDED = 1 << 26 }; /* blocks, of all lanes of a subgroup */

static void record(EmuExec *e, uint32_t block) {
  for (EMU_EACH_LANE(lane, &e->lanes.on, e->lanes.words)) {
    SR_PUSH(e->path_arena, &e->paths[lane], block);
    e->recorded++;
  }
  e->too_long = e->recorded > MAX_RECORDED;
}

static void note_time(EmuExec *e) {
  EmuTimeline *t = e->lanes.timeline;
  emu_timeline_block(t, e->lanes.block);
  e->too_long = e->too_long || emu_timeline_is_full(t);
}

static void watch(EmuExec *e) {
  if (e->paths)
    record(e, e->lanes.block);
  if (e->lanes.timeline)
    note_time(e);
}

static void count_block(EmuExec *e) {
  EmuShared *shared = e->shared;
  EmuBlockCount *count = &shared->blocks[e->lanes.block];
  shared->issued += shared->program->blocks.at[e->lanes.block].issues;
  count->executions++;
  count->lanes += e->running;
  count->noops += e->running == 0;
}

static bool may_go_on(const EmuExec *e) {
  return e->shared->issued <= e->shared->max_issues && !e->too_long;
}

/* Takes the next block with lanes, and issues those without as no-ops; false: there is none. */
static bool enter_next(EmuExec *e) {
  EmuLanes *s = &e->lanes;
  const EmuPolicy *policy = e->shared->policy;
  while (may_go_on(e) && policy->next(e->policy, &s->block, &s->on)) {
    e->full = emu_mask_equal(&s->on, &e->live, s->words);
    e->running = e->full ? e->living : emu_mask_count(&s->on, s->words);
    count_block(e);
    if (e->running)
      return true;
    if (e->lanes.timeline)
      note_time(e);
    EmuWent nowhere;
    begin_went(e, &nowhere);
    policy->went(e->policy, &nowhere);
  }
  return false;
}

/* False: no lane is left, or too much has been issued. Where the lanes of the last block stay
 * together, there is nothing to ask. */
static bool enter_block(EmuExec *e) {
  if (e->stays && may_go_on(e))
    count_block(e);
  else if (!enter_next(e))
    return false;
  e->stays = false;
  if (e->watched)
    watch(e);
  e->stop = e->ip = 0;
  return true;
}

static void run_to(EmuExec *e, const EmuBlock *b, uint32_t end) {
  EmuLanes *s = &e->lanes;
  if (!e->full && b->some != b->full)
    set_on_row(e, &s->on);
  const EmuIns *code = &e->shared->program->code.at[e->full ? b->full : b->some];
  for (const EmuIns *i = code + e->ip, *last = code + end; i < last; i++)
    i->run(s, i);
  e->ip = end;
}

/* ---- barriers -------------------------------------------------------------------------------- */

typedef struct Told {
  EmuExec *e;
  char *text;
  size_t size, used;
  uint32_t groups;
} Told;

static void add(Told *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(Told *t, const char *format, ...) {
  if (t->used >= t->size)
    return;
  va_list list;
  va_start(list, format);
  t->used += (size_t)vsnprintf(t->text + t->used, t->size - t->used, format, list);
  va_end(list);
}

static void tell_lanes(Told *t, const EmuMask *lanes) {
  uint32_t words = t->e->lanes.words, count = emu_mask_count(lanes, words);
  uint32_t first = emu_mask_next(lanes, 0, words);
  if (count == 1)
    add(t, "1 lane (%u)", first);
  else
    add(t, "%u lanes (the first %u)", count, first);
}

static void tell_waiting(void *user, uint32_t block, const EmuMask *lanes) {
  Told *t = user;
  add(t, "%s ", t->groups++ ? "," : "");
  tell_lanes(t, lanes);
  add(t, " at block %%%u", t->e->shared->program->blocks.at[block].id);
}

static void explain_deadlock(EmuExec *e) {
  EmuShared *shared = e->shared;
  const EmuProgram *p = shared->program;
  const EmuBlock *b = &p->blocks.at[e->lanes.block];
  Told told = {.e = e, .text = shared->deadlock, .size = sizeof shared->deadlock};
  add(&told, "function %s, block %%%u: ", p->functions.at[b->function].name, b->id);
  tell_lanes(&told, &e->lanes.on);
  add(&told, " at the barrier while others of the subgroup wait:");
  shared->policy->waiting(e->policy, tell_waiting, &told);
}

/* ---- all blocks ------------------------------------------------------------------------------ */

EmuExecEnd emu_exec_run(EmuExec *e) {
  EmuLanes *s = &e->lanes;
  const EmuProgram *p = e->shared->program;
  for (;;) {
    if (!e->inside && !enter_block(e))
      return e->too_long || e->shared->issued > e->shared->max_issues ? EMU_EXEC_LIMIT
                                                                      : EMU_EXEC_DONE;
    const EmuBlock *b = &p->blocks.at[s->block];
    e->inside = false;
    if (e->stop < b->stops) {
      const EmuStop *stop = &p->stops.at[b->stop + e->stop++];
      run_to(e, b, e->full ? stop->full : stop->some);
      e->inside = true;
      if (!e->full) {
        explain_deadlock(e);
        return EMU_EXEC_DEADLOCK;
      }
      if (s->timeline)
        emu_timeline_barrier(s->timeline, stop->inst);
      return s->fault.stop ? EMU_EXEC_FAULT : EMU_EXEC_BARRIER;
    }
    run_to(e, b, e->full ? b->full_count : b->some_count);
    leave_block(e, b);
    if (s->fault.stop)
      return EMU_EXEC_FAULT;
  }
}
