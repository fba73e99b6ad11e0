/* SPDX-License-Identifier: Apache-2.0 */
/* loop_gain: see loop_gain.h. */
#include "transform/iterations/loop_gain.h"

#include "base/sort.h"
#include "base/vec.h"

/* A lane's entry into the outer loop of a pair. Lanes that enter it for the n-th time are taken to
 * do so together. */
typedef struct Visit {
  uint32_t pair, number;
  const SrTrail *trail;
  uint32_t first; /* in the trail: where it enters */
} Visit;

typedef struct Lane {
  const SrTrail *trail;
  uint32_t at;
} Lane;

typedef struct Gain {
  SrArena *arena;
  const SrLoopShape *shape;
  uint32_t *stamp, turn; /* by block: == turn, it was counted in this turn */
  uint32_t *visits;      /* by pair: of the current lane */
  SR_VEC(Visit) visit;
  SR_VEC(Lane) lane;
  SrLoopHeaders pair; /* the current one */
  uint32_t current;
  uint64_t issues;
} Gain;

/* ---- lanes ---- */

static uint32_t block_at(const Lane *l) {
  return l->trail->blocks[l->at];
}

static bool is_in_pair(const Gain *k, const Lane *l) {
  return l->at < l->trail->count && k->shape->pair_of[block_at(l)] == k->current;
}

static bool is_at(const Gain *k, const Lane *l, uint32_t block) {
  return is_in_pair(k, l) && block_at(l) == block;
}

static bool is_in_inner(const Gain *k, const Lane *l) {
  return is_in_pair(k, l) && sr_bit(k->shape->is_inner, block_at(l));
}

static void step(Gain *k, Lane *l, uint32_t turn) {
  uint32_t b = block_at(l);
  if (k->stamp[b] != turn)
    k->issues += k->shape->size[b];
  k->stamp[b] = turn;
  l->at++;
}

static bool any_at(const Gain *k, uint32_t block) {
  for (uint32_t i = 0; i < k->lane.count; i++)
    if (is_at(k, &k->lane.at[i], block))
      return true;
  return false;
}

/* ---- the loops as they are ---- */

/* All lanes in the outer loop run to the inner loop, or where they leave the turn. */
static void run_around(Gain *k, uint32_t turn) {
  for (uint32_t i = 0; i < k->lane.count; i++) {
    Lane *l = &k->lane.at[i];
    bool begins = is_at(k, l, k->pair.outer);
    while (is_in_pair(k, l) && !is_in_inner(k, l) && (begins || !is_at(k, l, k->pair.outer))) {
      step(k, l, turn);
      begins = false;
    }
  }
}

static void run_inner_turn(Gain *k) {
  uint32_t turn = ++k->turn;
  for (uint32_t i = 0; i < k->lane.count; i++) {
    Lane *l = &k->lane.at[i];
    if (!is_at(k, l, k->pair.inner))
      continue;
    do
      step(k, l, turn);
    while (is_in_inner(k, l) && !is_at(k, l, k->pair.inner));
  }
}

/* After the inner loop; a lane that is at the outer header already has ended its turn. */
static void run_after(Gain *k, uint32_t turn) {
  for (uint32_t i = 0; i < k->lane.count; i++) {
    Lane *l = &k->lane.at[i];
    while (is_in_pair(k, l) && !is_at(k, l, k->pair.outer))
      step(k, l, turn);
  }
}

static void run_as_they_are(Gain *k) {
  while (any_at(k, k->pair.outer)) {
    uint32_t turn = ++k->turn;
    run_around(k, turn);
    while (any_at(k, k->pair.inner))
      run_inner_turn(k);
    run_after(k, turn);
  }
}

/* ---- the merged loop ---- */

static bool ends_turn(const Gain *k, const Lane *l) {
  return !is_in_pair(k, l) || is_at(k, l, k->pair.inner) ||
         (is_at(k, l, k->pair.outer) && sr_bit(k->shape->passes_by, l->trail->blocks[l->at - 1]));
}

static void run_merged(Gain *k) {
  for (bool any = true; any;) {
    uint32_t turn = ++k->turn;
    any = false;
    for (uint32_t i = 0; i < k->lane.count; i++) {
      Lane *l = &k->lane.at[i];
      if (!is_in_pair(k, l))
        continue;
      any = true;
      do
        step(k, l, turn);
      while (!ends_turn(k, l));
    }
    k->issues += any ? k->shape->added : 0;
  }
}

/* ---- visits ---- */

static void find_visits(Gain *k, const SrTrail *trail) {
  memset(k->visits, 0, k->shape->count * sizeof *k->visits);
  for (uint32_t i = 0, before = SR_NONE; i < trail->count; i++) {
    uint32_t pair = k->shape->pair_of[trail->blocks[i]];
    if (pair != SR_NONE && pair != before)
      SR_PUSH(k->arena, &k->visit, (Visit){pair, k->visits[pair]++, trail, i});
    before = pair;
  }
}

static int by_visit(const void *a, const void *b) {
  const Visit *x = a, *y = b;
  if (x->pair != y->pair)
    return x->pair < y->pair ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static uint64_t issues_of(Gain *k, const Visit *visit, uint32_t count, void (*run)(Gain *k)) {
  k->issues = k->lane.count = 0;
  for (uint32_t i = 0; i < count; i++)
    SR_PUSH(k->arena, &k->lane, (Lane){visit[i].trail, visit[i].first});
  run(k);
  return k->issues;
}

static void add_subgroup(Gain *k, SrLoopIssues *sum) {
  sr_sort(k->arena, k->visit.at, k->visit.count, sizeof *k->visit.at, by_visit);
  for (uint32_t i = 0, j; i < k->visit.count; i = j) {
    const Visit *v = &k->visit.at[i];
    for (j = i + 1; j < k->visit.count && by_visit(v, &k->visit.at[j]) == 0; j++)
      ;
    k->current = v->pair;
    k->pair = k->shape->pair[v->pair];
    sum[v->pair].before += issues_of(k, v, j - i, run_as_they_are);
    sum[v->pair].after += issues_of(k, v, j - i, run_merged);
  }
}

SrLoopIssues *sr_loop_gain(SrArena *arena, const SrLoopShape *shape, const SrLoopPaths *paths) {
  SrLoopIssues *sum = SR_NEW(arena, SrLoopIssues, shape->count);
  Gain k = {.arena = arena, .shape = shape};
  k.stamp = SR_NEW(arena, uint32_t, shape->block_count);
  k.visits = SR_NEW(arena, uint32_t, shape->count);
  for (uint32_t s = 0; s < paths->subgroup_count; s++) {
    k.visit.count = 0;
    for (uint32_t i = 0; i < paths->subgroups[s].count; i++)
      find_visits(&k, &paths->subgroups[s].at[i]);
    add_subgroup(&k, sum);
  }
  return sum;
}
