/* SPDX-License-Identifier: Apache-2.0 */
/* workgroup: see workgroup.h. Workers take workgroups in ascending order from one counter; results
 * are sums, and the failure of the lowest workgroup is reported, so the outcome does not depend on
 * the number of threads. */
#include "spv-emu/exec/workgroup.h"

#include "passes/source/source_message.h"
#include "spv-emu/cost/transactions.h"
#include "spv-emu/engine/breach.h"
#include "spv-emu/exec/builtins.h"
#include "spv-emu/exec/dispatch_heat.h"
#include "spv-emu/exec/exec_message.h"
#include "spv-emu/exec/regroup.h"
#include "spv-emu/memory/race.h"
#include "spv-emu/policy/optimum/optimum.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { FILE_ALIGN = 64, LEAST_SHARE = 64 };
/* Clearing this many bytes counts as one issue, so that max_issues bounds clearing, too. */
enum { CLEARED_PER_ISSUE = 1 << 16 };

#define MAX_FILES ((uint64_t)1 << 32)    /* bytes, of the register files of a workgroup */
#define MAX_RECORDS ((uint64_t)1 << 24)  /* subgroups of a dispatch in the latency model */
#define MAX_RECORDED ((uint64_t)1 << 30) /* bytes, of all their records */
#define MAX_GROUPS ((uint64_t)1 << 63)   /* so that the counter of workgroups cannot wrap */

typedef struct Dispatch {
  const EmuDispatch *what;
  uint64_t groups;    /* workgroups in total */
  uint64_t next;      /* the next to be taken; atomic */
  uint32_t subgroups; /* of a workgroup */
  uint32_t files;     /* subgroups of a workgroup that run concurrently */
  uint64_t issued;    /* by finished workgroups; atomic */
  uint32_t opt_share; /* each subgroup's part of the budget of `opt` */
  EmuRecord *records; /* by subgroup of the dispatch; NULL: not recorded */
  uint64_t recorded;  /* bytes; atomic */
  uint64_t done;      /* subgroups that have ended; atomic */
} Dispatch;

typedef struct Worker {
  Dispatch *dispatch;
  SrHeap heap; /* the worker's own, since workers allocate concurrently */
  SrArena arena, paths;
  EmuShared shared;
  EmuExec *execs;
  EmuRegroup *regroup;        /* NULL: the policy does not regroup lanes */
  uint8_t *memory;            /* of the workgroup */
  EmuRaces *races;            /* NULL: they are not looked for */
  EmuDetailCounts *detail;    /* NULL: not counted */
  struct EmuBreach *breaches; /* NULL: they are not looked for */
  EmuExecEnd end;
  uint64_t failed; /* the workgroup that failed */
  char message[512];
  uint64_t note_group;
  char note[512];
  uint64_t subgroups, optimum, optimum_cycles, at_most;
  uint64_t told;   /* issues that the caller knows of */
  uint64_t groups; /* workgroups that have run */
  bool exact, out_of_memory;
} Worker;

/* ---- one subgroup ---------------------------------------------------------------------------- */

/* The bytes of variables that do not start as zeros: large numbers in memory, and in rows values
 * that a boolean may have, too. */
enum { GARBAGE = 0x7f, GARBAGE_ROW = 0xff };

/* Registers need no clearing: they are written before they are read. */
static void clear_variables(EmuLanes *s, bool garbage) {
  for (uint32_t i = 0; i < s->program->segments.count; i++) {
    const EmuSegment *segment = &s->program->segments.at[i];
    if (segment->space == EMU_SPACE_ROWS)
      memset(s->file + segment->at, garbage ? GARBAGE_ROW : 0, segment->size);
    else if (segment->space == EMU_SPACE_LANE)
      memset(s->file + segment->at, garbage ? GARBAGE : 0, segment->size * s->width);
  }
}

