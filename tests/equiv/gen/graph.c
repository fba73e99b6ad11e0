/* SPDX-License-Identifier: Apache-2.0 */
/* graph: the unstructured families.
 *
 * Blocks are in a line; nested intervals of the line are the natural loops. A forward edge that
 * would lead into the middle of a loop goes to the loop's first block instead, so without the
 * random edges of the irreducible family (Shape.wild) every cycle has one entry. Phases: a spanning
 * tree of forward edges makes all blocks reachable, second edges and switches are added at random,
 * every loop gets a latch, and blocks that cannot reach a leaf get an edge to the last block. Cost:
 * linear except for the walks up the loop nest. */
#include "tests/equiv/gen/graph.h"

#include "tests/equiv/gen/emit.h"

#include <stdlib.h>
#include <string.h>

const char *const graph_family_names[GEN_FAMILIES] = {
    "structured", "breaks",     "acyclic",   "multiexit", "irreducible", "switch",
    "mixed",      "join-cycle", "entries",   "shared",    "endless",     "machine",
    "both-sides", "loop-chain", "templates", "twins"};

int graph_family_find(const char *name) {
  for (int k = 0; k < GEN_FAMILIES; k++)
    if (strcmp(name, graph_family_names[k]) == 0)
      return k;
  return -1;
}

/* Percentages that define the families: how often … */
typedef struct Shape {
  uint32_t loop;     /* a loop starts here */
  uint32_t cond;     /* a block gets a second successor */
  uint32_t back;     /* the second edge leads back to the header of a loop around the block */
  uint32_t leave;    /* or out of the loop */
  uint32_t wild;     /* or to any block */
  uint32_t far_away; /* a forward edge ignores locality */
  uint32_t leaf;     /* a block without forward successor returns */
  uint32_t switches; /* a block becomes a switch */
  uint32_t near;     /* a block is reached first from the one before it */
} Shape;

static const Shape shapes[GEN_FAMILIES] = {
    [GEN_ACYCLIC] = {0, 60, 0, 0, 0, 15, 30, 0, 50},
    [GEN_MULTIEXIT] = {12, 55, 20, 40, 0, 10, 30, 0, 50},
    [GEN_IRREDUCIBLE] = {0, 60, 0, 0, 35, 15, 20, 0, 50},
    [GEN_SWITCH] = {8, 45, 20, 25, 2, 10, 20, 20, 50},
    [GEN_MIXED] = {8, 55, 20, 25, 4, 10, 20, 4, 50},
};

/* Loops with mostly straight-line bodies, and with second exits and latches. */
static const Shape plain_multiexit = {12, 30, 25, 60, 0, 0, 0, 0, 85};

typedef struct Interval {
  uint32_t first, last, parent;
} Interval;

typedef struct Line {
  Graph *g;
  Rng *rng;
  Shape shape;
  Interval *interval;
  uint32_t interval_count;
  uint32_t *inner; /* innermost interval of a block; GRAPH_NONE: none */
} Line;

uint32_t graph_add_block(Graph *g, GraphTerm term) {
  if (g->count == g->capacity) {
    g->capacity = g->capacity * 2 + 16;
    g->block = emit_resize(g->block, g->capacity * sizeof *g->block);
  }
  g->block[g->count] = (GraphBlock){.term = term,
                                    .merge = GRAPH_NONE,
                                    .cont = GRAPH_NONE,
                                    .carry = GRAPH_NONE,
                                    .twin = GRAPH_NONE};
  return g->count++;
}

void graph_add_edge(Graph *g, uint32_t from, uint32_t to) {
  GraphBlock *b = &g->block[from];
  if (b->count == b->capacity) {
    b->capacity = b->capacity * 2 + 2;
    b->succ = emit_resize(b->succ, b->capacity * sizeof *b->succ);
  }
  b->succ[b->count++] = to;
  b->term = b->count == 1 ? GRAPH_BRANCH : b->count == 2 ? GRAPH_COND : GRAPH_SWITCH;
}

void graph_free(Graph *g) {
  for (uint32_t b = 0; b < g->count; b++)
    free(g->block[b].succ);
  free(g->block);
  memset(g, 0, sizeof *g);
}

