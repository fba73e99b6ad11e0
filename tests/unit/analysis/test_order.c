/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of the graphs of tests/cfg, lists given by name, and properties on random graphs. */
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/graph/order.h"
#include "tests/unit/graph_text.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

static void check_order(SrArena *arena, const GraphText *t, const GraphFact *fact,
                        const char *file) {
  uint32_t *order = SR_NEW(arena, uint32_t, t->graph->count);
  SrOrderFn *make = sr_order_find(fact->subject);
  assert_non_null(make);
  uint32_t count = make(arena, t->graph, order);
  const char *names = graph_text_names(arena, t, order, count);
  if (strcmp(names, fact->value) != 0)
    fail_msg("%s: order %s: %s instead of %s", file, fact->subject, names, fact->value);
}

static void orders_of_cfg_files(void **state) {
  (void)state;
  assert_true(graph_text_each("order", check_order) > 30);
}

static const char *const names[] = {"df",          "dfpd",           "bf",   "bfpd",
                                    "rpo",         "domreg",         "lrpo", "ocelot",
                                    "dfpd-oldest", "bfpd-successor", "cdep"};

static void check_permutation(SrArena *arena, const SrGraph *g, const uint32_t *order,
                              uint32_t count) {
  SrBits *reached = sr_graph_reachable(arena, g, 0), *seen = sr_bits_new(arena, g->count);
  for (uint32_t i = 0; i < count; i++) {
    assert_true(sr_bit(reached, order[i]));
    assert_false(sr_bit(seen, order[i]));
    sr_bit_set(seen, order[i]);
  }
  for (uint32_t b = 0; b < g->count; b++)
    assert_int_equal(sr_bit(reached, b), sr_bit(seen, b));
  assert_int_equal(order[0], 0);
}

/* The rule of order.h, checked block by block. */
static void check_dfpd(SrArena *arena, const SrGraph *g, const uint32_t *order, uint32_t count) {
  SrDom *pdom = sr_dom_build(arena, sr_graph_reverse_with_exit(arena, g), g->count);
  SrBits *found = sr_bits_new(arena, g->count), *seen = sr_bits_new(arena, g->count);
  if (sr_order_exit(g, order, count) != SR_NONE)
    count--;
  sr_bit_set(found, 0);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t x = 0; x < g->count; x++)
      if (sr_bit(found, x) && !sr_bit(seen, x) && x != order[i])
        assert_false(sr_dominates(pdom, order[i], x));
    assert_true(sr_bit(found, order[i]));
    sr_bit_set(seen, order[i]);
    for (SR_SUCCS(t, g, order[i]))
      sr_bit_set(found, *t);
  }
}

/* ---- ocelot: the rules of order_ocelot.c, step by step, in quadratic time ---- */

typedef struct Ocelot {
  const SrGraph *g, *reverse;
  const SrDom *dom;
  uint32_t parent[64], children[64][64], child_count[64];
  bool found[64], open[64], known[64];
  uint32_t numbered[64], count;
} Ocelot;

static uint32_t ocelot_depth(const Ocelot *o, uint32_t b) {
  return o->parent[b] == SR_NONE ? 0 : 1 + ocelot_depth(o, o->parent[b]);
}

static void ocelot_remove(Ocelot *o, uint32_t b) {
  uint32_t from = o->parent[b], n = 0;
  for (uint32_t i = 0; i < o->child_count[from]; i++)
    if (o->children[from][i] != b)
      o->children[from][n++] = o->children[from][i];
  o->child_count[from] = n;
}

static void ocelot_search(Ocelot *o, uint32_t b) {
  o->found[b] = o->open[b] = true;
  for (SR_SUCCS(p, o->reverse, b)) {
    if (o->dom->enter[*p] == SR_NONE || o->open[*p] ||
        (o->found[*p] && ocelot_depth(o, *p) >= ocelot_depth(o, b) + 1))
      continue;
    if (o->found[*p])
      ocelot_remove(o, *p);
    o->parent[*p] = b;
    o->children[b][o->child_count[b]++] = *p;
    if (!o->found[*p])
      ocelot_search(o, *p);
  }
  o->open[b] = false;
}

static void ocelot_number(Ocelot *o, uint32_t b) {
  for (bool changed = b != o->g->count; changed;) {
    changed = false;
    for (uint32_t i = 0; i < o->dom->reached && !changed; i++) {
      uint32_t x = o->dom->preorder[i];
      if (o->known[x] && sr_dominates(o->dom, b, x)) {
        o->known[x] = false;
        ocelot_number(o, x);
        changed = true;
      }
    }
  }
  o->numbered[o->count++] = b;
  for (uint32_t i = 0; i < o->child_count[b]; i++)
    o->known[o->children[b][i]] = true;
  for (int falls = 1; falls >= 0; falls--)
    for (uint32_t i = 0; i < o->child_count[b]; i++) {
      uint32_t c = o->children[b][i];
      bool last = b != o->g->count && o->g->succ[o->g->succ_at[c + 1] - 1] == b;
      if (last == (bool)falls && o->known[c]) {
        o->known[c] = false;
        ocelot_number(o, c);
      }
    }
}

/* True: it has been compared. */
static bool check_ocelot(SrArena *arena, const SrGraph *g, const uint32_t *order, uint32_t count) {
  if (sr_pred_count(g, 0)) /* the rules do not say which block is first */
    return false;
  Ocelot *o = SR_NEW(arena, Ocelot, 1);
  *o = (Ocelot){
      .g = g, .reverse = sr_graph_reverse_with_exit(arena, g), .dom = sr_dom_build(arena, g, 0)};
  memset(o->parent, 0xff, sizeof o->parent);
  ocelot_search(o, g->count);
  ocelot_number(o, g->count);
  assert_int_equal(o->count, count + 1);
  uint32_t exit = sr_order_exit(g, order, count), at = 0;
  for (uint32_t i = o->count; i-- > 1;)
    if (o->numbered[i] != exit)
      assert_int_equal(order[at++], o->numbered[i]);
  return true;
}

static void orders_of_random_graphs(void **state) {
  (void)state;
  uint32_t ocelot = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    SrGraph *g = random_graph(&arena, seed, 1 + (uint32_t)(seed % 40));
    uint32_t *order = SR_NEW(&arena, uint32_t, g->count);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      uint32_t count = sr_order_find(names[k])(&arena, g, order);
      check_permutation(&arena, g, order, count);
      if (strncmp(names[k], "dfpd", 4) == 0)
        check_dfpd(&arena, g, order, count);
      if (strcmp(names[k], "ocelot") == 0)
        ocelot += check_ocelot(&arena, g, order, count);
      uint32_t exit = sr_order_exit(g, order, count);
      if (exit != SR_NONE && strcmp(names[k], "rpo") != 0 && strcmp(names[k], "lrpo") != 0)
        assert_int_equal(order[count - 1], exit);
    }
    sr_heap_free_all(&heap);
  }
  assert_true(ocelot > 500);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_of_cfg_files),
      cmocka_unit_test(orders_of_random_graphs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