static void start_subgroup(Worker *w, EmuExec *e, uint64_t group, uint32_t subgroup) {
  const EmuDispatch *what = w->dispatch->what;
  const EmuProgram *p = what->program;
  EmuLanes *s = &e->lanes;
  EmuWhere where = {.first = subgroup * s->size};
  memcpy(where.groups, what->groups, sizeof where.groups);
  where.group[0] = (uint32_t)(group % what->groups[0]);
  where.group[1] = (uint32_t)(group / what->groups[0] % what->groups[1]);
  where.group[2] = (uint32_t)(group / what->groups[0] / what->groups[1]);
  uint32_t total = p->local_size[0] * p->local_size[1] * p->local_size[2];
  uint32_t here = total - where.first < s->size ? total - where.first : s->size;
  if (what->debug) { /* registers that were not written show zeros */
    memset(s->file, 0, p->file_bytes);
    emu_constants_fill(s);
  }
  clear_variables(s, what->garbage);
  w->shared.issued += p->file_bytes / CLEARED_PER_ISSUE;
  emu_builtins_fill(s, &where);
  emu_mask_first(&s->exist, here, s->words);
  e->subgroup = group * w->dispatch->subgroups + subgroup;
  s->subgroup = what->first + e->subgroup;
  if (what->stage)
    what->stage->start(what->stage->user, s, e->subgroup);
  w->subgroups++;
  emu_timing_start(e);
  emu_schedule_start(&e->schedule, what->schedule, what->first + e->subgroup, &e->counts);
  emu_exec_start(e);
  emu_runaway_start(e);
  if (what->debug)
    what->debug->begin(what->debug->user, e);
}

/* Names of variables and files may contain any bytes, but a message is one line. */
static void say_where(const EmuProgram *p, const EmuFault *f, char *text, size_t size) {
  const EmuBlock *b = &p->blocks.at[f->block];
  char line[EMU_MOST_PLACE];
  sr_source_print(p->source, f->inst ? sr_source_at(p->source, f->inst) : b->place, line,
                  sizeof line);
  snprintf(text, size, "function %s, block %%%u, lane %u: %s%s%s%s",
           p->functions.at[b->function].name, b->id, f->lane, f->text, *line ? " (" : "", line,
           *line ? ")" : "");
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      *c = '?';
}

/* The limit has ended the run; `running`: in this subgroup. */
static void say_limit(Worker *w, EmuExec *e, bool running) {
  const EmuDispatch *what = w->dispatch->what;
  SrMark mark = sr_arena_mark(&w->paths);
  EmuRunaway found = {.loop = SR_NONE};
  if (running)
    found = emu_runaway_find(e, what->table, &w->paths);
  emu_exec_message_limit(e, what->spent + w->shared.max_issues, &found);
  sr_arena_reset(&w->paths, mark);
  memcpy(w->message, w->shared.deadlock, sizeof w->message);
}

static void fail(Worker *w, EmuExec *e, uint64_t group, EmuExecEnd end) {
  w->end = end;
  w->failed = group;
  if (end == EMU_EXEC_FAULT)
    say_where(e->lanes.program, &e->lanes.fault, w->message, sizeof w->message);
  else if (end == EMU_EXEC_DEADLOCK || end == EMU_EXEC_LIVELOCK)
    memcpy(w->message, w->shared.deadlock, sizeof w->message);
  else if (end == EMU_EXEC_ENDED)
    snprintf(w->message, sizeof w->message, "interrupted; the figures are of what ran until then");
  else if (e->too_long)
    snprintf(w->message, sizeof w->message,
             e->paths ? "the lanes' paths are longer than opt can keep"
                      : "more loads than the latency model can keep");
  else
    say_limit(w, e, w->shared.issued > w->shared.max_issues && e->living);
  if (w->dispatch->what->debug)
    w->dispatch->what->debug->end(w->dispatch->what->debug->user, e, w->message);
}

