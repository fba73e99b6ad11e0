/* SPDX-License-Identifier: Apache-2.0 */
/* native: see native.h.
 *
 * When does compiling pay? LLVM's time grows with the number of instructions, and each execution of
 * the compiled code saves some time. As in the ski rental problem, code is compiled when the
 * interpreter has spent about as much time on it as compiling takes. Then the total time is at most
 * twice the least possible.
 *
 * More is known of a dispatch of many workgroups: after some of them, a look ahead tells how often code
 * will run until the end, if the others are like these. What will run often is compiled at once.
 *
 * Loading LLVM takes longer than most programs run, and counting what runs also takes some time. So a
 * worker sleeps, and the executor knows of no machine code, until a look ahead has found that the rest of the
 * dispatch is worth it, or the program has already cost as much. Figures are in docs/benchmarks.md. */
#include "spv-emu/native/native.h"

#include "spv-emu/native/native_compile.h"

#include <stdlib.h>
#include <string.h>

/* Measured for subgroups of 32: compiling a path or arms costs as much as interpreting so many
 * instructions for a subgroup, and one instruction of it as much as so many more. A stream costs a part of
 * that. */
enum { PER_FUNCTION = 3 << 20, PER_INSTRUCTION = 1 << 16, STREAM_PART = 4 };
/* Loading LLVM and using it for the first time costs as much as interpreting so many; coming to another block
 * as much as PER_BLOCK. (A clock would compile at another time in each run.) */
enum { BEFORE_START = 5 << 23, PER_BLOCK = 16 };
/* The first look ahead comes after so many instructions, and each other one when the worker has done as much
 * again. Code is worth making at once if the rest of the dispatch would cost so many times its price. */
enum { FIRST_LOOK = 1 << 15, WORTH = 2 };
enum { MOST_PATHS = 16 }; /* that are kept for a block where they start */

struct EmuNative {
  const EmuProgram *program;
  SrHeap heap;
  SrArena arena;
  EmuCompiler *compiler; /* NULL: it could not be started */
  bool started;          /* starting the compiler has been tried */
  EmuNativeTurns turns;
  uint64_t spent;                  /* what the workers that slept have cost, in instructions */
  const EmuNativeStream **streams; /* as EmuNativeWorker's */
  bool *tried;                     /* by the same */
  EmuNativePath **paths;           /* by head */
  uint8_t *path_count;             /* by head */
  EmuNativeArms **arms;            /* by header */
};

bool spv_emu_native_mode(const char *name, spv_emu_native *mode) {
  static const char *const names[] = {"off", "auto", "on", "check"};
  static const spv_emu_native modes[] = {SPV_EMU_NATIVE_OFF, SPV_EMU_NATIVE_AUTO, SPV_EMU_NATIVE_ON,
                                         SPV_EMU_NATIVE_CHECK};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) {
      *mode = modes[i];
      return true;
    }
  return false;
}

const char *spv_emu_native_library(void) {
  return emu_compiler_name();
}

const char *spv_emu_native_refuses(void) {
  return emu_compiler_refuses();
}

static bool allocate(EmuNative *n) {
  if (setjmp(n->heap.out_of_memory))
    return false;
  n->streams = SR_NEW(&n->arena, const EmuNativeStream *, 2 * n->program->blocks.count);
  n->tried = SR_NEW(&n->arena, bool, 2 * n->program->blocks.count);
  n->paths = SR_NEW(&n->arena, EmuNativePath *, n->program->blocks.count);
  n->path_count = SR_NEW(&n->arena, uint8_t, n->program->blocks.count);
  n->arms = SR_NEW(&n->arena, EmuNativeArms *, n->program->blocks.count);
  return true;
}

EmuNative *emu_native_new(const EmuProgram *program) {
  EmuNative *n = calloc(1, sizeof *n);
  if (!n)
    return NULL;
  n->program = program;
  sr_heap_init(&n->heap);
  n->arena = sr_arena_new(&n->heap);
  if (allocate(n))
    return n;
  emu_native_free(n);
  return NULL;
}

void emu_native_free(EmuNative *n) {
  if (!n)
    return;
  emu_compiler_free(n->compiler);
  sr_heap_free_all(&n->heap);
  free(n);
}

/* ---- when ------------------------------------------------------------------------------------ */

