/* SPDX-License-Identifier: Apache-2.0 */
/* merge_cycles: see merge_cycles.h. Cost: the cycle's blocks, uses and arguments, for each of a few
 * candidates of one hash. */
#include "passes/transform/merge/merge_cycles.h"
#include "passes/transform/merge/merge_blocks.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_COMPARED = 4 };

/* ---- which cycles to compare ---- */

static uint32_t size_key(const SrMergeCycles *k, uint32_t cycle) {
  const SrCycle *c = &k->g->nest->cycles[cycle];
  uint64_t size = k->code_before[c->last + 1] - k->code_before[c->first];
  return (uint32_t)XXH64(&size, sizeof size, 0);
}

static void measure(SrMergeCycles *k) {
  const SrNest *nest = k->g->nest;
  k->code_before = SR_NEW(k->g->arena, uint64_t, (size_t)nest->count + 1);
  for (uint32_t r = 0; r < nest->count; r++) {
    const SrMergeBlock *b = &k->g->block[nest->order[r]];
    uint64_t one = (uint64_t)1 << 40; /* one block, counted in the bits above those for the code */
    k->code_before[r + 1] = k->code_before[r] + (b->gone ? 0 : one + b->code_count);
  }
  for (uint32_t c = 0; c < nest->cycle_count; c++) {
    uint32_t key = size_key(k, c), n = sr_map_get(&k->of_size, key);
    sr_map_set(&k->of_size, key, n == SR_NONE ? 1 : n + 1);
  }
}

SrMergeCycles sr_merge_cycles_new(SrMergeGraph *g, const SrBits *kept) {
  SrMergeCycles k = {.g = g, .kept = kept};
  k.first.arena = k.of_size.arena = g->arena;
  k.number = SR_NEW_RAW(g->arena, uint32_t, g->old->count);
  k.place[0] = sr_new_none(g->arena, g->old->count);
  k.place[1] = sr_new_none(g->arena, g->old->count);
  k.epoch_of = SR_NEW(g->arena, uint32_t, g->old->count);
  measure(&k);
  return k;
}

/* ---- numbering ---- */

static bool in_nest(const SrMergeGraph *g, uint32_t cycle, uint32_t b) {
  return sr_cycle_has(g->nest, cycle, b);
}

/* The only block entered from outside, or SR_NONE. */
static uint32_t find_entry(SrMergeGraph *g, uint32_t cycle) {
  uint32_t entry = SR_NONE;
  for (uint32_t r = g->nest->cycles[cycle].first; r <= g->nest->cycles[cycle].last; r++) {
    uint32_t b = g->nest->order[r];
    for (SR_MERGE_IN(g, e, next, b)) {
      if (in_nest(g, cycle, g->edge[e].from))
        continue;
      if (entry != SR_NONE && entry != b)
        return SR_NONE;
      entry = b;
    }
  }
  return entry;
}

static bool has(const SrMergeCycles *k, uint32_t b) {
  return k->epoch_of[b] == k->epoch;
}

static void number(SrMergeCycles *k, SrMergeCycle *c, uint32_t b) {
  k->epoch_of[b] = k->epoch;
  k->number[b] = c->count;
  c->block[c->count++] = b;
}

/* Numbers the remaining blocks of the nest's cycle, from the entry. */
static void number_all(SrMergeCycles *k, SrMergeCycle *c, uint32_t entry, uint32_t cycle) {
  SrMergeGraph *g = k->g;
  const SrCycle *n = &g->nest->cycles[cycle];
  c->block = SR_NEW_RAW(g->arena, uint32_t, n->last - n->first + 1);
  c->count = 0;
  k->epoch++;
  number(k, c, entry);
  for (uint32_t i = 0; i < c->count; i++) {
    const SrMergeBlock *b = &g->block[c->block[i]];
    for (uint32_t s = 0; s < b->out_count; s++) {
      uint32_t to = g->edge[b->out + s].to;
      if (in_nest(g, cycle, to) && !has(k, to))
        number(k, c, to);
    }
  }
}