/* The least number of issues for the paths that the lanes took. */
static void find_optimum(Worker *w, EmuExec *e) {
  const EmuDispatch *what = w->dispatch->what;
  EmuPath *paths = SR_NEW(&w->paths, EmuPath, e->lanes.size);
  uint32_t count = 0;
  for (EMU_EACH_LANE(lane, &e->lanes.exist, e->lanes.words))
    paths[count++] = (EmuPath){e->paths[lane].at, e->paths[lane].count};
  EmuOptimum least =
      emu_optimum(&w->paths, paths, count, what->table->issues, w->dispatch->opt_share);
  w->optimum += least.issues;
  w->at_most += least.at_most;
  w->exact = w->exact && least.exact;
  if (what->cost && !what->cost->plain)
    least = emu_optimum(&w->paths, paths, count, what->cost->block, w->dispatch->opt_share);
  w->optimum_cycles += least.issues;
  w->exact = w->exact && least.exact;
}

/* The subgroup has ended. False: all records together are too large. */
static bool end_subgroup(Worker *w, EmuExec *e, uint64_t group, uint32_t subgroup) {
  Dispatch *d = w->dispatch;
  EmuRecord record = emu_timing_end(e);
  emu_exec_end(e);
  if (d->what->debug)
    d->what->debug->end(d->what->debug->user, e, NULL);
  if (e->heat)
    emu_dispatch_heat_end(e->heat, &e->lanes, d->what->groups, group, subgroup);
  __atomic_add_fetch(&d->done, 1, __ATOMIC_RELAXED);
  if (!d->records)
    return true;
  d->records[group * d->subgroups + subgroup] = record;
  e->too_long = __atomic_add_fetch(&d->recorded, record.size, __ATOMIC_RELAXED) > MAX_RECORDED;
  if (e->too_long)
    fail(w, e, group, EMU_EXEC_LIMIT);
  return !e->too_long;
}

static void start_paths(Worker *w, EmuExec *e) {
  e->paths = SR_NEW(&w->paths, EmuLanePath, e->lanes.size);
  e->path_arena = &w->paths;
}

static void keep_note(Worker *w, const EmuExec *e, uint64_t group) {
  if (e->lanes.fault.text[0] && !w->note[0]) {
    say_where(e->lanes.program, &e->lanes.fault, w->note, sizeof w->note);
    w->note_group = group;
  }
}

/* ---- one workgroup --------------------------------------------------------------------------- */

/* The subgroup that is the i-th to run. */
static uint32_t in_order(const Worker *w, uint32_t i) {
  const Dispatch *d = w->dispatch;
  return d->what->backwards ? d->subgroups - 1 - i : i;
}

/* Runs the subgroup until it ends, fails, or waits at a barrier. */
static EmuExecEnd run_subgroup(EmuExec *e) {
  emu_runaway_switch(e);
  EmuExecEnd end = emu_exec_run(e);
  if (end == EMU_EXEC_BARRIER)
    emu_runaway_switch(e);
  return end;
}

/* Runs all subgroups in one register file, one after the other. */
static bool run_in_turn(Worker *w, uint64_t group) {
  EmuExec *e = &w->execs[0];
  for (uint32_t next = 0; next < w->dispatch->subgroups; next++) {
    uint32_t i = in_order(w, next);
    SrMark mark = sr_arena_mark(&w->paths);
    if (w->dispatch->what->optimum)
      start_paths(w, e);
    start_subgroup(w, e, group, i);
    EmuExecEnd end = run_subgroup(e);
    keep_note(w, e, group);
    if (end != EMU_EXEC_DONE) {
      fail(w, e, group, end);
      return false;
    }
    if (!end_subgroup(w, e, group, i))
      return false;
    if (w->dispatch->what->optimum)
      find_optimum(w, e);
    sr_arena_reset(&w->paths, mark);
  }
  return true;
}

/* Runs all subgroups from barrier to barrier. As on hardware, a barrier does not wait for subgroups
 * that have ended. */
