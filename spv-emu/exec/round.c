/* SPDX-License-Identifier: Apache-2.0 */
/* round: see round.h. */
#include "spv-emu/exec/round.h"

#include "spv-emu/exec/exec_step.h"
#include "spv-emu/exec/native_check.h"

/* A block of the path that has something to do. */
typedef struct Step {
  const EmuIns *code, *end;
  const EmuBlock *block;
  const EmuMove *move, *moved; /* those of the edge that all lanes are to take */
  uint32_t index;              /* the block's */
  uint32_t at;                 /* its index in the path */
  bool branches;
  bool yes; /* the edge is the first of two */
} Step;

typedef struct Iterations {
  uint64_t done;    /* whole iterations */
  uint32_t stopped; /* index of the block that is left by another edge; SR_NONE: none is */
} Iterations;

void emu_round_start(EmuExec *e) {
  const EmuPolicy *policy = e->shared->policy;
  e->round.ready = false;
  e->round.head = SR_NONE;
  e->round.join = SR_NONE;
  e->round.entered = NULL;
  e->round.count = e->round.steps_count = 0;
  e->round.possible = policy->stays && !e->watched && !e->counts.log;
}

/* ---- finding a path -------------------------------------------------------------------------- */

static void start_path(EmuExec *e) {
  EmuRound *r = &e->round;
  r->head = e->lanes.block;
  r->count = r->steps_count = 0;
  r->diverged = false;
  r->join = SR_NONE;
  r->pushes = e->counts.pushes;
  r->pops = e->counts.pops;
}

/* The hammock that the block heads; NULL: none, or its lanes cannot be told apart in machine code. */
static const EmuHammock *hammock_at(const EmuExec *e, uint32_t block) {
  const EmuPolicy *policy = e->shared->policy;
  const EmuBlock *b = &e->shared->program->blocks.at[block];
  bool few = b->end == EMU_END_IF ? b->edges == 2
                                  : b->end == EMU_END_SWITCH && b->case_count <= EMU_HAMMOCK_ARMS;
  if (!policy->hammock_at || b->uniform || !few || e->quads)
    return NULL;
  return policy->hammock_at(e->policy, block);
}

static void add_step(EmuRound *r, EmuNativeStep step) {
  r->steps[r->steps_count] = step;
  r->steps_count += r->steps_count < EMU_ROUND_EDGES;
}

void emu_round_follow(EmuExec *e, const EmuEdge *edge) {
  EmuRound *r = &e->round;
  if (!r->possible || r->head == SR_NONE)
    return;
  if (r->join != SR_NONE) {
    r->join = edge->to == r->join ? SR_NONE : r->join;
    return;
  }
  const EmuHammock *h = hammock_at(e, e->lanes.block);
  if (!h) {
    add_step(r, (EmuNativeStep){.edge = edge, .to = edge->to});
    return;
  }
  add_step(r, (EmuNativeStep){.hammock = h, .to = h->join});
  r->join = edge->to == h->join ? SR_NONE : h->join;
}

void emu_round_arms(EmuExec *e, uint32_t header, const EmuHammock *h) {
  EmuRound *r = &e->round;
  if (r->head == SR_NONE)
    return;
  if (!e->shared->native || r->join != SR_NONE || hammock_at(e, header) != h) {
    r->head = SR_NONE;
    return;
  }
  r->diverged = true;
  add_step(r, (EmuNativeStep){.hammock = h, .to = h->join});
}

void emu_round_reach(EmuExec *e) {
  EmuRound *r = &e->round;
  const EmuPolicy *policy = e->shared->policy;
  if (!r->possible || r->join != SR_NONE)
    return;
  if (r->skip > 1) { /* no path is looked for */
    r->skip--;
    r->head = SR_NONE;
    return;
  }
  bool same = !policy->returns || policy->returns(e->policy);
  if (!same || r->head != e->lanes.block || r->count == EMU_ROUND_EDGES ||
      r->steps_count == EMU_ROUND_EDGES)
    start_path(e);
  else if (r->skip) {
    r->skip--;
    start_path(e);
  } else
    r->ready = true;
}

