/* SPDX-License-Identifier: Apache-2.0 */
/* tree: the structured families, generated as a syntax tree: sequences of if, if-else, switch and
 * loop, with the merge instruction that each construct would have. The `breaks` family adds break,
 * continue and return. Depth, and so recursion, is bounded by DEPTH_LIMIT. */
#include "tests/equiv/gen/graph.h"

#include <stdlib.h>

enum { DEPTH_LIMIT = 24 };

typedef struct Tree {
  Graph *g;
  Rng *rng;
  uint32_t wanted;             /* blocks */
  bool breaks, twins, copying; /* copying: inside a region that will have copies */
  const GraphOptions *options;
} Tree;

/* The targets for leaving the current constructs. */
typedef struct Scope {
  uint32_t break_to, continue_to; /* GRAPH_NONE: not inside */
  uint32_t depth;
} Scope;

static uint32_t sequence(Tree *t, uint32_t b, Scope s, uint32_t statements);

static bool full(const Tree *t) {
  return t->g->count >= t->wanted;
}

static uint32_t fresh(Tree *t) {
  return graph_add_block(t->g, GRAPH_UNREACHABLE);
}

static void jump(Tree *t, uint32_t from, uint32_t to) {
  if (from != GRAPH_NONE)
    graph_add_edge(t->g, from, to);
}

static uint32_t body_length(Tree *t) {
  return full(t) ? 0 : rng_geometric(t->rng, 60, 8);
}

static Scope inner(Scope s) {
  s.depth++;
  return s;
}

/* A two-way branch, with its targets in either order. */
static void either_way(Tree *t, uint32_t b, uint32_t x, uint32_t y) {
  bool swap = rng_percent(t->rng, 50);
  graph_add_edge(t->g, b, swap ? y : x);
  graph_add_edge(t->g, b, swap ? x : y);
}

/* The merge of a construct, if anything reaches it; an unreachable merge ends in OpUnreachable. */
static uint32_t after(Tree *t, uint32_t merge, bool reached) {
  return reached ? merge : (t->g->block[merge].term = GRAPH_UNREACHABLE, GRAPH_NONE);
}

/* Does a block from `first` on branch to `block`? */
static bool targeted(const Tree *t, uint32_t first, uint32_t block) {
  for (uint32_t p = first; p < t->g->count; p++)
    for (uint32_t k = 0; k < t->g->block[p].count; k++)
      if (t->g->block[p].succ[k] == block)
        return true;
  return false;
}

static uint32_t if_else(Tree *t, uint32_t b, Scope s) {
  bool has_else = rng_percent(t->rng, 50);
  uint32_t arm = fresh(t), other = has_else ? fresh(t) : GRAPH_NONE, merge = fresh(t);
  t->g->block[b].merge = merge;
  either_way(t, b, arm, has_else ? other : merge);
  uint32_t end = sequence(t, arm, inner(s), body_length(t));
  jump(t, end, merge);
  bool reached = end != GRAPH_NONE || !has_else;
  if (has_else) {
    end = sequence(t, other, inner(s), body_length(t));
    jump(t, end, merge);
    reached |= end != GRAPH_NONE;
  }
  return after(t, merge, reached);
}

/* Cases in order; some fall through into the next, some have several literals; the default is a
 * case of its own or the merge block. */
