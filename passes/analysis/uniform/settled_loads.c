/* SPDX-License-Identifier: Apache-2.0 */
/* settled_loads: see settled_loads.h. Sets of variables are bit masks. Two dataflow analyses cover
 * all functions that entry points reach. They find the *pending* variables of each point: those
 * that a path may have written since the last barrier, and those that a path may write before the
 * next barrier. Each analysis first finds how a call changes what is pending (a summary, as in M.
 * Sharir and A. Pnueli, Two Approaches to Interprocedural Data Flow Analysis, 1981), and then what
 * is pending where functions are called. */
#include "passes/analysis/uniform/settled_loads.h"

#include "passes/analysis/graph/cfg.h"
#include "passes/analysis/uniform/rows.h"
#include "passes/ir/effects.h"
#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"

enum { MOST = 62 };
#define PASSED ((uint64_t)1 << MOST)           /* in a summary: what was pending before the call */
#define BY_ADDRESS ((uint64_t)1 << (MOST + 1)) /* memory that is not a variable */
#define ALL (UINT64_MAX & ~PASSED)

/* What is pending. */
typedef struct Pending {
  uint64_t since; /* written since the last barrier. After an operation by which other workgroups'
                     writes become visible: all memory that they share */
  uint64_t ever;  /* written at all */
} Pending;

typedef struct Function {
  const SrGraph *g; /* NULL: nothing calls it, or it has no body */
  uint32_t base;    /* number of its first block */
  Pending start;    /* where it is called; of summaries: PASSED */
  Pending summary;  /* where it is left */
} Function;

typedef struct Work {
  SrArena arena;
  const SrModule *m;
  uint8_t *variable;     /* by id: 1 + the number of a variable that lanes share, or 0 */
  uint64_t buffers;      /* those that other workgroups may write */
  uint32_t *function_at; /* by id of OpFunction: its index */
  Function *functions;   /* by index */
  uint32_t *owner;       /* by number of a block: its function's index */
  SrRows callers;        /* by index of a function: the numbers of the blocks that call it */
  bool forward, summarizes;
  Pending *in; /* by number of a block: at its start, or at its end */
  SrBits *waits;
  SR_VEC(uint32_t) todo;
  SrBits *settled;
} Work;

static bool is_shared(const SrModule *m, uint32_t pointer) {
  uint32_t storage = sr_pointer_class(m, pointer);
  return storage == SpvStorageClassWorkgroup || storage == SpvStorageClassStorageBuffer ||
         storage == SpvStorageClassUniform || storage == SpvStorageClassPhysicalStorageBuffer;
}

static uint64_t mask_of(const Work *w, uint32_t pointer) {
  const SrModule *m = w->m;
  SrRef def = sr_def(m, pointer);
  for (uint32_t base; def != SR_NONE && (base = sr_chain_base(m, def)); def = sr_def(m, pointer))
    pointer = base;
  if (w->variable[pointer])
    return (uint64_t)1 << (w->variable[pointer] - 1);
  if (sr_pointer_class(m, pointer) == SpvStorageClassPhysicalStorageBuffer)
    return w->buffers | BY_ADDRESS;
  return sr_def_op(m, pointer) == SpvOpVariable ? 0 : ALL;
}

static bool is_barrier(const SrModule *m, SrRef r) {
  SrInteger scope;
  return sr_inst(m, r)->op == SpvOpControlBarrier &&
         sr_integer_constant(m, sr_words(m, r)[1], &scope) && scope.bits == SpvScopeWorkgroup;
}

/* The variables that the instruction, which is no call, may write: any use of a pointer other than a
 * load counts. */
static uint64_t written_by(const Work *w, SrRef r) {
  const SrModule *m = w->m;
  const SrInst *inst = sr_inst(m, r);
  uint64_t mask = 0;
  if (inst->nonsemantic || inst->op == SpvOpLoad || sr_chain_base(m, r))
    return 0;
  if (inst->unknown)
    return ALL;
  for (uint32_t i = inst->first; i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i) && is_shared(m, sr_words(m, r)[i]))
      mask |= mask_of(w, sr_words(m, r)[i]);
  return mask;
}

/* May other workgroups' writes become visible by it to the lane that runs it? */
static bool may_acquire(const SrModule *m, SrRef r) {
  return sr_inst(m, r)->op == SpvOpMemoryBarrier || sr_inst(m, r)->unknown || sr_is_polling(m, r);
}