void emu_round_enter(EmuExec *e, const EmuNativeStart *start) {
  EmuRound *r = &e->round;
  if (!r->possible || r->join != SR_NONE)
    return;
  if (r->skip) {
    r->skip--;
    return;
  }
  r->entered = start;
  r->ready = true;
}

/* ---- preparing a path ------------------------------------------------------------------------ */

static uint32_t block_of(const EmuRound *r, uint32_t at) {
  return at ? r->path[at - 1]->to : r->head;
}

static Step step_of(const EmuExec *e, uint32_t at) {
  const EmuProgram *p = e->shared->program;
  const EmuBlock *b = &p->blocks.at[block_of(&e->round, at)];
  uint32_t first = e->full ? b->full : b->some, count = e->full ? b->full_count : b->some_count;
  const EmuEdge *edge = e->round.path[at];
  Step step = {.block = b,
               .index = block_of(&e->round, at),
               .at = at,
               .branches = b->end == EMU_END_IF,
               .yes = edge == &p->edges.at[b->edge]};
  if (edge->moves) {
    step.move = &p->moves.at[edge->move];
    step.moved = step.move + edge->moves;
  }
  if (count) {
    step.code = &p->code.at[first];
    step.end = step.code + count;
  }
  return step;
}

/* Machine code instead of the block's stream, if there is any. */
static void use_native(const EmuExec *e, Step *step) {
  EmuNativeWorker *native = e->shared->native;
  const EmuBlock *b = step->block;
  const EmuNativeStream *stream =
      native && !native->check && step->code
          ? emu_native_stream(native, step->index, e->full || b->some == b->full)
          : NULL;
  if (!stream)
    return;
  step->code = stream->code;
  step->end = stream->code + stream->count;
}

/* Prepares the steps of the path, and returns their number; 0: it has a block that cannot be run
 * here. */
static uint32_t prepare(EmuExec *e, Step steps[EMU_ROUND_EDGES], uint64_t *issues) {
  uint32_t count = 0;
  *issues = 0;
  for (uint32_t i = 0; i < e->round.count; i++) {
    Step step = step_of(e, i);
    const EmuBlock *b = step.block;
    if (b->stops || (b->end != EMU_END_BRANCH && b->end != EMU_END_IF))
      return 0;
    *issues += b->issues;
    use_native(e, &step);
    if (step.code || step.branches || step.move)
      steps[count++] = step;
  }
  if (!e->full)
    emu_exec_on_row(e, &e->lanes.on);
  return count;
}

/* ---- running iterations ---------------------------------------------------------------------- */

/* Do all lanes take the edge? */
EMU_STEP bool all_take(EmuExec *e, const Step *step, uint32_t words) {
  const EmuLanes *s = &e->lanes;
  emu_exec_condition(e, step->block, words);
  return step->yes ? emu_mask_equal(&s->yes, &s->on, words) : !emu_mask_any(&s->yes, words);
}

/* Runs at most `most` iterations. Stops when a lane becomes a helper lane, because its quad may end
 * and the executor must then leave the block. */
EMU_STEP Iterations run_steps(EmuExec *e, const Step *steps, uint32_t count, uint64_t most,
                              uint32_t words) {
  EmuLanes *s = &e->lanes;
  EmuHandler *const *move = e->full ? e->shared->isa->move : e->shared->isa->move_on;
  EmuMask helper;
  emu_mask_copy(&helper, &s->helper, words);
  for (uint64_t done = 0; done < most; done++)
    for (const Step *step = steps, *last = steps + count; step < last; step++) {
      s->block = step->index;
      for (const EmuIns *i = step->code; i < step->end; i++)
        i->run(s, i);
      if ((step->branches && !all_take(e, step, words)) || s->fault.stop ||
          !emu_mask_equal(&s->helper, &helper, words))
        return (Iterations){done, step->at};
      emu_exec_moves(e, step->move, step->moved, move);
    }
  return (Iterations){most, SR_NONE};
}

