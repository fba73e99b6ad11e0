/* SPDX-License-Identifier: Apache-2.0 */
/* order_pd: depth-first and breadth-first orders that respect post-dominance.
 *
 * Among all blocks discovered but not yet visited, DFPD visits the newest one that post-dominates
 * none of the others. Wahlster's thesis (order.h) "rejects" a successor that post-dominates a block
 * still to be visited, and then picks one that does not; here the rule applies to all ancestors
 * instead of one level of predecessors. The discovered blocks are in a tree of maxima over the
 * preorder of the post-dominator tree. The tree of maxima shows whether a discovered block is below
 * a given block, and which discovered block is the nearest above it. Discovered blocks with no
 * other one below are in a heap by time of discovery. `dfpd-oldest` continues at the first
 * successor of the block just visited that may be visited. If there is none, it continues at the
 * oldest discovered block, as in figure A.1 of the thesis. On most graphs it needs more flow
 * blocks.
 *
 * BFPD keeps two heaps by (distance, discovery): one of the blocks whose predecessors are all
 * visited, and one of all blocks. `bfpd-successor` continues at a successor of the block just
 * visited that does not post-dominate it; if there is none, it does what BFPD does. With this
 * reading, the thesis' rule gives the orders of both its figure 4.13 and its figure 4.15. All take
 * O(E log V). */
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/graph/order.h"

/* ---- a heap of blocks by key ---- */

typedef struct Entry {
  uint64_t key; /* smallest first */
  uint32_t block;
} Entry;

typedef SR_VEC(Entry) Heap;

static void heap_push(SrArena *arena, Heap *h, uint64_t key, uint32_t block) {
  SR_PUSH(arena, h, (Entry){key, block});
  uint32_t i = h->count - 1;
  for (; i && h->at[(i - 1) / 2].key > key; i = (i - 1) / 2)
    h->at[i] = h->at[(i - 1) / 2];
  h->at[i] = (Entry){key, block};
}

static uint32_t heap_pop(Heap *h) {
  uint32_t top = h->at[0].block, i = 0;
  Entry last = SR_POP(h);
  for (uint32_t k; (k = 2 * i + 1) < h->count; i = k) {
    if (k + 1 < h->count && h->at[k + 1].key < h->at[k].key)
      k++;
    if (h->at[k].key >= last.key)
      break;
    h->at[i] = h->at[k];
  }
  if (h->count)
    h->at[i] = last;
  return top;
}

/* ---- marked blocks below and above a block in a tree ---- */

/* A tree of maxima over the places in the preorder. The leaf at the place of a marked block holds
 * the end of the block's subtree, any other leaf 0. */
typedef struct Marked {
  uint32_t size, *end;
} Marked;

static Marked marked_new(SrArena *arena, uint32_t count) {
  Marked t = {.size = 1};
  while (t.size < count)
    t.size *= 2;
  t.end = SR_NEW(arena, uint32_t, (size_t)2 * t.size);
  return t;
}

static void marked_put(Marked *t, uint32_t place, uint32_t end) {
  size_t i = (size_t)place + t->size;
  t->end[i] = end;
  while (i /= 2)
    t->end[i] = t->end[2 * i] > t->end[2 * i + 1] ? t->end[2 * i] : t->end[2 * i + 1];
}

static bool marked_between(const Marked *t, uint32_t from, uint32_t to) {
  for (uint32_t a = from + t->size, b = to + t->size; a < b; a /= 2, b /= 2) {
    if ((a & 1) && t->end[a++])
      return true;
    if ((b & 1) && t->end[--b])
      return true;
  }
  return false;
}

/* The last marked place before `place` whose subtree ends after `place`, or SR_NONE. */
static uint32_t marked_above(const Marked *t, uint32_t place) {
  uint32_t i = place + t->size;
  while (i > 1 && !((i & 1) && t->end[i - 1] > place))
    i /= 2;
  if (i <= 1)
    return SR_NONE;
  for (i--; i < t->size;)
    i = t->end[2 * i + 1] > place ? 2 * i + 1 : 2 * i;
  return i - t->size;
}

