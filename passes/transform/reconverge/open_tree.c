/* SPDX-License-Identifier: Apache-2.0 */
/* open_tree: see open_tree.h. PrepareOrdering, InterleavePaths: algorithms of Wahlster 2018. */
#include "passes/transform/reconverge/open_tree.h"

#ifndef NDEBUG
#include <stdio.h>
#include <stdlib.h>
#endif

/* ---- nodes and edges ---- */

static uint32_t new_node(SrOpenTree *t, SrOpenKind kind, uint32_t block) {
  uint32_t id = t->node.count;
  SrOpenNode n = {.kind = kind,
                  .block = block,
                  .rank = SR_NONE,
                  .stamp = SR_NONE,
                  .low = SR_NONE,
                  .rest = SR_NONE,
                  .set = SR_NONE,
                  .up = id};
  SR_PUSH(t->arena, &t->node, n);
  SR_PUSH(t->arena, &t->mark, 0);
  return id;
}

static uint32_t target_of(const SrOpenTree *t, uint32_t edge) {
  return t->sequence[t->edge.at[edge].target_rank];
}

/* Is the edge neither closed nor rerouted to a flow node? */
static bool is_unsettled(const SrOpenTree *t, uint32_t edge) {
  return t->edge.at[edge].to == SR_NONE;
}

/* Does the block end in a divergent branch without forward edges? */
static bool only_backward(const SrGraph *g, const SrBits *divergent, const uint32_t *place,
                          uint32_t b) {
  if (!sr_bit(divergent, b) || sr_succ_count(g, b) < 2)
    return false;
  for (SR_SUCCS(s, g, b))
    if (place[*s] == SR_NONE || place[*s] > place[b])
      return false;
  return true;
}

static void give_rank(SrOpenTree *t, uint32_t node) {
  sr_open_at(t, node)->rank = t->ranks;
  t->sequence[t->ranks++] = node;
}

/* PrepareOrdering: puts the virtual nodes first, then the blocks. */
static void make_sequence(SrOpenTree *t, const SrGraph *g, const SrBits *divergent,
                          const uint32_t *order, uint32_t count, uint32_t *virtual_of) {
  uint32_t *place = sr_new_none(t->arena, g->count);
  for (uint32_t i = 0; i < count; i++)
    place[order[i]] = i;
  t->sequence = SR_NEW_RAW(t->arena, uint32_t, 2 * (size_t)count);
  for (uint32_t i = 0; i < count; i++)
    if (only_backward(g, divergent, place, order[i])) {
      virtual_of[order[i]] = new_node(t, SR_OPEN_VIRTUAL, order[i]);
      give_rank(t, virtual_of[order[i]]);
      t->virtuals++;
    }
  for (uint32_t i = 0; i < count; i++)
    give_rank(t, sr_open_node(order[i]));
}

static void add_edge(SrOpenTree *t, uint32_t from, uint32_t to) {
  SrOpenNode *n = sr_open_at(t, from);
  if (!n->edges++)
    n->edge = t->edge.count;
  uint32_t target_rank = sr_open_at(t, to)->rank;
  SR_PUSH(t->arena, &t->edge, (SrOpenEdge){target_rank, SR_NONE});
  sr_open_at(t, to)->incoming += target_rank <= n->rank;
}

static void add_edges(SrOpenTree *t, const SrGraph *g, const SrBits *divergent, uint32_t b,
                      uint32_t virtual) {
  uint32_t from = sr_open_node(b);
  if (virtual != SR_NONE) {
    add_edge(t, from, virtual);
    from = virtual;
  }
  sr_open_at(t, from)->divergent = sr_bit(divergent, b) && sr_succ_count(g, b) > 1;
  for (SR_SUCCS(s, g, b))
    if (sr_open_at(t, sr_open_node(*s))->rank != SR_NONE)
      add_edge(t, from, sr_open_node(*s));
}