static Iterations interpret(EmuExec *e, const Step *steps, uint32_t count, uint64_t most) {
  return e->lanes.words == 1 ? run_steps(e, steps, count, most, 1)
                             : run_steps(e, steps, count, most, e->lanes.words);
}

/* ---- counting -------------------------------------------------------------------------------- */

static uint32_t count_helpers(const EmuExec *e, const EmuMask *helper) {
  EmuMask lanes;
  emu_mask_copy(&lanes, &e->lanes.on, e->lanes.words);
  emu_mask_keep(&lanes, helper, e->lanes.words);
  return e->quads ? emu_mask_count(&lanes, e->lanes.words) : 0;
}

/* How often the path's block `at` has run. */
static uint64_t times_of(const Iterations *run, uint32_t at) {
  return run->done + (run->stopped != SR_NONE && at <= run->stopped);
}

static EmuBlockCount *count_runs(EmuExec *e, uint32_t block, uint64_t times) {
  EmuShared *shared = e->shared;
  shared->issued += times * shared->program->blocks.at[block].issues;
  shared->blocks[block].executions += times;
  return &shared->blocks[block];
}

static void count_blocks(EmuExec *e, const Iterations *run, uint32_t helpers) {
  for (uint32_t i = 0; i < e->round.count; i++) {
    uint64_t times = times_of(run, i);
    EmuBlockCount *count = count_runs(e, block_of(&e->round, i), times);
    count->lanes += times * e->running;
    count->apart += e->full ? 0 : times;
    count->helpers += times * helpers;
  }
}

/* The whole iterations have changed no state of the policy except its counts. */
static void count_in_policy(EmuExec *e, uint64_t iterations) {
  const EmuRound *r = &e->round;
  uint64_t pushes = e->counts.pushes - r->pushes, pops = e->counts.pops - r->pops;
  e->counts.pushes += iterations * pushes;
  e->counts.pops += iterations * pops;
}

/* ---- machine code ---------------------------------------------------------------------------- */

/* What is known of the path's code. */
typedef struct Native {
  EmuNativePath *path; /* NULL: nothing */
  EmuNativePathCode *code;
  bool check;
} Native;

static uint32_t block_of_step(const EmuRound *r, uint32_t at) {
  return at ? r->steps[at - 1].to : r->head;
}

static const EmuEdge *other_edge(const EmuExec *e, const EmuNativeStep *step, uint32_t block) {
  const EmuProgram *p = e->shared->program;
  const EmuEdge *edges = &p->edges.at[p->blocks.at[block].edge];
  return step->edge == edges ? edges + 1 : edges;
}

/* The block that parting lanes run: not one that waits, calls or ends lanes. */
static bool may_run_by_the_way(const EmuBlock *b) {
  return b->end == EMU_END_BRANCH && !b->stops;
}

static EmuNativeParts parts_at(const EmuExec *e, const EmuNativeStep *step, uint32_t block) {
  const EmuShared *shared = e->shared;
  const EmuProgram *p = shared->program;
  const EmuBlock *b = &p->blocks.at[block];
  if (step->hammock || b->end != EMU_END_IF || b->edges != 2 || b->uniform || e->quads ||
      !shared->policy->lets_part)
    return EMU_PARTS_NOT;
  uint32_t to = other_edge(e, step, block)->to;
  EmuParting of = {.block = block, .stay = step->to, .via = SR_NONE, .to = to};
  if (shared->policy->lets_part(e->policy, &of))
    return EMU_PARTS;
  const EmuBlock *via = &p->blocks.at[to];
  of.via = to;
  of.to = may_run_by_the_way(via) ? p->edges.at[via->edge].to : SR_NONE;
  return of.to != SR_NONE && shared->policy->lets_part(e->policy, &of) ? EMU_PARTS_VIA
                                                                       : EMU_PARTS_NOT;
}

