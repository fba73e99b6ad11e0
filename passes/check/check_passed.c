/* SPDX-License-Identifier: Apache-2.0 */
/* check_passed: see check_passed.h. A function is walked twice: for the order of each variable's
 * uses, and for what lies between them. */
#include "check/check_passed.h"

#include "check/check_cycle.h"

enum { ARGUMENTS = 4 }; /* index of the first argument in an OpFunctionCall */

/* What a variable was used for last. */
typedef enum Stage { UNUSED, STORED, PASSED } Stage;

typedef struct Variable {
  uint32_t id, callee, argument; /* callee: 0: not passed yet */
  uint32_t origin;               /* the function that it came from */
  uint32_t block;
  Stage stage;
  bool several, unstored; /* uses in several blocks; a call without a store before */
  bool plain;             /* a passed variable */
  bool fits;              /* a parameter variable */
} Variable;

/* The parameters of a callee, for the variables that came from one function. */
typedef struct Group {
  uint32_t origin, first, next; /* first: in `used`; next: for another function, or SR_NONE */
} Group;

typedef struct Look {
  SrArena *arena;
  const SrModule *m;
  const SrFunction *f;
  const SrCheckOrigin *origin; /* by id; NULL: there is one */
  uint32_t origins;            /* ids from here on have none */
  const SrMap *divided;        /* callees whose variables are told apart by origin */
  SrBits *cycles;              /* by block; NULL: not known yet */
  SrMap at;                    /* by id: its index in `variable` */
  SR_VEC(Variable) variable;
  SrMap parameters; /* by callee: its last group */
  SR_VEC(Group) group;
  SR_VEC(uint32_t) used; /* by parameter: the variable that was used last, or 0 */
} Look;

typedef void Visit(Look *k, Variable *v, SrRef r, uint32_t word, uint32_t block);

static void for_uses(Look *k, Visit *visit) {
  const SrModule *m = k->m;
  for (uint32_t b = 0; b < k->f->block_count; b++)
    for (SR_EACH(m, r, k->f->blocks[b].list))
      for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++) {
        uint32_t at =
            sr_word_is_id(m, r, i) ? sr_map_get(&k->at, sr_words(m, r)[i]) : (uint32_t)SR_NONE;
        if (at != SR_NONE)
          visit(k, &k->variable.at[at], r, i, b);
      }
}

/* ---- each variable ---- */

/* The number of parameters of a function; 0 also if the id is none. */
static uint32_t parameters_of(const SrModule *m, uint32_t function) {
  SrRef type = sr_def_op(m, function) == SpvOpFunction
                   ? sr_def(m, sr_words(m, sr_def(m, function))[4])
                   : (SrRef)SR_NONE;
  return type != SR_NONE && sr_inst(m, type)->op == SpvOpTypeFunction ? sr_word_count(m, type) - 3
                                                                      : 0;
}

static bool is_pass(const Look *k, const Variable *v, SrRef r, uint32_t word) {
  if (sr_inst(k->m, r)->op != SpvOpFunctionCall || word < ARGUMENTS ||
      sr_word_count(k->m, r) != ARGUMENTS + parameters_of(k->m, sr_words(k->m, r)[3]))
    return false;
  return !v->callee || (v->callee == sr_words(k->m, r)[3] && v->argument == word - ARGUMENTS);
}

static bool is_store(const Look *k, SrRef r, uint32_t word) {
  return sr_inst(k->m, r)->op == SpvOpStore && word == 1 && sr_word_count(k->m, r) == 3;
}

static bool is_load(const Look *k, SrRef r) {
  return sr_inst(k->m, r)->op == SpvOpLoad && sr_word_count(k->m, r) == 4;
}

/* May the call run several times in one call of the function that it came from? */
static bool is_in_cycle(Look *k, SrRef call, uint32_t block) {
  if (k->origin && sr_inst(k->m, call)->result < k->origins)
    return k->origin[sr_inst(k->m, call)->result].cycle;
  if (!k->cycles)
    k->cycles = sr_check_cycles(k->arena, k->m, k->f);
  return sr_bit(k->cycles, block);
}

static void begin_block(Variable *v, uint32_t block) {
  if (v->stage != UNUSED && v->block != block) {
    v->fits &= v->stage == PASSED;
    v->several = true;
    v->stage = UNUSED;
  }
  v->block = block;
}

static uint32_t origin_of(const Look *k, SrRef call) {
  uint32_t id = sr_inst(k->m, call)->result;
  if (!k->origin || id >= k->origins || sr_map_get(k->divided, sr_words(k->m, call)[3]) == SR_NONE)
    return 0;
  return k->origin[id].function;
}

static void look_at(Look *k, Variable *v, SrRef r, uint32_t word, uint32_t block) {
  begin_block(v, block);
  if (is_pass(k, v, r, word)) {
    bool stored = v->stage == STORED;
    v->fits &= stored || (v->stage == UNUSED && !is_in_cycle(k, r, block));
    v->unstored |= !stored;
    v->callee = sr_words(k->m, r)[3];
    v->origin = origin_of(k, r);
    v->argument = word - ARGUMENTS;
    v->stage = PASSED;
  } else if (is_store(k, r, word)) {
    v->fits &= !v->unstored;
    v->stage = STORED;
  } else {
    v->fits &= v->stage == PASSED;
    v->plain &= is_load(k, r);
  }
}

/* ---- what lies between its uses ---- */

/* The number of the parameter that the variable is passed to. Each function that it may come from
 * has its own. */