static bool run_together(Worker *w, uint64_t group) {
  uint32_t count = w->dispatch->subgroups, running = count;
  SrMark mark = sr_arena_mark(&w->paths);
  for (uint32_t i = 0; i < count; i++) {
    if (w->dispatch->what->optimum)
      start_paths(w, &w->execs[i]);
    start_subgroup(w, &w->execs[i], group, i);
  }
  bool *done = SR_NEW(&w->paths, bool, count);
  while (running) {
    for (uint32_t next = 0; next < count; next++) {
      uint32_t i = in_order(w, next);
      if (done[i])
        continue;
      EmuExecEnd end = run_subgroup(&w->execs[i]);
      keep_note(w, &w->execs[i], group);
      if (end == EMU_EXEC_BARRIER)
        continue;
      if (end != EMU_EXEC_DONE) {
        fail(w, &w->execs[i], group, end);
        return false;
      }
      if (!end_subgroup(w, &w->execs[i], group, i))
        return false;
      done[i] = true;
      running--;
    }
    emu_races_barrier(w->races);
  }
  for (uint32_t i = 0; i < count && w->dispatch->what->optimum; i++)
    find_optimum(w, &w->execs[i]);
  sr_arena_reset(&w->paths, mark);
  return true;
}

/* Runs all subgroups under a policy that regroups their lanes. */
static bool run_regrouped(Worker *w, uint64_t group) {
  uint32_t count = w->dispatch->subgroups, failed = 0;
  for (uint32_t i = 0; i < count; i++)
    start_subgroup(w, &w->execs[i], group, i);
  for (uint32_t i = 0; i < count; i++)
    emu_runaway_switch(&w->execs[i]);
  EmuExecEnd end = emu_regroup_run(w->regroup, w->dispatch->what->backwards, &failed);
  for (uint32_t i = 0; i < count; i++)
    keep_note(w, &w->execs[i], group);
  if (end != EMU_EXEC_DONE) {
    fail(w, &w->execs[failed], group, end);
    return false;
  }
  for (uint32_t i = 0; i < count; i++)
    if (!end_subgroup(w, &w->execs[i], group, i))
      return false;
  return true;
}

static bool run_group(Worker *w, uint64_t group) {
  if (w->regroup)
    return run_regrouped(w, group);
  return w->dispatch->what->program->barriers ? run_together(w, group) : run_in_turn(w, group);
}

/* Have all workers of the dispatch together exceeded max_issues? */
static bool is_over_limit(Worker *w, uint64_t before) {
  uint64_t more = w->shared.issued - before;
  return __atomic_add_fetch(&w->dispatch->issued, more, __ATOMIC_RELAXED) > w->shared.max_issues;
}

static void clear_shared(Worker *w) {
  const EmuDispatch *what = w->dispatch->what;
  memset(w->memory, what->garbage ? GARBAGE : 0, what->shared_bytes);
  for (uint32_t i = 0; what->garbage && i < what->program->segments.count; i++)
    if (what->segments[i].zeroed)
      memset(w->memory + what->segments[i].at, 0, what->segments[i].size);
}

static EmuNativeWorker *native_of(const Worker *w) {
  return w->shared.native ? w->shared.native : w->shared.asleep;
}

static EmuNativeDone done_by(const Worker *w) {
  EmuNativeDone done = emu_exec_done(&w->shared);
  done.groups = w->groups;
  return done;
}

/* Is what is still to run worth making machine code? `next`: the workgroup that has been taken last. */
static void look_ahead(Worker *w, uint64_t next) {
  EmuNativeWorker *native = native_of(w);
  w->groups++;
  if (!native || w->shared.issued < native->look_at)
    return;
  const EmuNativeDone done = done_by(w);
  emu_native_look_ahead(native, &done, w->dispatch->groups - 1 - next);
  emu_exec_wake(&w->shared);
}

static void run_workgroups(Worker *w) {
  Dispatch *d = w->dispatch;
  for (;;) {
    uint64_t next = __atomic_fetch_add(&d->next, 1, __ATOMIC_RELAXED);
    if (next >= d->groups)
      return;
    uint64_t group = d->what->backwards ? d->groups - 1 - next : next;
    clear_shared(w);
    if (w->races)
      emu_races_group(w->races, group);
    uint64_t before = w->shared.issued;
    w->shared.issued += d->what->shared_bytes / CLEARED_PER_ISSUE;
    bool good = run_group(w, group);
    if (good && is_over_limit(w, before)) {
      fail(w, &w->execs[0], group, EMU_EXEC_LIMIT);
      good = false;
    }
    if (!good) {
      __atomic_store_n(&d->next, d->groups, __ATOMIC_RELAXED); /* all lower workgroups are taken */
      return;
    }
    look_ahead(w, next);
  }
}

