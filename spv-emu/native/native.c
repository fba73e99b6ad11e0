/* SPDX-License-Identifier: Apache-2.0 */
/* native: see native.h.
 *
 * When does compiling pay? LLVM's time grows with the number of instructions, and each execution of
 * the compiled code saves some time. As in the ski rental problem, code is compiled when the
 * interpreter has spent about as much time on it as compiling takes. Then the total time is at most
 * twice the least possible. Figures are in docs/benchmarks.md. */
#include "spv-emu/native/native.h"

#include "spv-emu/native/native_compile.h"

#include <stdlib.h>
#include <string.h>

/* Measured for subgroups of 32: compiling a function costs as much as interpreting so many
 * instructions for a subgroup, and one instruction of it as much as so many more. */
enum { PER_FUNCTION = 1 << 17, PER_INSTRUCTION = 1 << 14 };
/* Loading LLVM costs as much as interpreting so many; coming to another block as much as PER_BLOCK. (A
 * clock would compile at another time in each run.) */
enum { BEFORE_START = 1 << 24, PER_BLOCK = 16 };
enum { MOST_PATHS = 16 }; /* that are kept for a block where they start */

struct EmuNative {
  const EmuProgram *program;
  SrHeap heap;
  SrArena arena;
  EmuCompiler *compiler; /* NULL: it could not be started */
  bool started;          /* starting the compiler has been tried */
  EmuNativeTurns turns;
  uint64_t spent;                  /* instructions that were interpreted and cost a price each */
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
  uint64_t runs = count ? price(p, count) / count : UINT32_MAX;
  return runs < UINT32_MAX ? (uint32_t)runs + 1 : UINT32_MAX;
}

static uint32_t count_of_stream(const EmuProgram *p, uint32_t at) {
  const EmuBlock *b = &p->blocks.at[at / 2];
  return at % 2 ? b->full_count : b->some_count;
}

static uint32_t runs_before_stream(const EmuProgram *p, uint32_t at) {
  return runs_before(p, count_of_stream(p, at));
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
  w->streams = SR_NEW(arena, const EmuNativeStream *, 2 * p->blocks.count);
  w->left = SR_NEW(arena, uint32_t, 2 * p->blocks.count);
  for (uint32_t at = 0; at < 2 * p->blocks.count; at++)
    w->left[at] = w->at_once ? 1 : runs_before_stream(p, at);
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

/* Under the lock, after `runs` runs of code that has `count` instructions: has the program run long enough
 * for the compiler to be started, if it is not yet? */
static bool may_start(EmuNativeWorker *w, uint64_t runs, uint64_t count) {
  EmuNative *n = w->of;
  if (w->at_once || n->started || emu_compiler_started())
    return true;
  n->spent += runs * (count + PER_BLOCK) * w->of->program->width / EMU_CHUNK;
  return n->spent >= BEFORE_START;
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
  const EmuProgram *p = w->of->program;
  uint32_t at = 2 * block + full, runs = runs_before_stream(p, at);
  emu_compiler_lock();
  if (!may_start(w, runs, count_of_stream(p, at)))
    w->left[at] = runs;
  else if (!w->of->tried[at])
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
  keep_steps(&n->arena, path, steps);
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
  uint64_t ran = iterations * path->issues;
  uint64_t left = __atomic_load_n(&path->left, __ATOMIC_RELAXED);
  if (!left)
    return;
  __atomic_store_n(&path->left, ran < left ? left - ran : 0, __ATOMIC_RELAXED);
  if (ran < left)
    return;
  emu_compiler_lock();
  uint64_t wait = price(w->of->program, path->issues);
  if (may_start(w, wait / path->issues, path->issues))
    make_path(w->of, path);
  else
    __atomic_store_n(&path->left, wait, __ATOMIC_RELAXED);
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
  uint64_t turns = left / path->issues + 1;
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

static uint64_t runs_before_arms(const EmuProgram *p, const EmuNativeArms *arms) {
  uint64_t instructions = count_of_arms(p, arms);
  return price(p, instructions) / instructions;
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
  arms->left = w->at_once ? 1 : runs_before_arms(p, arms);
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
  uint64_t runs = runs_before_arms(w->of->program, arms);
  if (may_start(w, runs, count_of_arms(w->of->program, arms)))
    make_arms(w->of, arms);
  else
    __atomic_store_n(&arms->left, runs, __ATOMIC_RELAXED);
  emu_compiler_unlock();
}
