/* SPDX-License-Identifier: Apache-2.0 */
/* Priorities from profiles: what thread frontiers issue on given paths, compared with a plain
 * simulation; the search never ends with more issues than its start, finds known optima, and leaves
 * barriers in place. */
#include "passes/analysis/graph/priority_profile.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 6, SUBGROUPS = 3, MOST_BLOCKS = 14, MOST_STEPS = 40, BUDGET = 300000 };

typedef struct World {
  SrProfile profile;
  SrPaths subgroups[SUBGROUPS];
  SrPath paths[SUBGROUPS][LANES];
  uint32_t blocks[SUBGROUPS][LANES][MOST_STEPS];
  uint32_t issues[MOST_BLOCKS];
  bool reaches_barrier[MOST_BLOCKS];
} World;

static SrArena new_arena(SrHeap *heap) {
  sr_heap_init(heap);
  if (setjmp(heap->out_of_memory))
    abort();
  return sr_arena_new(heap);
}

/* A lane's walk through the graph. */
static void walk(World *w, const SrGraph *g, uint64_t *random, uint32_t subgroup, uint32_t lane) {
  uint32_t *at = w->blocks[subgroup][lane], count = 0;
  for (uint32_t b = 0; b != SR_NONE && count < MOST_STEPS;) {
    at[count++] = b;
    uint32_t ways = sr_succ_count(g, b);
    b = ways ? g->succ[g->succ_at[b] + random_below(random, ways)] : SR_NONE;
  }
  w->paths[subgroup][lane] = (SrPath){at, count};
}

static World *make_world(SrArena *arena, uint64_t seed) {
  uint64_t random = seed;
  World *w = SR_NEW(arena, World, 1);
  uint32_t count = 2 + random_below(&random, MOST_BLOCKS - 1);
  const SrGraph *g = random_graph(arena, seed, count);
  for (uint32_t b = 0; b < count; b++)
    w->issues[b] = 1 + random_below(&random, 9);
  for (uint32_t s = 0; s < SUBGROUPS; s++) {
    for (uint32_t lane = 0; lane < LANES; lane++)
      walk(w, g, &random, s, lane);
    w->subgroups[s] = (SrPaths){w->paths[s], random_below(&random, LANES + 1)};
  }
  w->profile = (SrProfile){count, w->issues, w->reaches_barrier, w->subgroups, SUBGROUPS};
  return w;
}

/* The issues of all subgroups if, again and again, the first block of the order that has lanes runs
 * with all lanes that are there. */
static uint64_t simulate(const World *w, const uint32_t *order) {
  uint64_t issues = 0;
  for (uint32_t s = 0; s < SUBGROUPS; s++) {
    uint32_t done[LANES] = {0};
    for (uint32_t i = 0; i < w->profile.block_count;) {
      bool runs = false;
      for (uint32_t lane = 0; lane < w->subgroups[s].count; lane++) {
        const SrPath *t = &w->paths[s][lane];
        if (done[lane] < t->count && t->blocks[done[lane]] == order[i]) {
          done[lane]++;
          runs = true;
        }
      }
      issues += runs ? w->issues[order[i]] : 0;
      i = runs ? 0 : i + 1;
    }
  }
  return issues;
}

static void shuffle(uint64_t *random, uint32_t *order, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    order[i] = i;
  for (uint32_t i = count; i > 1; i--) {
    uint32_t k = random_below(random, i), old = order[k];
    order[k] = order[i - 1];
    order[i - 1] = old;
  }
}

static void counts_what_a_plain_simulation_counts(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    SrHeap heap = {0};
    SrArena arena = new_arena(&heap);
    World *w = make_world(&arena, seed);
    uint32_t order[MOST_BLOCKS + 1];
    uint64_t random = seed;
    shuffle(&random, order, w->profile.block_count);
    uint64_t issues = sr_profile_issues(&arena, &w->profile, order);
    if (issues != simulate(w, order))
      fail_msg("seed %llu: %llu issues, not %llu", (unsigned long long)seed,
               (unsigned long long)issues, (unsigned long long)simulate(w, order));
    sr_heap_free_all(&heap);
  }
}

