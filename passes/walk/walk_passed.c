/* SPDX-License-Identifier: Apache-2.0 */
/* walk_passed: see walk_passed.h. A function is walked twice: for the order of each variable's
 * uses, and for the uses of other variables between them. */
#include "passes/walk/walk_passed.h"

#include "passes/walk/walk_cycle.h"

enum { ARGUMENTS = 4 }; /* index of the first argument in an OpFunctionCall */

/* What a variable was used for last. */
typedef enum Stage { UNUSED, STORED, PASSED } Stage;

typedef struct Variable {
  uint32_t id, callee, argument; /* callee: 0 if not passed yet */
  uint32_t call;                 /* that it was passed to last */
  uint32_t taker;                /* of the input: the variable that took its place, or 0 */
  uint32_t noted;                /* the last block with a store that is in `store`; SR_NONE: none */
  uint32_t block;
  Stage stage;
  bool several, unstored; /* uses in several blocks; a call without a store before */
  bool plain;             /* a passed variable */
  bool fits;              /* a parameter variable */
} Variable;

/* The parameters of a callee, for the variables of one key. */
typedef struct Group {
  uint32_t key, first, next; /* first: in `id`; next: for another key, or SR_NONE */
} Group;

/* For each parameter of each callee and each key: the id of a variable, or 0. */
typedef struct Table {
  SrMap last; /* by callee: its last group */
  SR_VEC(Group) group;
  SR_VEC(uint32_t) id;
} Table;

/* A store to a variable that a transform added. */
typedef struct Store {
  uint32_t variable, next; /* variable: in Look.variable; next: in the same block, or SR_NONE */
} Store;