/* ---- DFPD ---- */

typedef struct Depth {
  SrArena *scratch;
  const SrDom *pdom;
  Marked waiting;  /* discovered, not visited */
  uint64_t *stamp; /* by block: when discovered; 0: not yet */
  uint64_t now;
  bool oldest; /* the oldest block comes first, not the newest */
  Heap free;   /* blocks that post-dominated no waiting block when they were added */
} Depth;

static bool must_wait(const Depth *d, uint32_t b) {
  return marked_between(&d->waiting, d->pdom->enter[b] + 1, d->pdom->leave[b]);
}

static void offer(Depth *d, uint32_t b) {
  if (!must_wait(d, b))
    heap_push(d->scratch, &d->free, d->oldest ? d->stamp[b] : UINT64_MAX - d->stamp[b], b);
}

static bool is_free(const Depth *d, uint32_t b) {
  return d->waiting.end[d->waiting.size + d->pdom->enter[b]] && !must_wait(d, b);
}

static void discover(Depth *d, const SrGraph *g, uint32_t b) {
  uint32_t n = sr_succ_count(g, b);
  for (uint32_t i = 0; i < n; i++) { /* the first successor is the newest, or the oldest */
    uint32_t t = g->succ[g->succ_at[b] + (d->oldest ? i : n - 1 - i)];
    if (d->stamp[t])
      continue;
    d->stamp[t] = ++d->now;
    marked_put(&d->waiting, d->pdom->enter[t], d->pdom->leave[t]);
    offer(d, t);
  }
}

/* The block is visited: the nearest waiting block above it may be free now. */
static void visit(Depth *d, uint32_t b) {
  marked_put(&d->waiting, d->pdom->enter[b], 0);
  uint32_t above = marked_above(&d->waiting, d->pdom->enter[b]);
  if (above != SR_NONE)
    offer(d, d->pdom->preorder[above]);
}

/* The block to visit after b; SR_NONE: all are visited. A block of the heap that was visited, or is no
 * longer free, is dropped; in the latter case it is added again later. */
static uint32_t pick_next(Depth *d, const SrGraph *g, uint32_t b) {
  if (d->oldest)
    for (SR_SUCCS(t, g, b))
      if (is_free(d, *t))
        return *t;
  while (d->free.count) {
    uint32_t t = heap_pop(&d->free);
    if (is_free(d, t))
      return t;
  }
  return SR_NONE;
}

static uint32_t depth_first(SrArena *scratch, const SrGraph *g, uint32_t *order, bool oldest) {
  SrArena arena = sr_arena_new(scratch->heap);
  const SrGraph *reverse = sr_graph_reverse_with_exit(&arena, g);
  Depth d = {.scratch = &arena, .pdom = sr_dom_build(&arena, reverse, g->count), .oldest = oldest};
  d.waiting = marked_new(&arena, g->count + 1);
  d.stamp = SR_NEW(&arena, uint64_t, g->count);
  uint32_t count = 0;
  d.stamp[0] = ++d.now;
  marked_put(&d.waiting, d.pdom->enter[0], d.pdom->leave[0]);
  for (uint32_t b = 0; b != SR_NONE; b = pick_next(&d, g, b)) {
    order[count++] = b;
    visit(&d, b);
    discover(&d, g, b);
  }
  sr_arena_free(&arena);
  sr_order_exit_last(g, order, count);
  return count;
}

uint32_t sr_order_dfpd(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  return depth_first(scratch, g, order, false);
}

uint32_t sr_order_dfpd_oldest(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  return depth_first(scratch, g, order, true);
}

/* ---- BFPD ---- */

typedef struct Breadth {
  SrArena *scratch;
  const SrGraph *g;
  const SrDom *pdom;
  uint32_t *distance; /* by block: from block 0; SR_NONE if unreachable */
  uint32_t *missing;  /* by block: number of its unvisited predecessors, except itself and
                         unreachable blocks */
  SrBits *found, *visited;
  uint64_t *key;
  uint32_t now;
  bool onward; /* successors of the block just visited come first */
  Heap ready, all;
} Breadth;

