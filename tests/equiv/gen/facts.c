/* SPDX-License-Identifier: Apache-2.0 */
/* facts: what the module generator needs to know about a graph: reverse post-order, dominators
 * (Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm"), distance to a leaf, strongly
 * connected sets (Tarjan). Written independently for the tests; no recursion. */
#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/graph.h"

#include <stdlib.h>
#include <string.h>

typedef struct Preds {
  uint32_t *first, *from;
} Preds;

static uint32_t *filled(uint32_t n, uint32_t value) {
  uint32_t *a = emit_resize(NULL, (n + 1) * sizeof *a);
  for (uint32_t i = 0; i <= n; i++)
    a[i] = value;
  return a;
}

static Preds preds_of(const Graph *g) {
  Preds p = {filled(g->count + 1, 0), filled(graph_edges(g), 0)};
  for (uint32_t b = 0; b < g->count; b++)
    for (uint32_t s = 0; s < g->block[b].count; s++)
      p.first[g->block[b].succ[s] + 2]++;
  for (uint32_t b = 2; b <= g->count + 1; b++)
    p.first[b] += p.first[b - 1];
  for (uint32_t b = 0; b < g->count; b++)
    for (uint32_t s = 0; s < g->block[b].count; s++)
      p.from[p.first[g->block[b].succ[s] + 1]++] = b;
  return p;
}

static void preds_free(Preds *p) {
  free(p->first);
  free(p->from);
}

static void find_rpo(const Graph *g, GraphFacts *f) {
  uint32_t n = g->count, *stack = filled(n, 0), *next = filled(n, 0), depth = 1, at = n;
  f->rpo = filled(n, 0);
  f->rank = filled(n, GRAPH_NONE);
  f->rank[0] = 0;
  stack[0] = 0;
  while (depth > 0) {
    uint32_t b = stack[depth - 1];
    if (next[b] < g->block[b].count) {
      uint32_t t = g->block[b].succ[next[b]++];
      if (f->rank[t] == GRAPH_NONE) {
        f->rank[t] = 0;
        stack[depth++] = t;
      }
      continue;
    }
    f->rpo[--at] = b;
    depth--;
  }
  f->rpo_count = n - at;
  memmove(f->rpo, f->rpo + at, f->rpo_count * sizeof *f->rpo);
  for (uint32_t i = 0; i < f->rpo_count; i++)
    f->rank[f->rpo[i]] = i;
  free(stack);
  free(next);
}

static uint32_t common(const GraphFacts *f, uint32_t a, uint32_t b) {
  while (a != b) {
    while (f->rank[a] > f->rank[b])
      a = f->idom[a];
    while (f->rank[b] > f->rank[a])
      b = f->idom[b];
  }
  return a;
}

static void find_idom(const Graph *g, const Preds *p, GraphFacts *f) {
  f->idom = filled(g->count, GRAPH_NONE);
  f->idom[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < f->rpo_count; i++) {
      uint32_t b = f->rpo[i], d = GRAPH_NONE;
      for (uint32_t k = p->first[b]; k < p->first[b + 1]; k++)
        if (f->idom[p->from[k]] != GRAPH_NONE)
          d = d == GRAPH_NONE ? p->from[k] : common(f, d, p->from[k]);
      changed |= f->idom[b] != d;
      f->idom[b] = d;
    }
  }
}

/* Sizes of subtrees bottom up, then positions top down: intervals without a walk of the tree. */
static void number_tree(const Graph *g, GraphFacts *f) {
  uint32_t *size = filled(g->count, 1), *used = filled(g->count, 0);
  f->dom_in = filled(g->count, 0);
  f->dom_out = filled(g->count, 0);
  for (uint32_t i = f->rpo_count; i-- > 1;)
    size[f->idom[f->rpo[i]]] += size[f->rpo[i]];
  for (uint32_t i = 0; i < f->rpo_count; i++) {
    uint32_t b = f->rpo[i], d = f->idom[b];
    f->dom_in[b] = i == 0 ? 0 : f->dom_in[d] + 1 + used[d];
    f->dom_out[b] = f->dom_in[b] + size[b];
    used[d] += i == 0 ? 0 : size[b];
  }
  free(size);
  free(used);
}

