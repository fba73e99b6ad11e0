/* SPDX-License-Identifier: Apache-2.0 */
/* Maximal foldings of the graphs of tests/cfg, and of random graphs beside a folding that tries every
 * node again after each fold, on a matrix, last nodes first. */
#include "passes/analysis/graph/folding.h"
#include "tests/unit/graph_text.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

static void check_case(SrArena *arena, const GraphText *t, const GraphFact *fact,
                       const char *file) {
  SrFolding found = sr_folding_build(arena, t->graph);
  char text[40];
  snprintf(text, sizeof text, "%u %u", found.nodes, found.conditions);
  if (strcmp(text, fact->value) != 0)
    fail_msg("%s: folding %s instead of %s", file, text, fact->value);
}

static void cases_of_cfg_files(void **state) {
  (void)state;
  assert_true(graph_text_each("folding", check_case) >= 8);
}

/* ---- the definitions, on a matrix ---- */

enum { MOST = 40 };

typedef struct Matrix {
  bool edge[MOST][MOST], alive[MOST];
  uint32_t count;
} Matrix;

static uint32_t out_count(const Matrix *m, uint32_t n) {
  uint32_t k = 0;
  for (uint32_t t = 0; t < m->count; t++)
    k += m->edge[n][t];
  return k;
}

static uint32_t in_count(const Matrix *m, uint32_t n) {
  uint32_t k = n == 0;
  for (uint32_t p = 0; p < m->count; p++)
    k += m->edge[p][n];
  return k;
}

static void drop(Matrix *m, uint32_t n) {
  m->alive[n] = false;
  for (uint32_t k = 0; k < m->count; k++)
    m->edge[n][k] = m->edge[k][n] = false;
}

/* The edges of `last` become those of n, and `last` goes. */
static void take(Matrix *m, uint32_t n, uint32_t last) {
  bool kept[MOST];
  memcpy(kept, m->edge[last], sizeof kept);
  memset(m->edge[n], 0, sizeof m->edge[n]);
  drop(m, last);
  for (uint32_t t = 0; t < m->count; t++)
    m->edge[n][t] = kept[t == last ? last : t];
  if (kept[last])
    m->edge[n][n] = true;
  m->edge[n][last] = false;
}

static bool is_between(const Matrix *m, uint32_t n, uint32_t arm, uint32_t join) {
  return m->edge[n][arm] && m->edge[arm][join] && in_count(m, arm) == 1 && out_count(m, arm) == 1;
}

static bool is_selection(const Matrix *m, uint32_t n, uint32_t join) {
  uint32_t ways = 0;
  if (join == n || !m->alive[join] || out_count(m, n) < 2)
    return false;
  for (uint32_t t = 0; t < m->count; t++) {
    bool way = m->edge[n][t] && (t == join || (t != n && is_between(m, n, t, join)));
    if (m->edge[n][t] && !way)
      return false;
    ways += way;
  }
  return in_count(m, join) == ways;
}

static bool fold_selection(Matrix *m, uint32_t n) {
  for (uint32_t join = 0; join < m->count; join++) {
    if (!is_selection(m, n, join))
      continue;
    for (uint32_t t = 0; t < m->count; t++)
      if (t != join && m->edge[n][t])
        drop(m, t);
    take(m, n, join);
    return true;
  }
  return false;
}

static bool fold_loop(Matrix *m, uint32_t n) {
  if (out_count(m, n) < 2)
    return false;
  if (m->edge[n][n]) {
    m->edge[n][n] = false;
    return true;
  }
  for (uint32_t t = 0; t < m->count; t++)
    if (is_between(m, n, t, n)) {
      drop(m, t);
      return true;
    }
  return false;
}

static bool fold_sequence(Matrix *m, uint32_t n) {
  for (uint32_t t = 0; t < m->count; t++)
    if (t != n && m->edge[n][t] && out_count(m, n) == 1 && in_count(m, t) == 1) {
      take(m, n, t);
      return true;
    }
  return false;
}

static bool fold_any(Matrix *m) {
  for (uint32_t n = m->count; n-- > 0;)
    if (m->alive[n] && (fold_selection(m, n) || fold_loop(m, n) || fold_sequence(m, n)))
      return true;
  return false;
}

static Matrix matrix_of(SrArena *arena, const SrGraph *g) {
  Matrix m = {.count = g->count + 1};
  const SrBits *reached = sr_graph_reachable(arena, g, 0);
  uint32_t leaves = 0;
  for (uint32_t b = 0; b < g->count; b++) {
    m.alive[b] = sr_bit(reached, b);
    for (SR_SUCCS(t, g, b))
      m.edge[b][*t] = m.alive[b];
    leaves += m.alive[b] && sr_succ_count(g, b) == 0;
  }
  m.alive[g->count] = leaves > 1;
  for (uint32_t b = 0; b < g->count; b++)
    m.edge[b][g->count] = leaves > 1 && m.alive[b] && sr_succ_count(g, b) == 0;
  return m;
}

static void random_graphs_fold(void **state) {
  (void)state;
  uint32_t structured = 0, folded = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    SrGraph *g = random_graph(&arena, seed, 2 + (uint32_t)(seed % 30));
    Matrix m = matrix_of(&arena, g);
    while (fold_any(&m))
      folded++;
    SrFolding found = sr_folding_build(&arena, g);
    uint32_t nodes = 0, conditions = 0;
    for (uint32_t n = 0; n < m.count; n++) {
      nodes += m.alive[n];
      conditions += m.alive[n] && out_count(&m, n) > 1;
    }
    if (found.nodes != nodes || found.conditions != conditions)
      fail_msg("seed %llu: %u nodes, %u conditions instead of %u, %u", (unsigned long long)seed,
               found.nodes, found.conditions, nodes, conditions);
    structured += nodes == 1;
    sr_heap_free_all(&heap);
  }
  assert_true(structured > 100 && folded > 3000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cases_of_cfg_files),
      cmocka_unit_test(random_graphs_fold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
