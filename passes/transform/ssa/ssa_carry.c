/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_carry: see ssa_carry.h. Cost: the joins and their edges, times a logarithm. */
#include "passes/transform/ssa/ssa_carry.h"

#include "passes/base/sort.h"

/* MOST_ABOVE: limit on the joins above an edge's nearest one at which lanes that pass the edge are
 * looked for; if there are more, the variable is set on the edge, as if some lanes did. */
enum { RECENT = 4, MOST_ABOVE = 64 };

SrCarry sr_carry_new(SrSsa *ssa, const SrSsaPaths *paths) {
  uint32_t blocks = ssa->graph->count;
  return (SrCarry){.ssa = ssa,
                   .join = {.dom = ssa->dom},
                   .paths = paths,
                   .epoch_of = SR_NEW(ssa->arena, uint32_t, blocks),
                   .noted =
                       paths->next ? NULL : SR_NEW(ssa->arena, SrNoted, RECENT * (size_t)blocks),
                   .vague = SR_NEW(ssa->arena, uint32_t, blocks),
                   .went = SR_NEW(ssa->arena, SrWent, blocks),
                   .run = paths->next ? SR_NEW(ssa->arena, SrNoted, blocks) : NULL};
}

void sr_carry_begin(SrCarry *c, uint32_t most) {
  c->join.block.count = 0;
  c->most = most;
  sr_carry_again(c);
}

void sr_carry_again(SrCarry *c) {
  c->stretch.count = 0;
  c->epoch++;
}

bool sr_carry_gave_up(const SrCarry *c) {
  return c->join.block.count > c->most;
}

bool sr_carry_join(SrCarry *c, uint32_t block) {
  if (c->epoch_of[block] == c->ssa->epoch)
    return false;
  c->epoch_of[block] = c->ssa->epoch;
  SR_PUSH(c->ssa->arena, &c->join.block, block);
  return true;
}

/* Records a stretch, unless it was recorded recently for the name: many lanes take the same
 * paths. */
static void note_stretch(SrCarry *c, uint32_t name, uint32_t to) {
  if (c->paths->next)
    return; /* not needed: see passes */
  SrNoted *n = &c->noted[RECENT * (size_t)name + to % RECENT];
  if (n->epoch == c->epoch && n->to == to)
    return;
  *n = (SrNoted){c->epoch, to};
  SR_PUSH(c->ssa->arena, &c->stretch, (SrStretch){name, to});
}

/* The last of the joins that lanes are known to reach one after the other from this one. */
static uint32_t end_of_run(SrCarry *c, uint32_t x) {
  SrNoted *run = c->run;
  uint32_t epoch = c->ssa->epoch;
  while (run[x].epoch == epoch) {
    uint32_t up = run[x].to;
    if (run[up].epoch == epoch) /* path halving */
      run[x].to = run[up].to;
    x = up;
  }
  return x;
}

/* Passes a join and all joins that follow it, to the last one on the path to the target; returns
 * whether any of them are new. */
static bool climb_joins(SrCarry *c, uint32_t *name, uint32_t target) {
  const SrSsaPaths *r = c->paths;
  uint32_t last = r->last(r->user, *name, target), x = end_of_run(c, *name);
  bool found = false;
  for (uint32_t up; r->depth(r->user, x) > r->depth(r->user, last) && !sr_carry_gave_up(c);) {
    up = r->up(r->user, x);
    found |= sr_carry_join(c, up);
    c->run[x] = (SrNoted){c->ssa->epoch, up};
    x = end_of_run(c, up);
  }
  *name = last;
  return found;
}

/* Records the ends of loops that lanes pass: lanes that leave or repeat a loop without a jump pass
 * the end of its body, although this end need not dominate the block to which other lanes jump. */
static void note_ends(SrCarry *c, uint32_t name, uint32_t at, uint32_t target) {
  const SrSsaPaths *r = c->paths;
  for (uint32_t l = r->ends ? r->loop[at] : SR_NONE;
       l != SR_NONE && (target == r->nest->cycles[l].header || !sr_cycle_has(r->nest, l, target));
       l = r->nest->cycles[l].parent)
    if (r->loops[l].end != SR_NONE && sr_dominates(c->ssa->dom, name, r->loops[l].end))
      note_stretch(c, name, r->loops[l].end);
}

/* Have other lanes taken this path before? From a join on, all lanes headed for one block take the
 * same path. So among the lanes that reach the join for one phi, only the first has to be followed
 * further. */
static bool went_before(SrCarry *c, uint32_t *name, uint32_t target) {
  const SrWent *w = &c->went[*name];
  if (w->epoch != c->epoch || w->target != target) {
    SR_PUSH(c->ssa->arena, &c->passed, *name);
    return false;
  }
  *name = w->name;
  return true;
}

static void note_went(SrCarry *c, uint32_t name, uint32_t target) {
  for (uint32_t i = 0; i < c->passed.count; i++)
    c->went[c->passed.at[i]] = (SrWent){c->epoch, target, name};
}

