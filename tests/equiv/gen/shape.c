/* SPDX-License-Identifier: Apache-2.0 */
/* shape: graphs from templates: shapes that are difficult for control-flow transforms.
 *
 * A template is a small graph between an open block `in` and a block `out` at which control
 * continues. Each of its edges may be a hole: a new block followed by another template. Templates
 * nest at most DEEPEST deep, which also bounds the recursion. A family starts with its own template
 * and fills every second hole with it, the others with any template. Finally a few edges between
 * random blocks, early returns and blocks without user instructions are added, and every second
 * block gets its successors in another order.
 *
 * Every block that a run can enter has a path to `out`. Endless regions have none: the edges into
 * them are marked as never taken (GraphBlock.never), which no analysis can prove. Cost: linear. */
#include "tests/equiv/gen/graph.h"

#include <stdlib.h>

enum { DEEPEST = 3, MOST_ARMS = 5, MOST_REGIONS = 64 };

typedef struct Region {
  uint32_t first, last;
} Region;

typedef struct Shape {
  Graph *g;
  Rng *rng;
  GenFamily family;
  uint32_t wanted; /* blocks */
  uint32_t inside; /* how many endless regions are around the current block */
  Region endless[MOST_REGIONS];
  uint32_t endless_count; /* how many outermost endless regions there are */
} Shape;

/* Adds an edge or several between two blocks. */
typedef void EnterFn(Shape *s, uint32_t from, uint32_t to);
typedef void TemplateFn(Shape *s, uint32_t in, uint32_t out, uint32_t depth);

static void fill(Shape *s, uint32_t in, uint32_t out, uint32_t depth);

static bool chance(Shape *s, uint32_t percent) {
  return rng_percent(s->rng, percent);
}

static uint32_t fresh(Shape *s) {
  return graph_add_block(s->g, GRAPH_RETURN);
}

/* An edge, or a hole filled with a template. */
static void link(Shape *s, uint32_t from, uint32_t to, uint32_t depth) {
  uint32_t target = to;
  if (depth > 0 && s->g->count < s->wanted && chance(s, 60))
    target = fresh(s);
  graph_add_edge(s->g, from, target);
  if (target != to)
    fill(s, target, to, depth - 1);
}

static uint32_t some_of(Shape *s, const uint32_t *list, uint32_t count) {
  return list[rng_below(s->rng, count)];
}

/* One or more case literals, or branch targets, for a block. */
static void add_slots(Shape *s, uint32_t from, uint32_t to) {
  for (uint32_t k = 1 + rng_geometric(s->rng, 20, 2); k > 0; k--)
    graph_add_edge(s->g, from, to);
}

static uint32_t fresh_list(Shape *s, uint32_t *list, uint32_t lo, uint32_t hi) {
  uint32_t count = rng_range(s->rng, lo, hi);
  for (uint32_t k = 0; k < count; k++)
    list[k] = fresh(s);
  return count;
}

/* ---- ordinary templates ---------------------------------------------------------------------- */

static void chain(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  (void)depth;
  for (uint32_t k = rng_geometric(s->rng, 30, 2); k > 0; k--) {
    uint32_t next = fresh(s);
    graph_add_edge(s->g, in, next);
    in = next;
  }
  graph_add_edge(s->g, in, out);
}

static void diamond(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  uint32_t then = fresh(s);
  graph_add_edge(s->g, in, then);
  link(s, in, out, depth);
  link(s, then, out, depth);
}

static void simple_loop(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  uint32_t header = fresh(s), latch = chance(s, 50) ? fresh(s) : header;
  graph_add_edge(s->g, in, header);
  if (latch != header)
    link(s, header, latch, depth);
  graph_add_edge(s->g, latch, header);
  link(s, latch, out, depth);
}

/* ---- switches and cycles --------------------------------------------------------------------- */

/*   in --+--+--+          Arms join in `join`, and an edge leads from there back into some of
 *        a  b  c <--+     them: the cycle is entered from the switch by several edges. */
static void join_cycle(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  uint32_t arm[MOST_ARMS], count = fresh_list(s, arm, 2, MOST_ARMS), join = fresh(s);
  uint32_t back = chance(s, 70) ? fresh(s) : join;
  graph_add_edge(s->g, in, chance(s, 25) ? join : arm[0]);
  for (uint32_t k = 0; k < count; k++)
    add_slots(s, in, arm[k]);
  for (uint32_t k = 0; k < count; k++) {
    link(s, arm[k], join, depth);
    if (k + 1 < count && chance(s, 15))
      graph_add_edge(s->g, arm[k], arm[k + 1]);
  }
  link(s, join, out, depth);
  if (back != join)
    graph_add_edge(s->g, join, back);
  for (uint32_t k = 1 + rng_geometric(s->rng, 30, 2); k > 0; k--)
    link(s, back, some_of(s, arm, count), depth);
}