/* ---- workers --------------------------------------------------------------------------------- */

static void *aligned(SrArena *arena, size_t bytes) {
  uint8_t *at = sr_alloc_zero(arena, bytes + FILE_ALIGN, 1);
  return at + (FILE_ALIGN - (uintptr_t)at % FILE_ALIGN);
}

static void make_exec(Worker *w, EmuExec *e, EmuSegment *segments, EmuImages *images) {
  const EmuDispatch *what = w->dispatch->what;
  const EmuProgram *p = what->program;
  e->lanes = (EmuLanes){.file = aligned(&w->arena, p->file_bytes),
                        .width = p->width,
                        .size = what->lanes,
                        .words = (what->lanes + 63) / 64,
                        .program = p,
                        .segments = segments,
                        .shared = w->memory,
                        .images = images,
                        .segment_shift = what->segment_shift,
                        .strict = what->strict,
                        .mixed = what->mixes,
                        .races = w->races,
                        .breaches = w->breaches,
                        .tangles = what->tangles,
                        .shared_by_threads = what->threads > 1};
  emu_constants_fill(&e->lanes);
  emu_exec_init(e, &w->arena, &w->shared, what->table);
  emu_runaway_init(e, &w->arena);
  if (!what->optimum)
    emu_timing_attach(e, &w->arena, what->cost);
  if (w->detail)
    e->detail = emu_detail_new(&w->arena, what->detail, what->lanes, w->detail);
  if (what->heat)
    e->heat = emu_dispatch_heat_new(&w->arena, what->heat, what->lanes, what->policy->packed);
}

/* Tells the caller what this worker has issued, and asks whether to continue. */
static bool ask(void *worker) {
  Worker *w = worker;
  const Dispatch *d = w->dispatch;
  const spv_emu_progress *progress = d->what->progress;
  uint64_t more = w->shared.issued - w->told;
  w->told += more;
  return progress->go_on(progress->user, more, __atomic_load_n(&d->done, __ATOMIC_RELAXED),
                         d->groups * d->subgroups);
}

static void make_worker(Worker *w) {
  const EmuDispatch *what = w->dispatch->what;
  const EmuProgram *p = what->program;
  bool regroups = what->policy->packed != NULL;
  w->arena = sr_arena_new(&w->heap);
  w->paths = sr_arena_new(&w->heap);
  w->memory = aligned(&w->arena, what->shared_bytes);
  w->shared = (EmuShared){
      .program = p,
      .isa = emu_isa(),
      .policy = regroups ? &emu_policy_member : what->policy,
      .plan = regroups ? NULL : emu_policy_plan(what->policy, &w->arena, what->table),
      .blocks = SR_NEW(&w->arena, EmuBlockCount, p->blocks.count),
      .loops = emu_loops_build(&w->arena, what->table),
      .max_issues = what->max_issues,
      .check_uniform = what->check_uniform && !what->mixes,
      .stage = what->stage,
      .debug = what->debug,
      .asleep = what->native ? emu_native_worker(&w->arena, what->native, what->mode) : NULL,
      .go_on = what->progress ? ask : NULL,
      .worker = w};
  emu_exec_wake(&w->shared);
  EmuSegment *segments = SR_NEW(&w->arena, EmuSegment, p->segments.count);
  memcpy(segments, what->segments, p->segments.count * sizeof *segments);
  EmuImages *images = SR_NEW(&w->arena, EmuImages, 1);
  *images = *what->images;
  if (what->races)
    w->races = emu_races_new(&w->arena, p, segments, images, w->memory, what->shared_bytes);
  if (p->demands.count && what->policy->tangles && !what->optimum)
    w->breaches = SR_NEW(&w->arena, struct EmuBreach, p->demands.count);
  w->detail = emu_detail_counts(&w->arena, what->detail);
  w->execs = SR_NEW(&w->arena, EmuExec, w->dispatch->files);
  for (uint32_t i = 0; i < w->dispatch->files; i++)
    make_exec(w, &w->execs[i], segments, images);
  if (regroups)
    w->regroup =
        emu_regroup_new(&w->arena, w->execs, w->dispatch->files, what->policy, what->table);
}