static uint32_t hash_cycle(const SrMergeCycles *k, const SrMergeCycle *c) {
  const SrMergeGraph *g = k->g;
  uint64_t h = c->count;
  for (uint32_t i = 0; i < c->count; i++) {
    const SrMergeBlock *b = &g->block[c->block[i]];
    uint64_t code = sr_merge_hash_code(g, c->block[i]);
    h = XXH64(&code, sizeof code, h);
    for (uint32_t s = 0; s < b->out_count; s++) {
      uint32_t to = g->edge[b->out + s].to;
      uint32_t key[2] = {has(k, to), has(k, to) ? k->number[to] : to};
      h = XXH64(key, sizeof key, h);
    }
  }
  return (uint32_t)(h ^ h >> 32);
}

/* ---- comparing ---- */

/* Different values from outside that x and y use in the same place: a in y, b in x. */
typedef struct Outer {
  uint32_t a, b, parameter, next;
} Outer;

/* Cycle x, to be merged into y. */
typedef struct Match {
  SrMergeCycles *k;
  SrMergeGraph *g;
  SrArena scratch;
  const SrMergeCycle *x, *y;
  uint32_t *place_x, *place_y; /* by block: its number, or SR_NONE */
  SR_VEC(uint32_t) partner;    /* by parameter of y's entry: x's value, or SR_NONE */
  SR_VEC(uint32_t) work;       /* parameters of y's entry whose arguments are to be compared */
  SrMap outer;                 /* by value from outside that y uses: its pairs */
  SR_VEC(Outer) pair;
} Match;

/* The number of the block of the cycle that defines the value, or SR_NONE. */
static uint32_t home_of(const Match *m, const uint32_t *place, uint32_t value, bool *parameter) {
  uint32_t p = sr_merge_parameter(m->g, value);
  *parameter = p != SR_NONE;
  uint32_t b = p != SR_NONE ? m->g->parameter.at[p].block : m->g->m->home[value];
  return b == SR_NONE ? SR_NONE : place[b];
}

static uint32_t index_of(const SrMergeGraph *g, uint32_t parameter) {
  return g->parameter.at[sr_merge_parameter(g, parameter)].index;
}

static bool is_entry_parameter(const SrMergeGraph *g, uint32_t value, const SrMergeCycle *c) {
  uint32_t p = sr_merge_parameter(g, value);
  return p != SR_NONE && g->parameter.at[p].block == c->block[0];
}

static bool pair_entry(Match *m, uint32_t a, uint32_t b) {
  uint32_t *partner = &m->partner.at[index_of(m->g, a)];
  if (*partner == SR_NONE && !sr_merge_may_join(m->g, a, b))
    return false;
  if (*partner == SR_NONE) {
    *partner = b;
    SR_PUSH(&m->scratch, &m->work, a);
  }
  return *partner == b;
}

static Outer *find_outer(Match *m, uint32_t a, uint32_t b) {
  for (uint32_t i = sr_map_get(&m->outer, a); i != SR_NONE; i = m->pair.at[i].next)
    if (m->pair.at[i].b == b)
      return &m->pair.at[i];
  return NULL;
}

static bool pair_outer(Match *m, uint32_t a, uint32_t b) {
  if (a == b || find_outer(m, a, b))
    return true;
  if (sr_merge_type(m->g, a) != sr_merge_type(m->g, b))
    return false;
  SR_PUSH(&m->scratch, &m->pair, (Outer){a, b, SR_NONE, sr_map_get(&m->outer, a)});
  sr_map_set(&m->outer, a, m->pair.count - 1);
  return true;
}

/* Can a and b correspond if one of them comes from outside its cycle? The other may change after an
 * iteration, so it must be a parameter of the entry. */
static bool correspond_mixed(Match *m, uint32_t a, uint32_t in_y, uint32_t b, uint32_t in_x) {
  if (in_x == SR_NONE)
    return is_entry_parameter(m->g, a, m->y) && pair_entry(m, a, b);
  return in_y == SR_NONE && is_entry_parameter(m->g, b, m->x) && pair_outer(m, a, b);
}