/* Instructions to be interpreted before a function of `count` instructions is compiled. */
static uint64_t price(const EmuProgram *p, uint64_t count) {
  return (PER_FUNCTION + count * PER_INSTRUCTION) * EMU_CHUNK / p->width;
}

static uint32_t runs_before(const EmuProgram *p, uint32_t count) {
  uint64_t runs = count ? price(p, count) / STREAM_PART / count : UINT32_MAX;
  return runs < UINT32_MAX ? (uint32_t)runs + 1 : UINT32_MAX;
}

static uint32_t count_of_stream(const EmuProgram *p, uint32_t at) {
  const EmuBlock *b = &p->blocks.at[at / 2];
  return at % 2 ? b->full_count : b->some_count;
}

static uint32_t runs_before_stream(const EmuProgram *p, uint32_t at) {
  return runs_before(p, count_of_stream(p, at));
}

/* What starting the compiler costs, if it does not run yet. */
static uint64_t price_of_start(const EmuNative *n) {
  return n->started || emu_compiler_started() ? PER_FUNCTION : BEFORE_START;
}

EmuNativeWorker *emu_native_worker(SrArena *arena, EmuNative *n, spv_emu_native mode) {
  const EmuProgram *p = n->program;
  EmuNativeWorker *w = SR_NEW(arena, EmuNativeWorker, 1);
  w->of = n;
  w->check = mode == SPV_EMU_NATIVE_CHECK;
  w->at_once = mode != SPV_EMU_NATIVE_AUTO;
  if (w->check) {
    w->checked.before = SR_NEW(arena, uint8_t, p->file_bytes);
    w->checked.after = SR_NEW(arena, uint8_t, p->file_bytes);
    w->expected.file = SR_NEW(arena, uint8_t, p->file_bytes);
  }
  w->arms = SR_NEW(arena, EmuNativeArms *, p->blocks.count);
  w->starts = SR_NEW(arena, EmuNativeStart, 2 * p->blocks.count);
  w->streams = SR_NEW(arena, const EmuNativeStream *, 2 * p->blocks.count);
  w->left = SR_NEW(arena, uint32_t, 2 * p->blocks.count);
  w->seen = SR_NEW(arena, uint32_t, 2 * p->blocks.count);
  for (uint32_t at = 0; at < 2 * p->blocks.count; at++)
    w->seen[at] = w->left[at] = w->at_once ? 1 : runs_before_stream(p, at);
  emu_compiler_lock();
  w->awake = w->at_once || n->started || n->spent >= WORTH * price_of_start(n);
  emu_compiler_unlock();
  w->look_at = w->pause_at = w->at_once ? UINT64_MAX : FIRST_LOOK;
  return w;
}

/* ---- making code ----------------------------------------------------------------------------- */

/* Under the lock. NULL: there is none. */
static EmuCompiler *compiler_of(EmuNative *n) {
  if (!n->started) {
    n->started = true;
    n->compiler = emu_compiler_new(&n->arena, n->program);
  }
  return n->compiler;
}

/* Is this the stream of a block that is to be compiled next? A module of several functions takes less
 * time than several modules: together with a stream, those are compiled that have run often, too. */
static bool is_due(const EmuNativeWorker *w, uint32_t at) {
  const EmuBlock *b = &w->of->program->blocks.at[at / 2];
  uint32_t all = runs_before_stream(w->of->program, at);
  bool own = at % 2 || b->some != b->full; /* else the other stream runs in its place */
  return own && !w->of->tried[at] && (w->at_once || w->left[at] < all - all / 8);
}

static void make_streams(EmuNativeWorker *w) {
  EmuNative *n = w->of;
  if (setjmp(n->heap.out_of_memory))
    return;
  EmuCompiler *compiler = compiler_of(n);
  uint32_t count = 0, *which = SR_NEW(&n->arena, uint32_t, 2 * n->program->blocks.count);
  for (uint32_t at = 0; at < 2 * n->program->blocks.count; at++)
    if (is_due(w, at)) {
      n->tried[at] = true;
      which[count++] = at;
    }
  if (compiler && count)
    emu_compiler_streams(compiler, which, count, n->streams);
}

const EmuNativeStream *emu_native_compile(EmuNativeWorker *w, uint32_t block, bool full) {
  uint32_t at = 2 * block + full;
  emu_compiler_lock();
  if (!w->of->tried[at])
    make_streams(w);
  w->streams[at] = w->of->streams[at];
  emu_compiler_unlock();
  return w->streams[at];
}