/* Finds the steps where lanes may part. */
static bool find_parts(EmuExec *e) {
  EmuRound *r = &e->round;
  bool parts = false;
  for (uint32_t i = 0; i < r->steps_count; i++) {
    r->steps[i].parts = parts_at(e, &r->steps[i], block_of_step(r, i));
    parts |= r->steps[i].parts != EMU_PARTS_NOT;
  }
  return parts;
}

/* Issues of an iteration in which all arms run; 0: there is a block that cannot be run here. */
static uint64_t issues_of_steps(const EmuExec *e) {
  const EmuRound *r = &e->round;
  const EmuProgram *p = e->shared->program;
  uint64_t issues = 0;
  for (uint32_t i = 0; i < r->steps_count; i++) {
    const EmuBlock *b = &p->blocks.at[block_of_step(r, i)];
    bool branches = b->end == EMU_END_BRANCH || b->end == EMU_END_IF;
    if (b->stops || (!branches && !r->steps[i].hammock))
      return 0;
    issues += b->issues + (r->steps[i].hammock ? r->steps[i].hammock->issues : 0);
    if (r->steps[i].parts == EMU_PARTS_VIA)
      issues += p->blocks.at[other_edge(e, &r->steps[i], block_of_step(r, i))->to].issues;
  }
  return issues;
}

/* Code that calls handlers in arms would go on after a fault. */
static bool may_run(const EmuExec *e, const Native *of) {
  return (!of->check || emu_check_may(e, &of->path->what)) &&
         (!e->lanes.strict || of->path->plain || of->path->what.pure);
}

static Native native_of(EmuExec *e, uint64_t issues, bool parts) {
  const EmuRound *r = &e->round;
  EmuNativeWorker *native = e->shared->native;
  Native of = {NULL, NULL, false};
  if (!native || !issues)
    return of;
  of.path = emu_native_path(native, r->steps, r->steps_count, r->head, e->full && !parts, issues);
  of.code = of.path ? emu_native_path_code(of.path, native) : NULL;
  of.check = native->check;
  if (of.code && !may_run(e, &of))
    of.code = NULL;
  return of;
}

static Iterations run_plain(EmuExec *e, const Native *native, uint64_t most) {
  Iterations run;
  EmuPathRun path = {.done = 0};
  run.stopped = native->code(&e->lanes, most, &path);
  run.done = path.done;
  emu_native_count_turns(e->shared->native->of, native->path, run.done);
  if (run.stopped != SR_NONE)
    e->lanes.block = block_of_step(&e->round, run.stopped);
  return run;
}

/* Runs the path both ways and compares. */
static Iterations run_checked(EmuExec *e, const Step *steps, uint32_t count, uint64_t most,
                              const Native *of) {
  emu_check_begin(e);
  const Iterations native = run_plain(e, of, most);
  emu_check_again(e);
  const Iterations run = interpret(e, steps, count, most);
  if (native.done != run.done || native.stopped != run.stopped)
    emu_check_failed(e, "leaves a loop in a different place");
  else
    emu_check_path_end(e, of->path);
  return run;
}

/* Runs at most `most` iterations of a path of edges, as machine code if there is any. */
static Iterations run_iterations(EmuExec *e, const Step *steps, uint32_t count, uint64_t most,
                                 const Native *native) {
  bool plain = native->code && native->path->plain;
  if (plain && !native->check)
    return run_plain(e, native, most);
  if (native->path && !native->code)
    most = emu_native_path_wait(native->path, most);
  const Iterations run =
      plain ? run_checked(e, steps, count, most, native) : interpret(e, steps, count, most);
  if (native->path && !native->code)
    emu_native_path_ran(native->path, e->shared->native, run.done);
  return run;
}

/* ---- paths with hammocks, or where lanes part -------------------------------------------------- */

/* The blocks that run beside those of the path, and their number. */
static uint32_t arms_of(const EmuNativeStep *step) {
  return step->hammock ? step->hammock->count : step->parts == EMU_PARTS_VIA;
}