/* Makes a cycle of all blocks in the list, which at least one block leaves. */
static void ring(Shape *s, const uint32_t *list, uint32_t count, uint32_t out, uint32_t depth) {
  uint32_t leaves = rng_below(s->rng, count);
  for (uint32_t k = 0; k < count; k++) {
    link(s, list[k], list[(k + 1) % count], depth);
    if (k == leaves || chance(s, 20))
      link(s, list[k], out, depth);
  }
}

/*   head -----------> skip      The two switches enter the cycle of the list. An edge leads around
 *    ^  \             ^ |       the first one: only lanes that did not take it reach the second
 *    |   a: switch ---+ |       switch and the cycle, but in structured code they pass the merge
 *    |   b: switch ---> latch   with those that did. So a value of `a` has two names where the
 *    +--------------------+     cycle begins, if lanes leave the loop only through the cycle: with
 *                               `closed` there is no edge to `out`. */
static void entries_round(Shape *s, EnterFn *enter, const uint32_t *node, uint32_t count,
                          uint32_t in, uint32_t out, uint32_t depth, bool closed) {
  uint32_t head = fresh(s), a = fresh(s), b = fresh(s), skip = fresh(s), latch = fresh(s);
  graph_add_edge(s->g, in, head);
  graph_add_edge(s->g, head, skip);
  link(s, head, a, depth);
  for (uint32_t k = 1 + rng_geometric(s->rng, 50, 3); k > 0; k--)
    enter(s, a, some_of(s, node, count));
  if (chance(s, 70))
    link(s, a, skip, depth);
  graph_add_edge(s->g, a, b);
  for (uint32_t k = 1 + rng_geometric(s->rng, 50, 3); k > 0; k--)
    enter(s, b, some_of(s, node, count));
  link(s, b, closed || chance(s, 70) ? latch : out, depth);
  link(s, skip, latch, depth);
  graph_add_edge(s->g, latch, head);
  if (!closed)
    link(s, latch, out, depth);
}

/* in: switch { a, c: first of the cycle; b: third; default: out or another } */
static void entries(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  uint32_t node[MOST_ARMS], count = fresh_list(s, node, 2, MOST_ARMS);
  if (chance(s, 40)) {
    entries_round(s, add_slots, node, count, in, out, depth, chance(s, 40));
    ring(s, node, count, out, depth);
    return;
  }
  uint32_t first = rng_below(s->rng, count);
  if (chance(s, 50))
    graph_add_edge(s->g, in, some_of(s, node, count));
  else
    link(s, in, out, depth);
  for (uint32_t k = 0; k < count; k++)
    if (k < 2 || chance(s, 50))
      link(s, in, node[(first + k) % count], chance(s, 30) ? depth : 0);
  ring(s, node, count, out, depth);
}

/* The same as `entries`, with a switch inside the cycle that goes to any block of the cycle. */
static void both_sides(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  uint32_t node[MOST_ARMS], count = fresh_list(s, node, 3, MOST_ARMS);
  uint32_t outside = chance(s, 50) ? fresh(s) : in, inside = some_of(s, node, count);
  if (outside != in) {
    graph_add_edge(s->g, in, outside);
    link(s, in, some_of(s, node, count), depth);
  }
  for (uint32_t k = 0; k < count; k++)
    if (k < 2 || chance(s, 50))
      add_slots(s, outside, node[k]);
  ring(s, node, count, out, depth);
  for (uint32_t k = 1 + rng_geometric(s->rng, 60, 3); k > 0; k--)
    add_slots(s, inside, some_of(s, node, count));
}

/* switch { 1, default: a; 2: b; 3, 4: the join; ... }, arms that fall through. */
static void shared(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  uint32_t arm[MOST_ARMS + 1], count = fresh_list(s, arm, 1, MOST_ARMS);
  uint32_t join = chance(s, 50) ? fresh(s) : out;
  for (uint32_t k = 0; k < count; k++) {
    link(s, arm[k], join, depth);
    if (k + 1 < count && chance(s, 25))
      graph_add_edge(s->g, arm[k], arm[k + 1]);
  }
  arm[count++] = join;
  graph_add_edge(s->g, in, some_of(s, arm, count));
  for (uint32_t k = 0; k < count; k++)
    if (k + 1 < count || chance(s, 50))
      add_slots(s, in, arm[k]);
  for (uint32_t k = rng_geometric(s->rng, 50, 4); k > 0; k--)
    graph_add_edge(s->g, in, chance(s, 30) ? s->g->block[in].succ[0] : some_of(s, arm, count));
  if (join != out)
    link(s, join, out, depth);
}