static bool grow(Pending *to, Pending more) {
  bool grows = ((to->since | more.since) != to->since) || ((to->ever | more.ever) != to->ever);
  to->since |= more.since;
  to->ever |= more.ever;
  return grows;
}

static void add_block(Work *w, uint32_t number) {
  if (sr_bit(w->waits, number))
    return;
  sr_bit_set(w->waits, number);
  SR_PUSH(&w->arena, &w->todo, number);
}

static void flow_to(Work *w, uint32_t number, Pending p) {
  if (grow(&w->in[number], p))
    add_block(w, number);
}

/* The block where the function is left, in the direction of the analysis? */
static bool is_left(const Work *w, const Function *fn, uint32_t block) {
  return w->forward ? sr_succ_count(fn->g, block) == 0 : block == 0;
}

/* What is pending on entry reaches the first block, or each block that ends the function. */
static void enter(Work *w, Function *fn, Pending p) {
  if (!grow(&fn->start, p))
    return;
  for (uint32_t b = 0; b < fn->g->count; b++)
    if (w->forward ? b == 0 : sr_succ_count(fn->g, b) == 0)
      flow_to(w, fn->base + b, fn->start);
}

static void summarize(Work *w, uint32_t f, Pending p) {
  if (grow(&w->functions[f].summary, p))
    for (SR_NUMBERS(caller, w->callers, f))
      add_block(w, *caller);
}

static Function *callee(const Work *w, SrRef call) {
  uint32_t f = w->function_at[sr_words(w->m, call)[3]];
  return f == SR_NONE || !w->functions[f].g ? NULL : &w->functions[f];
}

static uint64_t after_call(uint64_t summary, uint64_t before) {
  return (summary & ~PASSED) | (summary & PASSED ? before : 0);
}

/* What is pending after the instruction, if `p` is before it. A call's arguments are no writes. */
static Pending step(const Work *w, SrRef r, Pending p) {
  if (sr_inst(w->m, r)->op == SpvOpFunctionCall) {
    const Function *to = callee(w, r);
    return to ? (Pending){after_call(to->summary.since, p.since),
                          after_call(to->summary.ever, p.ever)}
              : (Pending){ALL, ALL};
  }
  if (is_barrier(w->m, r))
    return (Pending){0, p.ever};
  uint64_t mask = written_by(w, r);
  p.ever |= mask;
  p.since |= mask | (may_acquire(w->m, r) ? w->buffers | BY_ADDRESS : 0);
  return p;
}

static SrRef first_of(const Work *w, const SrBlock *b) {
  return w->forward ? b->list.first : b->list.last;
}

static SrRef next_of(const Work *w, SrRef r) {
  return w->forward ? sr_inst(w->m, r)->next : sr_inst(w->m, r)->prev;
}

static void flow_through(Work *w, uint32_t number) {
  uint32_t f = w->owner[number];
  const Function *fn = &w->functions[f];
  uint32_t block = number - fn->base;
  Pending p = w->in[number];
  for (SrRef r = first_of(w, &w->m->functions[f].blocks[block]); r != SR_NONE; r = next_of(w, r)) {
    if (!w->summarizes && sr_inst(w->m, r)->op == SpvOpFunctionCall && callee(w, r))
      enter(w, callee(w, r), p);
    p = step(w, r, p);
  }
  if (w->summarizes && is_left(w, fn, block))
    summarize(w, f, p);
  for (SR_ROW(t, w->forward ? fn->g->succ_at : fn->g->pred_at,
              w->forward ? fn->g->succ : fn->g->pred, block))
    flow_to(w, fn->base + *t, p);
}

/* A block is visited again only after what is before it, or the summary of a call in it, has grown. */
static void solve(Work *w, bool forward, bool summarizes) {
  uint32_t count = w->functions[w->m->function_count].base;
  w->forward = forward;
  w->summarizes = summarizes;
  w->in = SR_NEW(&w->arena, Pending, count);
  w->waits = sr_bits_new(&w->arena, count);
  for (uint32_t n = forward ? count : 0; forward ? n-- > 0 : n < count; n += forward ? 0 : 1)
    if (w->functions[w->owner[n]].g)
      add_block(w, n);
  for (uint32_t f = 0; f < w->m->function_count; f++) {
    w->functions[f].start = (Pending){0};
    if (summarizes)
      w->functions[f].summary = (Pending){0};
    if (summarizes && w->functions[f].g)
      enter(w, &w->functions[f], (Pending){PASSED, PASSED});
  }
  while (w->todo.count) {
    uint32_t n = SR_POP(&w->todo);
    sr_bit_clear(w->waits, n);
    flow_through(w, n);
  }
}