static void check_order(const World *w, const uint32_t *order, uint64_t seed) {
  bool seen[MOST_BLOCKS + 1] = {false};
  uint32_t start[MOST_BLOCKS + 1];
  for (uint32_t i = 0; i < w->profile.block_count; i++) {
    assert_in_range(order[i], 0, w->profile.block_count - 1);
    assert_false(seen[order[i]]);
    seen[order[i]] = true;
    start[i] = i;
    for (uint32_t b = 0; b < order[i] && w->reaches_barrier[order[i]]; b++)
      if (!seen[b])
        fail_msg("seed %llu: block %u, which reaches a barrier, comes before %u",
                 (unsigned long long)seed, order[i], b);
  }
  if (simulate(w, order) > simulate(w, start))
    fail_msg("seed %llu: %llu issues, the start has %llu", (unsigned long long)seed,
             (unsigned long long)simulate(w, order), (unsigned long long)simulate(w, start));
}

static void is_never_worse_and_leaves_barriers(void **state) {
  (void)state;
  uint32_t better = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    SrHeap heap = {0};
    SrArena arena = new_arena(&heap);
    World *w = make_world(&arena, seed);
    uint64_t random = seed;
    for (uint32_t b = 0; b < w->profile.block_count && seed % 2; b++)
      w->reaches_barrier[b] = random_below(&random, 4) == 0;
    const uint32_t *order = sr_profile_order(&arena, &w->profile, BUDGET);
    const uint32_t *again = sr_profile_order(&arena, &w->profile, BUDGET);
    check_order(w, order, seed);
    assert_memory_equal(order, again, w->profile.block_count * sizeof *order);
    for (uint32_t i = 0; i < w->profile.block_count; i++)
      if (order[i] != i) {
        better++;
        break;
      }
    sr_heap_free_all(&heap);
  }
  assert_in_range(better, 30, 200);
}

/* Two lanes through a loop with two arms, one of them expensive: the order that keeps lanes waiting
 * at the expensive one until all are there runs it once. 0 head, 1 cheap, 2 expensive, 3 exit. */
static void finds_that_lanes_should_wait(void **state) {
  (void)state;
  static const uint32_t early[] = {0, 2, 3}, late[] = {0, 1, 0, 1, 0, 2, 3};
  static const uint32_t issues[] = {1, 1, 100, 1};
  static const bool none[4];
  const SrPath paths[] = {{early, 3}, {late, 7}};
  const SrPaths subgroup = {paths, 2};
  const SrProfile profile = {4, issues, none, &subgroup, 1};
  static const uint32_t dear_first[] = {2, 0, 1, 3};
  SrHeap heap = {0};
  SrArena arena = new_arena(&heap);
  assert_int_equal(sr_profile_issues(&arena, &profile, dear_first), 206);
  const uint32_t *order = sr_profile_order(&arena, &profile, BUDGET);
  assert_int_equal(sr_profile_issues(&arena, &profile, order), 106);
  sr_heap_free_all(&heap);
}

static void without_lanes_or_ways_the_start_stays(void **state) {
  (void)state;
  static const uint32_t path[] = {0, 1, 2}, issues[] = {1, 1, 1};
  static const bool none[3];
  const SrPath trail = {path, 3};
  const SrPaths one = {&trail, 1}, nobody = {&trail, 0};
  const SrPaths *const cases[] = {&one, &nobody};
  for (size_t i = 0; i < 2; i++) {
    SrHeap heap = {0};
    SrArena arena = new_arena(&heap);
    const SrProfile profile = {3, issues, none, cases[i], 1};
    const uint32_t *order = sr_profile_order(&arena, &profile, BUDGET);
    for (uint32_t b = 0; b < 3; b++)
      assert_int_equal(order[b], b);
    sr_heap_free_all(&heap);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_what_a_plain_simulation_counts),
      cmocka_unit_test(is_never_worse_and_leaves_barriers),
      cmocka_unit_test(finds_that_lanes_should_wait),
      cmocka_unit_test(without_lanes_or_ways_the_start_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
