/* SPDX-License-Identifier: Apache-2.0 */
/* tail: see tail.h. A block at which lanes enter a cycle is never copied, so a copy lies in the
 * same cycle as its original, as copy_values.h needs. */
#include "passes/transform/copy/tail.h"

static SrTailNode *at(const SrTails *t, uint32_t n) {
  return &t->node.at[n];
}

static uint32_t cycle_of(const SrTails *t, uint32_t n) {
  return t->nest->inner[at(t, n)->like];
}

/* Does the node lie in the cycle? SR_NONE stands for the whole function. */
static bool is_in(const SrTails *t, uint32_t cycle, uint32_t n) {
  return cycle == SR_NONE || sr_cycle_has(t->nest, cycle, at(t, n)->like);
}

static void link_in(SrTails *t, uint32_t e) {
  SrTailNode *to = at(t, t->edge.at[e].to);
  t->edge.at[e].next = to->in;
  to->in = e;
  to->in_count++;
  to->entering += !is_in(t, cycle_of(t, t->edge.at[e].to), t->edge.at[e].from);
}

static void add_edge(SrTails *t, uint32_t from, uint32_t to) {
  SR_PUSH(t->scratch, &t->edge, (SrTailEdge){.from = from, .to = to});
  link_in(t, t->edge.count - 1);
}

static uint32_t add_node(SrTails *t, uint32_t like) {
  SR_PUSH(t->scratch, &t->node, (SrTailNode){.in = SR_NONE, .like = like, .copy = SR_NONE});
  return t->node.count - 1;
}

static const uint32_t *count_fixed(SrArena *scratch, const SrCopyGraph *c, const SrNest *nest,
                                   const SrBits *fixed) {
  uint32_t *before = SR_NEW(scratch, uint32_t, nest->count + 1);
  for (uint32_t rank = 0; rank < nest->count; rank++)
    before[rank + 1] = before[rank] + sr_bit(fixed, c->block.at[nest->order[rank]]);
  return before;
}

bool sr_tails_fixed_in(const SrTails *t, uint32_t cycle) {
  const SrCycle *k = &t->nest->cycles[cycle];
  return t->fixed_before[k->last + 1] > t->fixed_before[k->first];
}

SrTails sr_tails_new(SrArena *arena, SrArena *scratch, SrCopyGraph *c, const SrNest *nest,
                     const SrBits *fixed) {
  SrTails t = {.arena = arena, .scratch = scratch, .c = c, .nest = nest, .fixed = fixed};
  const SrGraph *g = c->graph;
  t.fixed_before = count_fixed(scratch, c, nest, fixed);
  t.cycles = sr_nest_ancestors(scratch, nest);
  t.cycle_epoch = SR_NEW(scratch, uint32_t, nest->cycle_count);
  t.cycle_copy = SR_NEW_RAW(scratch, uint32_t, nest->cycle_count);
  for (uint32_t n = 0; n < g->count; n++)
    add_node(&t, n);
  for (uint32_t n = 0; n < g->count; n++) {
    if (nest->rank[n] == SR_NONE)
      continue;
    at(&t, n)->first = t.edge.count;
    at(&t, n)->count = sr_succ_count(g, n);
    for (SR_SUCCS(to, g, n))
      add_edge(&t, n, *to);
  }
  return t;
}

/* ---- finding a tail ---- */

static uint32_t copy_for(SrTails *t, uint32_t cycle, uint32_t from) {
  uint32_t inner = sr_ancestors_entered(&t->cycles, cycle, cycle_of(t, from));
  if (inner == SR_NONE)
    return t->copies++;
  if (t->cycle_epoch[inner] != t->epoch) {
    t->cycle_epoch[inner] = t->epoch;
    t->cycle_copy[inner] = t->copies++;
  }
  return t->cycle_copy[inner];
}

static bool assign_copies(SrTails *t, uint32_t v) {
  t->in.count = t->copy_of.count = t->copies = 0;
  if (at(t, v)->entering)
    return false;
  for (uint32_t e = at(t, v)->in; e != SR_NONE; e = t->edge.at[e].next) {
    SR_PUSH(t->scratch, &t->in, e);
    SR_PUSH(t->scratch, &t->copy_of, copy_for(t, cycle_of(t, v), t->edge.at[e].from));
  }
  return t->copies > 1;
}

