/* SPDX-License-Identifier: Apache-2.0 */
/* The sets P, P*, P0 and Q of EXEC-mask lowering: on the graphs of tests/cfg, and on random ones
 * against their definitions. */
#include "passes/analysis/graph/rejoin.h"
#include "passes/analysis/uniform/reconverging.h"
#include "tests/unit/graph_text.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

typedef enum Which { P, P_STAR, P_0, Q } Which;

/* Is block x in that set of block b? */
static bool is_in(const SrRejoin *r, Which which, uint32_t b, uint32_t x) {
  uint32_t m = r->mask[b];
  switch (which) {
  case P:
    return r->primary[x] == b;
  case P_STAR:
    return x == b || sr_set_has(&r->sets, r->out[x], m);
  case P_0:
    return r->primary[x] == b && sr_bit(r->first, x);
  default:
    return sr_set_has(&r->sets, r->clear[x], m);
  }
}

/* ---- tests/cfg ---- */

static void check_set(SrArena *arena, const GraphText *t, const GraphFact *fact, const char *file,
                      Which which, bool flow) {
  uint32_t bad, count = 0, b = graph_text_node(t, fact->subject);
  uint32_t *set = SR_NEW(arena, uint32_t, t->graph->count);
  const SrRejoin *r = sr_rejoin_build(arena, t->graph, t->divergent, flow, &bad);
  if (!r || r->mask[b] == SR_NONE)
    fail_msg("%s: %s has no mask", file, fact->subject);
  for (uint32_t x = 0; x < t->graph->count; x++)
    if (is_in(r, which, b, x))
      set[count++] = x;
  const char *names = graph_text_names(arena, t, set, count);
  if (strcmp(names, fact->value) != 0)
    fail_msg("%s: %s of %s is {%s}, not {%s}", file, fact->key, fact->subject, names, fact->value);
}

#define CHECK(name, which, flow)                                                                   \
  static void name(SrArena *arena, const GraphText *t, const GraphFact *fact, const char *file) {  \
    check_set(arena, t, fact, file, which, flow);                                                  \
  }
CHECK(check_p, P, false)
CHECK(check_p_star, P_STAR, false)
CHECK(check_p_0, P_0, false)
CHECK(check_q, Q, false)
CHECK(check_q_flow, Q, true)

static void sets_of_cfg_files(void **state) {
  (void)state;
  assert_true(graph_text_each("P", check_p) >= 6);
  assert_true(graph_text_each("P*", check_p_star) >= 6);
  assert_true(graph_text_each("P0", check_p_0) >= 6);
  assert_true(graph_text_each("Q", check_q) >= 6);
  assert_true(graph_text_each("Qflow", check_q_flow) >= 3);
}

/* ---- random graphs ---- */

typedef struct Model {
  const SrGraph *g;
  const SrBits *reached;
  const SrRejoin *r;
  bool *star; /* P* of the current block */
} Model;

/* P*: the blocks that a walk from P to b reaches. */
static void walk(SrArena *arena, Model *m, uint32_t b) {
  uint32_t *stack = SR_NEW(arena, uint32_t, m->g->succ_at[m->g->count] + m->g->count), top = 0;
  m->star = SR_NEW(arena, bool, m->g->count);
  for (uint32_t x = 0; x < m->g->count; x++)
    if (m->r->primary[x] == b)
      stack[top++] = x;
  while (top) {
    uint32_t x = stack[--top];
    if (m->star[x])
      continue;
    m->star[x] = true;
    for (SR_SUCCS(t, m->g, x))
      if (x != b)
        stack[top++] = *t;
  }
}

/* By the definition; b, which is regarded as two parts, is not in P* as a predecessor. */
static bool in_star(const Model *m, uint32_t b, uint32_t pred) {
  return pred != b && m->star[pred];
}

static bool is_first(const Model *m, uint32_t b, uint32_t x) {
  if (m->r->primary[x] != b)
    return false;
  for (SR_PREDS(y, m->g, x))
    if (in_star(m, b, *y))
      return false;
  return true;
}

static bool is_in_q(const Model *m, uint32_t b, uint32_t x) {
  if (!sr_bit(m->reached, x) || in_star(m, b, x))
    return false;
  for (SR_SUCCS(y, m->g, x))
    if (m->star[*y] && !is_first(m, b, *y))
      return true;
  return false;
}

static void check_block(SrArena *arena, Model *m, uint32_t b, uint64_t seed) {
  walk(arena, m, b);
  for (uint32_t x = 0; x < m->g->count; x++) {
    bool want[] = {m->r->primary[x] == b, m->star[x], is_first(m, b, x), is_in_q(m, b, x)};
    for (Which which = P; which <= Q; which++)
      if (is_in(m->r, which, b, x) != want[which])
        fail_msg("seed %u: set %d of block %u, block %u: not %d", (unsigned)seed, (int)which, b, x,
                 want[which]);
  }
}

/* Random divergent branches, such that the graph is still reconverging. */
static SrBits *pick_divergent(SrArena *arena, const SrGraph *g, uint64_t seed) {
  SrBits *divergent = sr_bits_new(arena, g->count);
  uint64_t rng = seed + 77;
  for (uint32_t b = 0; b < g->count; b++) {
    if (sr_succ_count(g, b) < 2 || random_below(&rng, 4) == 0)
      continue;
    sr_bit_set(divergent, b);
    if (!sr_graph_is_reconverging(arena, g, divergent))
      sr_bit_clear(divergent, b);
  }
  return divergent;
}

static void as_defined(void **state) {
  (void)state;
  uint32_t masks = 0, blocks = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    SrGraph *g = random_graph(&arena, seed, 3 + (uint32_t)(seed % 40));
    uint32_t bad;
    Model m = {.g = g, .reached = sr_graph_reachable(&arena, g, 0)};
    m.r = sr_rejoin_build(&arena, g, pick_divergent(&arena, g, seed), false, &bad);
    assert_non_null(m.r);
    for (uint32_t i = 0; i < m.r->masks; i++)
      check_block(&arena, &m, m.r->block[i], seed);
    masks += m.r->masks;
    blocks += g->count;
    sr_heap_free_all(&heap);
  }
  print_message("%u masks in %u blocks\n", masks, blocks);
  assert_true(masks > 3000);
}

static void refused(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  GraphText *t = graph_text_parse(&arena, "A: B C\nB: D\nC: D\nD:\n");
  uint32_t bad;
  assert_null(sr_rejoin_build(&arena, t->graph, t->divergent, false, &bad));
  assert_int_equal(bad, 0);
  t = graph_text_parse(&arena, "A: B C (u)\nB: B D\nC: D E\nD:\nE: E\n");
  assert_null(sr_rejoin_build(&arena, t->graph, t->divergent, false, &bad));
  assert_int_equal(bad, 2);
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_of_cfg_files),
      cmocka_unit_test(as_defined),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