static bool same_hammock(const EmuHammock *a, const EmuHammock *b) {
  return a == b || (a && b && memcmp(a, b, sizeof *a) == 0);
}

static bool is_path(const EmuNativePath *path, const EmuNativeStep *steps, uint32_t count,
                    uint32_t head, bool full) {
  if (path->head != head || path->count != count || path->full != full)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (path->steps[i].edge != steps[i].edge || path->steps[i].to != steps[i].to ||
        path->steps[i].parts != steps[i].parts ||
        !same_hammock(path->steps[i].hammock, steps[i].hammock))
      return false;
  return true;
}

static EmuNativePath *find_path(const EmuNative *n, const EmuNativeStep *steps, uint32_t count,
                                uint32_t head, bool full) {
  EmuNativePath *path = n->paths[head];
  while (path && !is_path(path, steps, count, head, full))
    path = path->next;
  return path;
}

/* A plain path is repeated without coming to another block (exec/round.h). */
static uint64_t cost_of_path(const EmuNativePath *path) {
  uint64_t blocks = path->count;
  for (uint32_t i = 0; i < path->count; i++)
    blocks += path->steps[i].hammock ? path->steps[i].hammock->count : 0;
  return path->issues + (path->plain ? 0 : PER_BLOCK * blocks);
}

/* A policy's hammocks end with the run. */
static void keep_steps(SrArena *arena, EmuNativePath *path, const EmuNativeStep *steps) {
  path->steps = SR_NEW(arena, EmuNativeStep, path->count);
  path->plain = true;
  for (uint32_t i = 0; i < path->count; i++) {
    path->steps[i] = steps[i];
    path->plain = path->plain && !steps[i].hammock && !steps[i].parts;
    if (!steps[i].hammock)
      continue;
    EmuHammock *h = SR_NEW(arena, EmuHammock, 1);
    *h = *steps[i].hammock;
    path->steps[i].hammock = h;
  }
}

static EmuNativePath *add_path(EmuNativeWorker *w, const EmuNativeStep *steps, uint32_t count,
                               uint32_t head, bool full, uint64_t issues) {
  EmuNative *n = w->of;
  if (n->path_count[head] == MOST_PATHS || setjmp(n->heap.out_of_memory))
    return NULL;
  n->path_count[head]++;
  EmuNativePath *path = SR_NEW(&n->arena, EmuNativePath, 1);
  *path = (EmuNativePath){.next = n->paths[head],
                          .head = head,
                          .count = count,
                          .full = full,
                          .issues = issues,
                          .left = w->at_once ? 1 : price(n->program, issues)};
  path->seen = path->left;
  keep_steps(&n->arena, path, steps);
  path->cost = cost_of_path(path);
  n->paths[head] = path;
  return path;
}

EmuNativePath *emu_native_path(EmuNativeWorker *w, const EmuNativeStep *steps, uint32_t count,
                               uint32_t head, bool full, uint64_t issues) {
  EmuNativePath *path = w->last;
  if (path && is_path(path, steps, count, head, full))
    return path;
  emu_compiler_lock();
  path = find_path(w->of, steps, count, head, full);
  if (!path)
    path = add_path(w, steps, count, head, full, issues);
  emu_compiler_unlock();
  w->last = path;
  return path;
}

static void make_path(EmuNative *n, EmuNativePath *path) {
  if (path->refused || path->code || setjmp(n->heap.out_of_memory))
    return;
  path->refused = true;
  EmuCompiler *compiler = compiler_of(n);
  if (compiler)
    emu_compiler_path(compiler, path);
}

void emu_native_path_ran(EmuNativePath *path, EmuNativeWorker *w, uint64_t iterations) {
  uint64_t ran = iterations * path->cost;
  uint64_t left = __atomic_load_n(&path->left, __ATOMIC_RELAXED);
  if (!left)
    return;
  __atomic_store_n(&path->left, ran < left ? left - ran : 0, __ATOMIC_RELAXED);
  if (ran < left)
    return;
  emu_compiler_lock();
  make_path(w->of, path);
  emu_compiler_unlock();
}

