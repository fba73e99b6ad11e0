/* SPDX-License-Identifier: Apache-2.0 */
/* native_llvm: compiles with LLVM; see native_compile.h. */
#include "spv-emu/native/native_compile.h"

#include "spv-emu/native/jit.h"
#include "spv-emu/native/maker.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
  BYTES_PER_INSTRUCTION = 2048, /* of code, for each instruction of the program's bytecode */
  LEAST_BYTES = 1 << 16,        /* that a program may have in any case */
  SHORTEST_RUN = 2,             /* instructions */
};

struct EmuCompiler {
  const EmuProgram *program;
  const EmuMeanings *meanings;
  const EmuIsa *isa;
  SrArena *arena;  /* for what lasts */
  SrArena scratch; /* emptied after each module */
  EmuJit *jit;
  EmuJitCode *code;
  uint32_t vector; /* bytes of a vector register */
  size_t room;     /* bytes of code */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void emu_compiler_lock(void) {
  pthread_mutex_lock(&lock);
}

void emu_compiler_unlock(void) {
  pthread_mutex_unlock(&lock);
}

const char *emu_compiler_refuses(void) {
  emu_compiler_lock();
  bool good = emu_jit_start(emu_isa()) != NULL;
  emu_compiler_unlock();
  return good ? NULL : "the library of " EMU_LLVM_NAME " is not installed, or does not work here";
}

bool emu_compiler_started(void) {
  return emu_jit_started();
}

const char *emu_compiler_name(void) {
  return EMU_LLVM_NAME;
}

EmuCompiler *emu_compiler_new(SrArena *arena, const EmuProgram *program) {
  const EmuIsa *isa = emu_isa();
  EmuJit *jit = emu_jit_start(isa);
  if (!jit)
    return NULL;
  EmuCompiler *c = SR_NEW(arena, EmuCompiler, 1);
  *c = (EmuCompiler){.program = program, .isa = isa, .arena = arena, .jit = jit};
  c->scratch = sr_arena_new(arena->heap);
  c->meanings = emu_meanings(arena, isa);
  c->vector = strcmp(isa->name, "avx512") == 0 ? 64 : strcmp(isa->name, "avx2") == 0 ? 32 : 16;
  c->room = (size_t)program->code.count * BYTES_PER_INSTRUCTION;
  c->room = c->room < LEAST_BYTES ? LEAST_BYTES : c->room;
  c->code = emu_jit_code(jit);
  return c->code ? c : NULL;
}

void emu_compiler_free(EmuCompiler *c) {
  if (!c)
    return;
  emu_compiler_lock();
  emu_jit_free(c->jit, c->code);
  emu_compiler_unlock();
}

static bool has_room(const EmuCompiler *c) {
  return emu_jit_bytes(c->code) < c->room;
}

/* ---- modules --------------------------------------------------------------------------------- */

/* Names are unique in the process. */
static void next_name(char name[32]) {
  static uint64_t number;
  snprintf(name, 32, "emu_%llu", (unsigned long long)number++);
}

static EmuUnit unit_of(EmuCompiler *c, const EmuJitModule *m) {
  const EmuLlvm *l = emu_jit_llvm(c->jit);
  return (EmuUnit){.program = c->program,
                   .meanings = c->meanings,
                   .arena = &c->scratch,
                   .b = {.l = l,
                         .context = m->context,
                         .module = m->module,
                         .lanes = 8,
                         .rounds = c->vector > 16,
                         .gathers = c->vector > 32}};
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Lanes of a vector: 32-bit scalars fill a register. A test's bits are stored as whole bytes. */
static uint32_t lanes_of(const EmuCompiler *c) {
  return c->vector < 32 ? 8 : c->vector / 4;
}

/* A function in which a builder can be asked what is covered (emu_lower_covers). */
static void begin_asking(EmuUnit *u) {
  EmuBuild *b = &u->b;
  LLVMTypeRef none =
      b->l->LLVMFunctionType(b->l->LLVMVoidTypeInContext(b->context), NULL, 0, false);
  char name[32];
  next_name(name);
  b->function = b->l->LLVMAddFunction(b->module, name, none);
  b->at = b->l->LLVMCreateBuilderInContext(b->context);
  emu_build_into(b, emu_build_block(b));
}

static void end_asking(EmuUnit *u) {
  EmuBuild *b = &u->b;
  b->l->LLVMBuildRetVoid(b->at);
  b->l->LLVMDisposeBuilder(b->at);
}

typedef struct Streaming {
  EmuCompiler *c;
  EmuUnit *u;
  EmuUnitRun run;
  SR_VEC(EmuIns) code;
  SR_VEC(const char *) names; /* by instruction of `code`: a function; NULL: the interpreter's */
  SR_VEC(uint32_t) covers;    /* EmuNativeStream */
  uint32_t *runs;             /* by instruction: how many are covered, beginning with it */
  bool some;                  /* there is a function */
} Streaming;

static void keep(Streaming *s, EmuIns ins, const char *name, uint32_t covers) {
  SR_PUSH(&s->c->scratch, &s->code, ins);
  SR_PUSH(&s->c->scratch, &s->names, name);
  SR_PUSH(&s->c->scratch, &s->covers, covers);
}

static bool add_run(Streaming *s, uint32_t from, uint32_t to) {
  char *name = SR_NEW(&s->c->scratch, char, 32);
  next_name(name);
  s->run.from = from;
  s->run.to = to;
  if (!emu_unit_run(s->u, &s->run, name))
    return false;
  const EmuIns none = {.d = EMU_NO_ROW, .a = EMU_NO_ROW, .b = EMU_NO_ROW, .c = EMU_NO_ROW};
  keep(s, none, name, to - from);
  return true;
}

/* Finds the runs of a block's stream. */
static void begin_stream(EmuCompiler *c, EmuUnit *u, Streaming *s, uint32_t at) {
  const EmuBlock *b = &c->program->blocks.at[at / 2];
  bool full = at % 2;
  *s = (Streaming){.c = c, .u = u};
  s->run = (EmuUnitRun){.block = b, .lanes = lanes_of(c)};
  s->run.count = b->stops ? 0 : full ? b->full_count : b->some_count;
  s->run.code = s->run.count ? &c->program->code.at[full ? b->full : b->some] : NULL;
  s->runs = SR_NEW(&c->scratch, uint32_t, s->run.count);
  for (uint32_t i = 0; i < s->run.count; i++)
    s->runs[i] = emu_unit_covers(u, s->run.code + i, s->run.count - i);
}

/* Adds the functions of a stream to the module. False: one of them cannot be compiled. */
static bool split(Streaming *s) {
  for (uint32_t i = 0; i < s->run.count; i++) {
    if (s->runs[i] < SHORTEST_RUN) {
      keep(s, s->run.code[i], NULL, 0);
      continue;
    }
    if (!add_run(s, i, i + s->runs[i]))
      return false;
    s->some = true;
    i += s->runs[i] - 1;
  }
  return true;
}

/* EmuNativeStream.bytes */
static const uint8_t *result_bytes(const Streaming *s) {
  uint8_t *bytes = SR_NEW(s->c->arena, uint8_t, s->run.count);
  for (uint32_t i = 0; i < s->run.count; i++)
    if (s->runs[i])
      bytes[i] = emu_meaning(s->c->meanings, s->run.code[i].run)->result;
  return bytes;
}

/* The stream with the addresses of its functions. */
static const EmuNativeStream *link(const Streaming *s) {
  EmuCompiler *c = s->c;
  EmuNativeStream *stream = SR_NEW(c->arena, EmuNativeStream, 1);
  EmuIns *code = SR_NEW(c->arena, EmuIns, s->code.count);
  for (uint32_t i = 0; i < s->code.count; i++) {
    code[i] = s->code.at[i];
    void *at = s->names.at[i] ? emu_jit_find(c->jit, s->names.at[i]) : NULL;
    if (s->names.at[i] && !at)
      return NULL;
    if (at)
      memcpy(&code[i].run, &at, sizeof at);
  }
  uint32_t *covers = SR_NEW(c->arena, uint32_t, s->code.count);
  memcpy(covers, s->covers.at, s->code.count * sizeof *covers);
  *stream = (EmuNativeStream){code, covers, result_bytes(s), s->code.count};
  return stream;
}

static void make_streams(EmuCompiler *c, const uint32_t *which, uint32_t count,
                         const EmuNativeStream **made) {
  EmuJitModule module = emu_jit_module(c->jit);
  EmuUnit u = unit_of(c, &module);
  Streaming *all = SR_NEW(&c->scratch, Streaming, count);
  bool good = true, some = false;
  begin_asking(&u);
  for (uint32_t i = 0; i < count; i++)
    begin_stream(c, &u, &all[i], which[i]);
  end_asking(&u);
  for (uint32_t i = 0; i < count && good; i++) {
    good = split(&all[i]);
    some |= all[i].some;
  }
  if (!good || !some) {
    emu_jit_drop(c->jit, &module);
    return;
  }
  if (!emu_jit_compile(c->jit, EMU_JIT_QUICK, c->code, &module))
    return;
  for (uint32_t i = 0; i < count; i++)
    made[which[i]] = all[i].some ? link(&all[i]) : NULL;
}

void emu_compiler_streams(EmuCompiler *c, const uint32_t *which, uint32_t count,
                          const EmuNativeStream **made) {
  if (has_room(c))
    make_streams(c, which, count, made);
  sr_arena_free(&c->scratch);
}

/* ---- paths ----------------------------------------------------------------------------------- */

static EmuUnitStep arm_of(const EmuProgram *p, uint32_t index) {
  const EmuBlock *b = &p->blocks.at[index];
  const EmuEdge *edge = &p->edges.at[b->edge];
  return (EmuUnitStep){.code = b->some_count ? &p->code.at[b->some] : NULL,
                       .count = b->some_count,
                       .move = edge->moves ? &p->moves.at[edge->move] : NULL,
                       .moves = edge->moves,
                       .block = b,
                       .index = index};
}

/* The arms' streams are those for some lanes. */
static void add_arms(EmuCompiler *c, EmuUnitStep *step, const uint32_t *arm, uint32_t count) {
  step->arms = SR_NEW(&c->scratch, EmuUnitStep, count);
  step->arm_count = count;
  for (uint32_t i = 0; i < count; i++)
    step->arms[i] = arm_of(c->program, arm[i]);
}

static void add_what(EmuNativeWhat *all, EmuNativeWhat more) {
  all->pure = all->pure && more.pure;
  all->repeats = all->repeats && more.repeats;
  all->covered = all->covered && more.covered;
  all->memory = all->memory || more.memory;
}

static EmuNativeWhat what_of(EmuUnit *u, const EmuUnitStep *step) {
  EmuNativeWhat what = {true, true, true, false};
  for (uint32_t i = 0; i < step->count; i++) {
    const EmuIns *ins = &step->code[i];
    bool pure = emu_unit_covers(u, ins, 1) == 1 || emu_maker_crosses(u, ins);
    bool accesses = !pure && emu_maker_accesses(u, ins);
    bool load = emu_meaning(u->meanings, ins->run)->family == EMU_FAMILY_LOAD;
    add_what(&what, (EmuNativeWhat){pure, pure || (accesses && load), pure || accesses, accesses});
  }
  return what;
}

/* Parting lanes may run a block only if it calls nothing: it may run before others that the policy
 * runs first. */
static void add_parting(EmuCompiler *c, EmuUnit *u, EmuUnitStep *step, uint32_t parts) {
  const EmuEdge *other = &c->program->edges.at[step->block->edge + (step->yes ? 1 : 0)];
  step->parts = parts != EMU_PARTS_NOT;
  if (parts != EMU_PARTS_VIA)
    return;
  add_arms(c, step, &other->to, 1);
  step->parts = what_of(u, step->arms).pure;
}

static EmuUnitStep step_of(EmuCompiler *c, EmuUnit *u, const EmuNativePath *path, uint32_t at) {
  const EmuProgram *p = c->program;
  const EmuNativeStep *of = &path->steps[at];
  uint32_t index = at ? path->steps[at - 1].to : path->head;
  const EmuBlock *b = &p->blocks.at[index];
  uint32_t first = path->full ? b->full : b->some,
           count = path->full ? b->full_count : b->some_count;
  EmuUnitStep step = {.code = count ? &p->code.at[first] : NULL,
                      .count = count,
                      .block = b,
                      .index = index,
                      .hammock = of->hammock};
  if (of->hammock) {
    add_arms(c, &step, of->hammock->arm, of->hammock->count);
    return step;
  }
  step.move = of->edge->moves ? &p->moves.at[of->edge->move] : NULL;
  step.moves = of->edge->moves;
  step.yes = of->edge == &p->edges.at[b->edge];
  add_parting(c, u, &step, of->parts);
  if (!step.parts)
    step.arm_count = 0;
  return step;
}

static EmuNativeWhat what_of_all(EmuUnit *u, const EmuUnitStep *steps, uint32_t count) {
  EmuNativeWhat all = {true, true, true, false};
  for (uint32_t i = 0; i < count; i++) {
    add_what(&all, what_of(u, &steps[i]));
    for (uint32_t k = 0; k < steps[i].arm_count; k++)
      add_what(&all, what_of(u, &steps[i].arms[k]));
  }
  return all;
}

static void make_path(EmuCompiler *c, EmuNativePath *path) {
  char name[32];
  EmuUnitStep *steps = SR_NEW(&c->scratch, EmuUnitStep, path->count);
  EmuJitModule module = emu_jit_module(c->jit);
  EmuUnit u = unit_of(c, &module);
  begin_asking(&u);
  for (uint32_t i = 0; i < path->count; i++)
    steps[i] = step_of(c, &u, path, i);
  path->what = what_of_all(&u, steps, path->count);
  end_asking(&u);
  next_name(name);
  EmuUnitRows rows;
  if (!emu_unit_path(&u, path, steps, name, &rows)) {
    emu_jit_drop(c->jit, &module);
    return;
  }
  path->rows = SR_NEW(c->arena, EmuNativeRow, rows.count);
  path->row_count = rows.count;
  memcpy(path->rows, rows.at, rows.count * sizeof *path->rows);
  void *at =
      emu_jit_compile(c->jit, EMU_JIT_GOOD, c->code, &module) ? emu_jit_find(c->jit, name) : NULL;
  EmuNativePathCode *code;
  memcpy(&code, &at, sizeof at);
  path->refused = !at;
  __atomic_store_n(&path->code, code, __ATOMIC_RELEASE);
}

void emu_compiler_path(EmuCompiler *c, EmuNativePath *path) {
  path->refused = true;
  if (c->program->width > EMU_PATH_LANES || c->program->facts.demotes || !has_room(c))
    return;
  make_path(c, path);
  sr_arena_free(&c->scratch);
}

/* ---- hammocks -------------------------------------------------------------------------------- */

static void make_arms(EmuCompiler *c, EmuNativeArms *arms) {
  EmuUnitStep steps[EMU_HAMMOCK_ARMS];
  char name[32];
  for (uint32_t i = 0; i < arms->count; i++) {
    steps[i] = arm_of(c->program, arms->arm[i]);
    if (steps[i].block->stops || steps[i].block->end != EMU_END_BRANCH)
      return;
  }
  EmuJitModule module = emu_jit_module(c->jit);
  EmuUnit u = unit_of(c, &module);
  next_name(name);
  begin_asking(&u);
  arms->what = what_of_all(&u, steps, arms->count);
  end_asking(&u);
  if (!arms->what.covered || !emu_unit_arms(&u, steps, arms->count, name)) {
    emu_jit_drop(c->jit, &module);
    return;
  }
  void *at =
      emu_jit_compile(c->jit, EMU_JIT_GOOD, c->code, &module) ? emu_jit_find(c->jit, name) : NULL;
  EmuNativeArmsCode *code;
  memcpy(&code, &at, sizeof at);
  arms->refused = !at;
  __atomic_store_n(&arms->code, code, __ATOMIC_RELEASE);
}

void emu_compiler_arms(EmuCompiler *c, EmuNativeArms *arms) {
  arms->refused = true;
  if (c->program->width > EMU_PATH_LANES || !has_room(c))
    return;
  make_arms(c, arms);
  sr_arena_free(&c->scratch);
}