static uint32_t switch_case(Tree *t, uint32_t b, Scope s) {
  uint32_t cases = rng_range(t->rng, 2, 6), merge = fresh(t), first = t->g->count;
  bool has_default = rng_percent(t->rng, 60), reached = !has_default;
  for (uint32_t c = 0; c < cases; c++)
    fresh(t);
  t->g->block[b].merge = merge;
  uint32_t standard = has_default ? fresh(t) : merge;
  graph_add_edge(t->g, b, standard);
  for (uint32_t c = 0; c < cases; c++)
    for (uint32_t k = 1 + rng_geometric(t->rng, 20, 2); k > 0; k--)
      graph_add_edge(t->g, b, first + c);
  if (t->g->block[b].term != GRAPH_SWITCH)
    graph_add_edge(t->g, b, first);
  Scope in = inner(s);
  in.break_to = merge;
  for (uint32_t c = 0; c < cases; c++) {
    uint32_t end = sequence(t, first + c, in, body_length(t));
    bool falls = c + 1 < cases && rng_percent(t->rng, 20);
    jump(t, end, falls ? first + c + 1 : merge);
    reached |= end != GRAPH_NONE && !falls;
  }
  if (has_default) {
    uint32_t end = sequence(t, standard, in, body_length(t));
    jump(t, end, merge);
    reached |= end != GRAPH_NONE;
  }
  return after(t, merge, reached || targeted(t, first, merge));
}

static void loop_body(Tree *t, uint32_t from, uint32_t cont, uint32_t merge, Scope s) {
  Scope in = inner(s);
  in.break_to = merge;
  in.continue_to = cont;
  jump(t, sequence(t, from, in, body_length(t)), cont);
}

/* The block before a loop and the end of its body are copies: the shape of a peeled loop. */
static uint32_t twin_of_latch(Tree *t, uint32_t b, uint32_t cont) {
  uint32_t before = fresh(t);
  graph_add_edge(t->g, b, before);
  t->g->block[before].twin = t->g->block[cont].twin = before;
  t->g->block[before].region = t->g->block[cont].region = before;
  t->g->block[cont].copy = 1;
  return before;
}

/* The branch that ends a loop: to its merge block, or to a block on the way there. Of that branch
 * neither edge leaves the loop, so it has a selection of its own: if (x) { ...; break; } */
static void body_or_exit(Tree *t, uint32_t header, uint32_t body, uint32_t merge) {
  if (!t->options->exit_blocks || rng_percent(t->rng, 30)) {
    either_way(t, header, body, merge);
    return;
  }
  uint32_t test = fresh(t), arm = fresh(t);
  graph_add_edge(t->g, header, test);
  t->g->block[test].merge = body;
  either_way(t, test, body, arm);
  graph_add_edge(t->g, arm, merge);
}

static uint32_t while_loop(Tree *t, uint32_t b, Scope s) {
  uint32_t header = fresh(t), body = fresh(t), cont = fresh(t), merge = fresh(t);
  if (t->twins && !t->copying && rng_percent(t->rng, 50))
    b = twin_of_latch(t, b, cont);
  jump(t, b, header);
  t->g->block[header].merge = merge;
  t->g->block[header].cont = cont;
  body_or_exit(t, header, body, merge);
  loop_body(t, body, cont, merge, s);
  graph_add_edge(t->g, cont, header);
  return merge;
}

static uint32_t do_loop(Tree *t, uint32_t b, Scope s) {
  uint32_t header = fresh(t), body = fresh(t), cont = fresh(t), merge = fresh(t);
  jump(t, b, header);
  t->g->block[header].merge = merge;
  t->g->block[header].cont = cont;
  graph_add_edge(t->g, header, body);
  loop_body(t, body, cont, merge, s);
  if (targeted(t, header, cont)) {
    either_way(t, cont, header, merge);
    return merge;
  }
  graph_add_edge(t->g, cont, header); /* unreachable continue target */
  return after(t, merge, targeted(t, header, merge));
}

static uint32_t single_block_loop(Tree *t, uint32_t b) {
  uint32_t header = fresh(t), merge = fresh(t);
  jump(t, b, header);
  t->g->block[header].merge = merge;
  t->g->block[header].cont = header;
  either_way(t, header, header, merge);
  return merge;
}

static uint32_t loop(Tree *t, uint32_t b, Scope s) {
  uint32_t kind = rng_below(t->rng, 10);
  return kind < 5 ? while_loop(t, b, s) : kind < 8 ? do_loop(t, b, s) : single_block_loop(t, b);
}

