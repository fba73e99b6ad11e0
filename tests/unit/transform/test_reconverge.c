/* SPDX-License-Identifier: Apache-2.0 */
/* reconverge on graphs without instructions: the graphs of tests/cfg block for block and edge for
 * edge, and properties on random graphs for every order. */
#include "passes/analysis/graph/order.h"
#include "passes/analysis/uniform/reconverging.h"
#include "passes/transform/flow/flow_choice.h"
#include "passes/transform/reconverge/reconverge_flow.h"
#include "tests/unit/graph_text.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const orders[] = {"df",          "dfpd",           "bf",   "bfpd",
                                     "rpo",         "domreg",         "lrpo", "ocelot",
                                     "dfpd-oldest", "bfpd-successor", "cdep"};
enum { ORDERS = sizeof orders / sizeof *orders };

/* ---- the result as text ---- */

static const char *name_of(SrArena *arena, const GraphText *t, const SrFlowGraph *f, uint32_t b) {
  const SrFlowBlock *block = &f->block.at[b];
  if (block->role == SR_ROLE_USER)
    return t->names[block->user];
  uint32_t number = 0;
  for (uint32_t k = 0; k < f->block.count; k++)
    number += f->block.at[k].role == SR_ROLE_GUARD && f->block.at[k].stamp < block->stamp;
  char *name = SR_NEW(arena, char, 16);
  snprintf(name, 16, "FLOW%u", number);
  return name;
}

/* "A: B C", successors swapped or not; two edges to one block are one. */
static const char *line_of(SrArena *arena, const GraphText *t, const SrFlowGraph *f, uint32_t b,
                           bool inverted) {
  const SrFlowBlock *block = &f->block.at[b];
  char *line = SR_NEW(arena, char, 200);
  int n = snprintf(line, 200, "%s:", name_of(arena, t, f, b));
  uint32_t last = SR_NONE;
  for (uint32_t i = 0; i < block->slot_count; i++) {
    uint32_t to = f->slot.at[block->slot + (inverted ? block->slot_count - 1 - i : i)].to;
    if (to != last)
      n += snprintf(line + n, 200 - (size_t)n, " %s", name_of(arena, t, f, to));
    last = to;
  }
  return line;
}

/* Is the line one of "A: B C | B: C | …"? The order of two successors does not matter: the thesis
 * lists the one that was closed first, whichever side of the branch it is. */
static bool is_listed(const char *list, const char *line) {
  size_t length = strlen(line);
  for (const char *p = list; p; p = strstr(p, " | ") ? strstr(p, " | ") + 3 : NULL)
    if (strncmp(p, line, length) == 0 && (p[length] == 0 || strncmp(p + length, " | ", 3) == 0))
      return true;
  return false;
}

static uint32_t count_lines(const char *list) {
  uint32_t n = 1;
  for (const char *p = list; (p = strstr(p, " | ")); p += 3)
    n++;
  return n;
}

/* An order by name, or a list A,C,B,D. */
static uint32_t read_order(SrArena *arena, const GraphText *t, const char *text, uint32_t *order) {
  SrOrderFn *make = sr_order_find(text);
  if (make)
    return make(arena, t->graph, order);
  uint32_t n = 0;
  for (size_t length; *text; text += length + (text[length] == ',')) {
    length = strcspn(text, ",");
    order[n++] = graph_text_node(t, sr_strndup(arena, text, length));
  }
  return n;
}

static void check_case(SrArena *arena, const GraphText *t, const GraphFact *fact,
                       const char *file) {
  uint32_t *order = SR_NEW(arena, uint32_t, t->graph->count);
  uint32_t count = read_order(arena, t, fact->subject, order);
  sr_order_exit_last(t->graph, order, count);
  SrReconvergeInput in = {
      .graph = t->graph, .divergent = t->divergent, .order = order, .count = count};
  SrReconverged out = sr_reconverge_build(arena, &in);
  for (uint32_t b = 0; b < out.flow->block.count; b++) {
    const char *line = line_of(arena, t, out.flow, b, false);
    if (!is_listed(fact->value, line) &&
        !is_listed(fact->value, line_of(arena, t, out.flow, b, true)))
      fail_msg("%s: reconverge %s: '%s' is not expected", file, fact->subject, line);
  }
  assert_int_equal(out.flow->block.count, count_lines(fact->value));
}