/* Can y's value a correspond to x's value b? */
static bool correspond(Match *m, uint32_t a, uint32_t b) {
  SrMergeGraph *g = m->g;
  if (a == SR_VALUE_UNSET || b == SR_VALUE_UNSET)
    return true;
  a = sr_merge_value(g, a);
  b = sr_merge_value(g, b);
  bool parameter_a, parameter_b;
  uint32_t in_y = home_of(m, m->place_y, a, &parameter_a);
  uint32_t in_x = home_of(m, m->place_x, b, &parameter_b);
  if (in_y != in_x)
    return correspond_mixed(m, a, in_y, b, in_x);
  if (in_y == SR_NONE)
    return pair_outer(m, a, b);
  if (parameter_a != parameter_b)
    return false;
  if (!parameter_a)
    return sr_ids_get(g->place, a) == sr_ids_get(g->place, b);
  if (in_y == 0)
    return pair_entry(m, a, b);
  return index_of(g, a) == index_of(g, b) && sr_merge_may_join(g, a, b);
}

static bool same_target(const Match *m, uint32_t y, uint32_t x) {
  return m->place_y[y] == m->place_x[x] && (m->place_y[y] != SR_NONE || x == y);
}

/* Blocks from_x and from_y leave their cycles for block `to`. Does only one of them precede `to` in
 * LRPO, so that it may dominate `to`? */
static bool one_may_dominate(const Match *m, uint32_t from_x, uint32_t from_y, uint32_t to) {
  return m->place_y[to] == SR_NONE && (m->g->nest->rank[from_x] < m->g->nest->rank[to]) !=
                                          (m->g->nest->rank[from_y] < m->g->nest->rank[to]);
}

static bool edges_fit(Match *m, uint32_t i) {
  SrMergeGraph *g = m->g;
  const SrMergeBlock *x = &g->block[m->x->block[i]], *y = &g->block[m->y->block[i]];
  for (uint32_t s = 0; s < y->out_count; s++) {
    const SrMergeEdge *ey = &g->edge[y->out + s], *ex = &g->edge[x->out + s];
    if (!same_target(m, ey->to, ex->to) || one_may_dominate(m, ex->from, ey->from, ey->to))
      return false;
    if (m->place_y[ey->to] == 0)
      continue; /* leads to the entry: see back_edges_fit */
    if (ey->argument.count != ex->argument.count)
      return false;
    for (uint32_t p = 0; p < ey->argument.count; p++)
      if (!correspond(m, ey->argument.at[p], ex->argument.at[p]))
        return false;
  }
  return true;
}

static bool uses_fit(Match *m, uint32_t i) {
  SrMergeGraph *g = m->g;
  const SrMergeBlock *x = &g->block[m->x->block[i]], *y = &g->block[m->y->block[i]];
  for (uint32_t u = 0; u < y->use_count; u++)
    if (!correspond(m, g->use.at[y->use + u].value, g->use.at[x->use + u].value))
      return false;
  return true;
}

/* The value that b of x has after an iteration that ends with x's edge `back`. */
static uint32_t on_back_edge(const Match *m, uint32_t b, uint32_t back) {
  return is_entry_parameter(m->g, b, m->x) ? m->g->edge[back].argument.at[index_of(m->g, b)] : b;
}

/* The edge in x that corresponds to edge e in y; SR_NONE if e comes from outside. */
static uint32_t counterpart(const Match *m, uint32_t e) {
  const SrMergeGraph *g = m->g;
  uint32_t i = m->place_y[g->edge[e].from];
  return i == SR_NONE ? SR_NONE : g->block[m->x->block[i]].out + (e - g->block[m->y->block[i]].out);
}

/* Do y's value a and x's value b correspond after an iteration? `parameter`: a is a parameter of
 * y's entry. */
static bool same_after(Match *m, uint32_t a, uint32_t b, bool parameter) {
  SrMergeGraph *g = m->g;
  for (SR_MERGE_IN(g, e, next, m->y->block[0])) {
    uint32_t back = counterpart(m, e);
    uint32_t after = parameter ? g->edge[e].argument.at[index_of(g, a)] : a;
    if (back != SR_NONE && !correspond(m, after, on_back_edge(m, b, back)))
      return false;
  }
  return true;
}

