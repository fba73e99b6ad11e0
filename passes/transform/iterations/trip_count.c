/* SPDX-License-Identifier: Apache-2.0 */
/* trip_count: see trip_count.h. */
#include "passes/transform/iterations/trip_count.h"

#include "passes/ir/integer.h"
#include "passes/ir/pointer.h"

/* A variable with more stores is not considered as a counter, because every loop that it counts
 * examines all of them. */
enum { MOST_STORES = 64 };

/* A counter: a phi or a variable. */
typedef struct Counter {
  bool begins, steps;
  int64_t begin, step;
} Counter;

/* ---- variables ---- */

static void look_at(SrTripCounts *k, SrArena *arena, SrRef r, uint32_t block) {
  const SrModule *m = k->m;
  const SrInst *in = sr_inst(m, r);
  for (uint32_t i = in->first; i < sr_word_count(m, r); i++) {
    uint32_t id = sr_words(m, r)[i];
    if (!sr_word_is_id(m, r, i) || !sr_is_variable(sr_def_op(m, id)))
      continue;
    if (in->op == SpvOpStore && i == 1) {
      uint32_t next = sr_ids_get(k->stores, id);
      sr_ids_set(k->stores, id, k->store.count);
      SR_PUSH(arena, &k->store, (SrLoopStore){block, sr_words(m, r)[2], next});
    } else if (in->op != SpvOpLoad) {
      sr_ids_set(k->others, id, 1);
    }
  }
}

SrTripCounts sr_trip_count_begin(SrArena *arena, SrModule *m, const SrFunction *f,
                                 const SrGraph *graph, const SrNest *nest) {
  SrTripCounts k = {.m = m, .f = f, .graph = graph, .nest = nest};
  k.stores = sr_ids_take(m);
  k.others = sr_ids_take(m);
  for (uint32_t b = 0; b < f->block_count; b++)
    for (SR_EACH(m, r, f->blocks[b].list))
      look_at(&k, arena, r, b);
  return k;
}

void sr_trip_count_end(SrTripCounts *k) {
  sr_ids_give(k->m, k->stores);
  sr_ids_give(k->m, k->others);
}

/* ---- counters ---- */

static bool is_constant(const SrModule *m, uint32_t id, int64_t *value) {
  SrInteger i;
  if (!sr_integer_constant(m, id, &i))
    return false;
  *value = sr_integer_signed(i);
  return true;
}

/* The variable that a value was loaded from, or the phi that the value is; 0: it is another
 * value. */
static uint32_t counter_of(const SrTripCounts *k, uint32_t id) {
  const SrModule *m = k->m;
  SrRef r = sr_def(m, id);
  if (sr_def_op(m, id) == SpvOpPhi)
    return id;
  if (sr_def_op(m, id) != SpvOpLoad)
    return 0;
  uint32_t variable = sr_words(m, r)[3];
  bool is_local = sr_pointer_class(m, variable) == SpvStorageClassFunction;
  bool is_simple =
      sr_is_variable(sr_def_op(m, variable)) && sr_ids_get(k->others, variable) == SR_NONE;
  return is_local && is_simple ? variable : 0;
}

/* Is the value `counter` plus or minus a constant? */
static bool is_step(const SrTripCounts *k, uint32_t id, uint32_t counter, int64_t *step) {
  const SrModule *m = k->m;
  SrRef r = sr_def(m, id);
  SpvOp op = sr_def_op(m, id);
  if ((op != SpvOpIAdd && op != SpvOpISub) || counter_of(k, sr_words(m, r)[3]) != counter ||
      !is_constant(m, sr_words(m, r)[4], step) || *step == INT64_MIN)
    return false;
  *step = op == SpvOpISub ? -*step : *step;
  return true;
}

/* Takes into account a value that the counter gets in block `block`. False: then it is not a
 * counter. */
static bool take(const SrTripCounts *k, uint32_t cycle, uint32_t counter, uint32_t block,
                 uint32_t value, Counter *c) {
  int64_t number = 0;
  if (sr_cycle_has(k->nest, cycle, block)) {
    bool first = !c->steps;
    c->steps = true;
    return first && is_step(k, value, counter, &c->step);
  }
  uint32_t around = k->nest->cycles[cycle].parent;
  if (around != SR_NONE && !sr_cycle_has(k->nest, around, block))
    return true; /* set before the loop around begins; another value replaces it before this loop
                    begins */
  bool known = is_constant(k->m, value, &number) && (!c->begins || c->begin == number);
  c->begins = true;
  c->begin = number;
  return known;
}

static bool read_counter(const SrTripCounts *k, uint32_t cycle, uint32_t counter, Counter *c) {
  const SrModule *m = k->m;
  SrRef phi = sr_def(m, counter);
  uint32_t stores = 0;
  *c = (Counter){0};
  if (sr_def_op(m, counter) == SpvOpPhi) {
    if (m->home[counter] != k->nest->cycles[cycle].header)
      return false;
    for (uint32_t i = 3; i + 1 < sr_word_count(m, phi); i += 2) {
      const uint32_t *w = sr_words(m, phi);
      if (!take(k, cycle, counter, sr_block_of(m, w[i + 1]), w[i], c))
        return false;
    }
  } else {
    for (uint32_t i = sr_ids_get(k->stores, counter); i != SR_NONE; i = k->store.at[i].next)
      if (++stores > MOST_STORES ||
          !take(k, cycle, counter, k->store.at[i].block, k->store.at[i].value, c))
        return false;
  }
  return c->begins && c->steps && c->step;
}

/* ---- tests ---- */

/* The number of iterations after which the test in block `b` makes every lane leave. */
static uint32_t iterations_of(const SrTripCounts *k, uint32_t cycle, uint32_t b) {
  const SrModule *m = k->m;
  SrRef end = sr_terminator(&k->f->blocks[b]);
  Counter c;
  int64_t limit;
  if (sr_inst(m, end)->op != SpvOpBranchConditional)
    return SR_NONE;
  SrRef test = sr_def(m, sr_words(m, end)[1]);
  if (test == SR_NONE || sr_word_count(m, test) != 5 ||
      m->home[sr_inst(m, test)->result] == SR_NONE)
    return SR_NONE;
  const uint32_t *w = sr_words(m, test);
  if (!sr_word_is_id(m, test, 3) || !sr_word_is_id(m, test, 4) || !is_constant(m, w[4], &limit))
    return SR_NONE;
  uint32_t counter = counter_of(k, w[3]);
  if (!counter || !read_counter(k, cycle, counter, &c))
    return SR_NONE;
  int64_t range, step = c.step > 0 ? c.step : -c.step;
  if (c.step > 0 ? __builtin_sub_overflow(limit, c.begin, &range)
                 : __builtin_sub_overflow(c.begin, limit, &range))
    return SR_NONE;
  return range < 0 || range / step >= UINT16_MAX ? SR_NONE : (uint32_t)(range / step) + 1;
}

uint32_t sr_trip_count(const SrTripCounts *k, uint32_t cycle) {
  const SrCycle *c = &k->nest->cycles[cycle];
  uint32_t least = SR_NONE;
  for (uint32_t i = c->first; i <= c->last; i++) {
    uint32_t b = k->nest->order[i], iterations;
    for (SR_SUCCS(t, k->graph, b))
      if (!sr_cycle_has(k->nest, cycle, *t) && (iterations = iterations_of(k, cycle, b)) < least)
        least = iterations;
  }
  return least;
}