bool *graph_joins(const Graph *g) {
  bool *join = emit_resize(NULL, g->count), *seen = emit_resize(NULL, g->count);
  memset(join, 0, g->count);
  memset(seen, 0, g->count);
  for (uint32_t b = 0; b < g->count; b++)
    for (uint32_t s = 0; s < g->block[b].count; s++) {
      uint32_t t = g->block[b].succ[s];
      join[t] |= seen[t];
      seen[t] = true;
    }
  free(seen);
  return join;
}

uint32_t graph_edges(const Graph *g) {
  uint32_t edges = 0;
  for (uint32_t b = 0; b < g->count; b++)
    edges += g->block[b].count;
  return edges;
}

static bool inside(const Line *l, uint32_t k, uint32_t b) {
  return l->interval[k].first <= b && b <= l->interval[k].last;
}

/* The target that an edge from `from` to the later block `to` gets, so that it enters loops only at
 * their headers. */
static uint32_t visible(const Line *l, uint32_t from, uint32_t to) {
  uint32_t target = to;
  for (uint32_t k = l->inner[to]; k != GRAPH_NONE && !inside(l, k, from); k = l->interval[k].parent)
    target = l->interval[k].first;
  return target;
}

static void lay_out_loops(Line *l) {
  uint32_t n = l->g->count, open = GRAPH_NONE;
  for (uint32_t b = 0; b < n; b++) {
    while (open != GRAPH_NONE && l->interval[open].last < b)
      open = l->interval[open].parent;
    uint32_t end = open == GRAPH_NONE ? n - 2 : l->interval[open].last;
    if (b > 0 && b < end && rng_percent(l->rng, l->shape.loop)) {
      uint32_t last = b + 1 + rng_geometric(l->rng, rng_percent(l->rng, 20) ? 97 : 85, end - b - 1);
      l->interval[l->interval_count] = (Interval){b, last, open};
      open = l->interval_count++;
    }
    l->inner[b] = open;
  }
}

static uint32_t random_before(Line *l, uint32_t b) {
  if (rng_percent(l->rng, l->shape.near))
    return b - 1;
  uint32_t back = 1 + (rng_percent(l->rng, l->shape.far_away) ? rng_below(l->rng, b)
                                                              : rng_geometric(l->rng, 75, b - 1));
  uint32_t p = b - back;
  return l->g->block[p].count < 2 && visible(l, p, b) == b ? p : b - 1;
}

static uint32_t random_after(Line *l, uint32_t b) {
  uint32_t room = l->g->count - 1 - b;
  uint32_t step =
      1 + (rng_percent(l->rng, l->shape.far_away) ? rng_below(l->rng, room)
                                                  : rng_geometric(l->rng, 75, room - 1));
  return visible(l, b, b + step);
}

static uint32_t random_target(Line *l, uint32_t b) {
  uint32_t k = l->inner[b], n = l->g->count;
  if (rng_percent(l->rng, l->shape.wild)) {
    if (rng_percent(l->rng, 50))
      return 1 + rng_below(l->rng, n - 1);
    uint32_t reach = rng_geometric(l->rng, 80, b - 1);
    return b > 0 ? b - reach : 1;
  }
  while (k != GRAPH_NONE && l->interval[k].parent != GRAPH_NONE && rng_percent(l->rng, 25))
    k = l->interval[k].parent;
  if (k != GRAPH_NONE && rng_percent(l->rng, l->shape.back))
    return l->interval[k].first;
  if (k != GRAPH_NONE && rng_percent(l->rng, l->shape.leave))
    return visible(l, b,
                   rng_range(l->rng, l->interval[k].last + 1,
                             l->interval[k].last + 1 +
                                 rng_geometric(l->rng, 60, n - 2 - l->interval[k].last)));
  return random_after(l, b);
}

