/* SPDX-License-Identifier: Apache-2.0 */
/* linear_order: see linear_order.h. */
#include "passes/transform/linear/linear_order.h"
#include "passes/base/vec.h"

typedef struct Orderer {
  SrArena *arena;
  const SrGraph *g;   /* the function's */
  const SrGraph *one; /* the same graph with one entry for each cycle */
  const SrNest *nest; /* in LRPO */
  const SrDom *dom;   /* of `one` */
  const SrBits *keep;
  SrAncestors cycles;
  uint32_t *path;   /* by cycle: an outer cycle from whose header edges lead, header by header, to
                     * the cycle's own, or SR_NONE */
  uint32_t *branch; /* by block that begins an arm: the block whose branch it is, else SR_NONE */
} Orderer;

/* ---- one entry for each cycle ---- */

typedef SR_VEC(SrEdge) Edges;

/* The outermost cycle from whose header edges lead, header by header, to that of c. */
static uint32_t start_of_path(uint32_t *path, uint32_t c) {
  while (path[c] != SR_NONE) {
    uint32_t up = path[c];
    if (path[up] != SR_NONE) /* path halving */
      path[c] = path[up];
    c = up;
  }
  return c;
}

/* Adds the edge from a to b by way of the headers of the cycles that it enters, outermost first.
 * The path from header to header is the same for all edges, and is made once. */
static void enter(Orderer *o, Edges *edges, uint32_t a, uint32_t b) {
  const SrNest *n = o->nest;
  uint32_t c = n->rank[a] == SR_NONE ? SR_NONE : n->inner[b];
  if (c == SR_NONE || sr_cycle_has(n, c, a)) {
    SR_PUSH(o->arena, edges, (SrEdge){a, b});
    return;
  }
  const SrCycle *outermost = &n->cycles[sr_ancestors_entered(&o->cycles, n->inner[a], c)];
  SR_PUSH(o->arena, edges, (SrEdge){a, outermost->header});
  if (n->cycles[c].header != b)
    SR_PUSH(o->arena, edges, (SrEdge){n->cycles[c].header, b});
  while (n->cycles[c = start_of_path(o->path, c)].depth > outermost->depth) {
    uint32_t parent = n->cycles[c].parent;
    SR_PUSH(o->arena, edges, (SrEdge){n->cycles[parent].header, n->cycles[c].header});
    o->path[c] = parent;
  }
}

static const SrGraph *with_one_entry(Orderer *o) {
  const SrGraph *g = o->g;
  Edges edges = {0};
  o->cycles = sr_nest_ancestors(o->arena, o->nest);
  o->path = sr_new_none(o->arena, o->nest->cycle_count);
  for (uint32_t b = 0; b < g->count; b++)
    for (SR_SUCCS(t, g, b))
      enter(o, &edges, b, *t);
  return sr_graph_new(o->arena, g->count, edges.at, edges.count);
}

/* ---- arms ---- */

/* The only block that leads to b, back edges aside, or SR_NONE. */
static uint32_t sole_source(const Orderer *o, const SrGraph *g, uint32_t b) {
  uint32_t found = SR_NONE;
  for (SR_PREDS(p, g, b)) {
    if (o->nest->rank[*p] == SR_NONE || o->nest->rank[*p] >= o->nest->rank[b])
      continue;
    if (found != SR_NONE)
      return SR_NONE;
    found = *p;
  }
  return found;
}

/* The cycle in which b is an item of its own: for a header, the cycle around its own. */
static uint32_t outer_loop(const SrNest *n, uint32_t b) {
  uint32_t c = n->inner[b];
  return c != SR_NONE && n->cycles[c].header == b ? n->cycles[c].parent : c;
}

/* Is b the header of a cycle with other entries too? Lanes for the other entries pass it in the
 * graph `one`. */
static bool is_shared_header(const SrNest *n, uint32_t b) {
  uint32_t c = n->inner[b];
  return c != SR_NONE && n->cycles[c].header == b && n->cycles[c].entries > 1;
}

static void find_arms(Orderer *o) {
  o->branch = sr_new_none(o->arena, o->g->count);
  for (uint32_t r = 1; r < o->nest->count; r++) {
    uint32_t b = o->nest->order[r], from = sole_source(o, o->g, b);
    if (from != SR_NONE && sr_bit(o->keep, from) && sr_succ_count(o->g, from) > 1 &&
        sole_source(o, o->one, b) == from && !is_shared_header(o->nest, b) &&
        outer_loop(o->nest, b) == o->nest->inner[from])
      o->branch[b] = from;
  }
}

/* ---- the order ---- */

/* Linked lists of blocks or of items, to which members are added in front. */
typedef struct Lists {
  uint32_t *first, *next;
} Lists;

static Lists new_lists(SrArena *arena, uint32_t lists, uint32_t members) {
  return (Lists){sr_new_none(arena, lists), sr_new_none(arena, members)};
}

static void put_first(Lists *l, uint32_t list, uint32_t member) {
  l->next[member] = l->first[list];
  l->first[list] = member;
}

/* The dominator tree in preorder: arms before other children, arms and other children each in
 * LRPO. */