static void cases_of_cfg_files(void **state) {
  (void)state;
  assert_true(graph_text_each("reconverge", check_case) >= 10);
}

/* ---- random graphs ---- */

/* The graph with one exit that every block reaches: a sink after all leaves and endless regions. */
static SrGraph *with_sink(SrArena *arena, const SrGraph *g) {
  const SrGraph *r = sr_graph_reverse_with_exit(arena, g);
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t b = 0; b < g->count; b++)
    for (SR_SUCCS(s, g, b))
      SR_PUSH(arena, &edges, (SrEdge){b, *s});
  for (SR_SUCCS(s, r, g->count))
    SR_PUSH(arena, &edges, (SrEdge){*s, g->count});
  return sr_graph_new(arena, g->count + 1, edges.at, edges.count);
}

static SrBits *random_divergence(SrArena *arena, const SrGraph *g, uint64_t seed) {
  uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 7;
  SrBits *set = sr_bits_new(arena, g->count);
  uint32_t share = random_below(&rng, 5); /* of four */
  for (uint32_t b = 0; b < g->count; b++)
    if (sr_succ_count(g, b) == 2 && random_below(&rng, 4) < share)
      sr_bit_set(set, b);
  return set;
}

static void shuffle(uint32_t *order, uint32_t count, uint64_t seed) {
  uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 3;
  for (uint32_t i = count - 1; i > 1; i--) {
    uint32_t k = 1 + random_below(&rng, i), x = order[i];
    order[i] = order[k];
    order[k] = x;
  }
}

typedef struct Tally {
  uint64_t graphs, flows, branches, rerouted;
} Tally;

/* By slot, for the lanes that take that edge: whether the flow block that it leads to tests for the
 * target of some of them, and not of others. */
typedef struct Taken {
  bool some_match, some_do_not;
} Taken;

static void take(const SrFlowGraph *f, Taken *taken, uint32_t from, uint32_t slot, uint32_t rank) {
  uint32_t to = f->slot.at[f->block.at[from].slot + slot].to;
  Taken *t = &taken[f->block.at[from].slot + slot];
  t->some_match |= f->block.at[to].low == rank;
  t->some_do_not |= f->block.at[to].low != rank;
}

/* A lane that leaves user block u by slot i reaches the same block as in the input; if the program
 * names its target, it is that block. */
static void check_ways(const SrGraph *g, const SrReconverged *r, uint32_t b, Taken *taken) {
  const SrFlowGraph *f = r->flow;
  const SrFlowBlock *u = &f->block.at[b];
  for (uint32_t i = 0; i < u->slot_count; i++) {
    uint32_t target = g->succ[g->succ_at[u->user] + i], rank = r->rank[target], slot = i, at = b;
    for (uint32_t steps = 0; steps == 0 || f->block.at[at].role != SR_ROLE_USER; steps++) {
      assert_true(steps <= f->block.count);
      uint32_t set = f->slot.at[f->block.at[at].slot + slot].set;
      assert_true(set == SR_NONE || set == rank);
      take(f, taken, at, slot, rank);
      at = f->slot.at[f->block.at[at].slot + slot].to;
      if (f->block.at[at].role != SR_ROLE_USER)
        slot = sr_flow_step(&f->block.at[at], rank) - f->block.at[at].slot;
    }
    assert_int_equal(f->block.at[at].user, target);
  }
}

/* The match of an edge into flow block x is that of the lanes that take it, or unknown if they
 * differ. */
static void check_match(const SrFlowChoices *t, uint32_t from, uint32_t x, const Taken *edge) {
  SrFlowMatch match = sr_flow_choice_match(t, from, x);
  const SrFlowBlock *b = &t->flow->block.at[from];
  const SrSlot *slot = &t->flow->slot.at[b->slot];
  if (b->role == SR_ROLE_USER && b->slot_count == 2 && slot[0].to == slot[1].to)
    assert_int_equal(match, slot[0].set == t->flow->block.at[x].low   ? SR_MATCH_IF
                            : slot[1].set == t->flow->block.at[x].low ? SR_MATCH_IF_NOT
                                                                      : SR_MATCH_NO);
  else if (edge->some_match && edge->some_do_not)
    assert_int_equal(match, SR_MATCH_UNKNOWN);
  else
    assert_int_equal(match, edge->some_match ? SR_MATCH_YES : SR_MATCH_NO);
}