SrOpenTree *sr_open_tree_new(SrArena *arena, const SrGraph *g, const SrBits *divergent,
                             const uint32_t *sequence, uint32_t count) {
  SrOpenTree *t = SR_NEW(arena, SrOpenTree, 1);
  t->arena = arena;
  t->ranks_of.arena = arena;
  t->held = SR_NONE;
  t->tree = sr_dynamic_tree_new(arena);
  new_node(t, SR_OPEN_ROOT, SR_NONE);
  for (uint32_t b = 0; b < g->count; b++)
    new_node(t, SR_OPEN_BLOCK, b);
  uint32_t *virtual_of = sr_new_none(arena, g->count);
  make_sequence(t, g, divergent, sequence, count, virtual_of);
  t->entry_at = sr_new_none(arena, t->ranks);
  for (uint32_t i = 0; i < count; i++)
    add_edges(t, g, divergent, sequence[i], virtual_of[sequence[i]]);
  return t;
}

/* ---- classes ---- */

uint32_t sr_open_class(const SrOpenTree *t, uint32_t node) {
  SrOpenNode *at = t->node.at;
  while (at[node].up != node) { /* path halving */
    at[node].up = at[at[node].up].up;
    node = at[node].up;
  }
  return node;
}

static SrSpan span_of_set(const SrOpenTree *t, uint32_t node) {
  if (!sr_open_is_open(t, node))
    return SR_NO_SPAN;
  uint32_t set = sr_open_at(t, node)->set;
  return (SrSpan){sr_ranks_min(&t->ranks_of, set), sr_ranks_max(&t->ranks_of, set)};
}

static void take_out(SrOpenTree *t, uint32_t node) {
  sr_dynamic_tree_remove(&t->tree, node);
  sr_open_at(t, node)->in_tree = false;
}

/* Removes the node from the tree if it has no open edges left. */
static void settle(SrOpenTree *t, uint32_t node) {
  SrOpenNode *n = sr_open_at(t, node);
  bool open = sr_open_is_open(t, node);
  uint32_t class = sr_open_class(t, node);
  if (class != node && n->in_tree && !open)
    take_out(t, node);
  if (!n->busy || node == t->held || open || n->incoming)
    return;
  n->busy = false;
  if (--sr_open_at(t, class)->alive == 0)
    take_out(t, class);
}

/* `node`, a class below `class`, becomes part of `class`; the children of `node` become its
 * parent's. */
static void absorb(SrOpenTree *t, uint32_t class, uint32_t node) {
  SrOpenNode *n = sr_open_at(t, node);
  take_out(t, node);
  n->up = class;
  sr_open_at(t, class)->alive += n->alive;
  if (!sr_open_is_open(t, node))
    return;
  sr_dynamic_tree_add(&t->tree, node, class);
  sr_dynamic_tree_set(&t->tree, node, span_of_set(t, node));
  n->in_tree = true;
}

/* Lanes can go from `class` down to `node` and back: makes the nodes on this path one class. */
static void contract(SrOpenTree *t, uint32_t class, uint32_t node) {
  while (node != class) {
    uint32_t parent = sr_dynamic_tree_parent(&t->tree, node);
    absorb(t, class, node);
    node = parent;
  }
}

/* ---- queries ---- */

static uint32_t holder_of(SrOpenTree *t, const SrOpenEntry *w) {
  return t->ranks_of.set.at[sr_ranks_find(&t->ranks_of, w->set)].frame;
}

const SrDynamicTreeNodes *sr_open_holders(SrOpenTree *t, uint32_t rank) {
  t->holders.count = 0;
  t->epoch++;
  for (uint32_t i = t->entry_at[rank]; i != SR_NONE; i = t->entry.at[i].next) {
    uint32_t holder = holder_of(t, &t->entry.at[i]);
    if (t->mark.at[holder] != t->epoch)
      SR_PUSH(t->arena, &t->holders, holder);
    t->mark.at[holder] = t->epoch;
  }
  return &t->holders;
}

SrSpan sr_open_span(SrOpenTree *t, uint32_t node) {
  return sr_dynamic_tree_span(&t->tree, sr_open_class(t, node));
}

/* ---- visits ---- */

/* InterleavePaths: merges the paths to the holders into one; returns its lowest node. A branch of
 * the tree is attached as a whole below the path so far. */