/* Do values that correspond on entry correspond after each iteration, too? */
static bool back_edges_fit(Match *m) {
  for (uint32_t i = 0; m->work.count || i < m->pair.count;) {
    bool parameter = m->work.count;
    uint32_t a, b;
    if (parameter) {
      a = SR_POP(&m->work);
      b = m->partner.at[index_of(m->g, a)];
    } else {
      a = m->pair.at[i].a;
      b = m->pair.at[i++].b;
    }
    if (!same_after(m, a, b, parameter))
      return false;
  }
  return true;
}

/* Is the cycle still entered at one block only? */
static bool one_entry(const Match *m, const SrMergeCycle *c, const uint32_t *place) {
  for (uint32_t i = 1; i < c->count; i++)
    for (SR_MERGE_IN(m->g, e, next, c->block[i]))
      if (place[m->g->edge[e].from] == SR_NONE)
        return false;
  return true;
}

static bool fits(Match *m) {
  SrMergeGraph *g = m->g;
  if (m->x->count != m->y->count || !one_entry(m, m->y, m->place_y))
    return false;
  for (uint32_t i = 0; i < m->y->count; i++)
    if (g->block[m->y->block[i]].gone || sr_bit(m->k->kept, m->x->block[i]))
      return false;
  for (SR_MERGE_IN(g, e, next, m->x->block[0]))
    if (sr_merge_leads(g, g->edge[e].from, m->y->block[0]))
      return false;
  for (uint32_t i = 0; i < m->y->count; i++)
    if (!sr_merge_same_code(g, m->x->block[i], m->y->block[i]) || !edges_fit(m, i) ||
        !uses_fit(m, i))
      return false;
  return back_edges_fit(m);
}

/* ---- merging ---- */

/* Adds a parameter to the entry for each pair whose value in y comes from outside. */
static void add_parameters(Match *m) {
  SrMergeGraph *g = m->g;
  uint32_t entry = m->y->block[0];
  for (uint32_t i = 0; i < m->pair.count; i++) {
    Outer *pair = &m->pair.at[i];
    pair->parameter = sr_merge_add_parameter(g, entry, sr_merge_type(g, pair->a), m->x->block[0]);
    for (SR_MERGE_IN(g, e, next, entry))
      SR_LAST(&g->edge[e].argument) = pair->a; /* for back edges, see join_back_edge */
    SR_PUSH(&m->scratch, &m->partner, pair->b);
    sr_merge_stands_for(g, pair->parameter, pair->a);
  }
}

/* The parameters of y's blocks take the place of x's values, too. */
static void join_parameters(Match *m) {
  SrMergeGraph *g = m->g;
  for (uint32_t p = 0; p < m->partner.count; p++)
    if (m->partner.at[p] != SR_NONE)
      sr_merge_stands_for(g, g->block[m->y->block[0]].parameter.at[p], m->partner.at[p]);
  for (uint32_t i = 1; i < m->y->count; i++) {
    const SrMergeBlock *x = &g->block[m->x->block[i]], *y = &g->block[m->y->block[i]];
    for (uint32_t p = 0; p < x->parameter.count && p < y->parameter.count; p++)
      sr_merge_stands_for(g, y->parameter.at[p], x->parameter.at[p]);
  }
}

static uint32_t joined(Match *m, uint32_t a, uint32_t b) {
  if (a == SR_VALUE_UNSET || b == SR_VALUE_UNSET)
    return SR_VALUE_UNSET;
  a = sr_merge_value(m->g, a);
  const Outer *pair = find_outer(m, a, sr_merge_value(m->g, b));
  return pair ? pair->parameter : a;
}

static void join_back_edge(Match *m, SrMergeEdge *ey, uint32_t back) {
  for (uint32_t p = 0; p < m->partner.count; p++)
    if (m->partner.at[p] != SR_NONE)
      ey->argument.at[p] = joined(m, ey->argument.at[p], on_back_edge(m, m->partner.at[p], back));
}