static uint32_t arm_of(const EmuExec *e, const EmuNativePath *path, uint32_t at, uint32_t k) {
  const EmuNativeStep *step = &path->steps[at];
  return step->hammock ? step->hammock->arm[k]
                       : other_edge(e, step, block_of_step(&e->round, at))->to;
}

/* What a path's code has done, and the lanes with which it began and that are left. */
typedef struct Turns {
  Iterations run;
  EmuPathRun path;
  bool full; /* it began with all lanes that have not ended */
  uint32_t left;
} Turns;

/* How many lanes have run the step, in sum. */
static uint64_t lanes_of(const EmuNativePath *path, const Turns *t, uint32_t at) {
  uint64_t lanes = times_of(&t->run, at) * t->left;
  for (uint32_t i = 0; i < path->count; i++) {
    const EmuPathCount *of = &t->path.counts[i];
    lanes += of->turns + (at <= i ? emu_count_bits(of->parted) : 0);
  }
  return lanes;
}

/* How often the step has run with all lanes that have not ended. */
static uint64_t whole_of(const Turns *t, uint32_t at) {
  if (!t->full || t->path.whole)
    return t->full ? times_of(&t->run, at) : 0;
  return t->path.whole_done + (at <= t->path.whole_until);
}

/* Adds what the step has counted. */
static void count_step(EmuExec *e, const EmuNativePath *path, const Turns *t, uint32_t at) {
  const EmuNativeStep *step = &path->steps[at];
  const EmuPathCount *of = &t->path.counts[at];
  uint64_t times = times_of(&t->run, at);
  EmuBlockCount *count = count_runs(e, block_of_step(&e->round, at), times);
  count->lanes += lanes_of(path, t, at);
  count->apart += times - whole_of(t, at);
  count->diverged += of->diverged;
  e->shared->divergent_branches += of->diverged;
  e->counts.reconvergences += of->joined;
  for (uint32_t k = 0; k < arms_of(step); k++) {
    EmuBlockCount *arm = count_runs(e, arm_of(e, path, at, k), of->arm[k].runs);
    arm->lanes += of->arm[k].lanes;
    arm->apart += of->arm[k].runs - of->arm[k].whole;
  }
}

/* Tells the policy which lanes have parted; the executor goes on with the others. */
static void part_lanes(EmuExec *e, const EmuNativePath *path, const EmuPathCount *counts) {
  EmuLanes *s = &e->lanes;
  const EmuProgram *p = e->shared->program;
  for (uint32_t i = 0; i < path->count; i++) {
    if (!counts[i].parted)
      continue;
    uint32_t to = other_edge(e, &path->steps[i], block_of_step(&e->round, i))->to;
    if (path->steps[i].parts == EMU_PARTS_VIA)
      to = p->edges.at[p->blocks.at[to].edge].to;
    EmuMask parted;
    emu_mask_clear(&parted, s->words);
    parted.w[0] = counts[i].parted;
    e->shared->policy->part(e->policy, to, &parted, counts[i].diverged);
    e->full = false;
  }
}

/* The code has left other lanes in on_row. */
static void set_on_row(EmuExec *e) {
  EmuLanes *s = &e->lanes;
  emu_mask_copy(&e->on_row_lanes, &s->on, s->words);
  e->shared->isa->expand(s->on.w, s->width, e->on_row);
}

static Turns run_steps_code(EmuExec *e, const Native *native, uint64_t most, EmuPathCount *counts) {
  EmuLanes *s = &e->lanes;
  Turns t = {.path = {.whole = e->full, .counts = counts}, .full = e->full};
  memset(counts, 0, native->path->count * sizeof *counts);
  emu_exec_on_row(e, &s->on);
  t.run.stopped = native->code(s, most, &t.path);
  t.run.done = t.path.done;
  emu_native_count_turns(e->shared->native->of, native->path, t.run.done);
  t.left = emu_mask_count(&s->on, s->words);
  set_on_row(e);
  if (t.run.stopped != SR_NONE)
    s->block = block_of_step(&e->round, t.run.stopped);
  return t;
}