static uint32_t interleave(SrOpenTree *t, const SrDynamicTreeNodes *holders) {
  uint32_t low = 0;
  for (uint32_t i = 0; i < holders->count; i++) {
    uint32_t c = sr_open_class(t, holders->at[i]);
    if (low == 0) {
      low = c;
    } else if (!sr_dynamic_tree_holds(&t->tree, c, low)) {
      if (!sr_dynamic_tree_holds(&t->tree, low, c))
        sr_dynamic_tree_move(&t->tree, sr_dynamic_tree_branch(&t->tree, low, c), low);
      low = c;
    }
  }
  return low;
}

static void open_edges(SrOpenTree *t, uint32_t node) {
  const SrOpenNode *n = sr_open_at(t, node);
  for (uint32_t e = n->edge; e < n->edge + n->edges; e++) {
    if (sr_open_at(t, target_of(t, e))->visited)
      continue;
    uint32_t target_rank = t->edge.at[e].target_rank;
    sr_ranks_add(&t->ranks_of, n->set, target_rank);
    SR_PUSH(t->arena, &t->entry, (SrOpenEntry){n->set, node, e, t->entry_at[target_rank]});
    t->entry_at[target_rank] = t->entry.count - 1;
  }
}

static void give_set(SrOpenTree *t, uint32_t node) {
  uint32_t set = sr_ranks_new(&t->ranks_of);
  t->ranks_of.set.at[set].frame = node;
  sr_open_at(t, node)->set = set;
}

static void add_node(SrOpenTree *t, uint32_t node, const SrDynamicTreeNodes *holders) {
  sr_dynamic_tree_add(&t->tree, node, interleave(t, holders));
  SrOpenNode *n = sr_open_at(t, node);
  n->visited = n->busy = n->in_tree = true;
  n->alive = 1;
  n->stamp = t->clock++;
}

/* Closes one edge of the holder, the one with target `rank`. */
static void note_closed(SrOpenTree *t, uint32_t holder, uint32_t rank) {
  SrOpenNode *h = sr_open_at(t, holder);
  sr_ranks_drop(&t->ranks_of, h->set, rank);
  h->closed++;
  sr_dynamic_tree_set(&t->tree, holder, span_of_set(t, holder));
  settle(t, holder);
}

static void close_forward(SrOpenTree *t, uint32_t node) {
  uint32_t rank = sr_open_at(t, node)->rank;
  for (uint32_t i = t->entry_at[rank]; i != SR_NONE; i = t->entry.at[i].next) {
    const SrOpenEntry *w = &t->entry.at[i];
    if (holder_of(t, w) == w->node)
      t->edge.at[w->edge].to = node;
  }
  const SrDynamicTreeNodes *holders = sr_open_holders(t, rank);
  for (uint32_t i = 0; i < holders->count; i++) {
    SrOpenNode *h = sr_open_at(t, holders->at[i]);
    if (h->kind == SR_OPEN_FLOW) {
      h->to[h->closed] = node;
      h->low = h->closed ? h->low : rank;
    }
    note_closed(t, holders->at[i], rank);
  }
}

void sr_open_visit(SrOpenTree *t, uint32_t node) {
  t->held = node;
  add_node(t, node, sr_open_holders(t, sr_open_at(t, node)->rank));
  give_set(t, node);
  open_edges(t, node);
  sr_dynamic_tree_set(&t->tree, node, span_of_set(t, node));
  close_forward(t, node);
}

/* An edge is closed: puts its target into the subtree of its source. */
static void put_below(SrOpenTree *t, uint32_t source, uint32_t target) {
  uint32_t s = sr_open_class(t, source), c = sr_open_class(t, target);
  if (sr_dynamic_tree_holds(&t->tree, c, s))
    contract(t, c, s);
  else if (!sr_dynamic_tree_holds(&t->tree, s, c))
    sr_dynamic_tree_move(&t->tree, sr_dynamic_tree_branch(&t->tree, s, c), s);
}

void sr_open_close_backward(SrOpenTree *t, uint32_t node) {
  SrOpenNode *n = sr_open_at(t, node);
  for (uint32_t e = n->edge; e < n->edge + n->edges; e++) {
    uint32_t target = target_of(t, e);
    if (!is_unsettled(t, e) || !sr_open_at(t, target)->visited)
      continue;
    put_below(t, node, target);
    t->edge.at[e].to = target;
    n->closed++;
    sr_open_at(t, target)->incoming--;
    settle(t, target);
  }
  t->held = SR_NONE;
  settle(t, node);
}