static void find(Breadth *s, uint32_t b) {
  if (sr_bit(s->found, b))
    return;
  sr_bit_set(s->found, b);
  s->key[b] = (uint64_t)s->distance[b] << 32 | s->now++;
  heap_push(s->scratch, &s->all, s->key[b], b);
  if (!s->missing[b])
    heap_push(s->scratch, &s->ready, s->key[b], b);
}

/* Discovers b's successors, those that do not post-dominate b first. */
static void find_successors(Breadth *s, uint32_t b) {
  for (int post = 0; post < 2; post++)
    for (SR_SUCCS(t, s->g, b))
      if (sr_dominates(s->pdom, *t, b) == post)
        find(s, *t);
}

static void visit_breadth(Breadth *s, uint32_t b) {
  sr_bit_set(s->visited, b);
  for (SR_SUCCS(t, s->g, b))
    if (*t != b && --s->missing[*t] == 0 && sr_bit(s->found, *t))
      heap_push(s->scratch, &s->ready, s->key[*t], *t);
  find_successors(s, b);
}

/* The successor of b that comes next in the order, or SR_NONE. */
static uint32_t pick_onward(const Breadth *s, uint32_t b, uint32_t exit) {
  if (s->onward)
    for (SR_SUCCS(t, s->g, b))
      if (*t != exit && !sr_bit(s->visited, *t) && !sr_dominates(s->pdom, *t, b))
        return *t;
  return SR_NONE;
}

/* The next block, or SR_NONE. */
static uint32_t pick(Breadth *s, uint32_t exit) {
  while (s->ready.count) {
    uint32_t b = heap_pop(&s->ready);
    if (!sr_bit(s->visited, b))
      return b;
  }
  bool has_exit = false;
  while (s->all.count) {
    uint32_t b = heap_pop(&s->all);
    if (b == exit)
      has_exit = true;
    else if (!sr_bit(s->visited, b)) {
      if (has_exit)
        heap_push(s->scratch, &s->all, s->key[exit], exit);
      return b;
    }
  }
  return has_exit && !sr_bit(s->visited, exit) ? exit : SR_NONE;
}

/* Distances from block 0, in breadth-first order (the exit, put last there, has no successors). */
static void measure(Breadth *s, const uint32_t *order, uint32_t count) {
  s->distance[0] = 0;
  for (uint32_t i = 0; i < count; i++)
    for (SR_SUCCS(t, s->g, order[i])) {
      if (s->distance[*t] == SR_NONE)
        s->distance[*t] = s->distance[order[i]] + 1;
      s->missing[*t] += *t != order[i];
    }
}

static uint32_t breadth_first(SrArena *scratch, const SrGraph *g, uint32_t *order, bool onward) {
  SrArena arena = sr_arena_new(scratch->heap);
  const SrGraph *reverse = sr_graph_reverse_with_exit(&arena, g);
  Breadth s = {
      .scratch = &arena, .g = g, .pdom = sr_dom_build(&arena, reverse, g->count), .onward = onward};
  s.distance = sr_new_none(&arena, g->count);
  s.missing = SR_NEW(&arena, uint32_t, g->count);
  s.found = sr_bits_new(&arena, g->count);
  s.visited = sr_bits_new(&arena, g->count);
  s.key = SR_NEW(&arena, uint64_t, g->count);
  uint32_t count = sr_order_bf(&arena, g, order);
  measure(&s, order, count);
  uint32_t exit = sr_order_exit(g, order, count), b;
  count = 0;
  find(&s, 0);
  while ((b = pick(&s, exit)) != SR_NONE)
    for (; b != SR_NONE; b = pick_onward(&s, b, exit)) {
      order[count++] = b;
      visit_breadth(&s, b);
    }
  sr_arena_free(&arena);
  sr_order_exit_last(g, order, count);
  return count;
}

uint32_t sr_order_bfpd(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  return breadth_first(scratch, g, order, false);
}

uint32_t sr_order_bfpd_successor(SrArena *scratch, const SrGraph *g, uint32_t *order) {
  return breadth_first(scratch, g, order, true);
}