static void join_block(Match *m, uint32_t i) {
  SrMergeGraph *g = m->g;
  const SrMergeBlock *x = &g->block[m->x->block[i]], *y = &g->block[m->y->block[i]];
  for (uint32_t u = 0; u < y->use_count; u++)
    g->use.at[y->use + u].value =
        joined(m, g->use.at[y->use + u].value, g->use.at[x->use + u].value);
  for (uint32_t s = 0; s < y->out_count; s++) {
    SrMergeEdge *ey = &g->edge[y->out + s];
    const SrMergeEdge *ex = &g->edge[x->out + s];
    if (m->place_y[ey->to] == 0) {
      join_back_edge(m, ey, x->out + s);
      continue;
    }
    for (uint32_t p = 0; p < ey->argument.count; p++)
      ey->argument.at[p] = joined(m, ey->argument.at[p], ex->argument.at[p]);
  }
}

/* Redirects edge e from x's entry to y's, with x's values as arguments. */
static void move_edge(Match *m, uint32_t e) {
  SrMergeGraph *g = m->g;
  uint32_t entry = m->x->block[0];
  SR_VEC(uint32_t) argument = {0};
  for (uint32_t p = 0; p < m->partner.count; p++) {
    uint32_t b = m->partner.at[p];
    SR_PUSH(g->arena, &argument, b == SR_NONE ? SR_VALUE_UNSET : sr_merge_on_edge(g, b, entry, e));
  }
  sr_merge_unlink_edge(g, e);
  g->edge[e].argument.count = 0;
  for (uint32_t p = 0; p < argument.count; p++)
    SR_PUSH(g->arena, &g->edge[e].argument, argument.at[p]);
  sr_merge_link_edge(g, e, m->y->block[0]);
}

static void merge(Match *m) {
  SrMergeGraph *g = m->g;
  add_parameters(m);
  join_parameters(m);
  for (uint32_t i = 0; i < m->y->count; i++)
    join_block(m, i);
  for (uint32_t i = 0; i < m->x->count; i++)
    for (uint32_t s = 0; s < g->block[m->x->block[i]].out_count; s++)
      sr_merge_unlink_edge(g, g->block[m->x->block[i]].out + s);
  for (SR_MERGE_IN(g, e, next, m->x->block[0]))
    move_edge(m, e);
  for (uint32_t i = 0; i < m->x->count; i++)
    sr_merge_replace(g, m->x->block[i], m->y->block[i]);
}

static void set_places(const SrMergeCycle *c, uint32_t *place, bool set) {
  for (uint32_t i = 0; i < c->count; i++)
    place[c->block[i]] = set ? i : SR_NONE;
}

/* Merges x into y if they are the same; returns whether they were. */
static bool merge_into(SrMergeCycles *k, const SrMergeCycle *x, const SrMergeCycle *y) {
  SrMergeGraph *g = k->g;
  Match m = {.k = k, .g = g, .scratch = sr_arena_new(g->arena->heap), .x = x, .y = y};
  m.outer.arena = &m.scratch;
  m.place_x = k->place[0];
  m.place_y = k->place[1];
  set_places(x, m.place_x, true);
  set_places(y, m.place_y, true);
  for (uint32_t p = 0; p < g->block[y->block[0]].parameter.count; p++)
    SR_PUSH(&m.scratch, &m.partner, SR_NONE);
  bool ok = fits(&m);
  if (ok)
    merge(&m);
  set_places(x, m.place_x, false);
  set_places(y, m.place_y, false);
  sr_arena_free(&m.scratch);
  return ok;
}

void sr_merge_cycle(SrMergeCycles *k, uint32_t cycle) {
  if (sr_map_get(&k->of_size, size_key(k, cycle)) == 1)
    return;
  uint32_t entry = find_entry(k->g, cycle), n = 0;
  if (entry == SR_NONE)
    return;
  SrMergeCycle c;
  number_all(k, &c, entry, cycle);
  uint32_t hash = hash_cycle(k, &c);
  for (uint32_t i = sr_map_get(&k->first, hash); i != SR_NONE && n < MOST_COMPARED; n++) {
    if (merge_into(k, &c, &k->cycle.at[i]))
      return;
    i = k->cycle.at[i].next;
  }
  c.next = sr_map_get(&k->first, hash);
  sr_map_set(&k->first, hash, k->cycle.count);
  SR_PUSH(k->g->arena, &k->cycle, c);
}