/* ---- rerouting ---- */

static void reroute_edges(SrOpenTree *t, uint32_t node, uint32_t flow) {
  SrOpenNode *n = sr_open_at(t, node);
  if (n->kind == SR_OPEN_FLOW) {
    SrSpan span = span_of_set(t, node);
    n->rest = span.low == span.high ? span.low : SR_NONE;
    n->to[n->closed++] = flow;
  } else {
    t->rerouted_uniform += n->edges > 1 && !n->divergent;
    for (uint32_t e = n->edge; e < n->edge + n->edges; e++)
      if (is_unsettled(t, e) && !sr_open_at(t, target_of(t, e))->visited) {
        t->edge.at[e].to = flow;
        n->closed++;
      }
  }
  sr_ranks_join(&t->ranks_of, sr_open_at(t, flow)->set, n->set);
  n->set = SR_NONE;
  sr_dynamic_tree_set(&t->tree, node, SR_NO_SPAN);
}

uint32_t sr_open_reroute(SrOpenTree *t, const uint32_t *nodes, uint32_t count) {
  uint32_t flow = new_node(t, SR_OPEN_FLOW, SR_NONE);
  sr_open_at(t, flow)->divergent = true;
  give_set(t, flow);
  t->flows++;
  SrDynamicTreeNodes critical = {0};
  for (uint32_t i = 0; i < count; i++) { /* each edge is collected once */
    uint32_t first = critical.count;
    sr_dynamic_tree_collect(&t->tree, sr_open_class(t, nodes[i]), &critical);
    for (uint32_t k = first; k < critical.count; k++)
      reroute_edges(t, critical.at[k], flow);
  }
  add_node(t, flow, &critical);
  sr_dynamic_tree_set(&t->tree, flow, span_of_set(t, flow));
  for (uint32_t i = 0; i < critical.count; i++)
    settle(t, critical.at[i]);
  return flow;
}

/* ---- the invariant ---- */

#ifndef NDEBUG

static void demand(bool holds, const char *what, uint32_t node) {
  if (holds)
    return;
  fprintf(stderr, "open tree: node %u: %s\n", node, what);
  abort();
}

typedef struct Walk {
  SrOpenTree *t;
  SrDynamicTreeNodes stack;
  bool *seen;
} Walk;

static void step(Walk *w, uint32_t to) {
  if (to == SR_NONE || w->seen[to])
    return;
  w->seen[to] = true;
  SR_PUSH(w->t->arena, &w->stack, to);
}

/* Visits everything that lanes reach from the node by closed edges. */
static void walk_from(Walk *w, uint32_t node) {
  memset(w->seen, 0, w->t->node.count * sizeof *w->seen);
  for (step(w, node); w->stack.count;) {
    const SrOpenNode *n = sr_open_at(w->t, SR_POP(&w->stack));
    for (uint32_t i = 0; n->kind == SR_OPEN_FLOW && i < n->closed; i++)
      step(w, n->to[i]);
    for (uint32_t e = n->edge; e < n->edge + n->edges; e++)
      step(w, w->t->edge.at[e].to);
  }
}

void sr_open_tree_check(SrOpenTree *t) {
  SrMark mark = sr_arena_mark(t->arena);
  Walk w = {.t = t, .seen = SR_NEW(t->arena, bool, t->node.count)};
  for (uint32_t b = 1; b < t->node.count; b++) {
    if (!sr_open_at(t, b)->visited || !sr_open_is_open(t, b))
      continue;
    demand(sr_open_at(t, b)->in_tree, "has open edges and is not in the tree", b);
    walk_from(&w, b);
    for (uint32_t c = 1; c < t->node.count; c++)
      if (w.seen[c] && sr_open_is_open(t, c))
        demand(sr_dynamic_tree_holds(&t->tree, sr_open_class(t, b), c),
               "lanes reach open edges outside its subtree", b);
  }
  sr_arena_reset(t->arena, mark);
}

#endif