typedef struct Look {
  SrArena *arena;
  const SrWalkPassed *sides;
  const SrModule *m;
  const SrFunction *f;
  const struct Look *after; /* in the input */
  SrBits *cycles;           /* by block; NULL: not known yet */
  SrMap at;                 /* by id: its index in `variable` */
  SR_VEC(Variable) variable;
  SrMap stores; /* by label: its last `store` */
  SR_VEC(Store) store;
  Table used; /* the variable that was used last; keyed by the variable that replaced it */
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

/* The number of parameters of a function; 0 if the id is not a function. */
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

/* Where an id came from, or NULL if functions have not become parts of others, or a transform added
 * it. */
static const SrWalkOrigin *origin_of(const Look *k, uint32_t id) {
  return k->sides->origin && id < sr_bound(k->sides->before) ? &k->sides->origin[id] : NULL;
}

/* May the call run several times in one call of the function that it came from? */
static bool is_in_cycle(Look *k, SrRef call, uint32_t block) {
  const SrWalkOrigin *origin = origin_of(k, sr_inst(k->m, call)->result);
  if (origin)
    return origin->cycle;
  if (!k->cycles)
    k->cycles = sr_walk_cycles(k->arena, k->m, k->f);
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

static void look_at(Look *k, Variable *v, SrRef r, uint32_t word, uint32_t block) {
  begin_block(v, block);
  if (is_pass(k, v, r, word)) {
    bool stored = v->stage == STORED;
    v->fits &= stored || (v->stage == UNUSED && !is_in_cycle(k, r, block));
    v->unstored |= !stored;
    v->callee = sr_words(k->m, r)[3];
    v->call = sr_inst(k->m, r)->result;
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

static void look(const SrWalkPassed *sides, SrArena *arena, const SrModule *m, const SrFunction *f,
                 Look *k) {
  *k = (Look){.arena = arena,
              .sides = sides,
              .m = m,
              .f = f,
              .at.arena = arena,
              .stores.arena = arena,
              .used.last.arena = arena};
  for (SR_EACH(m, r, f->blocks[0].list)) {
    const SrInst *in = sr_inst(m, r);
    if (in->op != SpvOpVariable || sr_word_count(m, r) > 4)
      continue;
    sr_map_set(&k->at, in->result, k->variable.count);
    SR_PUSH(arena, &k->variable,
            (Variable){.id = in->result, .noted = SR_NONE, .plain = true, .fits = true});
  }
  for_uses(k, look_at);
  for (uint32_t i = 0; i < k->variable.count; i++) {
    Variable *v = &k->variable.at[i];
    v->plain &= v->callee != 0;
    v->fits &= v->plain && v->stage == PASSED && !(v->several && v->unstored);
  }
}

/* ---- tables ---- */

/* The entry of the parameter that the variable is passed to, for a key. */
static uint32_t *entry(const Look *k, Table *t, const Variable *v, uint32_t key) {
  uint32_t last = sr_map_get(&t->last, v->callee), g = last;
  while (g != SR_NONE && t->group.at[g].key != key)
    g = t->group.at[g].next;
  if (g == SR_NONE) {
    g = t->group.count;
    SR_PUSH(k->arena, &t->group, (Group){key, t->id.count, last});
    sr_map_set(&t->last, v->callee, g);
    for (uint32_t i = parameters_of(k->m, v->callee); i > 0; i--)
      SR_PUSH(k->arena, &t->id, 0);
  }
  return &t->id.at[t->group.at[g].first + v->argument];
}

/* ---- what took a variable's place ---- */

/* Is it a variable that a transform added for a parameter that the input has, too? */
static bool is_added(const Look *after, const Variable *v) {
  return v->plain && v->id >= after->sides->own_from &&
         v->argument < parameters_of(after->sides->before, v->callee);
}

/* Notes the stores to added variables, by block. */
static void note_store(Look *k, Variable *v, SrRef r, uint32_t word, uint32_t block) {
  if (!is_added(k, v) || !is_store(k, r, word) || v->noted == block)
    return;
  uint32_t label = k->f->blocks[block].id;
  Store store = {(uint32_t)(v - k->variable.at), sr_map_get(&k->stores, label)};
  v->noted = block;
  sr_map_set(&k->stores, label, k->store.count);
  SR_PUSH(k->arena, &k->store, store);
}

/* The block that stores to the variable may have kept its label, and store to another variable for
 * the parameter. */
static void follow_store(Look *k, Variable *v, SrRef r, uint32_t word, uint32_t block) {
  if (!v->fits || v->taker || !is_store(k, r, word))
    return;
  const Look *after = k->after;
  uint32_t label = k->f->blocks[block].id, found = 0;
  const SrWalkOrigin *origin = origin_of(k, label);
  if (origin && origin->id)
    label = origin->id;
  for (uint32_t i = sr_map_get(&after->stores, label); i != SR_NONE; i = after->store.at[i].next) {
    const Variable *q = &after->variable.at[after->store.at[i].variable];
    if (q->callee == v->callee && q->argument == v->argument)
      found = found ? (uint32_t)SR_NONE : q->id;
  }
  v->taker = found == SR_NONE ? 0 : found;
}

enum { ANY, FROM }; /* keys: any function, function f: FROM + f */

static uint32_t from_key(const Look *k, const Variable *v) {
  const SrWalkOrigin *origin = origin_of(k, v->call);
  return origin ? FROM + origin->function : ANY;
}

/* Adds a variable to an entry: SR_NONE if there are several. */
static void add(uint32_t *to, uint32_t id) {
  *to = *to ? (uint32_t)SR_NONE : id;
}

/* Is the variable gone? A copy has the address of its original, which may still be there. */
static bool is_gone(const SrModule *after, const SrMap *place, uint32_t id) {
  uint32_t first = sr_map_get(place, id);
  return sr_def(after, first == SR_NONE ? id : first) == SR_NONE;
}

/* Finds which variable replaced each one that is gone (or each one, see SrWalkPassed): the only
 * variable added for the parameter or, of several, the one that its block stores to now, or the one
 * for calls from the same function. */
static void find_takers(Look *x, Look *y, const SrMap *place) {
  Table added = {.last.arena = x->arena};
  for_uses(y, note_store);
  x->after = y;
  for_uses(x, follow_store);
  for (uint32_t i = 0; i < y->variable.count; i++) {
    const Variable *q = &y->variable.at[i];
    if (!is_added(y, q))
      continue;
    add(entry(x, &added, q, ANY), q->id);
    if (from_key(y, q) != ANY)
      add(entry(x, &added, q, from_key(y, q)), q->id);
  }
  for (uint32_t i = 0; i < x->variable.count; i++) {
    Variable *v = &x->variable.at[i];
    uint32_t only = v->plain ? *entry(x, &added, v, ANY) : 0;
    if (only != SR_NONE)
      v->taker = only;
    else if (!v->taker)
      v->taker = *entry(x, &added, v, from_key(x, v));
    if (v->taker == SR_NONE || (!x->sides->alike && !is_gone(y->m, place, v->id)))
      v->taker = 0;
  }
}

/* ---- what lies between its uses ---- */

/* Variables of one key have one address. */
static uint32_t address_key(const Look *k, const Variable *v) {
  return k->sides->alike ? ANY : v->taker;
}

/* Except for a call without a store, a call or a load requires that the variable was used last
 * among those that the same variable replaced. */
static void follow_use(Look *k, Variable *v, SrRef r, uint32_t word, uint32_t block) {
  (void)word, (void)block;
  if (!v->fits)
    return;
  uint32_t *last = entry(k, &k->used, v, address_key(k, v));
  bool begins = sr_inst(k->m, r)->op == SpvOpStore ||
                (sr_inst(k->m, r)->op == SpvOpFunctionCall && v->unstored);
  v->fits = begins || *last == v->id;
  *last = v->id;
}

/* ---- both sides ---- */

void sr_walk_passed(SrArena *arena, const SrWalkPassed *sides, SrMap *place) {
  if (!sides->f->block_count || !sides->g->block_count)
    return;
  Look x, y;
  look(sides, arena, sides->before, sides->f, &x);
  look(sides, arena, sides->after, sides->g, &y);
  find_takers(&x, &y, place);
  for_uses(&x, follow_use);
  Table first = {.last.arena = arena};
  for (uint32_t i = 0; i < x.variable.count; i++) {
    const Variable *v = &x.variable.at[i];
    if (!v->fits || (!v->taker && !sides->alike))
      continue;
    uint32_t *id = entry(&x, &first, v, address_key(&x, v));
    *id = *id ? *id : v->id;
    sr_map_set(place, v->id, *id);
    if (v->taker)
      sr_map_set(place, v->taker, *id);
  }
}
