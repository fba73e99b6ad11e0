/* SPDX-License-Identifier: Apache-2.0 */
/* Orders and barriers: the example in the header, and random graphs compared with a search for each
 * path. */
#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/order.h"
#include "passes/analysis/uniform/barrier_order.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

enum { MOST = 16 };

static SrArena new_arena(SrHeap *heap) {
  sr_heap_init(heap);
  if (setjmp(heap->out_of_memory))
    abort();
  return sr_arena_new(heap);
}

static void the_diamond_of_the_header(void **state) {
  (void)state;
  static const SrEdge edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  static const uint32_t good[] = {0, 1, 2, 3}, bad[] = {0, 1, 3, 2};
  SrHeap heap = {0};
  SrArena arena = new_arena(&heap);
  const SrGraph *g = sr_graph_new(&arena, 4, edges, 4);
  SrBits barrier = 1 << 3;
  assert_int_equal(sr_barrier_order_breach(&arena, g, &barrier, good, 4), SR_NONE);
  assert_int_equal(sr_barrier_order_breach(&arena, g, &barrier, bad, 4), 2);
  barrier = 0;
  assert_int_equal(sr_barrier_order_breach(&arena, g, &barrier, bad, 4), SR_NONE);
  sr_heap_free_all(&heap);
}

/* Lanes of C would go back to H, and run B again, before those of D. */
static void the_loop_of_the_header(void **state) {
  (void)state;
  enum { H, B, C, D, E };
  static const SrEdge edges[] = {{H, B}, {B, C}, {B, D}, {C, E}, {D, E}, {E, H}};
  static const uint32_t good[] = {H, B, C, D, E}, bad[] = {H, B, C, E, D};
  SrHeap heap = {0};
  SrArena arena = new_arena(&heap);
  const SrGraph *g = sr_graph_new(&arena, 5, edges, 6);
  SrBits barrier = 1 << B;
  assert_int_equal(sr_barrier_order_breach(&arena, g, &barrier, good, 5), SR_NONE);
  assert_int_equal(sr_barrier_order_breach(&arena, g, &barrier, bad, 5), D);
  barrier = 0;
  assert_int_equal(sr_barrier_order_breach(&arena, g, &barrier, bad, 5), SR_NONE);
  sr_heap_free_all(&heap);
}

/* The innermost cycle that holds both, or SR_NONE. */
static uint32_t common(const SrNest *n, uint32_t a, uint32_t b) {
  uint32_t c = n->inner[a];
  while (c != SR_NONE && !sr_cycle_has(n, c, b))
    c = n->cycles[c].parent;
  return c;
}

/* Is there a path that does not leave their cycle, nor begin another iteration of it? */
static bool leads_to(const SrGraph *g, const SrNest *n, uint32_t from, uint32_t to) {
  uint32_t cycle = common(n, from, to), work[MOST], count = 0;
  bool seen[MOST] = {false};
  work[count++] = from;
  while (count) {
    uint32_t b = work[--count];
    for (SR_SUCCS(t, g, b)) {
      if (cycle != SR_NONE && (!sr_cycle_has(n, cycle, *t) || *t == n->cycles[cycle].header))
        continue;
      if (*t == to)
        return true;
      if (!seen[*t])
        work[count++] = *t;
      seen[*t] = true;
    }
  }
  return false;
}

/* Has the block a back edge of a cycle that holds a barrier? */
static bool repeats(const SrGraph *g, const SrNest *n, SrBits barriers, uint32_t block) {
  bool any = false;
  for (uint32_t c = 0; c < n->cycle_count; c++)
    for (SR_SUCCS(t, g, block))
      for (uint32_t b = 0; b < g->count && sr_cycle_has(n, c, block); b++)
        any = any || (*t == n->cycles[c].header && n->rank[*t] <= n->rank[block] &&
                      sr_bit(&barriers, b) && sr_cycle_has(n, c, b));
  return any;
}

static bool is_breach(const SrGraph *g, const SrNest *n, SrBits barriers, const uint32_t *order,
                      uint32_t count, uint32_t block) {
  bool behind = false;
  for (uint32_t i = 0; i < count && order[i] != block; i++)
    behind = behind || ((sr_bit(&barriers, order[i]) || repeats(g, n, barriers, order[i])) &&
                        leads_to(g, n, block, order[i]));
  return behind;
}

static void check(SrArena *arena, uint64_t seed, uint32_t *found) {
  uint64_t random = seed;
  const SrGraph *g = random_graph(arena, seed, 2 + random_below(&random, MOST - 2));
  const SrNest *n = sr_nest_build(arena, g);
  SrBits barriers = random_next(&random) & random_next(&random);
  uint32_t order[MOST], count = sr_order_lrpo(arena, g, order);
  if (sr_barrier_order_breach(arena, g, &barriers, order, count) != SR_NONE)
    fail_msg("seed %llu: lrpo breaks the rule", (unsigned long long)seed);
  for (uint32_t i = count; i > 1 && seed % 3; i--) {
    uint32_t k = i > 3 ? i - 1 - random_below(&random, 3) : i - 1, old = order[k];
    order[k] = order[i - 1];
    order[i - 1] = old;
  }
  bool any = false;
  for (uint32_t i = 0; i < count; i++)
    any = any || is_breach(g, n, barriers, order, count, order[i]);
  uint32_t block = sr_barrier_order_breach(arena, g, &barriers, order, count);
  *found += any;
  if (any != (block != SR_NONE) || (any && !is_breach(g, n, barriers, order, count, block)))
    fail_msg("seed %llu: block %d, a breach: %d", (unsigned long long)seed, (int)block, any);
}

static void random_graphs_against_paths(void **state) {
  (void)state;
  uint32_t found = 0;
  for (uint64_t seed = 1; seed <= 20000; seed++) {
    SrHeap heap = {0};
    SrArena arena = new_arena(&heap);
    check(&arena, seed, &found);
    sr_heap_free_all(&heap);
  }
  assert_in_range(found, 1000, 19000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_diamond_of_the_header),
      cmocka_unit_test(the_loop_of_the_header),
      cmocka_unit_test(random_graphs_against_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
