/* SPDX-License-Identifier: Apache-2.0 */
/* thread_layout: see thread_layout.h. Nodes are made in the plan's order and renumbered at the
 * end. O(E log V). */
#include "passes/transform/undispatch/thread_layout.h"

#include "passes/transform/undispatch/thread_values.h"

typedef SR_VEC(uint32_t) Values;

typedef struct Build {
  const SrThreadGraph *t;
  const SrThreadPlan *plan;
  SrThreadLayout *l;
  uint32_t *last, *path; /* by node: the latest source of an edge to it; the edge's path */
  SrThreadValues values;
  Values first, second; /* the values of two paths */
} Build;

/* An edge whose target is not made yet. */
typedef struct Open {
  uint32_t node, to; /* its source, and its index in `to` */
  SrThreadOut out;
} Open;

static uint32_t add_node(Build *k, uint32_t block, uint32_t owner, uint32_t condition,
                         uint32_t outs) {
  SrThreadLayout *l = k->l;
  SR_PUSH(k->t->arena, &l->node, (SrThreadNode){block, owner, condition, l->to.count, outs});
  for (uint32_t i = 0; i < outs; i++)
    SR_PUSH(k->t->arena, &l->to, SR_NONE);
  return l->node.count - 1;
}

/* ---- what is needed ---- */

typedef struct Needs {
  const SrThreadGraph *t;
  SrIdTable *of;  /* by id of a phi: its index in t->phi */
  SrBits *needed; /* by index in t->phi */
  SR_VEC(uint32_t) work;
} Needs;

static void need(Needs *n, uint32_t id) {
  uint32_t i = sr_ids_get(n->of, id);
  if (i == SR_NONE || sr_bit(n->needed, i))
    return;
  sr_bit_set(n->needed, i);
  SR_PUSH(n->t->arena, &n->work, i);
}

/* Collects everything that kept blocks read. */
static void need_operands(Needs *n, uint32_t b) {
  const SrModule *m = n->t->m;
  for (SR_EACH(m, r, n->t->f->blocks[b].list))
    for (uint32_t i = sr_inst(m, r)->first; i < sr_word_count(m, r); i++)
      if (sr_word_is_id(m, r, i))
        need(n, sr_words(m, r)[i]);
}

/* A phi of a block that is not kept exports its value only if a kept block reads it, perhaps
 * through other phis. */
static void find_exports(const Build *k) {
  const SrThreadGraph *t = k->t;
  Needs n = {.t = t, .of = sr_ids_take(t->m)};
  n.needed = sr_bits_new(t->arena, t->phi_at[t->g->count]);
  for (uint32_t i = 0; i < t->phi_at[t->g->count]; i++)
    sr_ids_set(n.of, sr_inst(t->m, t->phi[i])->result, i);
  for (uint32_t i = 0; i < k->plan->block.count; i++)
    need_operands(&n, k->plan->block.at[i]);
  for (uint32_t i = 0; i < k->plan->fork.count; i++)
    need(&n, k->plan->fork.at[i].condition);
  while (n.work.count) {
    SrRef r = t->phi[SR_POP(&n.work)];
    for (uint32_t i = 3; i < sr_word_count(t->m, r); i += 2)
      need(&n, sr_words(t->m, r)[i]);
  }
  for (uint32_t b = 0; b < t->g->count; b++) {
    bool any = false;
    for (uint32_t i = t->phi_at[b]; i < t->phi_at[b + 1]; i++)
      any = any || sr_bit(n.needed, i);
    if (!any)
      sr_bit_clear(t->exports, b);
  }
  sr_ids_give(t->m, n.of);
}

/* ---- edges between the same blocks ---- */

static void add_values(Build *k, uint32_t b, Values *values) {
  const SrThreadGraph *t = k->t;
  for (uint32_t i = t->phi_at[b]; sr_bit(t->exports, b) && i < t->phi_at[b + 1]; i++)
    SR_PUSH(t->arena, values, sr_thread_values_get(&k->values, sr_inst(t->m, t->phi[i])->result));
}