EmuNativePathCode *emu_native_path_code(EmuNativePath *path, EmuNativeWorker *w) {
  EmuNativePathCode *code = __atomic_load_n(&path->code, __ATOMIC_ACQUIRE);
  if (code || !w->at_once)
    return code;
  emu_native_path_ran(path, w, 1);
  return __atomic_load_n(&path->code, __ATOMIC_ACQUIRE);
}

uint64_t emu_native_path_wait(const EmuNativePath *path, uint64_t most) {
  uint64_t left = __atomic_load_n(&path->left, __ATOMIC_RELAXED);
  uint64_t turns = left / path->cost + 1;
  return left && turns < most ? turns : most;
}

static void add_to(uint64_t *count, uint64_t more) {
  __atomic_fetch_add(count, more, __ATOMIC_RELAXED);
}

void emu_native_count_turns(EmuNative *n, const EmuNativePath *path, uint64_t turns) {
  add_to(&n->turns.all, turns);
  if (!path->plain)
    add_to(&n->turns.arms, turns);
  if (path->what.memory)
    add_to(&n->turns.memory, turns);
}

void emu_native_count_entered(EmuNative *n) {
  add_to(&n->turns.entered, 1);
}

EmuNativeTurns emu_native_turns(const EmuNative *n) {
  return n->turns;
}

/* ---- hammocks -------------------------------------------------------------------------------- */

static uint64_t count_of_arms(const EmuProgram *p, const EmuNativeArms *arms) {
  uint64_t instructions = 1;
  for (uint32_t i = 0; i < arms->count; i++)
    instructions += p->blocks.at[arms->arm[i]].some_count;
  return instructions;
}

static uint64_t cost_of_arms(const EmuProgram *p, const EmuNativeArms *arms) {
  return count_of_arms(p, arms) + PER_BLOCK * arms->count;
}

static uint64_t runs_before_arms(const EmuProgram *p, const EmuNativeArms *arms) {
  return price(p, count_of_arms(p, arms)) / cost_of_arms(p, arms) + 1;
}

static EmuNativeArms *add_arms(EmuNativeWorker *w, uint32_t header, const uint32_t *arm,
                               uint32_t count) {
  EmuNative *n = w->of;
  const EmuProgram *p = n->program;
  if (setjmp(n->heap.out_of_memory))
    return NULL;
  EmuNativeArms *arms = SR_NEW(&n->arena, EmuNativeArms, 1);
  *arms = (EmuNativeArms){.next = n->arms[header], .count = count};
  memcpy(arms->arm, arm, count * sizeof *arm);
  arms->seen = arms->left = w->at_once ? 1 : runs_before_arms(p, arms);
  n->arms[header] = arms;
  return arms;
}

EmuNativeArms *emu_native_find_arms(EmuNativeWorker *w, uint32_t header, const uint32_t *arm,
                                    uint32_t count) {
  emu_compiler_lock();
  EmuNativeArms *arms = w->of->arms[header];
  while (arms && (arms->count != count || memcmp(arms->arm, arm, count * sizeof *arm) != 0))
    arms = arms->next;
  if (!arms)
    arms = add_arms(w, header, arm, count);
  emu_compiler_unlock();
  w->arms[header] = arms;
  return arms;
}

static void make_arms(EmuNative *n, EmuNativeArms *arms) {
  if (arms->refused || arms->code || setjmp(n->heap.out_of_memory))
    return;
  arms->refused = true;
  EmuCompiler *compiler = compiler_of(n);
  if (compiler)
    emu_compiler_arms(compiler, arms);
}

void emu_native_arms_run(EmuNativeArms *arms, EmuNativeWorker *w) {
  uint64_t left = __atomic_load_n(&arms->left, __ATOMIC_RELAXED);
  if (!left)
    return;
  __atomic_store_n(&arms->left, left - 1, __ATOMIC_RELAXED);
  if (left > 1)
    return;
  emu_compiler_lock();
  make_arms(w->of, arms);
  emu_compiler_unlock();
}

/* ---- looking ahead --------------------------------------------------------------------------- */

/* What is known of the rest of a dispatch. */
typedef struct Ahead {
  EmuNativeWorker *w;
  uint64_t groups, left; /* workgroups since the last look, and to come */
} Ahead;

