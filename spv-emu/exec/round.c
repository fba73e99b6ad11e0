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
  e->round.count = 0;
  e->round.possible = policy->stays && !e->watched && !e->counts.log;
}

/* ---- finding a path -------------------------------------------------------------------------- */

static void start_path(EmuExec *e) {
  EmuRound *r = &e->round;
  r->head = e->lanes.block;
  r->count = 0;
  r->pushes = e->counts.pushes;
  r->pops = e->counts.pops;
}

void emu_round_reach(EmuExec *e) {
  EmuRound *r = &e->round;
  const EmuPolicy *policy = e->shared->policy;
  if (!r->possible)
    return;
  bool same = !policy->returns || policy->returns(e->policy);
  if (!same || r->head != e->lanes.block || r->count == EMU_ROUND_EDGES)
    start_path(e);
  else if (r->skip) {
    r->skip--;
    start_path(e);
  } else
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

/* ---- machine code ---------------------------------------------------------------------------- */

/* What is known of the path's code; NULL: nothing. */
static EmuNativePath *native_path(EmuExec *e, uint64_t issues) {
  EmuNativeWorker *native = e->shared->native;
  const EmuRound *r = &e->round;
  return native ? emu_native_path(native, r->path, r->count, r->head, e->full, issues) : NULL;
}

static Iterations run_code(EmuExec *e, EmuNativePathCode *code, uint64_t most) {
  Iterations run;
  run.stopped = code(&e->lanes, most, &run.done);
  if (run.stopped != SR_NONE)
    e->lanes.block = block_of(&e->round, run.stopped);
  return run;
}

/* Runs the path both ways and compares. */
static Iterations run_checked(EmuExec *e, const Step *steps, uint32_t count, uint64_t most,
                              EmuNativePathCode *code) {
  emu_check_begin(e);
  const Iterations native = run_code(e, code, most);
  emu_check_again(e);
  const Iterations run = interpret(e, steps, count, most);
  if (native.done != run.done || native.stopped != run.stopped)
    emu_check_failed(e, "leaves a loop in another place");
  else
    emu_check_end(e);
  return run;
}

/* Runs at most `most` iterations, as machine code if there is any. */
static Iterations run_iterations(EmuExec *e, const Step *steps, uint32_t count, uint64_t most,
                                 uint64_t issues) {
  EmuNativePath *path = native_path(e, issues);
  EmuNativePathCode *code = path ? __atomic_load_n(&path->code, __ATOMIC_ACQUIRE) : NULL;
  bool check = code && e->shared->native->check;
  if (code && !check)
    return run_code(e, code, most);
  const Iterations run = check && path->pure ? run_checked(e, steps, count, most, code)
                                             : interpret(e, steps, count, most);
  if (path && !code)
    emu_native_path_ran(path, e->shared->native->of, run.done);
  return run;
}

/* ---- counting -------------------------------------------------------------------------------- */

static uint32_t count_helpers(const EmuExec *e, const EmuMask *helper) {
  EmuMask lanes;
  emu_mask_copy(&lanes, &e->lanes.on, e->lanes.words);
  emu_mask_keep(&lanes, helper, e->lanes.words);
  return e->quads ? emu_mask_count(&lanes, e->lanes.words) : 0;
}

static void count_blocks(EmuExec *e, const Iterations *run, uint32_t helpers) {
  EmuShared *shared = e->shared;
  for (uint32_t i = 0; i < e->round.count; i++) {
    uint32_t block = block_of(&e->round, i);
    uint64_t times = run->done + (run->stopped != SR_NONE && i <= run->stopped);
    EmuBlockCount *count = &shared->blocks[block];
    shared->issued += times * shared->program->blocks.at[block].issues;
    count->executions += times;
    count->lanes += times * e->running;
    count->apart += e->full ? 0 : times;
    count->helpers += times * helpers;
  }
}

/* The whole iterations have changed no state of the policy except its counts. */
static void count_in_policy(EmuExec *e, const Iterations *run) {
  const EmuRound *r = &e->round;
  uint64_t pushes = e->counts.pushes - r->pushes, pops = e->counts.pops - r->pops;
  e->counts.pushes += run->done * pushes;
  e->counts.pops += run->done * pops;
}

/* Tells the policy of the edges up to the block where the lanes are. */
static void catch_up(EmuExec *e, const Iterations *run) {
  bool joined = false;
  for (uint32_t i = 0; i < run->stopped; i++)
    e->shared->policy->stays(e->policy, e->round.path[i]->to, &joined);
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

bool emu_round_run(EmuExec *e) {
  EmuRound *r = &e->round;
  Step steps[EMU_ROUND_EDGES];
  uint64_t issues;
  uint32_t count = prepare(e, steps, &issues);
  uint64_t most = iterations_left(e->shared, issues);
  r->ready = false;
  if (!count || !most) {
    start_path(e);
    return false;
  }
  const EmuMask helper = e->lanes.helper;
  const Iterations run = run_iterations(e, steps, count, most, issues);
  count_blocks(e, &run, count_helpers(e, &helper));
  count_in_policy(e, &run);
  learn(r, &run);
  if (run.stopped == SR_NONE) {
    e->lanes.block = r->head;
    start_path(e);
    return false;
  }
  catch_up(e, &run);
  e->stays = false;
  r->head = SR_NONE;
  return true;
}