static void add_second_edges(Line *l) {
  Graph *g = l->g;
  for (uint32_t b = 0; b + 1 < g->count; b++) {
    if (g->block[b].count == 0 && b > 0 && rng_percent(l->rng, l->shape.leaf))
      continue;
    if (g->block[b].count == 0)
      graph_add_edge(g, b, random_after(l, b));
    if (g->block[b].count == 1 && rng_percent(l->rng, l->shape.cond))
      graph_add_edge(g, b, random_target(l, b));
    if (g->block[b].count == 2 && rng_percent(l->rng, 50)) {
      uint32_t t = g->block[b].succ[0];
      g->block[b].succ[0] = g->block[b].succ[1];
      g->block[b].succ[1] = t;
    }
    if (rng_percent(l->rng, l->shape.switches))
      for (uint32_t k = rng_range(l->rng, 1, 7); k > 0; k--)
        graph_add_edge(g, b,
                       rng_percent(l->rng, 25) && g->block[b].count
                           ? g->block[b].succ[rng_below(l->rng, g->block[b].count)]
                           : random_target(l, b));
  }
}

/* Makes every interval a loop. */
static void add_latches(Line *l) {
  Graph *g = l->g;
  for (uint32_t k = 0; k < l->interval_count; k++) {
    Interval i = l->interval[k];
    uint32_t b = rng_range(l->rng, i.first, i.last);
    for (uint32_t tries = 0; g->block[b].count >= 2 && tries < 4; tries++)
      b = rng_range(l->rng, i.first, i.last);
    if (g->block[b].count == 2 && l->shape.switches == 0)
      continue; /* no free slot, and switches are not allowed: stays acyclic unless another latch
                   exists */
    graph_add_edge(g, b, i.first);
  }
}

/* Keeps blocks with two equal successors only where the SPIR-V version allows them. */
static void drop_equal_targets(Graph *g, const GraphOptions *options, Rng *rng) {
  for (uint32_t b = 0; b < g->count; b++) {
    GraphBlock *k = &g->block[b];
    if (k->term != GRAPH_COND || k->succ[0] != k->succ[1])
      continue;
    if (options->extras && options->same_targets && rng_percent(rng, 50))
      continue;
    k->count = 1;
    k->term = GRAPH_BRANCH;
    k->never = 0;
  }
}

static uint32_t mark_reaching(const Graph *g, bool *reaches) {
  GraphFacts f;
  graph_facts(g, &f);
  uint32_t missing = 0;
  for (uint32_t b = 0; b < g->count; b++) {
    reaches[b] = f.distance[b] != GRAPH_NONE;
    missing += !reaches[b];
  }
  graph_facts_free(&f);
  return missing;
}

/* Adds edges to the last block (a leaf) until every block reaches a leaf. Each round adds one edge,
 * after which all blocks that reach it do. */
static void reach_exit(Graph *g, uint32_t last) {
  bool *reaches = emit_resize(NULL, g->count);
  while (mark_reaching(g, reaches)) {
    uint32_t b = g->count - 1, fallback = GRAPH_NONE;
    while (b > 0 && (reaches[b] || g->block[b].count != 1)) {
      if (!reaches[b])
        fallback = b;
      b--;
    }
    if (!reaches[b] && g->block[b].count == 1) {
      graph_add_edge(g, b, last);
    } else if (g->block[fallback].term == GRAPH_COND) {
      g->block[fallback].succ[1] = last; /* never the only edge into a block: see graph_make */
    } else {
      graph_add_edge(g, fallback, last);
    }
  }
  free(reaches);
}

/* Drops blocks that lost their only incoming edge (reach_exit replaced it) by keeping only
 * reachable blocks. */
static void keep_reachable(Graph *g) {
  GraphFacts f;
  graph_facts(g, &f);
  uint32_t *fresh = emit_resize(NULL, g->count * sizeof *fresh), n = 0;
  for (uint32_t b = 0; b < g->count; b++)
    fresh[b] = f.rank[b] == GRAPH_NONE ? GRAPH_NONE : n++;
  for (uint32_t b = 0; b < g->count; b++) {
    if (fresh[b] == GRAPH_NONE) {
      free(g->block[b].succ);
      continue;
    }
    for (uint32_t s = 0; s < g->block[b].count; s++)
      g->block[b].succ[s] = fresh[g->block[b].succ[s]];
    g->block[b].merge = g->block[b].cont = GRAPH_NONE; /* they may be dropped */
    if (g->block[b].carry != GRAPH_NONE)
      g->block[b].carry = fresh[g->block[b].carry];
    g->block[b].twin = GRAPH_NONE;
    g->block[fresh[b]] = g->block[b];
  }
  g->count = n;
  free(fresh);
  graph_facts_free(&f);
}