typedef struct Matches {
  uint32_t count[SR_MATCHES];
} Matches;

/* What the tests of flow blocks cost, counted independently. A test costs one comparison, unless
 * the branches that lead to it know its result. Then those whose condition is the opposite of the
 * test negate it; if these are the majority, the test is inverted, and the others negate theirs. A
 * branch counts once, whether one or both of its edges lead to the flow block. */
static uint32_t cost_of_tests(SrArena *arena, const SrFlowChoices *t) {
  const SrFlowGraph *f = t->flow;
  uint32_t cost = 0, *last = sr_new_none(arena, f->block.count);
  Matches *of = SR_NEW(arena, Matches, f->block.count);
  for (uint32_t b = 0; b < f->block.count; b++)
    for (uint32_t i = 0; i < f->block.at[b].slot_count; i++) {
      uint32_t to = f->slot.at[f->block.at[b].slot + i].to;
      const SrFlowBlock *x = &f->block.at[to];
      if (x->role == SR_ROLE_GUARD && x->test != SR_TEST_NONE && last[to] != b)
        of[to].count[sr_flow_choice_match(t, b, to)]++;
      last[to] = b;
    }
  for (uint32_t x = 0; x < f->block.count; x++) {
    uint32_t holds = of[x].count[SR_MATCH_IF], fails = of[x].count[SR_MATCH_IF_NOT];
    if (f->block.at[x].role != SR_ROLE_GUARD || f->block.at[x].test == SR_TEST_NONE)
      continue;
    assert_int_equal(sr_bit(t->known, x), of[x].count[SR_MATCH_UNKNOWN] == 0);
    if (!sr_bit(t->known, x)) {
      cost++;
      continue;
    }
    assert_int_equal(sr_bit(t->inverted, x), fails > holds);
    cost += fails > holds ? holds : fails;
  }
  return cost;
}

/* The selects that set the selector on both edges of a branch. */
static uint32_t cost_of_selects(const SrFlowChoices *t) {
  const SrFlowGraph *f = t->flow;
  uint32_t cost = 0;
  for (uint32_t b = 0; b < f->block.count; b++) {
    const SrFlowBlock *u = &f->block.at[b];
    const SrSlot *s = u->slot_count ? &f->slot.at[u->slot] : NULL;
    cost += u->role == SR_ROLE_USER && u->slot_count == 2 && s[0].to == s[1].to &&
            sr_flow_choice_needs_sel(t, s);
  }
  return cost;
}

static void check_tests(SrArena *arena, const SrFlowGraph *f, const Taken *taken) {
  SrFlowPaths ways = sr_flow_path_build(arena, f);
  SrFlowChoices tests = sr_flow_choice_build(arena, &ways);
  for (uint32_t b = 0; b < f->block.count; b++)
    for (uint32_t i = 0; i < f->block.at[b].slot_count; i++) {
      uint32_t slot = f->block.at[b].slot + i, to = f->slot.at[slot].to;
      if (f->block.at[to].role == SR_ROLE_GUARD && f->block.at[to].test != SR_TEST_NONE)
        check_match(&tests, b, to, &taken[slot]);
    }
  assert_int_equal(tests.instructions, cost_of_tests(arena, &tests) + cost_of_selects(&tests));
}

/* A user block's slot sets the selector if it leads to an added block, else not. */
static void check_sets(const SrFlowGraph *f, uint32_t b) {
  const SrFlowBlock *u = &f->block.at[b];
  for (uint32_t i = 0; i < u->slot_count; i++) {
    const SrSlot *s = &f->slot.at[u->slot + i];
    assert_int_equal(f->block.at[s->to].role == SR_ROLE_GUARD, s->set != SR_NONE);
  }
}

