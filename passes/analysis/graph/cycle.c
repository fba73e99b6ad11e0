/* SPDX-License-Identifier: Apache-2.0 */
/* cycle: see cycle.h. Three walks.
 *
 * 1. One depth-first search numbers the blocks. The first block that it visits of a strongly
 *    connected set is the header: it is a tree ancestor of the others, has an edge from outside,
 *    and precedes the others in reverse post-order. Every edge that is not a tree edge is recorded
 *    at the lowest common tree ancestor of its ends. If that ancestor is the edge's target, the
 *    edge is a back edge.
 * 2. The blocks are then visited in reverse of preorder. The body of the cycle with header h
 *    consists of the sources of h's back edges and of all blocks on paths from h to these. An inner
 *    cycle counts as its header. The body is united with h (union-find). An edge is followed only
 *    once its recorded ancestor has been visited, so that no walk leaves the subtree of h, even if
 *    cycles are irreducible.
 * 3. The search visits the blocks of a cycle in the same order as a search of that cycle alone,
 *    since blocks outside lead back into it only through headers of enclosing cycles, and these
 *    headers are visited before. So LRPO is the preorder of the nest, with the members of each
 *    cycle sorted by reverse post-order.
 *
 * After G. Ramalingam, On Loops, Dominators, and Dominance Frontiers, TOPLAS 2002, section 3
 * (Havlak's algorithm made near-linear). Cost O(E log V). */
#include "passes/analysis/graph/cycle.h"
#include "passes/base/bitset.h"
#include "passes/base/vec.h"

/* An edge in the list of edges recorded at one block. */
typedef struct Kept {
  uint32_t from, to, next;
} Kept;

typedef struct Build {
  SrArena scratch;
  const SrGraph *g;
  uint32_t *preorder, reached; /* blocks in the order of the search */
  uint32_t *postorder, left;   /* blocks in the order in which the search left them */
  uint32_t *tree;              /* by block: its tree parent; SR_NONE: block 0 or unreached */
  uint32_t *up;                /* by block: union-find */
  uint32_t *kept_at, *into;    /* by block: the list of edges recorded at it, and the list of edges
                                  into it */
  SR_VEC(Kept) kept;
  /* by block: header of the innermost cycle around it, other than its own cycle if it is a header;
   * or SR_NONE */
  uint32_t *around;
  SrBits *heads;             /* blocks that are headers */
  uint32_t *child, *sibling; /* the nest: by header its first member, by block the next member of
                              * the same cycle; in reverse post-order */
} Build;

static uint32_t find(uint32_t *up, uint32_t b) {
  while (up[b] != b)
    b = up[b] = up[up[b]];
  return b;
}

static void reset_union(Build *k) {
  for (uint32_t b = 0; b < k->g->count; b++)
    k->up[b] = b;
}

static void keep(Build *k, uint32_t *list, uint32_t from, uint32_t to) {
  SR_PUSH(&k->scratch, &k->kept, (Kept){from, to, *list});
  *list = k->kept.count - 1;
}

/* ---- the search ---- */

/* Successors are visited in reverse. A block that the search has left is united with its parent, so
 * `find` returns the lowest ancestor that the search has not left: the lowest common ancestor with
 * the current block. */
static void search(Build *k) {
  const SrGraph *g = k->g;
  uint32_t *next = SR_NEW_RAW(&k->scratch, uint32_t, g->count);
  SrBits *met = sr_bits_new(&k->scratch, g->count);
  uint32_t b = 0;
  sr_bit_set(met, 0);
  next[0] = sr_succ_count(g, 0);
  k->preorder[k->reached++] = 0;
  while (b != SR_NONE) {
    if (next[b] == 0) {
      k->postorder[k->left++] = b;
      if (k->tree[b] != SR_NONE)
        k->up[b] = k->tree[b];
      b = k->tree[b];
      continue;
    }
    uint32_t t = g->succ[g->succ_at[b] + --next[b]];
    if (sr_bit(met, t)) {
      keep(k, &k->kept_at[find(k->up, t)], b, t);
      continue;
    }
    sr_bit_set(met, t);
    next[t] = sr_succ_count(g, t);
    k->preorder[k->reached++] = t;
    k->tree[t] = b;
    b = t;
  }
}

