/* SPDX-License-Identifier: Apache-2.0 */
/* Thread frontiers of the graphs of tests/cfg; the sweep compared with the sets; lanes that run by
 * priority wait only in the frontier. */
#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/order.h"
#include "passes/analysis/graph/priority.h"
#include "passes/base/text.h"
#include "tests/unit/graph_text.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

#include <stdio.h>

static void check_frontier(SrArena *arena, const GraphText *t, const GraphFact *fact,
                           const char *file) {
  SrNest *n = sr_nest_build(arena, t->graph);
  SrFrontiers f = sr_frontier_sets(arena, t->graph, n->order, n->count);
  uint32_t b = graph_text_node(t, fact->subject), count = 0;
  uint32_t *set = SR_NEW(arena, uint32_t, n->count);
  assert_int_not_equal(b, SR_NONE);
  for (uint32_t r = 0; r < n->count; r++)
    if (sr_in_frontier(&f, b, n->order[r]))
      set[count++] = n->order[r];
  const char *names = graph_text_names(arena, t, set, count);
  if (strcmp(names, fact->value) != 0)
    fail_msg("%s: frontier of %s: {%s}, not {%s}", file, fact->subject, names, fact->value);
}

static void frontiers_of_cfg_files(void **state) {
  (void)state;
  assert_true(graph_text_each("frontier", check_frontier) > 8);
}

static void check_sweep(SrArena *arena, const GraphText *t, const GraphFact *fact,
                        const char *file) {
  SrNest *n = sr_nest_build(arena, t->graph);
  SrFrontierStats s = sr_frontier_sweep(arena, t->graph, n->order, n->count, NULL, NULL);
  char text[100];
  snprintf(text, sizeof text, "sum %llu max %u edges %u blocks %u", (unsigned long long)s.sum,
           s.max, s.join_edges, s.join_blocks);
  if (strcmp(text, fact->value) != 0)
    fail_msg("%s: sweep: %s, not %s", file, text, fact->value);
}

static void sweeps_of_cfg_files(void **state) {
  (void)state;
  assert_true(graph_text_each("sweep", check_sweep) > 2);
}

typedef struct Checks {
  const GraphText *t;
  SrText text;
} Checks;

static void note_checks(void *user, const SrFrontierSweep *s) {
  Checks *c = user;
  uint32_t b = s->order[s->at];
  for (uint32_t k = 0; k < sr_succ_count(s->g, b); k++)
    if (sr_frontier_checks(s, k))
      sr_text_add(&c->text, "%s%s-%s", c->text.count ? " " : "", c->t->names[b],
                  c->t->names[s->g->succ[s->g->succ_at[b] + k]]);
}

/* "checks bf = A-B C-D": the edges with checks, in an order. */
static void check_checks(SrArena *arena, const GraphText *t, const GraphFact *fact,
                         const char *file) {
  uint32_t *order = SR_NEW(arena, uint32_t, t->graph->count);
  uint32_t count = sr_order_find(fact->subject)(arena, t->graph, order), words = 0;
  SrArena out = sr_arena_new(arena->heap);
  Checks c = {.t = t, .text = {.arena = &out}};
  SrFrontierStats s = sr_frontier_sweep(arena, t->graph, order, count, note_checks, &c);
  const char *text = sr_text_end(&c.text);
  if (strcmp(text, fact->value) != 0)
    fail_msg("%s: checks in %s: %s, not %s", file, fact->subject, text, fact->value);
  for (const char *at = text; *at; at++)
    words += *at == '-';
  assert_int_equal(s.checks, words);
}

static void checks_of_cfg_files(void **state) {
  (void)state;
  assert_true(graph_text_each("checks", check_checks) > 2);
}

static void check_joins(SrArena *arena, const GraphText *t, const GraphFact *fact,
                        const char *file) {
  char text[16];
  snprintf(text, sizeof text, "%u", sr_pdom_join_points(arena, t->graph));
  if (strcmp(text, fact->value) != 0)
    fail_msg("%s: %s join points, not %s", file, text, fact->value);
}

static void join_points_of_cfg_files(void **state) {
  (void)state;
  assert_true(graph_text_each("pdom_joins", check_joins) > 3);
}

/* Eight lanes at random through the graph, the waiting block of highest priority first. */
static void walk(SrArena *arena, const SrGraph *g, const SrNest *n, uint64_t *rng) {
  SrFrontiers f = sr_frontier_sets(arena, g, n->order, n->count);
  uint32_t at[8] = {0};
  for (int step = 0; step < 60; step++) {
    uint32_t best = SR_NONE;
    for (int l = 0; l < 8; l++)
      if (at[l] != SR_NONE && (best == SR_NONE || n->rank[at[l]] < n->rank[best]))
        best = at[l];
    if (best == SR_NONE)
      return;
    for (int l = 0; l < 8; l++) {
      if (at[l] == SR_NONE)
        continue;
      if (at[l] != best) {
        assert_true(sr_in_frontier(&f, best, at[l]));
        continue;
      }
      uint32_t ways = sr_succ_count(g, best);
      at[l] = ways ? g->succ[g->succ_at[best] + random_below(rng, ways)] : SR_NONE;
    }
  }
}

static void lanes_wait_in_the_frontier(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= unit_seeds(1000); seed++) {
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    SrGraph *g = random_graph(&arena, seed, 2 + (uint32_t)(seed % 30));
    SrNest *n = sr_nest_build(&arena, g);
    uint64_t rng = seed;
    for (int i = 0; i < 5; i++)
      walk(&arena, g, n, &rng);
    if (n->cycle_count == 0) { /* one sweep is the fixed point */
      SrFrontiers f = sr_frontier_sets(&arena, g, n->order, n->count);
      uint64_t sum = 0;
      for (uint32_t b = 0; b < g->count; b++)
        for (uint32_t x = 0; x < g->count; x++)
          sum += sr_in_frontier(&f, b, x);
      assert_int_equal(sum, sr_frontier_sweep(&arena, g, n->order, n->count, NULL, NULL).sum);
    }
    sr_heap_free_all(&heap);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frontiers_of_cfg_files),     cmocka_unit_test(sweeps_of_cfg_files),
      cmocka_unit_test(checks_of_cfg_files),        cmocka_unit_test(join_points_of_cfg_files),
      cmocka_unit_test(lanes_wait_in_the_frontier),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