static void make_line(Graph *g, GenFamily family, uint32_t blocks, Rng *rng,
                      const GraphOptions *options) {
  for (uint32_t b = 0; b < blocks; b++)
    graph_add_block(g, GRAPH_RETURN);
  Line l = {.g = g, .rng = rng, .shape = shapes[family]};
  if (options->plain && family == GEN_MULTIEXIT)
    l.shape = plain_multiexit;
  l.interval = emit_resize(NULL, blocks * sizeof *l.interval);
  l.inner = emit_resize(NULL, blocks * sizeof *l.inner);
  lay_out_loops(&l);
  for (uint32_t b = 1; b < blocks; b++)
    graph_add_edge(g, random_before(&l, b), b);
  add_second_edges(&l);
  add_latches(&l);
  free(l.interval);
  free(l.inner);
  drop_equal_targets(g, options, rng);
  reach_exit(g, blocks - 1);
  keep_reachable(g);
}

/* Adds a branch, which no run takes, to a block that never returns: an infinite loop of one or two
 * blocks, or OpUnreachable. It has merge instructions, so that a structured graph stays
 * structured. */
static void add_trap(Graph *g, uint32_t b, Rng *rng) {
  uint32_t next = g->block[b].succ[0], slot = rng_below(rng, 2);
  uint32_t trap = graph_add_block(g, GRAPH_UNREACHABLE);
  if (rng_percent(rng, 66)) {
    uint32_t latch = graph_add_block(g, GRAPH_BRANCH);
    uint32_t merge = graph_add_block(g, GRAPH_UNREACHABLE);
    graph_add_edge(g, trap, latch);
    graph_add_edge(g, latch, trap);
    g->block[trap].cont = latch;
    g->block[trap].merge = merge;
  }
  graph_add_edge(g, b, trap);
  if (slot == 0) {
    g->block[b].succ[0] = trap;
    g->block[b].succ[1] = next;
  }
  g->block[b].never = UINT64_C(1) << slot;
  g->block[b].merge = next;
}

static void add_extras(Graph *g, Rng *rng, bool line) {
  uint32_t n = g->count;
  for (uint32_t k = rng_geometric(rng, 50, 4); line && k > 0; k--) {
    uint32_t b = rng_below(rng, n);
    if (g->block[b].term == GRAPH_BRANCH)
      add_trap(g, b, rng);
  }
  for (uint32_t k = rng_geometric(rng, 40, 4); k > 0; k--) {
    uint32_t b = graph_add_block(g, GRAPH_RETURN);
    if (line && n > 1 && rng_percent(rng, 50))
      graph_add_edge(g, b, 1 + rng_below(rng, n - 1));
  }
}

static void reverse_successors(Graph *g, bool keep_switches) {
  for (uint32_t b = 0; b < g->count; b++) {
    GraphBlock *k = &g->block[b];
    if (k->term == GRAPH_SWITCH && keep_switches)
      continue;
    for (uint32_t i = 0; i < k->count / 2; i++) {
      uint32_t t = k->succ[i];
      k->succ[i] = k->succ[k->count - 1 - i];
      k->succ[k->count - 1 - i] = t;
    }
    uint64_t never = k->never;
    k->never = 0;
    for (uint32_t i = 0; never && i < k->count; i++)
      k->never |= (never >> i & 1) << (k->count - 1 - i);
  }
}

void graph_make(Graph *g, GenFamily family, uint32_t blocks, Rng *rng,
                const GraphOptions *options) {
  memset(g, 0, sizeof *g);
  bool line = !graph_family_is_tree(family);
  if (graph_family_is_template(family)) {
    graph_shape(g, family, blocks, options->plain, rng);
    drop_equal_targets(g, options, rng);
  } else if (line)
    make_line(g, family, blocks < 2 ? 2 : blocks, rng, options);
  else
    graph_tree(g, blocks, family, options, rng);
  if (options->plain && !options->merges)
    keep_reachable(g);
  if (options->extras)
    add_extras(g, rng, line);
  if (options->reverse)
    reverse_successors(g, options->merges);
}