static uint32_t *tree_preorder(Orderer *o) {
  uint32_t n = o->g->count, count = 0;
  Lists child = new_lists(o->arena, n, n);
  uint32_t *out = SR_NEW_RAW(o->arena, uint32_t, o->nest->count);
  for (int arms = 0; arms < 2; arms++)
    for (uint32_t r = o->nest->count; r-- > 1;) {
      uint32_t b = o->nest->order[r];
      if ((o->branch[b] != SR_NONE) == arms)
        put_first(&child, o->dom->idom[b], b);
    }
  SR_VEC(uint32_t) stack = {0};
  SR_PUSH(o->arena, &stack, o->nest->order[0]);
  while (stack.count) {
    uint32_t b = SR_POP(&stack);
    out[count++] = b;
    if (child.next[b] != SR_NONE)
      SR_PUSH(o->arena, &stack, child.next[b]);
    if (child.first[b] != SR_NONE)
      SR_PUSH(o->arena, &stack, child.first[b]);
  }
  return out;
}

/* Gathers each cycle at its header. Items are blocks, then cycles (from g->count). A cycle's list
 * holds its items in reverse; the list with index cycle_count is the function's. */
static void draw_together(Orderer *o, const uint32_t *preorder, SrNest *out) {
  const SrNest *n = o->nest;
  uint32_t blocks = o->g->count, count = 0;
  Lists item = new_lists(o->arena, n->cycle_count + 1, blocks + n->cycle_count);
  SrBits *begun = sr_bits_new(o->arena, n->cycle_count);
  for (uint32_t i = 0; i < n->count; i++) {
    uint32_t member = preorder[i], c = n->inner[member];
    for (; c != SR_NONE; member = blocks + c, c = n->cycles[c].parent) {
      put_first(&item, c, member);
      if (sr_bit(begun, c))
        break;
      sr_bit_set(begun, c);
    }
    if (c == SR_NONE)
      put_first(&item, n->cycle_count, member);
  }
  SR_VEC(uint32_t) stack = {0};
  SR_PUSH(o->arena, &stack, item.first[n->cycle_count]);
  for (count = n->count; stack.count;) { /* from the last */
    uint32_t i = SR_POP(&stack);
    if (item.next[i] != SR_NONE)
      SR_PUSH(o->arena, &stack, item.next[i]);
    if (i >= blocks)
      SR_PUSH(o->arena, &stack, item.first[i - blocks]);
    else
      out->order[--count] = i;
  }
}

/* Updates ranks and cycles to the new order, and sorts the cycles by it. */
static void renumber(Orderer *o, SrNest *out) {
  const SrNest *n = o->nest;
  out->count = n->count;
  out->rank = sr_new_none(o->arena, o->g->count);
  for (uint32_t r = 0; r < n->count; r++)
    out->rank[out->order[r]] = r;
  uint32_t *headed = sr_new_none(o->arena, n->count); /* by rank: the cycle that begins there */
  uint32_t *new_of = SR_NEW_RAW(o->arena, uint32_t, n->cycle_count);
  for (uint32_t c = 0; c < n->cycle_count; c++)
    headed[out->rank[n->cycles[c].header]] = c;
  out->cycles = SR_NEW_RAW(o->arena, SrCycle, n->cycle_count);
  for (uint32_t r = 0; r < n->count; r++)
    if (headed[r] != SR_NONE) {
      SrCycle k = n->cycles[headed[r]];
      k.last = r + (k.last - k.first);
      k.first = r;
      k.parent = k.parent == SR_NONE ? SR_NONE : new_of[k.parent];
      new_of[headed[r]] = out->cycle_count;
      out->cycles[out->cycle_count++] = k;
    }
  out->inner = sr_new_none(o->arena, o->g->count);
  for (uint32_t b = 0; b < o->g->count; b++)
    if (n->inner[b] != SR_NONE)
      out->inner[b] = new_of[n->inner[b]];
}

/* The rank of the last block that b dominates in its loop: these blocks follow b directly. */
static uint32_t last_of_arm(const Orderer *o, const SrNest *n, uint32_t b) {
  uint32_t loop = outer_loop(n, b), low = n->rank[b];
  uint32_t high = loop == SR_NONE ? n->count - 1 : n->cycles[loop].last;
  while (low < high) {
    uint32_t r = high - (high - low) / 2;
    if (sr_dominates(o->dom, b, n->order[r]))
      low = r;
    else
      high = r - 1;
  }
  return low;
}

static void measure_arms(const Orderer *o, const SrNest *n, SrKeptArms *arms) {
  arms->keep = o->keep;
  arms->last = sr_new_none(o->arena, o->g->count);
  arms->end = SR_NEW_RAW(o->arena, uint32_t, o->g->count);
  memcpy(arms->end, n->rank, o->g->count * sizeof *arms->end);
  for (uint32_t r = 0; r < n->count; r++) {
    uint32_t b = n->order[r], from = o->branch[b];
    if (from == SR_NONE)
      continue;
    arms->last[b] = last_of_arm(o, n, b);
    if (arms->last[b] > arms->end[from])
      arms->end[from] = arms->last[b];
  }
}

SrNest *sr_linear_order(SrArena *arena, const SrGraph *g, const SrNest *nest, const SrBits *keep,
                        SrKeptArms *arms) {
  Orderer o = {.arena = arena, .g = g, .nest = nest, .keep = keep};
  o.one = with_one_entry(&o);
  o.dom = sr_dom_build(arena, o.one, nest->order[0]);
  find_arms(&o);
  SrNest *out = SR_NEW(arena, SrNest, 1);
  out->order = SR_NEW_RAW(arena, uint32_t, nest->count);
  draw_together(&o, tree_preorder(&o), out);
  renumber(&o, out);
  measure_arms(&o, out, arms);
  return out;
}