/* Adds a node to the tail. */
static bool take(SrTails *t, uint32_t n, uint32_t most) {
  uint32_t block = t->c->block.at[n];
  if (sr_bit(t->c->is_switch, at(t, n)->like) || sr_bit(t->fixed, block) ||
      t->c->size[block] > most - t->size)
    return false;
  t->size += t->c->size[block];
  SR_PUSH(t->scratch, &t->tail, n);
  return true;
}

/* An edge of the tail, whose block lies in `cycle`, leads to node n. False: n belongs to the tail
 * and cannot be copied. */
static bool reach(SrTails *t, uint32_t cycle, uint32_t n, uint32_t most) {
  SrTailNode *to = at(t, n);
  if (!is_in(t, cycle, n))
    return true;
  to->seen = to->epoch == t->epoch ? to->seen + 1 : 1;
  to->epoch = t->epoch;
  if (cycle_of(t, n) != cycle)
    return to->seen < to->entering; /* an entry of a cycle */
  return to->seen < to->in_count || take(t, n, most);
}

bool sr_tail_find(SrTails *t, uint32_t v, uint32_t most) {
  uint32_t cycle = cycle_of(t, v);
  t->epoch++;
  t->tail.count = t->size = 0;
  if (!assign_copies(t, v) || !take(t, v, most))
    return false;
  for (uint32_t i = 0; i < t->tail.count; i++) {
    SrTailNode *n = at(t, t->tail.at[i]);
    for (uint32_t e = n->first; e < n->first + n->count; e++)
      if (!reach(t, cycle, t->edge.at[e].to, most))
        return false;
  }
  return true;
}

/* ---- copying it ---- */

uint32_t sr_tails_copy_once(SrTails *t) {
  uint32_t first = t->node.count;
  for (uint32_t i = 0; i < t->tail.count; i++) {
    uint32_t n = t->tail.at[i];
    SR_PUSH(t->arena, &t->c->block, t->c->block.at[n]);
    uint32_t copy = add_node(t, at(t, n)->like);
    at(t, n)->copy = copy;
  }
  for (uint32_t i = 0; i < t->tail.count; i++) {
    uint32_t n = t->tail.at[i], copy = first + i;
    uint32_t edges = at(t, n)->first, end = edges + at(t, n)->count;
    at(t, copy)->first = t->edge.count;
    at(t, copy)->count = end - edges;
    for (uint32_t e = edges; e < end; e++) {
      uint32_t to = t->edge.at[e].to;
      add_edge(t, copy, at(t, to)->copy != SR_NONE ? at(t, to)->copy : to);
    }
  }
  return first;
}

void sr_tails_forget(SrTails *t) {
  for (uint32_t i = 0; i < t->tail.count; i++)
    at(t, t->tail.at[i])->copy = SR_NONE;
}

void sr_tail_copy(SrTails *t) {
  uint32_t v = t->tail.at[0], first = t->node.count, count = t->tail.count;
  for (uint32_t copy = 1; copy < t->copies; copy++)
    sr_tails_copy_once(t);
  sr_tails_forget(t);
  at(t, v)->in = SR_NONE;
  at(t, v)->in_count = 0;
  for (uint32_t i = t->in.count; i-- > 0;) {
    uint32_t e = t->in.at[i], copy = t->copy_of.at[i];
    t->edge.at[e].to = copy ? first + (copy - 1) * count : v;
    link_in(t, e);
  }
}

void sr_tails_finish(const SrTails *t) {
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t n = 0; n < t->node.count; n++)
    for (uint32_t e = at(t, n)->first; e < at(t, n)->first + at(t, n)->count; e++)
      SR_PUSH(t->scratch, &edges, (SrEdge){n, t->edge.at[e].to});
  sr_copy_graph_connect(t->arena, t->c, edges.at, edges.count);
}