/* Will the rest cost more than the price some times over? `cost`: of the workgroups since the last look. */
static bool is_worth(const Ahead *a, uint64_t cost, uint64_t price_of) {
  uint64_t rest;
  bool huge = __builtin_mul_overflow(cost, a->left, &rest);
  return huge || rest / a->groups >= WORTH * price_of;
}

/* Lets code be made at its next run if that is worth it. `left` counts down to 0, when it is made, or
 * to the start of another countdown; `seen`: `left` at the last look. */
static bool look_at(const Ahead *a, uint64_t *left, uint64_t *seen, uint64_t price_of) {
  uint64_t now = __atomic_load_n(left, __ATOMIC_RELAXED);
  uint64_t ran = now <= *seen ? *seen - now : *seen;
  *seen = now;
  if (!now || !is_worth(a, ran, price_of))
    return false;
  *seen = 1;
  __atomic_store_n(left, 1, __ATOMIC_RELAXED);
  return true;
}

static bool look_at_path(const Ahead *a, EmuNativePath *path) {
  return look_at(a, &path->left, &path->seen, price(a->w->of->program, path->issues));
}

static void look_at_arms(const Ahead *a, EmuNativeArms *arms) {
  look_at(a, &arms->left, &arms->seen, runs_before_arms(a->w->of->program, arms));
}

static void look_at_stream(const Ahead *a, uint32_t at) {
  EmuNativeWorker *w = a->w;
  uint64_t left = w->left[at], seen = w->seen[at];
  if (w->of->tried[at])
    return;
  look_at(a, &left, &seen, runs_before_stream(w->of->program, at));
  w->left[at] = (uint32_t)left;
  w->seen[at] = (uint32_t)seen;
}

/* Code of a path takes the place of that of its blocks, which will run less often then: nothing is known
 * of these before the next look. */
static void look_at_all(Ahead a) {
  const EmuNative *n = a.w->of;
  bool paths = false;
  for (uint32_t b = 0; b < n->program->blocks.count; b++)
    for (EmuNativePath *path = n->paths[b]; path; path = path->next)
      paths |= look_at_path(&a, path);
  a.left = paths ? 0 : a.left;
  for (uint32_t b = 0; b < n->program->blocks.count; b++) {
    for (EmuNativeArms *arms = n->arms[b]; arms; arms = arms->next)
      look_at_arms(&a, arms);
    look_at_stream(&a, 2 * b);
    look_at_stream(&a, 2 * b + 1);
  }
}

/* What the worker has done since the last look, in instructions. */
static uint64_t cost_since(const EmuNativeWorker *w, const EmuNativeDone *done) {
  uint64_t cost = done->issued - w->looked.issued + PER_BLOCK * (done->blocks - w->looked.blocks);
  return cost * w->of->program->width / EMU_CHUNK;
}

/* So many workgroups later: does the program deserve the compiler? */
static bool deserves(const Ahead *a, const EmuNativeDone *done) {
  EmuNative *n = a->w->of;
  uint64_t cost = cost_since(a->w, done);
  n->spent += cost;
  return is_worth(a, cost, price_of_start(n)) || n->spent >= WORTH * price_of_start(n);
}

void emu_native_look_ahead(EmuNativeWorker *w, const EmuNativeDone *done, uint64_t left) {
  const Ahead a = {w, done->groups - w->looked.groups, left};
  bool slept = !w->awake;
  emu_compiler_lock();
  if (slept)
    w->awake = deserves(&a, done);
  else
    look_at_all(a);
  emu_compiler_unlock();
  w->looked = *done;
  w->look_at = slept && w->awake ? done->issued + FIRST_LOOK : 2 * done->issued;
}

void emu_native_look(EmuNativeWorker *w, const EmuNativeDone *done) {
  uint64_t issued = done->issued - w->looked.issued, cost = cost_since(w, done);
  emu_compiler_lock();
  uint64_t wait = price_of_start(w->of) * (w->looked.groups ? WORTH : 1);
  emu_compiler_unlock();
  w->awake = cost >= wait;
  w->pause_at = done->issued + FIRST_LOOK;
  if (!w->awake)
    w->pause_at += cost ? (uint64_t)((double)issued * (double)(wait - cost) / (double)cost) : 0;
}

void emu_native_rest(EmuNativeWorker *w, const EmuNativeDone *done) {
  emu_compiler_lock();
  w->of->spent += w->awake ? 0 : cost_since(w, done);
  emu_compiler_unlock();
}
