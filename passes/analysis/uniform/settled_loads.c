/* SPDX-License-Identifier: Apache-2.0 */
/* settled_loads: see settled_loads.h. A set of variables is a mask. Two dataflow analyses find, at
 * each point, the variables that a path without a barrier may have written before it, and those that
 * one may write after it. A function's calls of functions that write count as writes; that a callee
 * may have a barrier is not used. */
#include "passes/analysis/uniform/settled_loads.h"

#include "passes/analysis/graph/cfg.h"
#include "passes/ir/effects.h"
#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"

enum { MOST = 64 };
#define ALL UINT64_MAX

typedef struct Work {
  SrArena arena;
  const SrModule *m;
  uint8_t *variable;     /* by id: 1 + the number of a variable that lanes share, or 0 */
  uint64_t buffers;      /* those that other workgroups may write */
  uint32_t *function_at; /* by id of OpFunction: its index */
  uint64_t *writes;      /* by index of a function: with those of its callees */
  SrBits *settled;
} Work;

static bool is_shared(const SrModule *m, uint32_t pointer) {
  uint32_t storage = sr_pointer_class(m, pointer);
  return storage == SpvStorageClassWorkgroup || storage == SpvStorageClassStorageBuffer ||
         storage == SpvStorageClassUniform;
}

static uint64_t mask_of(const Work *w, uint32_t pointer) {
  const SrModule *m = w->m;
  SrRef def = sr_def(m, pointer);
  for (uint32_t base; def != SR_NONE && (base = sr_chain_base(m, def)); def = sr_def(m, pointer))
    pointer = base;
  if (w->variable[pointer])
    return (uint64_t)1 << (w->variable[pointer] - 1);
  return sr_def_op(m, pointer) == SpvOpVariable ? 0 : ALL;
}

static bool is_barrier(const SrModule *m, SrRef r) {
  SrInteger scope;
  return sr_inst(m, r)->op == SpvOpControlBarrier &&
         sr_integer_constant(m, sr_words(m, r)[1], &scope) && scope.bits == SpvScopeWorkgroup;
}

/* The variables that the instruction may write: any use of a pointer other than a load counts. */
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
  if (inst->op == SpvOpFunctionCall) {
    uint32_t f = w->function_at[sr_words(m, r)[3]];
    mask |= f == SR_NONE ? ALL : w->writes[f];
  }
  return mask;
}

/* Masks only grow. */
static void find_writes(Work *w) {
  const SrModule *m = w->m;
  for (bool grows = true; grows;) {
    grows = false;
    for (uint32_t f = m->function_count; f-- > 0;) {
      uint64_t mask = m->functions[f].block_count ? 0 : ALL;
      for (uint32_t b = 0; b < m->functions[f].block_count; b++)
        for (SR_EACH(m, r, m->functions[f].blocks[b].list))
          mask |= written_by(w, r);
      grows |= (mask | w->writes[f]) != w->writes[f];
      w->writes[f] |= mask;
    }
  }
}

/* What is pending after the instruction, if `mask` is before it. */
static uint64_t step(const Work *w, SrRef r, uint64_t mask) {
  return is_barrier(w->m, r) ? mask & w->buffers : mask | written_by(w, r);
}

static uint64_t through(const Work *w, const SrBlock *b, uint64_t mask, bool forward) {
  const SrModule *m = w->m;
  for (SrRef r = forward ? b->list.first : b->list.last; r != SR_NONE;
       r = forward ? sr_inst(m, r)->next : sr_inst(m, r)->prev)
    mask = step(w, r, mask);
  return mask;
}

/* By block: what is pending at its start (forward) or end. Visits a block again only after the mask
 * of one before it has grown. */
static uint64_t *solve(Work *w, const SrFunction *f, const SrGraph *g, bool forward) {
  uint64_t *in = SR_NEW(&w->arena, uint64_t, g->count);
  SrBits *waits = sr_bits_new(&w->arena, g->count);
  SR_VEC(uint32_t) todo = {0};
  for (uint32_t b = 0; b < g->count; b++) {
    sr_bit_set(waits, b);
    SR_PUSH(&w->arena, &todo, forward ? g->count - 1 - b : b);
  }
  while (todo.count) {
    uint32_t b = SR_POP(&todo);
    sr_bit_clear(waits, b);
    uint64_t out = through(w, &f->blocks[b], in[b], forward);
    for (SR_ROW(t, forward ? g->succ_at : g->pred_at, forward ? g->succ : g->pred, b)) {
      if ((in[*t] | out) == in[*t])
        continue;
      in[*t] |= out;
      if (sr_bit(waits, *t))
        continue;
      sr_bit_set(waits, *t);
      SR_PUSH(&w->arena, &todo, *t);
    }
  }
  return in;
}

/* Sets the bit of each load whose variable is not pending; clears it if it is. */
static void look(Work *w, const SrFunction *f, const uint64_t *in, bool forward) {
  const SrModule *m = w->m;
  for (uint32_t b = 0; b < f->block_count; b++) {
    uint64_t mask = in[b];
    for (SrRef r = forward ? f->blocks[b].list.first : f->blocks[b].list.last; r != SR_NONE;
         r = forward ? sr_inst(m, r)->next : sr_inst(m, r)->prev) {
      mask = step(w, r, mask);
      if (sr_inst(m, r)->op != SpvOpLoad || !is_shared(m, sr_words(m, r)[3]) || sr_is_polling(m, r))
        continue;
      if (mask & mask_of(w, sr_words(m, r)[3]) & (forward ? ALL : ~w->buffers))
        sr_bit_clear(w->settled, r);
      else if (forward)
        sr_bit_set(w->settled, r);
    }
  }
}

static void look_at_function(Work *w, const SrFunction *f) {
  SrMark mark = sr_arena_mark(&w->arena);
  const SrGraph *g = sr_cfg_build(&w->arena, w->m, f);
  look(w, f, solve(w, f, g, true), true);
  look(w, f, solve(w, f, g, false), false);
  sr_arena_reset(&w->arena, mark);
}

/* Numbers the variables; returns how many there are. */
static uint32_t number_variables(Work *w) {
  const SrModule *m = w->m;
  uint32_t count = 0;
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpVariable && count < MOST && is_shared(m, sr_inst(m, r)->result)) {
      if (sr_pointer_class(m, sr_inst(m, r)->result) != SpvStorageClassWorkgroup)
        w->buffers |= (uint64_t)1 << count;
      w->variable[sr_inst(m, r)->result] = (uint8_t)++count;
    }
  return count;
}

SrBits *sr_settled_loads(SrArena *arena, const SrModule *m) {
  Work w = {.arena = sr_arena_new(arena->heap), .m = m};
  w.settled = sr_bits_new(arena, m->inst.count);
  w.variable = SR_NEW(&w.arena, uint8_t, sr_bound(m));
  if (number_variables(&w)) {
    w.function_at = sr_new_none(&w.arena, sr_bound(m));
    w.writes = SR_NEW(&w.arena, uint64_t, m->function_count);
    for (uint32_t f = 0; f < m->function_count; f++)
      w.function_at[m->functions[f].id] = f;
    find_writes(&w);
    for (SR_EACH(m, r, m->globals))
      if (sr_inst(m, r)->op == SpvOpEntryPoint && w.function_at[sr_words(m, r)[2]] != SR_NONE)
        look_at_function(&w, &m->functions[w.function_at[sr_words(m, r)[2]]]);
  }
  sr_arena_free(&w.arena);
  return w.settled;
}
