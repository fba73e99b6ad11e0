/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_path: see ssa_path.h. */
#include "passes/transform/ssa/ssa_path.h"
#include "passes/base/vec.h"

#include <assert.h>

/* ---- dominance frontiers ---- */

typedef struct Pair {
  uint32_t block;
  SrExit exit;
} Pair;

typedef struct Frontiers {
  const SrSsaPaths *r;
  SrArena *scratch;
  SR_VEC(Pair) pairs;
  uint32_t *last_join;    /* by block: the last join for which a climb passed it */
  SR_VEC(uint32_t) climb; /* of the current join: the first pair of each climb */
  uint32_t *several;      /* by block: the last join to which it has several edges */
} Frontiers;

/* Drops the edges of blocks that dominate several of the join's predecessors, and so have no single
 * edge to it. A climb ends below a block of an earlier climb, so the climbs are read from the last
 * to the first. */
static void drop_several(Frontiers *f, uint32_t join, uint32_t top) {
  const uint32_t *idom = f->r->dom->idom;
  for (uint32_t end = f->pairs.count; f->climb.count;) {
    uint32_t first = SR_POP(&f->climb);
    bool many = false;
    for (uint32_t i = first; i < end; i++) {
      Pair *p = &f->pairs.at[i];
      many |= f->several[p->block] == join;
      if (many)
        p->exit.from = SR_NONE;
    }
    uint32_t above = idom[f->pairs.at[end - 1].block];
    if (above != top && above != SR_NONE)
      f->several[above] = join;
    end = first;
  }
}

/* Cooper, Harvey, Kennedy 2001, figure 5, for forward edges from added blocks: no path leads on
 * from a user block. The climb stops at a dominator that another predecessor has climbed already,
 * so each step makes an entry. */
static void climb(Frontiers *f, uint32_t join) {
  const SrDom *dom = f->r->dom;
  uint32_t top = dom->idom[join];
  for (SR_PREDS(p, f->r->graph, join)) {
    if (sr_dominates(dom, join, *p) || f->r->old_of[*p] != SR_NONE)
      continue;
    uint32_t first = f->pairs.count, b = *p;
    for (; b != top && b != SR_NONE && f->last_join[b] != join; b = dom->idom[b]) {
      f->last_join[b] = join;
      SR_PUSH(f->scratch, &f->pairs, (Pair){b, {*p, join}});
    }
    if (f->pairs.count > first)
      SR_PUSH(f->scratch, &f->climb, first);
    else if (b != top && b != SR_NONE)
      f->several[b] = join;
  }
  drop_several(f, join, top);
}

/* Merge blocks and continue targets of loops, to which only jumps lead; not a header that is its
 * own continue target. */
static SrBits *jump_targets(const SrSsaPaths *r, SrArena *scratch) {
  SrBits *set = sr_bits_new(scratch, r->graph->count);
  for (uint32_t c = 0; c < r->nest->cycle_count; c++) {
    if (r->loops[c].merge != SR_NONE)
      sr_bit_set(set, r->loops[c].merge);
    if (r->loops[c].cont != SR_NONE && r->loops[c].cont != r->loops[c].header)
      sr_bit_set(set, r->loops[c].cont);
  }
  return set;
}

void sr_ssa_paths_init(SrSsaPaths *r, SrArena *arena) {
  SrArena scratch = sr_arena_new(arena->heap);
  SrBits *jumps = jump_targets(r, &scratch);
  uint32_t n = r->graph->count;
  Frontiers f = {.r = r,
                 .scratch = &scratch,
                 .last_join = sr_new_none(&scratch, n),
                 .several = sr_new_none(&scratch, n)};
  for (uint32_t b = 0; b < n; b++)
    if (sr_pred_count(r->graph, b) > 1 && !sr_bit(jumps, b))
      climb(&f, b);
  r->frontier_at = SR_NEW(arena, uint32_t, n + 2);
  r->frontier = SR_NEW_RAW(arena, SrExit, f.pairs.count);
  for (uint32_t i = 0; i < f.pairs.count; i++)
    r->frontier_at[f.pairs.at[i].block + 2]++;
  for (uint32_t b = 2; b < n + 2; b++)
    r->frontier_at[b] += r->frontier_at[b - 1];
  for (uint32_t i = 0; i < f.pairs.count; i++)
    r->frontier[r->frontier_at[f.pairs.at[i].block + 1]++] = f.pairs.at[i].exit;
  sr_arena_free(&scratch);
}

/* ---- paths ---- */

/* Steps after which the edge to a known join is no longer searched. */
enum { MOST_STEPS = 16 };

static SrExit walk(const SrSsaPaths *r, uint32_t name, uint32_t at, uint32_t target,
                   uint32_t join) {
  uint32_t from = SR_NONE;
  for (uint32_t steps = 0; sr_dominates(r->dom, name, at); steps++) {
    if (join != SR_NONE && steps == MOST_STEPS)
      return (SrExit){SR_NONE, join};
    from = at;
    at = r->step(r->user, at, target);
  }
  return (SrExit){from, at};
}

/* The loop that a lane leaves or stays in when it leaves the region that `name` dominates; a loop
 * whose merge is dominated too is skipped. */
static uint32_t loop_left(const SrSsaPaths *r, uint32_t name, uint32_t target) {
  uint32_t c = r->loop[name];
  while (c != SR_NONE && !sr_cycle_has(r->nest, c, target) && r->loops[c].merge != SR_NONE &&
         sr_dominates(r->dom, name, r->loops[c].merge))
    c = r->nest->cycles[c].parent;
  return c;
}

/* May a lane that goes forward in the loop of cycle c continue at block y? Not if y is in an outer
 * loop, or starts or continues the loop itself. */
static bool is_forward(const SrSsaPaths *r, uint32_t c, uint32_t y) {
  uint32_t l = r->loop[y];
  if (l == c)
    return c == SR_NONE || (y != r->loops[c].header && y != r->loops[c].cont);
  return l != SR_NONE && r->nest->cycles[l].parent == c && y == r->loops[l].header;
}

/* The path of a lane that stays in the loop and goes forward: to the merge of the enclosing
 * selection, into an arm of its switch that the arm before falls into, or out of a switch around
 * these. If there are several paths, the one whose join dominates the target need not be the
 * lane's, because the lane may pass another join first. */
static SrExit go_forward(const SrSsaPaths *r, uint32_t name, uint32_t c) {
  SrExit found = {SR_NONE, SR_NONE};
  uint32_t joins = 0;
  for (uint32_t i = r->frontier_at[name]; i < r->frontier_at[name + 1]; i++) {
    if (!is_forward(r, c, r->frontier[i].join))
      continue;
    found = r->frontier[i];
    joins++;
  }
  return joins == 1 ? found : (SrExit){SR_NONE, SR_NONE};
}

SrExit sr_ssa_path_next(const SrSsaPaths *r, uint32_t name, uint32_t at, uint32_t target) {
  if (r->next)
    return r->next(r->user, name, at, target);
  uint32_t c = loop_left(r, name, target);
  bool forward =
      c == SR_NONE || (sr_cycle_has(r->nest, c, target) && r->new_of[target] != r->loops[c].cont &&
                       target != r->nest->cycles[c].header);
  SrExit e = {SR_NONE, SR_NONE};
  if (forward)
    e = go_forward(r, name, c);
  if (e.from == SR_NONE) /* it jumps, or several paths qualify */
    return walk(r, name, at, target, e.join);
  assert(e.join == walk(r, name, at, target, SR_NONE).join &&
         e.from == walk(r, name, at, target, SR_NONE).from);
  return e;
}