/* Is the memory that `mask` names pending? Other workgroups write buffers, too; what they write is
 * seen by all lanes of a workgroup or by none, unless one of them has acquired it after the barrier. */
static bool is_pending(const Work *w, Pending p, uint64_t mask) {
  if (w->forward && mask & (w->buffers | BY_ADDRESS))
    return (p.since & mask) && (p.ever & mask);
  return p.since & mask & ~(w->buffers | BY_ADDRESS);
}

/* Sets the bit of each load whose memory is not pending; clears it if it is. */
static void look(Work *w, uint32_t number) {
  const SrModule *m = w->m;
  uint32_t f = w->owner[number];
  Pending p = w->in[number];
  for (SrRef r = first_of(w, &m->functions[f].blocks[number - w->functions[f].base]); r != SR_NONE;
       r = next_of(w, r)) {
    p = step(w, r, p);
    if (sr_inst(m, r)->op != SpvOpLoad || !is_shared(m, sr_words(m, r)[3]) || sr_is_polling(m, r))
      continue;
    if (is_pending(w, p, mask_of(w, sr_words(m, r)[3])))
      sr_bit_clear(w->settled, r);
    else if (w->forward)
      sr_bit_set(w->settled, r);
  }
}

static void look_at_all(Work *w, bool forward) {
  solve(w, forward, true);
  solve(w, forward, false);
  for (uint32_t n = 0; n < w->functions[w->m->function_count].base; n++)
    if (w->functions[w->owner[n]].g)
      look(w, n);
}

static void number_variables(Work *w) {
  const SrModule *m = w->m;
  uint32_t count = 0;
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpVariable && count < MOST && is_shared(m, sr_inst(m, r)->result)) {
      if (sr_pointer_class(m, sr_inst(m, r)->result) != SpvStorageClassWorkgroup)
        w->buffers |= (uint64_t)1 << count;
      w->variable[sr_inst(m, r)->result] = (uint8_t)++count;
    }
}

/* Builds the graphs of the entry points and of the functions that they reach. */
static void find_functions(Work *w) {
  const SrModule *m = w->m;
  SR_VEC(uint32_t) todo = {0};
  SrRowItems calls = {0};
  w->function_at = sr_new_none(&w->arena, sr_bound(m));
  w->functions = SR_NEW(&w->arena, Function, (size_t)m->function_count + 1);
  for (uint32_t f = 0; f < m->function_count; f++) {
    w->function_at[m->functions[f].id] = f;
    w->functions[f + 1].base = w->functions[f].base + m->functions[f].block_count;
  }
  w->owner = SR_NEW(&w->arena, uint32_t, w->functions[m->function_count].base);
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpEntryPoint && w->function_at[sr_words(m, r)[2]] != SR_NONE)
      SR_PUSH(&w->arena, &todo, w->function_at[sr_words(m, r)[2]]);
  while (todo.count) {
    uint32_t f = SR_POP(&todo);
    Function *fn = &w->functions[f];
    if (fn->g || !m->functions[f].block_count)
      continue;
    fn->g = sr_cfg_build(&w->arena, m, &m->functions[f]);
    for (uint32_t b = 0; b < fn->g->count; b++) {
      w->owner[fn->base + b] = f;
      for (SR_EACH(m, r, m->functions[f].blocks[b].list)) {
        uint32_t to =
            sr_inst(m, r)->op == SpvOpFunctionCall ? w->function_at[sr_words(m, r)[3]] : SR_NONE;
        if (to == SR_NONE)
          continue;
        SR_PUSH(&w->arena, &calls, (SrRowItem){to, fn->base + b});
        SR_PUSH(&w->arena, &todo, to);
      }
    }
  }
  w->callers = sr_rows_new(&w->arena, m->function_count, &calls);
}

SrBits *sr_settled_loads(SrArena *arena, const SrModule *m) {
  Work w = {.arena = sr_arena_new(arena->heap), .m = m};
  w.settled = sr_bits_new(arena, m->inst.count);
  w.variable = SR_NEW(&w.arena, uint8_t, sr_bound(m));
  number_variables(&w);
  find_functions(&w);
  look_at_all(&w, true);
  look_at_all(&w, false);
  sr_arena_free(&w.arena);
  return w.settled;
}