bool sr_carry_along(SrCarry *c, uint32_t *name, uint32_t at, uint32_t target, bool named) {
  const SrDom *dom = c->ssa->dom;
  uint32_t to = c->paths->new_of[target];
  bool found = false, round = !named && sr_ssa_path_comes_round(c->paths, *name, at, target);
  c->passed.count = 0;
  note_ends(c, *name, at, target);
  while ((round || !sr_dominates(dom, *name, to)) && !sr_carry_gave_up(c)) {
    if (sr_dominates(dom, *name, at) && !(round && at == *name)) {
      SrExit e = sr_ssa_path_next(c->paths, *name, at, target);
      if (e.from == SR_NONE)
        c->vague[*name] = c->epoch;
      else
        note_stretch(c, *name, e.from);
      at = e.join;
    }
    round = false;
    note_stretch(c, *name, at);
    *name = at;
    if (went_before(c, name, target))
      break;
    note_ends(c, at, at, target);
    found |= sr_carry_join(c, at);
    if (c->run && c->paths->is_flow(c->paths->user, at)) {
      found |= climb_joins(c, name, target);
      at = *name;
    }
  }
  note_stretch(c, *name, to);
  if (!sr_carry_gave_up(c))
    note_went(c, *name, target);
  return found;
}

/* ---- the values ---- */

uint32_t sr_carry_nearest(const SrCarry *c, uint32_t block) {
  uint32_t i = sr_dom_set_nearest(&c->join, block);
  return i == SR_NONE ? SR_NONE : c->join.block.at[i];
}

static int by_name(const void *a, const void *b, void *dom) {
  const SrStretch *x = a, *y = b;
  if (x->name != y->name)
    return x->name < y->name ? -1 : 1;
  const uint32_t *enter = ((const SrDom *)dom)->enter;
  return (enter[x->to] > enter[y->to]) - (enter[x->to] < enter[y->to]);
}

/* Do lanes with this name pass block b after the name's block? They do if b dominates a block that
 * they reach. But if b dominates `name` itself, they do only if they return to b, which is then a
 * join. */
static bool passes(const SrCarry *c, uint32_t name, uint32_t b) {
  const SrDom *dom = c->ssa->dom;
  if (c->paths->next) /* unstructured: they may also pass it on a path other than the one to the
                         end */
    return true;
  if (c->vague[name] == c->epoch && !sr_dominates(dom, b, name))
    return true;
  uint32_t low = 0, high = c->stretch.count; /* the first stretch that does not end before b */
  while (low < high) {
    uint32_t i = low + (high - low) / 2;
    const SrStretch *s = &c->stretch.at[i];
    if (s->name < name || (s->name == name && dom->enter[s->to] < dom->enter[b]))
      low = i + 1;
    else
      high = i;
  }
  if (low == c->stretch.count || c->stretch.at[low].name != name)
    return false;
  uint32_t to = c->stretch.at[low].to;
  return sr_dominates(dom, b, name) ? to == b : sr_dominates(dom, b, to);
}

/* Lanes that passed the nearest join may still have the name of a join above it. Then the nearest
 * join is not one of theirs, but it holds their value, too. A back edge to a join carries the value
 * of the lanes that repeat the loop. Their name may dominate their target, and then no stretch ends
 * at the join. */
static void set_edge(SrCarry *c, uint32_t join, uint32_t e, uint32_t home, uint32_t id) {
  uint32_t from = c->ssa->graph->pred[e];
  if (home != SR_NONE && sr_dominates(c->ssa->dom, home, from)) {
    if (passes(c, home, join))
      sr_ssa_set(c->ssa, e, id);
    return;
  }
  uint32_t nearest = sr_dom_set_nearest(&c->join, from), i = nearest;
  uint32_t left = MOST_ABOVE;
  while (left-- > 0 && i != SR_NONE && c->join.block.at[i] != join &&
         !passes(c, c->join.block.at[i], join))
    i = c->join.above[i];
  if (i != SR_NONE)
    sr_ssa_set(c->ssa, e, SR_VALUE_AT(c->join.block.at[nearest]));
}

void sr_carry_finish(SrCarry *c, uint32_t home, uint32_t id) {
  const SrGraph *g = c->ssa->graph;
  sr_dom_set_sort(c->ssa->arena, &c->join);
  sr_sort_by(c->ssa->arena, c->stretch.at, c->stretch.count, sizeof *c->stretch.at, by_name,
             (void *)c->ssa->dom);
  for (uint32_t i = 0; i < c->join.block.count; i++) {
    uint32_t b = c->join.block.at[i];
    for (uint32_t e = g->pred_at[b]; e < g->pred_at[b + 1]; e++)
      if (!sr_ssa_is_set(c->ssa, e))
        set_edge(c, b, e, home, id);
  }
}
