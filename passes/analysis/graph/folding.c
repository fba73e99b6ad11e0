/* SPDX-License-Identifier: Apache-2.0 */
/* folding: see folding.h. */
#include "passes/analysis/graph/folding.h"

#include "passes/base/vec.h"

/* A node of the folding, named by the block that has its in-edges. */
typedef struct Node {
  uint32_t into;         /* the node that absorbed it; itself: none did */
  uint32_t *succ, count; /* where it leads: blocks, whose nodes `find` tells */
  uint32_t source;       /* the block that these edges came from */
  uint32_t in;           /* its in-edges; one more for the entry */
  uint32_t sources;      /* exclusive or of the blocks that they came from */
  bool waiting;          /* is in the queue */
} Node;

typedef struct Fold {
  const SrGraph *g;
  Node *node;
  uint32_t *queue, first, length; /* nodes to try; a ring with room for all */
} Fold;

static uint32_t find(const Fold *f, uint32_t b) {
  while (f->node[b].into != b) { /* path halving */
    f->node[b].into = f->node[f->node[b].into].into;
    b = f->node[b].into;
  }
  return b;
}

static uint32_t target(const Fold *f, uint32_t n, uint32_t i) {
  return find(f, f->node[n].succ[i]);
}

static void try_later(Fold *f, uint32_t n) {
  if (f->node[n].waiting)
    return;
  f->node[n].waiting = true;
  f->queue[(f->first + f->length++) % f->g->count] = n;
}

/* The node has changed: so may what holds for it, and for its only predecessor. */
static void changed(Fold *f, uint32_t n) {
  try_later(f, n);
  if (f->node[n].in == 1 && n)
    try_later(f, find(f, f->node[n].sources));
}

/* `n` absorbs `last`, whose edges become its own. */
static void absorb_last(Fold *f, uint32_t n, uint32_t last) {
  f->node[last].into = n;
  f->node[n].succ = f->node[last].succ;
  f->node[n].count = f->node[last].count;
  f->node[n].source = f->node[last].source;
}

/* ---- base patterns ---- */

static bool fold_sequence(Fold *f, uint32_t n) {
  if (f->node[n].count != 1)
    return false;
  uint32_t next = target(f, n, 0);
  if (next == n || f->node[next].in != 1)
    return false;
  absorb_last(f, n, next);
  return true;
}

/* Does the node only lead from its only predecessor to another node? */
static bool is_arm(const Fold *f, uint32_t n) {
  return f->node[n].in == 1 && f->node[n].count == 1 && target(f, n, 0) != n;
}

static bool fold_selection(Fold *f, uint32_t n) {
  uint32_t join = SR_NONE, count = f->node[n].count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t t = target(f, n, i), to = is_arm(f, t) ? target(f, t, 0) : t;
    if (to == n || (join != SR_NONE && to != join))
      return false;
    join = to;
  }
  if (count < 2 || f->node[join].in != count)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t t = target(f, n, i);
    if (t != join)
      f->node[t].into = n;
  }
  absorb_last(f, n, join);
  return true;
}

/* A node before this one, or before an arm that leads here, may be a selection now. */
static void try_before(Fold *f, uint32_t n) {
  for (SR_PREDS(p, f->g, n)) {
    uint32_t before = find(f, *p);
    if (before != n)
      changed(f, before);
  }
}

/* Drops the edges of a condition node to itself, and its successors that only lead back. The last
 * edge stays. */
static bool fold_loop(Fold *f, uint32_t n) {
  Node *at = &f->node[n];
  uint32_t kept = 0, left = at->count;
  for (uint32_t i = 0; i < at->count; i++) {
    uint32_t t = target(f, n, i);
    bool body = t != n && f->node[t].in == 1 && f->node[t].count == 1 && target(f, t, 0) == n;
    if (left < 2 || (t != n && !body)) {
      at->succ[kept++] = at->succ[i];
      continue;
    }
    at->sources ^= f->node[t].source;
    at->in--;
    left--;
    f->node[t].into = n;
  }
  bool folded = kept < at->count;
  at->count = kept;
  if (folded)
    try_before(f, n);
  return folded;
}

/* ---- the whole ---- */

/* A copy of the graph, with a common successor of its leaves if there are several. */
static SrGraph *with_exit(SrArena *arena, const SrGraph *g) {
  uint32_t leaves = 0, n = 0;
  for (uint32_t b = 0; b < g->count; b++)
    leaves += sr_succ_count(g, b) == 0;
  SrEdge *edges = SR_NEW_RAW(arena, SrEdge, (size_t)g->succ_at[g->count] + leaves);
  for (uint32_t b = 0; b < g->count; b++) {
    for (SR_SUCCS(t, g, b))
      edges[n++] = (SrEdge){b, *t};
    if (leaves > 1 && sr_succ_count(g, b) == 0)
      edges[n++] = (SrEdge){b, g->count};
  }
  return sr_graph_new(arena, g->count + (leaves > 1), edges, n);
}

static void begin(Fold *f, SrArena *arena, const uint32_t *order, uint32_t count) {
  const SrGraph *g = f->g;
  f->node = SR_NEW(arena, Node, g->count);
  f->queue = SR_NEW_RAW(arena, uint32_t, g->count);
  f->node[0].in = 1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t b = order[i];
    f->node[b].into = f->node[b].source = b;
    f->node[b].succ = &g->succ[g->succ_at[b]];
    f->node[b].count = sr_succ_count(g, b);
    for (SR_SUCCS(t, g, b)) {
      f->node[*t].in++;
      f->node[*t].sources ^= b;
    }
  }
  for (uint32_t i = count; i-- > 0;) /* inner ones first */
    try_later(f, order[i]);
}

SrFolding sr_folding_build(SrArena *scratch, const SrGraph *given) {
  SrArena arena = sr_arena_new(scratch->heap);
  Fold f = {.g = with_exit(&arena, given)};
  uint32_t *order = SR_NEW_RAW(&arena, uint32_t, f.g->count);
  uint32_t count = sr_graph_rpo(&arena, f.g, 0, false, order);
  begin(&f, &arena, order, count);
  while (f.length) {
    uint32_t n = f.queue[f.first];
    f.first = (f.first + 1) % f.g->count;
    f.length--;
    f.node[n].waiting = false;
    if (find(&f, n) == n && (fold_sequence(&f, n) || fold_loop(&f, n) || fold_selection(&f, n)))
      changed(&f, n);
  }
  SrFolding out = {0};
  for (uint32_t i = 0; i < count; i++) {
    bool left = find(&f, order[i]) == order[i];
    out.nodes += left;
    out.conditions += left && f.node[order[i]].count > 1;
  }
  sr_arena_free(&arena);
  return out;
}