/* The values that phis at the path's target and later get from a path: the operands of the target's
 * phis, and the exported values of the steps on two paths, `steps` and `more`. */
static void find_values(Build *k, const SrThreadPath *path, const SrThreadPath *more,
                        const SrThreadPath *steps, Values *values) {
  const SrThreadGraph *t = k->t;
  values->count = 0;
  sr_thread_values_follow(&k->values, path);
  for (uint32_t i = t->phi_at[path->to]; i < t->phi_at[path->to + 1]; i++)
    SR_PUSH(t->arena, values, sr_thread_values_operand(&k->values, path, i));
  for (uint32_t i = 0; i < steps->count; i++)
    add_values(k, k->plan->step.at[steps->first + i].block, values);
  for (uint32_t i = 0; i < more->count; i++)
    add_values(k, k->plan->step.at[more->first + i].block, values);
}

/* Do two paths from one block to one block give phis the same values? */
static bool are_same(Build *k, const SrThreadPath *a, const SrThreadPath *b) {
  find_values(k, a, b, a, &k->first);
  find_values(k, b, b, a, &k->second);
  return k->first.count == 0 ||
         memcmp(k->first.at, k->second.at, k->first.count * sizeof *k->first.at) == 0;
}

static void note_edge(Build *k, uint32_t from, uint32_t path) {
  SR_PUSH(k->t->arena, &k->l->edge, (SrThreadEdge){from, path, SR_NONE});
}

/* An edge to the end of a path. A second one from the same node gets a block if phis can tell the
 * two apart. */
static void end_path(Build *k, const Open *o, uint32_t owner) {
  SrThreadLayout *l = k->l;
  const SrThreadPath *path = &k->plan->path.at[o->out];
  uint32_t to = l->node_of[path->to];
  bool again = k->last[to] == o->node;
  if (again && !are_same(k, &k->plan->path.at[k->path[to]], path)) {
    uint32_t apart = add_node(k, SR_NONE, owner, 0, 1);
    l->to.at[o->to] = apart;
    l->to.at[l->node.at[apart].out_at] = to;
    note_edge(k, apart, o->out);
  } else {
    l->to.at[o->to] = to;
    if (!again)
      note_edge(k, o->node, o->out);
    k->last[to] = o->node;
    k->path[to] = o->out;
  }
}

/* Makes the edges of one block, with those of the forks below it, node by node. */
static void add_edges(Build *k, uint32_t node, const SrThreadOut *out, uint32_t outs) {
  SrThreadLayout *l = k->l;
  SR_VEC(Open) work = {0};
  for (uint32_t i = 0; i < outs; i++)
    SR_PUSH(k->t->arena, &work, (Open){node, l->node.at[node].out_at + i, out[i]});
  for (uint32_t next = 0; next < work.count; next++) {
    const Open o = work.at[next];
    if (!(o.out & SR_THREAD_FORK)) {
      end_path(k, &o, node);
      continue;
    }
    const SrThreadFork *fork = &k->plan->fork.at[o.out & ~SR_THREAD_FORK];
    uint32_t below = add_node(k, SR_NONE, node, fork->condition, 2);
    l->to.at[o.to] = below;
    for (uint32_t i = 0; i < 2; i++)
      SR_PUSH(k->t->arena, &work, (Open){below, l->node.at[below].out_at + i, fork->out[i]});
  }
}