/* Runs the code, keeps what it leaves, and lets the interpreter run the same blocks. */
static void expect(EmuExec *e, const Native *native, uint64_t most) {
  EmuPathCount counts[EMU_ROUND_EDGES];
  uint64_t issued = e->shared->issued;
  EmuLanes *s = &e->lanes;
  const EmuMask on = s->on;
  emu_check_begin(e);
  const Iterations run = run_steps_code(e, native, most, counts).run;
  for (uint32_t i = 0; i < native->path->count; i++) {
    const EmuBlock *blocks = e->shared->program->blocks.at;
    issued += times_of(&run, i) * blocks[block_of_step(&e->round, i)].issues;
    for (uint32_t k = 0; k < arms_of(&native->path->steps[i]); k++)
      issued += counts[i].arm[k].runs * blocks[arm_of(e, native->path, i, k)].issues;
  }
  if (run.stopped != SR_NONE)
    emu_check_expect(e, native->path, issued);
  emu_check_again(e);
  emu_mask_copy(&s->on, &on, s->words);
  s->block = e->round.head;
  set_on_row(e);
}

/* Tells the policy of the steps up to the block where the lanes are. */
static void catch_up(EmuExec *e, uint32_t until) {
  const EmuPolicy *policy = e->shared->policy;
  const EmuRound *r = &e->round;
  bool joined = false;
  for (uint32_t i = 0; i < until; i++)
    if (r->steps[i].hammock)
      policy->hammock(e->policy, UINT64_MAX);
    else
      policy->stays(e->policy, r->steps[i].to, &joined);
}

static Iterations run_native_steps(EmuExec *e, const Native *native, uint64_t most) {
  EmuPathCount counts[EMU_ROUND_EDGES];
  const Turns t = run_steps_code(e, native, most, counts);
  for (uint32_t i = 0; i < native->path->count; i++)
    count_step(e, native->path, &t, i);
  part_lanes(e, native->path, counts);
  e->running = t.left;
  return t.run;
}

/* ---- a path from start to end ---------------------------------------------------------------- */

enum { MOST_MISSES = 8 };

/* Paths that differ from iteration to iteration are not worth the preparation. */
static void learn(EmuRound *r, const Iterations *run) {
  r->misses = run->done ? 0 : r->misses < MOST_MISSES ? r->misses + 1 : MOST_MISSES;
  r->skip = run->done ? 0 : (1u << r->misses) - 1;
}

/* How many iterations may start before the executor must ask whether to continue. */
static uint64_t iterations_left(const EmuShared *shared, uint64_t issues) {
  if (shared->issued > shared->pause || shared->pause - shared->issued < issues)
    return 0;
  return issues ? (shared->pause - shared->issued) / issues : 0;
}

/* Tells the policy of the plain path's edges up to the block where the lanes are. */
static void follow_edges(EmuExec *e, uint32_t until) {
  bool joined = false;
  for (uint32_t i = 0; i < until; i++)
    e->shared->policy->stays(e->policy, e->round.path[i]->to, &joined);
}

/* After the iterations. True: the lanes have run block lanes.block and must leave it. */
static bool finish(EmuExec *e, const Iterations *run) {
  EmuRound *r = &e->round;
  learn(r, run);
  if (run->stopped == SR_NONE) {
    e->lanes.block = r->head;
    start_path(e);
    return false;
  }
  e->stays = false;
  r->head = SR_NONE;
  return true;
}

/* Runs the path of edges. */
static bool run_edges(EmuExec *e, const Native *native) {
  Step steps[EMU_ROUND_EDGES];
  uint64_t issues;
  uint32_t count = prepare(e, steps, &issues);
  uint64_t most = iterations_left(e->shared, issues);
  if (!count || !most) {
    start_path(e);
    return false;
  }
  const EmuMask helper = e->lanes.helper;
  const Iterations run = run_iterations(e, steps, count, most, native);
  count_blocks(e, &run, count_helpers(e, &helper));
  count_in_policy(e, run.done);
  if (run.stopped != SR_NONE)
    follow_edges(e, run.stopped);
  return finish(e, &run);
}