static uint32_t parameter_of(Look *k, const Variable *v) {
  uint32_t last = sr_map_get(&k->parameters, v->callee), g = last;
  while (g != SR_NONE && k->group.at[g].origin != v->origin)
    g = k->group.at[g].next;
  if (g == SR_NONE) {
    g = k->group.count;
    SR_PUSH(k->arena, &k->group, (Group){v->origin, k->used.count, last});
    sr_map_set(&k->parameters, v->callee, g);
    for (uint32_t i = parameters_of(k->m, v->callee); i > 0; i--)
      SR_PUSH(k->arena, &k->used, 0);
  }
  return k->group.at[g].first + v->argument;
}

/* A call and a load need the variable to be the last one that was used, except a call without a
 * store. */
static void follow_use(Look *k, Variable *v, SrRef r, uint32_t word, uint32_t block) {
  (void)word, (void)block;
  if (!v->fits)
    return;
  uint32_t parameter = parameter_of(k, v); /* may move `used` */
  uint32_t *last = &k->used.at[parameter];
  bool begins = sr_inst(k->m, r)->op == SpvOpStore ||
                (sr_inst(k->m, r)->op == SpvOpFunctionCall && v->unstored);
  v->fits = begins || *last == v->id;
  *last = v->id;
}

static void look(SrArena *arena, const SrCheckPassed *sides, const SrMap *divided,
                 const SrModule *m, const SrFunction *f, Look *k) {
  *k = (Look){.arena = arena,
              .m = m,
              .f = f,
              .origin = sides->origin,
              .origins = sr_bound(sides->before),
              .divided = divided,
              .at.arena = arena,
              .parameters.arena = arena};
  for (SR_EACH(m, r, f->blocks[0].list)) {
    const SrInst *in = sr_inst(m, r);
    if (in->op != SpvOpVariable || sr_word_count(m, r) > 4)
      continue;
    sr_map_set(&k->at, in->result, k->variable.count);
    SR_PUSH(arena, &k->variable, (Variable){.id = in->result, .plain = true, .fits = true});
  }
  for_uses(k, look_at);
  for (uint32_t i = 0; i < k->variable.count; i++) {
    Variable *v = &k->variable.at[i];
    v->plain &= v->callee != 0;
    v->fits &= v->plain && v->stage == PASSED && !(v->several && v->unstored);
  }
  for_uses(k, follow_use);
}

/* ---- both sides ---- */

/* Is it a variable that a transform added for a parameter that the side before has, too? */
static bool is_added(const Look *before, const Variable *v, uint32_t own_from) {
  return v->plain && v->id >= own_from && v->argument < parameters_of(before->m, v->callee);
}

/* By parameter of the side before: the variable that the side after has for it; SR_NONE: there is
 * none, 0: several. */
static uint32_t *find_shared(Look *before, const Look *after, uint32_t own_from) {
  for (uint32_t i = 0; i < after->variable.count; i++)
    if (is_added(before, &after->variable.at[i], own_from))
      parameter_of(before, &after->variable.at[i]);
  uint32_t *shared = sr_new_none(before->arena, before->used.count);
  for (uint32_t i = 0; i < after->variable.count; i++) {
    const Variable *v = &after->variable.at[i];
    if (!is_added(before, v, own_from))
      continue;
    uint32_t *q = &shared[parameter_of(before, v)];
    *q = *q == SR_NONE ? v->id : 0;
  }
  return shared;
}

/* Finds the callees for a parameter of which the side after has several variables that a transform
 * added: one for each function, before these became parts of one. */
static void find_divided(SrArena *arena, const SrCheckPassed *sides, SrMap *divided) {
  Look y;
  SrMap met = {.arena = arena};
  look(arena, sides, divided, sides->after, sides->g, &y);
  for (uint32_t i = 0; i < y.variable.count; i++) {
    const Variable *v = &y.variable.at[i];
    if (!is_added(&y, v, sides->own_from))
      continue;
    uint32_t p = parameter_of(&y, v);
    if (sr_map_get(&met, p) != SR_NONE)
      sr_map_set(divided, v->callee, 0);
    sr_map_set(&met, p, 0);
  }
}

/* A copy of a variable has that one's address, if it is not gone. */
static bool is_gone(const SrModule *after, const SrMap *place, uint32_t id) {
  uint32_t first = sr_map_get(place, id);
  return sr_def(after, first == SR_NONE ? id : first) == SR_NONE;
}

void sr_check_passed(SrArena *arena, const SrCheckPassed *sides, SrMap *place) {
  if (!sides->f->block_count || !sides->g->block_count)
    return;
  Look x, y;
  SrMap divided = {.arena = arena};
  if (sides->origin)
    find_divided(arena, sides, &divided);
  look(arena, sides, &divided, sides->before, sides->f, &x);
  look(arena, sides, &divided, sides->after, sides->g, &y);
  const uint32_t *shared = find_shared(&x, &y, sides->own_from);
  uint32_t *first = sr_new_none(arena, x.used.count);
  for (uint32_t i = 0; i < x.variable.count; i++) {
    const Variable *v = &x.variable.at[i];
    uint32_t p = v->fits ? parameter_of(&x, v) : 0;
    if (!v->fits || !(sides->alike ||
                      (shared[p] != SR_NONE && shared[p] && is_gone(sides->after, place, v->id))))
      continue;
    first[p] = first[p] == SR_NONE ? v->id : first[p];
    sr_map_set(place, v->id, first[p]);
    if (shared[p] != SR_NONE && shared[p])
      sr_map_set(place, shared[p], first[p]);
  }
}