/* A block with a single outgoing path that forks is the fork itself. */
static void add_blocks(Build *k) {
  const SrThreadPlan *plan = k->plan;
  SrThreadLayout *l = k->l;
  for (uint32_t i = 0; i < plan->block.count; i++) {
    uint32_t outs = plan->out_at[i + 1] - plan->out_at[i], b = plan->block.at[i], condition = 0;
    SrThreadOut out = outs == 1 ? plan->out.at[plan->out_at[i]] : 0;
    if (out & SR_THREAD_FORK) {
      condition = plan->fork.at[out & ~SR_THREAD_FORK].condition;
      outs = 2;
    }
    l->node_of[b] = add_node(k, b, i, condition, outs);
  }
  k->last = sr_new_none(k->t->arena, plan->block.count);
  k->path = SR_NEW_RAW(k->t->arena, uint32_t, plan->block.count);
  for (uint32_t i = 0; i < plan->block.count; i++) {
    const SrThreadOut *out = &plan->out.at[plan->out_at[i]];
    if (l->node.at[i].condition)
      out = plan->fork.at[*out & ~SR_THREAD_FORK].out;
    add_edges(k, i, out, l->node.at[i].out_count);
  }
}

/* ---- the final order ---- */

static const SrGraph *make_graph(const Build *k) {
  const SrThreadLayout *l = k->l;
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t n = 0; n < l->node.count; n++)
    for (uint32_t i = 0; i < l->node.at[n].out_count; i++)
      SR_PUSH(k->t->arena, &edges, (SrEdge){n, l->to.at[l->node.at[n].out_at + i]});
  return sr_graph_new(k->t->arena, l->node.count, edges.at, edges.count);
}

static void number_nodes(Build *k) {
  SrThreadLayout *l = k->l;
  const SrNest *nest = sr_nest_build(k->t->arena, make_graph(k));
  SrThreadNode *node = SR_NEW_RAW(k->t->arena, SrThreadNode, l->node.count);
  for (uint32_t n = 0; n < l->node.count; n++) {
    node[n] = l->node.at[nest->order[n]];
    node[n].owner = nest->rank[node[n].owner];
  }
  memcpy(l->node.at, node, l->node.count * sizeof *node);
  for (uint32_t i = 0; i < l->to.count; i++)
    l->to.at[i] = nest->rank[l->to.at[i]];
  for (uint32_t b = 0; b < k->t->g->count; b++)
    if (l->node_of[b] != SR_NONE)
      l->node_of[b] = nest->rank[l->node_of[b]];
  for (uint32_t i = 0; i < l->edge.count; i++)
    l->edge.at[i].from = nest->rank[l->edge.at[i].from];
}

/* Edges are grouped by their sources, as they were made. */
static void find_edges(Build *k) {
  SrThreadLayout *l = k->l;
  const SrGraph *g = l->graph;
  const uint32_t *pred = sr_thread_graph_preds(k->t->arena, g);
  uint32_t *slot_of = SR_NEW_RAW(k->t->arena, uint32_t, g->count), filled = SR_NONE;
  for (uint32_t i = 0; i < l->edge.count; i++) {
    SrThreadEdge *e = &l->edge.at[i];
    uint32_t to = l->node_of[k->plan->path.at[e->path].to];
    if (e->from != filled)
      for (uint32_t s = g->succ_at[e->from]; s < g->succ_at[e->from + 1]; s++)
        slot_of[g->succ[s]] = s;
    filled = e->from;
    e->edge = g->pred_at[to] + pred[slot_of[to]];
  }
}

SrThreadLayout *sr_thread_layout(const SrThreadGraph *t, const SrThreadPlan *plan) {
  SrThreadLayout *l = SR_NEW(t->arena, SrThreadLayout, 1);
  Build k = {.t = t, .plan = plan, .l = l, .values = sr_thread_values_new(t, plan)};
  find_exports(&k);
  l->node_of = sr_new_none(t->arena, t->g->count);
  add_blocks(&k);
  l->added = l->node.count - plan->block.count;
  number_nodes(&k);
  l->graph = make_graph(&k);
  l->dom = sr_dom_build(t->arena, l->graph, 0);
  find_edges(&k);
  sr_thread_values_end(&k.values);
  return l;
}