static void find_distance(const Graph *g, const Preds *p, GraphFacts *f) {
  uint32_t *queue = filled(g->count, 0), head = 0, tail = 0;
  f->distance = filled(g->count, GRAPH_NONE);
  f->exit_slot = filled(g->count, GRAPH_NONE);
  for (uint32_t b = 0; b < g->count; b++)
    if (g->block[b].term == GRAPH_RETURN) {
      f->distance[b] = 0;
      queue[tail++] = b;
    }
  for (; head < tail; head++) {
    uint32_t b = queue[head];
    for (uint32_t k = p->first[b]; k < p->first[b + 1]; k++) {
      uint32_t q = p->from[k], slot = 0;
      while (slot < g->block[q].count &&
             (g->block[q].succ[slot] != b || graph_never(&g->block[q], slot)))
        slot++;
      if (f->distance[q] != GRAPH_NONE || slot == g->block[q].count)
        continue;
      f->distance[q] = f->distance[b] + 1;
      f->exit_slot[q] = slot;
      queue[tail++] = q;
    }
  }
  free(queue);
}

typedef struct Tarjan {
  const Graph *g;
  GraphFacts *f;
  uint32_t *index, *low, *next, *path, *open, path_count, open_count, number, sets;
} Tarjan;

static void enter(Tarjan *t, uint32_t b) {
  t->index[b] = t->low[b] = t->number++;
  t->path[t->path_count++] = b;
  t->open[t->open_count++] = b;
}

static void leave(Tarjan *t, uint32_t b) {
  t->path_count--;
  if (t->path_count && t->low[t->path[t->path_count - 1]] > t->low[b])
    t->low[t->path[t->path_count - 1]] = t->low[b];
  if (t->low[b] != t->index[b])
    return;
  bool many = t->open[t->open_count - 1] != b;
  for (uint32_t m = GRAPH_NONE; m != b;) {
    m = t->open[--t->open_count];
    t->f->scc[m] = t->sets;
    t->f->cyclic[m] = many;
  }
  for (uint32_t s = 0; s < t->g->block[b].count; s++)
    t->f->cyclic[b] |= t->g->block[b].succ[s] == b;
  t->sets++;
}

static void visit(Tarjan *t, uint32_t start) {
  enter(t, start);
  while (t->path_count) {
    uint32_t b = t->path[t->path_count - 1];
    if (t->next[b] == t->g->block[b].count) {
      leave(t, b);
      continue;
    }
    uint32_t s = t->g->block[b].succ[t->next[b]++];
    if (t->index[s] == GRAPH_NONE)
      enter(t, s);
    else if (t->f->scc[s] == GRAPH_NONE && t->low[b] > t->index[s])
      t->low[b] = t->index[s];
  }
}

static void find_scc(const Graph *g, GraphFacts *f) {
  uint32_t n = g->count;
  Tarjan t = {.g = g, .f = f, .index = filled(n, GRAPH_NONE), .low = filled(n, 0)};
  t.next = filled(n, 0);
  t.path = filled(n, 0);
  t.open = filled(n, 0);
  f->scc = filled(n, GRAPH_NONE);
  f->cyclic = emit_resize(NULL, n * sizeof *f->cyclic);
  memset(f->cyclic, 0, n * sizeof *f->cyclic);
  for (uint32_t b = 0; b < n; b++)
    if (t.index[b] == GRAPH_NONE)
      visit(&t, b);
  free(t.index);
  free(t.low);
  free(t.next);
  free(t.path);
  free(t.open);
}

void graph_facts(const Graph *g, GraphFacts *facts) {
  memset(facts, 0, sizeof *facts);
  Preds p = preds_of(g);
  find_rpo(g, facts);
  find_idom(g, &p, facts);
  number_tree(g, facts);
  find_distance(g, &p, facts);
  find_scc(g, facts);
  preds_free(&p);
}

void graph_facts_free(GraphFacts *facts) {
  free(facts->rpo);
  free(facts->rank);
  free(facts->idom);
  free(facts->dom_in);
  free(facts->dom_out);
  free(facts->distance);
  free(facts->exit_slot);
  free(facts->scc);
  free(facts->cyclic);
  memset(facts, 0, sizeof *facts);
}

bool graph_dominates(const GraphFacts *facts, uint32_t a, uint32_t b) {
  return facts->dom_in[a] <= facts->dom_in[b] && facts->dom_out[b] <= facts->dom_out[a];
}