enum { SAMPLE = 32, NEVER = 256 };

/* An iteration has been interpreted block by block. Looking for the path costs as much as some blocks: until
 * there is code, one of some iterations counts for all. */
static void count_sample(EmuExec *e, EmuNativePath *path) {
  EmuNativeWorker *native = e->shared->native;
  emu_native_path_ran(path, native, native->at_once ? 1 : SAMPLE);
  if (!native->at_once && !__atomic_load_n(&path->code, __ATOMIC_ACQUIRE))
    e->round.skip = path->refused ? NEVER : SAMPLE - 1;
}

/* Runs the path with hammocks, or where lanes part, if there is code. */
static bool run_with_arms(EmuExec *e, const Native *native, uint64_t issues) {
  uint64_t most = iterations_left(e->shared, issues);
  if (native->path && !native->code)
    count_sample(e, native->path);
  if (!native->code || !most || native->check) {
    if (native->code && most)
      expect(e, native, most);
    start_path(e);
    return false;
  }
  const Iterations run = run_native_steps(e, native, most);
  count_in_policy(e, run.done);
  if (run.stopped != SR_NONE)
    catch_up(e, run.stopped);
  return finish(e, &run);
}

/* ---- a path that earlier lanes have gone ------------------------------------------------------- */

/* Notes it for lanes that come to the loop. */
static void note_start(EmuExec *e, const Native *native) {
  const EmuRound *r = &e->round;
  if (!native->code || native->check || !e->shared->policy->enters)
    return;
  e->shared->native->starts[2 * r->head + e->full] =
      (EmuNativeStart){native->path, e->counts.pushes - r->pushes, e->counts.pops - r->pops};
}

/* Sets the round as if the lanes had gone the path. False: they may not part where others have parted. */
static bool take_path(EmuExec *e, const EmuNativeStart *start) {
  EmuRound *r = &e->round;
  const EmuNativePath *path = start->path;
  start_path(e);
  r->pushes -= start->pushes;
  r->pops -= start->pops;
  r->steps_count = path->count;
  memcpy(r->steps, path->steps, path->count * sizeof *r->steps);
  find_parts(e);
  for (uint32_t i = 0; i < path->count; i++)
    if (r->steps[i].parts != path->steps[i].parts)
      return false;
  r->count = path->plain ? path->count : 0;
  for (uint32_t i = 0; i < r->count; i++)
    r->path[i] = path->steps[i].edge;
  return true;
}

/* Runs the code for lanes that have just come to the loop. */
static bool run_entered(EmuExec *e) {
  EmuRound *r = &e->round;
  const EmuNativeStart *start = r->entered;
  EmuNativePath *path = start->path;
  const Native native = {path, path->code, false};
  r->entered = NULL;
  r->ready = false;
  r->head = SR_NONE;
  if (!may_run(e, &native) || (e->quads && !path->plain) ||
      !iterations_left(e->shared, path->issues) ||
      !e->shared->policy->enters(e->policy, e->lanes.block))
    return false;
  if (!take_path(e, start)) {
    r->head = SR_NONE;
    return false;
  }
  emu_native_count_entered(e->shared->native->of);
  return path->plain ? run_edges(e, &native) : run_with_arms(e, &native, path->issues);
}

bool emu_round_run(EmuExec *e) {
  EmuRound *r = &e->round;
  if (r->entered)
    return run_entered(e);
  bool parts = e->shared->native && find_parts(e);
  uint64_t issues = e->shared->native ? issues_of_steps(e) : 0;
  const Native native = native_of(e, issues, parts);
  r->ready = false;
  if (e->shared->native && e->shared->native->expected.waits) { /* for single blocks */
    start_path(e);
    return false;
  }
  note_start(e, &native);
  if (r->diverged || (native.code && !native.path->plain))
    return run_with_arms(e, &native, issues);
  return run_edges(e, &native);
}