/* A state machine: the selector of the header's switch is a phi of the cycle, whose operands the
 * arms compute. */
static void machine(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  uint32_t arm[MOST_ARMS], count = fresh_list(s, arm, 2, MOST_ARMS), header = fresh(s);
  uint32_t guard = chance(s, 60) ? fresh(s) : header, latch = chance(s, 50) ? fresh(s) : guard;
  graph_add_edge(s->g, in, guard);
  if (guard != header) {
    graph_add_edge(s->g, guard, header);
    link(s, guard, out, depth);
  }
  if (latch != guard)
    link(s, latch, guard, depth);
  graph_add_edge(s->g, header, some_of(s, arm, count));
  for (uint32_t k = 0; k < count; k++) {
    add_slots(s, header, arm[k]);
    link(s, arm[k], k + 1 < count && chance(s, 20) ? arm[k + 1] : latch, depth);
  }
  link(s, some_of(s, arm, count), latch, 0);
  link(s, some_of(s, arm, count), out, depth);
  s->g->block[header].carry = guard;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Loops whose exits are the next one's header; the last may lead back to the first, so that an
 * inner loop's exit is the outer header. */
static void loop_chain(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  uint32_t header[4], count = fresh_list(s, header, 2, 4);
  bool nested = chance(s, 40);
  graph_add_edge(s->g, in, header[0]);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t next = k + 1 < count ? header[k + 1] : nested ? header[0] : out;
    uint32_t body = chance(s, 70) ? fresh(s) : header[k];
    if (body != header[k])
      link(s, header[k], body, depth);
    link(s, body, header[k], depth);
    link(s, chance(s, 50) ? body : header[k], next, chance(s, 30) ? depth : 0);
    if (chance(s, 25))
      graph_add_edge(s->g, body, next);
  }
  if (nested)
    link(s, some_of(s, header, count), out, depth);
}

/* ---- endless regions ------------------------------------------------------------------------- */

static bool is_endless(const Shape *s, uint32_t block) {
  for (uint32_t k = 0; k < s->endless_count; k++)
    if (s->endless[k].first <= block && block <= s->endless[k].last)
      return true;
  return false;
}

/* An edge that no run takes, from a block that may run. */
static void add_never(Shape *s, uint32_t from, uint32_t to) {
  if (s->inside == 0)
    s->g->block[from].never |= UINT64_C(1) << s->g->block[from].count;
  graph_add_edge(s->g, from, to);
}

/* A cycle without exit, with templates on its edges, and perhaps the loop that leads into it (then
 * the loop's gate is the region's only entry). Lists the region's entries; records the region if it
 * is an outermost one. */
static uint32_t endless_region(Shape *s, uint32_t *node, uint32_t depth) {
  bool round = chance(s, 20);
  uint32_t first = s->g->count, count = fresh_list(s, node, round ? 2 : 1, 4);
  s->inside++;
  for (uint32_t k = 0; k < count; k++) {
    link(s, node[k], node[(k + 1) % count], depth);
    if (chance(s, 40))
      link(s, node[k], some_of(s, node, count), depth);
  }
  if (round) {
    uint32_t gate = fresh(s);
    entries_round(s, add_slots, node, count, gate, gate, depth, true);
    node[0] = gate;
    count = 1;
  }
  s->inside--;
  if (s->inside == 0)
    s->endless[s->endless_count++] = (Region){first, s->g->count - 1};
  return count;
}

/* in: switch { 1: x; 2, 3: into the region; default: y } */
static void endless(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  uint32_t node[4], other = chance(s, 50) ? fresh(s) : in;
  if (s->endless_count == MOST_REGIONS) {
    chain(s, in, out, depth);
    return;
  }
  uint32_t count = endless_region(s, node, depth);
  if (chance(s, 40)) {
    entries_round(s, add_never, node, count, in, out, depth, false);
    return;
  }
  for (uint32_t k = rng_geometric(s->rng, 50, 3); k > 0; k--)
    link(s, in, out, depth);
  for (uint32_t k = 1 + rng_geometric(s->rng, 50, 3); k > 0; k--)
    add_never(s, in, some_of(s, node, count));
  link(s, in, other == in ? out : other, 0);
  if (other == in)
    return;
  add_never(s, other, some_of(s, node, count));
  link(s, other, out, depth);
}