static void check_reconverging(SrArena *arena, const SrReconvergeInput *in,
                               const SrReconverged *r) {
  const SrFlowGraph *f = r->flow;
  SrEdge *edges = SR_NEW(arena, SrEdge, f->slot.count);
  SrBits *divergent = sr_bits_new(arena, f->block.count);
  uint32_t n = 0;
  for (uint32_t b = 0; b < f->block.count; b++) {
    const SrFlowBlock *x = &f->block.at[b];
    for (uint32_t i = 0; i < x->slot_count; i++)
      edges[n++] = (SrEdge){b, f->slot.at[x->slot + i].to};
    if (x->role == SR_ROLE_GUARD || (x->role == SR_ROLE_USER && sr_bit(in->divergent, x->user)))
      sr_bit_set(divergent, b);
  }
  SrGraph *g = sr_graph_new(arena, f->block.count, edges, n);
  assert_true(sr_graph_is_reconverging(arena, g, divergent));
}

/* A block with more than two successors can only end in OpSwitch. */
static SrBits *switches(SrArena *arena, const SrGraph *g) {
  SrBits *set = sr_bits_new(arena, g->count);
  for (uint32_t b = 0; b < g->count; b++)
    if (sr_succ_count(g, b) > 2)
      sr_bit_set(set, b);
  return set;
}

static void check_form(SrArena *arena, const SrGraph *g, const SrBits *divergent,
                       const uint32_t *order, uint32_t count, bool one_condition, Tally *tally) {
  SrReconvergeInput in = {.graph = g,
                          .divergent = divergent,
                          .is_switch = switches(arena, g),
                          .order = order,
                          .count = count,
                          .one_condition = one_condition};
  SrReconverged r = sr_reconverge_build(arena, &in);
  Taken *taken = SR_NEW(arena, Taken, r.flow->slot.count);
  for (uint32_t b = 0; b < r.flow->block.count; b++)
    if (r.flow->block.at[b].role == SR_ROLE_USER) {
      check_ways(g, &r, b, taken);
      check_sets(r.flow, b);
    }
  check_tests(arena, r.flow, taken);
  check_reconverging(arena, &in, &r);
  tally->graphs++;
  tally->flows += r.cost.flow_blocks;
  tally->rerouted += r.cost.rerouted_uniform;
  for (uint32_t i = 0; i < count; i++)
    tally->branches += sr_succ_count(g, order[i]) > 1;
}

/* With both conditions, and with one: a Tally each. */
static void check_graph(SrArena *arena, const SrGraph *g, const SrBits *divergent, uint32_t *order,
                        uint32_t count, Tally tally[2]) {
  sr_order_exit_last(g, order, count);
  for (int one = 0; one < 2; one++)
    check_form(arena, g, divergent, order, count, one, &tally[one]);
}

static void random_graphs_reconverge(void **state) {
  (void)state;
  Tally tally[ORDERS + 1][2] = {0};
  const char *more = getenv("RECONVERGE_SEEDS");
  uint64_t seeds = more ? strtoull(more, NULL, 10) : 1500;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    SrGraph *g = with_sink(&arena, random_graph(&arena, seed, 2 + (uint32_t)(seed % 60)));
    SrBits *divergent = random_divergence(&arena, g, seed);
    uint32_t *order = SR_NEW(&arena, uint32_t, g->count), count;
    for (size_t k = 0; k < ORDERS; k++) {
      count = sr_order_find(orders[k])(&arena, g, order);
      check_graph(&arena, g, divergent, order, count, tally[k]);
    }
    count = sr_order_rpo(&arena, g, order);
    shuffle(order, count, seed);
    check_graph(&arena, g, divergent, order, count, tally[ORDERS]);
    sr_heap_free_all(&heap);
  }
  for (size_t k = 0; k <= ORDERS; k++)
    printf(
        "%-14s %5llu graphs, %6llu branches; two conditions, one: %6llu, %6llu flow blocks, %5llu, "
        "%5llu uniform branches rerouted\n",
        k < ORDERS ? orders[k] : "random", (unsigned long long)tally[k][0].graphs,
        (unsigned long long)tally[k][0].branches, (unsigned long long)tally[k][0].flows,
        (unsigned long long)tally[k][1].flows, (unsigned long long)tally[k][0].rerouted,
        (unsigned long long)tally[k][1].rerouted);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cases_of_cfg_files),
      cmocka_unit_test(random_graphs_reconverge),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