/* ---- cycles ---- */

typedef SR_VEC(uint32_t) Body;

static void add_to_body(Build *k, Body *body, uint32_t header, uint32_t b) {
  b = find(k->up, b);
  if (b == header || k->around[b] == header)
    return;
  k->around[b] = header;
  SR_PUSH(&k->scratch, body, b);
}

static void find_cycle(Build *k, Body *body, uint32_t header) {
  body->count = 0;
  for (uint32_t i = k->kept_at[header]; i != SR_NONE; i = k->kept.at[i].next) {
    Kept e = k->kept.at[i];
    if (e.to == header) {
      sr_bit_set(k->heads, header);
      add_to_body(k, body, header, e.from);
    }
  }
  for (uint32_t i = k->kept_at[header], next; i != SR_NONE; i = next) {
    Kept *e = &k->kept.at[i]; /* moves the edge to the list of its target */
    uint32_t *into = &k->into[find(k->up, e->to)];
    next = e->next;
    e->next = *into;
    *into = i;
  }
  for (uint32_t i = 0; i < body->count; i++) {
    uint32_t b = body->at[i];
    add_to_body(k, body, header, k->tree[b]);
    for (uint32_t e = k->into[b]; e != SR_NONE; e = k->kept.at[e].next)
      add_to_body(k, body, header, k->kept.at[e].from);
  }
  for (uint32_t i = 0; i < body->count; i++)
    k->up[body->at[i]] = header;
}

static void find_cycles(Build *k) {
  Body body = {0};
  reset_union(k);
  for (uint32_t i = k->reached; i-- > 0;)
    find_cycle(k, &body, k->preorder[i]);
}

/* ---- order ---- */

/* Returns the first item of the order, a block in no cycle or the header of an outermost one: block
 * 0. */
static uint32_t link_nest(Build *k) {
  uint32_t root = SR_NONE;
  for (uint32_t i = 0; i < k->left; i++) {
    uint32_t b = k->postorder[i];
    uint32_t *list = k->around[b] == SR_NONE ? &root : &k->child[k->around[b]];
    k->sibling[b] = *list;
    *list = b;
  }
  return root;
}

/* Appends block b of `cycle`, and makes the cycle that b heads, if any; returns b's innermost
 * cycle. */
static uint32_t place(Build *k, SrNest *n, uint32_t b, uint32_t cycle) {
  if (sr_bit(k->heads, b)) {
    n->cycles[n->cycle_count] =
        (SrCycle){.parent = cycle,
                  .depth = cycle == SR_NONE ? 1 : n->cycles[cycle].depth + 1,
                  .first = n->count,
                  .header = b};
    cycle = n->cycle_count++;
  }
  n->rank[b] = n->count;
  n->inner[b] = cycle;
  n->order[n->count++] = b;
  return cycle;
}

static void write_order(Build *k, SrNest *n) {
  uint32_t b = link_nest(k), cycle = SR_NONE;
  for (;;) {
    cycle = place(k, n, b, cycle);
    if (sr_bit(k->heads, b) && k->child[b] != SR_NONE) {
      b = k->child[b];
      continue;
    }
    for (;;) {
      if (sr_bit(k->heads, b)) {
        n->cycles[cycle].last = n->count - 1;
        cycle = n->cycles[cycle].parent;
      }
      if (k->sibling[b] != SR_NONE)
        break;
      if (cycle == SR_NONE)
        return;
      b = n->cycles[cycle].header;
    }
    b = k->sibling[b];
  }
}

/* ---- entries ---- */

/* Counts block b as an entry of each cycle around it that does not hold all of b's predecessors.
 * These are all cycles from some depth on. `open`: the cycles around b by depth, from 1. `gone`: by
 * cycle, the number of entries of inner cycles that are not entries of the cycle itself. */