/* ---- composition ----------------------------------------------------------------------------- */

static TemplateFn *const templates[] = {
    [GEN_JOIN_CYCLE - GEN_JOIN_CYCLE] = join_cycle, [GEN_ENTRIES - GEN_JOIN_CYCLE] = entries,
    [GEN_SHARED - GEN_JOIN_CYCLE] = shared,         [GEN_ENDLESS - GEN_JOIN_CYCLE] = endless,
    [GEN_MACHINE - GEN_JOIN_CYCLE] = machine,       [GEN_BOTH_SIDES - GEN_JOIN_CYCLE] = both_sides,
    [GEN_LOOP_CHAIN - GEN_JOIN_CYCLE] = loop_chain,
};
enum { TEMPLATES = sizeof templates / sizeof *templates };

static void fill_own(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  uint32_t k = s->family == GEN_TEMPLATES ? rng_below(s->rng, TEMPLATES)
                                          : (uint32_t)(s->family - GEN_JOIN_CYCLE);
  templates[k](s, in, out, depth);
}

static void fill(Shape *s, uint32_t in, uint32_t out, uint32_t depth) {
  static TemplateFn *const simple[] = {chain, chain, diamond, simple_loop};
  if (s->g->count >= s->wanted || depth == 0)
    chain(s, in, out, 0);
  else if (chance(s, 40))
    simple[rng_below(s->rng, 4)](s, in, out, depth);
  else if (chance(s, 50))
    fill_own(s, in, out, depth);
  else
    templates[rng_below(s->rng, TEMPLATES)](s, in, out, depth);
}

/* ---- variation ------------------------------------------------------------------------------- */

static void add_random_edges(Shape *s) {
  uint32_t n = s->g->count;
  for (uint32_t k = rng_geometric(s->rng, 50, 1 + n / 8); k > 0; k--) {
    uint32_t from = rng_below(s->rng, n), to = 1 + rng_below(s->rng, n - 1);
    if (from == 0 || s->g->block[from].count == 0 || s->g->block[from].count > 40)
      continue;
    if (is_endless(s, from) && !is_endless(s, to))
      continue;
    if (is_endless(s, to) && !is_endless(s, from))
      add_never(s, from, to);
    else
      graph_add_edge(s->g, from, to);
  }
}

static void add_returns(Shape *s) {
  uint32_t n = s->g->count;
  for (uint32_t k = rng_geometric(s->rng, 30, 1 + n / 16); k > 0; k--) {
    uint32_t from = rng_below(s->rng, n);
    if (from != 0 && s->g->block[from].count && !is_endless(s, from))
      graph_add_edge(s->g, from, fresh(s));
  }
}

static void swap_slots(GraphBlock *b, uint32_t i, uint32_t j) {
  uint32_t t = b->succ[i];
  b->succ[i] = b->succ[j];
  b->succ[j] = t;
  uint64_t x = (b->never >> i ^ b->never >> j) & 1;
  b->never ^= x << i | x << j;
}

static void permute(Shape *s) {
  for (uint32_t b = 0; b < s->g->count; b++)
    if (chance(s, 50))
      for (uint32_t i = s->g->block[b].count; i > 1; i--)
        swap_slots(&s->g->block[b], i - 1, rng_below(s->rng, i));
}

static void strip_blocks(Shape *s) {
  uint32_t percent = chance(s, 50) ? 15 : 3;
  bool *join = graph_joins(s->g);
  for (uint32_t b = 1; b < s->g->count; b++)
    s->g->block[b].bare = s->g->block[b].count && chance(s, join[b] ? 2 * percent : percent);
  free(join);
}

void graph_shape(Graph *g, GenFamily family, uint32_t blocks, bool plain, Rng *rng) {
  Shape s = {.g = g, .rng = rng, .family = family, .wanted = blocks};
  uint32_t in = fresh(&s), next = fresh(&s);
  graph_add_edge(g, in, next);
  do {
    in = next;
    next = fresh(&s);
    fill_own(&s, in, next, rng_range(rng, 1, DEEPEST));
  } while (g->count < blocks);
  add_random_edges(&s);
  add_returns(&s);
  permute(&s);
  if (!plain)
    strip_blocks(&s);
}
