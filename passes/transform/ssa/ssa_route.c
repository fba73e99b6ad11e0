/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_route: see ssa_route.h. */
#include "transform/ssa/ssa_route.h"
#include "base/vec.h"

#include <assert.h>

/* ---- dominance frontiers ---- */

typedef struct Pair {
  uint32_t block;
  SrExit exit;
} Pair;
typedef SR_VEC(Pair) Pairs;

/* Cooper, Harvey, Kennedy 2001, figure 5, for forward edges. The climb stops at a dominator that
 * another predecessor has climbed already, so each step makes an entry. */
static void climb(const SrRoutes *r, SrArena *scratch, Pairs *pairs, uint32_t *last_join,
                  uint32_t join) {
  uint32_t top = r->dom->idom[join];
  for (SR_PREDS(p, r->graph, join)) {
    if (sr_dominates(r->dom, join, *p))
      continue;
    for (uint32_t b = *p; b != top && b != SR_NONE && last_join[b] != join; b = r->dom->idom[b]) {
      last_join[b] = join;
      SR_PUSH(scratch, pairs, (Pair){b, {*p, join}});
    }
  }
}

/* Merge blocks and continue targets of loops: only jumps lead there. */
static SrBits *jump_targets(const SrRoutes *r, SrArena *scratch) {
  SrBits *set = sr_bits_new(scratch, r->graph->count);
  for (uint32_t c = 0; c < r->nest->cycle_count; c++) {
    if (r->loops[c].merge != SR_NONE)
      sr_bit_set(set, r->loops[c].merge);
    if (r->loops[c].cont != SR_NONE)
      sr_bit_set(set, r->loops[c].cont);
  }
  return set;
}

void sr_routes_init(SrRoutes *r, SrArena *arena) {
  SrArena scratch = sr_arena_new(arena->heap);
  SrBits *jumps = jump_targets(r, &scratch);
  uint32_t n = r->graph->count, *last_join = sr_new_none(&scratch, n);
  Pairs pairs = {0};
  for (uint32_t b = 0; b < n; b++)
    if (sr_pred_count(r->graph, b) > 1 && !sr_bit(jumps, b))
      climb(r, &scratch, &pairs, last_join, b);
  r->frontier_at = SR_NEW(arena, uint32_t, n + 2);
  r->frontier = SR_NEW_RAW(arena, SrExit, pairs.count);
  for (uint32_t i = 0; i < pairs.count; i++)
    r->frontier_at[pairs.at[i].block + 2]++;
  for (uint32_t b = 2; b < n + 2; b++)
    r->frontier_at[b] += r->frontier_at[b - 1];
  for (uint32_t i = 0; i < pairs.count; i++)
    r->frontier[r->frontier_at[pairs.at[i].block + 1]++] = pairs.at[i].exit;
  sr_arena_free(&scratch);
}

/* ---- routes ---- */

static SrExit walk(const SrRoutes *r, uint32_t name, uint32_t at, uint32_t target) {
  uint32_t from = SR_NONE;
  while (sr_dominates(r->dom, name, at)) {
    from = at;
    at = r->step(r->user, at, target);
  }
  return (SrExit){from, at};
}

/* The loop that a lane leaves or stays in when it leaves the region that `name` dominates; a loop
 * whose merge is dominated too is skipped. */
static uint32_t loop_left(const SrRoutes *r, uint32_t name, uint32_t target) {
  uint32_t c = r->loop[name];
  while (c != SR_NONE && !sr_cycle_has(r->nest, c, target) && r->loops[c].merge != SR_NONE &&
         sr_dominates(r->dom, name, r->loops[c].merge))
    c = r->nest->cycles[c].parent;
  return c;
}

/* May a lane that goes forward in the loop of cycle c continue at block y? Not if y is in an outer
 * loop, or starts or continues the loop itself. */
static bool is_forward(const SrRoutes *r, uint32_t c, uint32_t y) {
  uint32_t l = r->loop[y];
  if (l == c)
    return c == SR_NONE || (y != r->loops[c].header && y != r->loops[c].cont);
  return l != SR_NONE && r->nest->cycles[l].parent == c && y == r->loops[l].header;
}

/* The route of a lane that stays in the loop and goes forward: to the merge of the enclosing
 * selection, which has one edge from each arm, or into an arm of its switch that the arm before
 * falls into. */
static SrExit go_forward(const SrRoutes *r, uint32_t name, uint32_t c, uint32_t target) {
  SrExit found = {SR_NONE, SR_NONE};
  uint32_t ways = 0;
  for (uint32_t i = r->frontier_at[name]; i < r->frontier_at[name + 1]; i++) {
    if (!is_forward(r, c, r->frontier[i].join))
      continue;
    if (sr_dominates(r->dom, r->frontier[i].join, r->new_of[target]))
      return r->frontier[i];
    found = r->frontier[i];
    ways++;
  }
  return ways == 1 ? found : (SrExit){SR_NONE, SR_NONE};
}

SrExit sr_route_next(const SrRoutes *r, uint32_t name, uint32_t at, uint32_t target) {
  if (r->next)
    return r->next(r->user, name, at, target);
  uint32_t c = loop_left(r, name, target);
  bool forward =
      c == SR_NONE || (sr_cycle_has(r->nest, c, target) && r->new_of[target] != r->loops[c].cont &&
                       target != r->nest->cycles[c].header);
  SrExit e = {SR_NONE, SR_NONE};
  if (forward)
    e = go_forward(r, name, c, target);
  if (e.join == SR_NONE) /* it jumps, or several routes qualify */
    return walk(r, name, at, target);
  assert(e.join == walk(r, name, at, target).join && e.from == walk(r, name, at, target).from);
  return e;
}