static void count_entry(SrNest *n, const SrGraph *g, uint32_t b, const uint32_t *open,
                        uint32_t *gone) {
  uint32_t low = SR_NONE, high = 0;
  for (SR_PREDS(p, g, b))
    if (n->rank[*p] != SR_NONE) {
      low = n->rank[*p] < low ? n->rank[*p] : low;
      high = n->rank[*p] > high ? n->rank[*p] : high;
    }
  uint32_t inside = 0, outside = n->cycles[n->inner[b]].depth + 1;
  while (outside - inside > 1) { /* depths up to `inside` hold all predecessors */
    uint32_t d = inside + (outside - inside) / 2;
    const SrCycle *c = &n->cycles[open[d]];
    if (c->first <= low && high <= c->last)
      inside = d;
    else
      outside = d;
  }
  n->cycles[n->inner[b]].entries++;
  if (inside)
    gone[open[inside]]++;
}

static void count_entries(Build *k, SrNest *n) {
  uint32_t *open = SR_NEW_RAW(&k->scratch, uint32_t, n->cycle_count + 1);
  uint32_t *gone = SR_NEW(&k->scratch, uint32_t, n->cycle_count);
  for (uint32_t r = 0; r < n->count; r++) {
    uint32_t c = n->inner[n->order[r]];
    if (c == SR_NONE)
      continue;
    if (n->cycles[c].first == r)
      open[n->cycles[c].depth] = c;
    count_entry(n, k->g, n->order[r], open, gone);
  }
  for (uint32_t c = n->cycle_count; c-- > 0;) {
    SrCycle *cycle = &n->cycles[c];
    cycle->entries -= gone[c];
    if (cycle->parent != SR_NONE)
      n->cycles[cycle->parent].entries += cycle->entries;
  }
}

/* ---- the whole ---- */

static void allocate(Build *k) {
  uint32_t n = k->g->count;
  k->preorder = SR_NEW_RAW(&k->scratch, uint32_t, n);
  k->postorder = SR_NEW_RAW(&k->scratch, uint32_t, n);
  k->tree = sr_new_none(&k->scratch, n);
  k->up = SR_NEW_RAW(&k->scratch, uint32_t, n);
  k->kept_at = sr_new_none(&k->scratch, n);
  k->into = sr_new_none(&k->scratch, n);
  k->around = sr_new_none(&k->scratch, n);
  k->heads = sr_bits_new(&k->scratch, n);
  k->child = sr_new_none(&k->scratch, n);
  k->sibling = SR_NEW_RAW(&k->scratch, uint32_t, n);
}

static uint32_t count_heads(const Build *k) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < k->reached; i++)
    count += sr_bit(k->heads, k->preorder[i]);
  return count;
}

SrNest *sr_nest_build(SrArena *arena, const SrGraph *g) {
  SrNest *n = SR_NEW(arena, SrNest, 1);
  *n = (SrNest){.order = SR_NEW_RAW(arena, uint32_t, g->count),
                .rank = sr_new_none(arena, g->count),
                .inner = sr_new_none(arena, g->count)};
  if (!g->count)
    return n;
  Build k = {.scratch = sr_arena_new(arena->heap), .g = g};
  allocate(&k);
  reset_union(&k);
  search(&k);
  find_cycles(&k);
  n->cycles = SR_NEW_RAW(arena, SrCycle, count_heads(&k));
  write_order(&k, n);
  count_entries(&k, n);
  sr_arena_free(&k.scratch);
  return n;
}

SrAncestors sr_nest_ancestors(SrArena *arena, const SrNest *n) {
  uint32_t *parent = SR_NEW_RAW(arena, uint32_t, n->cycle_count);
  for (uint32_t c = 0; c < n->cycle_count; c++)
    parent[c] = n->cycles[c].parent;
  return sr_ancestors_build(arena, parent, n->cycle_count, NULL, n->cycle_count);
}