static void *work(void *user) {
  Worker *w = user;
  if (setjmp(w->heap.out_of_memory)) {
    w->out_of_memory = true;
    __atomic_store_n(&w->dispatch->next, w->dispatch->groups, __ATOMIC_RELAXED);
    return NULL;
  }
  make_worker(w);
  run_workgroups(w);
  if (native_of(w)) {
    const EmuNativeDone done = done_by(w);
    emu_native_rest(native_of(w), &done);
  }
  if (w->dispatch->what->progress)
    ask(w);
  return NULL;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_counts(EmuCounts *to, const EmuCounts *from) {
  to->memory_issues += from->memory_issues;
  to->memory_transactions += from->memory_transactions;
  to->image_issues += from->image_issues;
  to->image_transactions += from->image_transactions;
  to->out_of_bounds += from->out_of_bounds;
  to->quad_breaks += from->quad_breaks;
}

static void add_policy(EmuPolicyCounts *to, const EmuPolicyCounts *from) {
#define EMU_POLICY_SUM(type, name) to->name += from->name;
#define EMU_POLICY_MAX(type, name) to->name = from->name > to->name ? from->name : to->name;
#include "spv-emu/cost/policy_counts.def"
}

static void add_stack(EmuTotals *to, const EmuTiming *from) {
  if (!from)
    return;
  to->spills += from->stack.spills;
  to->branch_cycles += from->stack.branch;
  to->unwinding_cycles += from->stack.unwinding;
}

static void add_blocks(EmuBlockCount *to, const EmuBlockCount *from, uint32_t count) {
  for (uint32_t b = 0; b < count; b++) {
    to[b].executions += from[b].executions;
    to[b].lanes += from[b].lanes;
    to[b].noops += from[b].noops;
    to[b].apart += from[b].apart;
    to[b].helpers += from[b].helpers;
    to[b].diverged += from[b].diverged;
  }
}

static void add_worker(EmuTotals *t, const Worker *w, uint64_t *failed, uint64_t *noted) {
  if (w->detail)
    emu_detail_add(t->detail, w->detail, w->dispatch->what->detail);
  add_blocks(t->blocks, w->shared.blocks, w->shared.program->blocks.count);
  for (uint32_t i = 0; i < w->dispatch->files; i++) {
    add_counts(&t->counts, &w->execs[i].lanes.counts);
    add_policy(&t->policy, &w->execs[i].counts);
    add_stack(t, w->execs[i].timing);
  }
  t->subgroups += w->subgroups;
  t->races += emu_races_count(w->races);
  t->lane_races += emu_races_count_lanes(w->races);
  if (w->breaches)
    emu_breaches_add(t->breaches, w->breaches, w->shared.program->demands.count);
  t->issued += w->shared.issued;
  t->divergent_branches += w->shared.divergent_branches;
  t->optimum += w->optimum;
  t->at_most += w->at_most;
  t->optimum_cycles += w->optimum_cycles;
  t->exact = t->exact && w->exact;
  if (w->end != EMU_EXEC_DONE && w->failed < *failed) {
    *failed = w->failed;
    t->end = w->end;
    memcpy(t->message, w->message, sizeof t->message);
  }
  if (w->note[0] && w->note_group < *noted && *failed == UINT64_MAX) {
    *noted = w->note_group;
    memcpy(t->message, w->note, sizeof t->message);
  }
}

void emu_totals_start(SrArena *arena, const EmuDispatch *what, EmuTotals *totals) {
  const EmuProgram *program = what->program;
  *totals = (EmuTotals){.exact = true,
                        .detail = emu_detail_counts(arena, what->detail),
                        .blocks = SR_NEW(arena, EmuBlockCount, program->blocks.count),
                        .breaches = SR_NEW(arena, struct EmuBreach, program->demands.count)};
}

/* Adds the figures of all workers to the totals. False: a worker ran out of memory. */
static bool add_workers(SrArena *arena, const Worker *workers, uint32_t count, EmuTotals *totals) {
  emu_totals_start(arena, workers[0].dispatch->what, totals);
  uint64_t failed = UINT64_MAX, noted = UINT64_MAX;
  for (uint32_t i = 0; i < count; i++) {
    if (workers[i].out_of_memory)
      return false;
    if (workers[i].execs) /* its thread could be started */
      add_worker(totals, &workers[i], &failed, &noted);
  }
  if (totals->end == EMU_EXEC_DONE && totals->counts.out_of_bounds && totals->message[0]) {
    size_t used = strlen(totals->message);
    snprintf(totals->message + used, sizeof totals->message - used,
             " (%" PRIu64 " accesses in all)", totals->counts.out_of_bounds);
  }
  return true;
}

static void free_worker(Worker *w) {
  for (uint32_t i = 0; w->execs && i < w->dispatch->files; i++)
    emu_seen_free(w->execs[i].lanes.seen);
  sr_heap_free_all(&w->heap);
}

/* ---- all workgroups -------------------------------------------------------------------------- */

static uint32_t count_workers(const Dispatch *d) {
  uint32_t threads = d->what->threads && !d->what->races ? d->what->threads : 1;
  return threads < d->groups ? threads : d->groups ? (uint32_t)d->groups : 1;
}

/* The first worker runs in this thread. If a thread cannot be started, the others do its share. */
static void run_workers(SrArena *arena, Worker *workers, uint32_t count) {
  pthread_t *threads = SR_NEW(arena, pthread_t, count);
  bool *started = SR_NEW(arena, bool, count);
  for (uint32_t i = 1; i < count; i++)
    started[i] = pthread_create(&threads[i], NULL, work, &workers[i]) == 0;
  work(&workers[0]);
  for (uint32_t i = 1; i < count; i++)
    if (started[i])
      pthread_join(threads[i], NULL);
}

static uint32_t count_subgroups(const EmuDispatch *what) {
  if (what->stage)
    return 1;
  const uint32_t *size = what->program->local_size;
  return (size[0] * size[1] * size[2] + what->lanes - 1) / what->lanes;
}

/* The register files of a workgroup: those of the subgroups that run concurrently. */
static uint32_t count_files(const EmuDispatch *what) {
  return what->program->barriers || what->policy->packed ? count_subgroups(what) : 1;
}

/* Does the latency model apply? */
static bool is_timed(const EmuDispatch *what) {
  return what->cost && what->cost->waits && !what->optimum;
}

static const char *timing_refuses(const EmuDispatch *what, uint64_t groups) {
  uint64_t subgroups = count_subgroups(what);
  if (what->program->barriers && subgroups > what->cost->model->subgroups)
    return "subgroups of a workgroup that wait for one another must all be resident: the cost "
           "model allows too few";
  if (what->cost->model->subwarps > 1 && !what->policy->meets_in_place)
    return "which lanes meet depends on how long others take: the cost model's subwarps would "
           "change "
           "it";
  if (__builtin_mul_overflow(groups, subgroups, &subgroups) || subgroups > MAX_RECORDS)
    return "more than 2^24 subgroups for the latency model";
  return NULL;
}

const char *emu_dispatch_refuses(const EmuDispatch *what) {
  uint64_t files = count_files(what), groups;
  if (what->optimum && what->program->reads_clock)
    return "the shader reads a clock, and no time passes in the schedule that opt computes";
  if (what->policy->packed && files * what->lanes > EMU_MAX_LANES)
    return "the policy regroups the lanes of a workgroup, of which there are more than 1,024";
  if (what->policy->packed && is_timed(what))
    return "the latency model does not know subgroups whose lanes change";
  if (files * what->program->file_bytes > MAX_FILES)
    return "the subgroups of a workgroup, which wait for one another, take more than 4 GB";
  groups = (uint64_t)what->groups[0] * what->groups[1];
  if (__builtin_mul_overflow(groups, what->groups[2], &groups) || groups > MAX_GROUPS)
    return "more than 2^63 workgroups";
  return is_timed(what) ? timing_refuses(what, groups) : NULL;
}

/* After all subgroups have run: replays their records on one issue port. */
static void replay(SrArena *arena, const Dispatch *d, EmuTotals *totals) {
  const EmuDispatch *what = d->what;
  if (!d->records || totals->end != EMU_EXEC_DONE)
    return;
  totals->latency =
      emu_latency_replay(arena, what->cost->model, d->records, d->groups * d->subgroups,
                         d->subgroups, what->program->barriers);
  totals->replayed = true;
}

void emu_dispatch(SrArena *arena, const EmuDispatch *what, EmuTotals *totals) {
  Dispatch d = {.what = what, .subgroups = count_subgroups(what)};
  d.groups = (uint64_t)what->groups[0] * what->groups[1] * what->groups[2];
  uint64_t subgroups = d.groups * d.subgroups;
  if (what->schedule && what->schedule->spread && !what->first)
    *what->schedule->spread = subgroups;
  uint64_t share = subgroups ? what->opt_budget / subgroups : 0;
  d.opt_share = share < LEAST_SHARE ? LEAST_SHARE : (uint32_t)share;
  d.files = count_files(what);
  d.records = is_timed(what) ? SR_NEW(arena, EmuRecord, subgroups) : NULL;
  uint32_t count = count_workers(&d);
  Worker *workers = SR_NEW(arena, Worker, count);
  for (uint32_t i = 0; i < count; i++) {
    workers[i] = (Worker){.dispatch = &d, .exact = true};
    sr_heap_init(&workers[i].heap);
  }
  run_workers(arena, workers, count);
  bool done = add_workers(arena, workers, count, totals);
  totals->dispatch_subgroups = subgroups;
  if (done)
    replay(arena, &d, totals);
  for (uint32_t i = 0; i < count; i++)
    free_worker(&workers[i]);
  if (!done)
    longjmp(arena->heap->out_of_memory, 1);
}

/* ---- several dispatches ---------------------------------------------------------------------- */

static void add_latency(EmuLatency *to, const EmuLatency *from) {
  to->cycles += from->cycles;
  to->idle += from->idle;
  to->loads += from->loads;
  to->misses += from->misses;
  to->load_cycles += from->load_cycles;
}

static void add_totals(EmuTotals *to, const EmuTotals *from, const EmuDispatch *what) {
  const EmuProgram *program = what->program;
  uint32_t demands = program->demands.count;
  add_blocks(to->blocks, from->blocks, program->blocks.count);
  if (what->detail)
    emu_detail_add(to->detail, from->detail, what->detail);
  add_counts(&to->counts, &from->counts);
  add_policy(&to->policy, &from->policy);
  add_latency(&to->latency, &from->latency);
  to->issued += from->issued;
  to->subgroups += from->subgroups;
  to->dispatch_subgroups += from->dispatch_subgroups;
  to->divergent_branches += from->divergent_branches;
  to->optimum += from->optimum;
  to->at_most += from->at_most;
  to->optimum_cycles += from->optimum_cycles;
  to->exact = to->exact && from->exact;
  to->spills += from->spills;
  to->races += from->races;
  to->lane_races += from->lane_races;
  emu_breaches_add(to->breaches, from->breaches, demands);
  to->branch_cycles += from->branch_cycles;
  to->unwinding_cycles += from->unwinding_cycles;
  to->replayed |= from->replayed;
  to->end = from->end;
  if (!to->message[0] || from->end != EMU_EXEC_DONE)
    memcpy(to->message, from->message, sizeof to->message);
}

bool emu_dispatch_more(SrArena *arena, const EmuDispatch *what, EmuTotals *totals) {
  SrMark mark = sr_arena_mark(arena);
  EmuDispatch next = *what;
  EmuTotals more;
  next.spent = totals->issued < next.max_issues ? totals->issued : next.max_issues;
  next.max_issues -= next.spent;
  next.first = totals->dispatch_subgroups;
  emu_dispatch(arena, &next, &more);
  add_totals(totals, &more, what);
  sr_arena_reset(arena, mark);
  return totals->end == EMU_EXEC_DONE;
}