/* if (x) break; if (x) continue; if (x) return; with or without its own block. */
static uint32_t early_exit(Tree *t, uint32_t b, Scope s) {
  uint32_t target[3], n = 0, next = fresh(t);
  if (s.break_to != GRAPH_NONE)
    target[n++] = s.break_to;
  if (s.continue_to != GRAPH_NONE)
    target[n++] = s.continue_to;
  target[n++] = GRAPH_NONE;
  uint32_t to = target[rng_below(t->rng, n)];
  bool direct = to != GRAPH_NONE && rng_percent(t->rng, 50);
  if (!direct || rng_percent(t->rng, 50))
    t->g->block[b].merge = next;
  uint32_t arm = direct ? to : fresh(t);
  either_way(t, b, arm, next);
  if (to == GRAPH_NONE)
    t->g->block[arm].term = GRAPH_RETURN;
  else if (!direct)
    graph_add_edge(t->g, arm, to);
  return next;
}

/* if (never) for (;;); or if (never) unreachable; */
static uint32_t trap(Tree *t, uint32_t b) {
  uint32_t arm = fresh(t), next = fresh(t), slot = rng_below(t->rng, 2);
  graph_add_edge(t->g, b, slot == 0 ? arm : next);
  graph_add_edge(t->g, b, slot == 0 ? next : arm);
  t->g->block[b].merge = next;
  t->g->block[b].never = UINT64_C(1) << slot;
  if (rng_percent(t->rng, 50)) {
    uint32_t cont = fresh(t), merge = fresh(t);
    t->g->block[arm].merge = merge;
    t->g->block[arm].cont = cont;
    graph_add_edge(t->g, arm, cont);
    graph_add_edge(t->g, cont, arm);
  }
  return next;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* A chain of joins with nothing but a test each, which lanes reach with known constants. */
static uint32_t tests(Tree *t, uint32_t b, Scope s) {
  b = if_else(t, b, s);
  for (uint32_t k = 1 + rng_below(t->rng, 3); k > 0 && b != GRAPH_NONE; k--) {
    uint32_t arm = fresh(t), next = fresh(t);
    t->g->block[b].bare = true;
    t->g->block[b].merge = next;
    either_way(t, b, arm, next);
    jump(t, sequence(t, arm, inner(s), rng_below(t->rng, 2)), next);
    b = next;
  }
  return b;
}

/* ---- twins ----------------------------------------------------------------------------------- */

/* Appends a copy of blocks [first, last); edges out of the region have the same targets. */
static uint32_t copy_region(Tree *t, uint32_t first, uint32_t last, uint32_t copy) {
  uint32_t offset = t->g->count - first;
  for (uint32_t k = first; k < last; k++) {
    uint32_t to = graph_add_block(t->g, t->g->block[k].term);
    for (uint32_t s = 0; s < t->g->block[k].count; s++) {
      uint32_t target = t->g->block[k].succ[s];
      graph_add_edge(t->g, to, first <= target && target < last ? target + offset : target);
    }
    GraphBlock *x = &t->g->block[k], *y = &t->g->block[to];
    y->merge = x->merge == GRAPH_NONE || x->merge < first ? x->merge : x->merge + offset;
    y->cont = x->cont == GRAPH_NONE || x->cont < first ? x->cont : x->cont + offset;
    y->never = x->never;
    x->twin = y->twin = k;
    y->copy = copy;
    x->region = y->region = first;
  }
  return first + offset;
}

/* The copy ends differently: in a return, or in an additional block. */
static void end_elsewhere(Tree *t, uint32_t first, uint32_t merge) {
  for (uint32_t k = first, n = t->g->count; k < n; k++) {
    GraphBlock *b = &t->g->block[k];
    if (b->count != 1 || b->succ[0] != merge)
      continue;
    if (t->breaks && rng_percent(t->rng, 50)) {
      b->count = 0;
      b->term = GRAPH_RETURN;
    } else {
      uint32_t next = fresh(t);
      t->g->block[k].succ[0] = next;
      graph_add_edge(t->g, next, merge);
    }
    return;
  }
}

/* if (x) { R } else { R' }, or a switch of several: R' is a copy of R. */
static uint32_t twins(Tree *t, uint32_t b, Scope s) {
  uint32_t merge = fresh(t), first = t->g->count, arm = fresh(t);
  uint32_t copies = 1 + rng_geometric(t->rng, 30, GRAPH_COPIES - 2);
  bool is_switch = copies > 1 || rng_percent(t->rng, 20);
  Scope in = inner(s);
  if (is_switch)
    in.break_to = merge;
  t->g->block[b].merge = merge;
  t->copying = true;
  jump(t, sequence(t, arm, in, 1 + rng_geometric(t->rng, 50, 3)), merge);
  t->copying = false;
  uint32_t last = t->g->count;
  if (is_switch)
    graph_add_edge(t->g, b, rng_percent(t->rng, 50) ? merge : arm);
  graph_add_edge(t->g, b, arm);
  for (uint32_t c = 1; c <= copies; c++) {
    uint32_t copy = copy_region(t, first, last, c);
    graph_add_edge(t->g, b, copy);
    if (rng_percent(t->rng, 20))
      end_elsewhere(t, copy, merge);
  }
  return after(t, merge, targeted(t, first, merge) || targeted(t, b, merge));
}

static uint32_t statement(Tree *t, uint32_t b, Scope s) {
  uint32_t kind = rng_below(t->rng, 100);
  if (t->twins && !t->copying && rng_percent(t->rng, 40))
    return twins(t, b, s);
  if (t->twins && rng_percent(t->rng, 25))
    return tests(t, b, s);
  if (t->breaks && s.depth > 0 && kind < (t->options->plain ? 9 : 25))
    return early_exit(t, b, s);
  if (t->breaks && t->options->extras && kind >= 97)
    return trap(t, b);
  if (kind < 55)
    return if_else(t, b, s);
  if (kind < 65 && !t->options->plain)
    return switch_case(t, b, s);
  if (kind < 90)
    return loop(t, b, s);
  uint32_t next = fresh(t);
  jump(t, b, next);
  return next;
}

/* Statements from the open block b on; the open block at the end, or GRAPH_NONE if none. */
static uint32_t sequence(Tree *t, uint32_t b, Scope s, uint32_t statements) {
  for (uint32_t k = 0; k < statements && b != GRAPH_NONE && s.depth < DEPTH_LIMIT; k++)
    b = statement(t, b, s);
  if (b != GRAPH_NONE && t->breaks && s.depth > 0 &&
      rng_percent(t->rng, t->options->plain ? 2 : 8)) {
    t->g->block[b].term = GRAPH_RETURN;
    return GRAPH_NONE;
  }
  return b;
}

/* Leaves some blocks, joins more often than others, with only phis and their branch's condition;
 * copies are like their sources. */
static void strip_blocks(Tree *t) {
  bool *join = graph_joins(t->g);
  for (uint32_t b = 1; b < t->g->count; b++) {
    GraphBlock *k = &t->g->block[b];
    bool bare = (k->term == GRAPH_COND || k->term == GRAPH_BRANCH) &&
                rng_percent(t->rng, join[b] ? 50 : 10);
    k->bare |= bare;
    if (k->twin != GRAPH_NONE)
      k->bare = t->g->block[k->twin].bare;
  }
  free(join);
}

void graph_tree(Graph *g, uint32_t blocks, GenFamily family, const GraphOptions *options,
                Rng *rng) {
  Tree t = {.g = g, .rng = rng, .wanted = blocks, .options = options};
  t.twins = family == GEN_TWINS && !options->plain;
  t.breaks = family == GEN_BREAKS || (t.twins && rng_percent(rng, 50));
  Scope s = {GRAPH_NONE, GRAPH_NONE, 0};
  uint32_t b = fresh(&t);
  while (!full(&t) && b != GRAPH_NONE)
    b = sequence(&t, b, s, 1);
  if (b != GRAPH_NONE)
    g->block[b].term = GRAPH_RETURN;
  if (t.twins)
    strip_blocks(&t);
}
