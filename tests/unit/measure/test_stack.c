/* SPDX-License-Identifier: Apache-2.0 */
/* The stack of post-dominators on paths: issues counted by hand on small graphs, and on random
 * walks never fewer than the longest lane's, nor more than those of the lanes one by one. */
#include "passes/measure/stack.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

enum { LANES = 6, MOST_BLOCKS = 14, MOST_STEPS = 60, GRAPHS = 400 };

static SrArena new_arena(SrHeap *heap) {
  sr_heap_init(heap);
  if (setjmp(heap->out_of_memory))
    abort();
  return sr_arena_new(heap);
}

static uint64_t issues_of(const SrEdge *edges, uint32_t edge_count, const SrPath *paths,
                          uint32_t lanes) {
  static const uint32_t issues[] = {1, 2, 4, 8, 16, 32};
  SrHeap heap = {0};
  SrArena arena = new_arena(&heap);
  uint32_t blocks = 0;
  for (uint32_t i = 0; i < edge_count; i++)
    blocks = edges[i].to >= blocks ? edges[i].to + 1 : blocks;
  const SrGraph *g = sr_graph_new(&arena, blocks, edges, edge_count);
  const SrPaths subgroup = {paths, lanes};
  const SrProfile profile = {
      .block_count = blocks, .issues = issues, .subgroups = &subgroup, .subgroup_count = 1};
  uint64_t sum = sr_stack_issues(&arena, &profile, g);
  sr_heap_free_all(&heap);
  return sum;
}

#define PATH(...)                                                                                  \
  { (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t) }
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Both sides, then the join once. */
static void test_diamond(void **state) {
  (void)state;
  static const SrEdge edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  const SrPath paths[] = {PATH(0, 1, 3), PATH(0, 2, 3), PATH(0, 1, 3)};
  assert_int_equal(issues_of(edges, COUNT(edges), paths, 3), 1 + 2 + 4 + 8);
  assert_int_equal(issues_of(edges, COUNT(edges), paths, 1), 1 + 2 + 8);
}

/* Block 1 leads into the other side, which does not post-dominate it: block 2 runs twice. */
static void test_short_circuit(void **state) {
  (void)state;
  static const SrEdge edges[] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
  const SrPath paths[] = {PATH(0, 1, 3), PATH(0, 1, 2, 3), PATH(0, 2, 3)};
  assert_int_equal(issues_of(edges, COUNT(edges), paths, 3), 1 + 4 + 2 + 4 + 8);
}

/* Lanes that leave a loop wait for the last one. */
static void test_loop(void **state) {
  (void)state;
  static const SrEdge edges[] = {{0, 1}, {1, 1}, {1, 2}};
  const SrPath paths[] = {PATH(0, 1, 2), PATH(0, 1, 1, 1, 2)};
  assert_int_equal(issues_of(edges, COUNT(edges), paths, 2), 1 + 3 * 2 + 4);
}

/* A return moves the post-dominator to the exit: the join runs once for either side. */
static void test_return(void **state) {
  (void)state;
  static const SrEdge edges[] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}};
  const SrPath paths[] = {PATH(0, 1, 3), PATH(0, 1, 2), PATH(0, 2)};
  assert_int_equal(issues_of(edges, COUNT(edges), paths, 3), 1 + 2 + 8 + 4 + 4);
}

/* Paths that were cut off end where they are. */
static void test_cut(void **state) {
  (void)state;
  static const SrEdge edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  const SrPath paths[] = {PATH(0, 1), PATH(0, 2, 3), {NULL, 0}};
  assert_int_equal(issues_of(edges, COUNT(edges), paths, 2), 1 + 2 + 4 + 8);
}

/* A lane's walk; returns its issues. */
static uint64_t walk(const SrGraph *g, const uint32_t *issues, uint64_t *random, uint32_t *at,
                     SrPath *trail) {
  uint64_t sum = 0;
  uint32_t count = 0;
  for (uint32_t b = 0; b != SR_NONE && count < MOST_STEPS;) {
    at[count++] = b;
    sum += issues[b];
    uint32_t ways = sr_succ_count(g, b);
    b = ways ? g->succ[g->succ_at[b] + random_below(random, ways)] : SR_NONE;
  }
  *trail = (SrPath){at, count};
  return sum;
}

static void test_random(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
    SrHeap heap = {0};
    SrArena arena = new_arena(&heap);
    uint64_t random = seed, sum = 0, most = 0;
    uint32_t count = 2 + random_below(&random, MOST_BLOCKS - 1), issues[MOST_BLOCKS];
    const SrGraph *g = random_graph(&arena, seed, count);
    static uint32_t at[LANES][MOST_STEPS];
    SrPath paths[LANES];
    for (uint32_t b = 0; b < count; b++)
      issues[b] = 1 + random_below(&random, 9);
    for (uint32_t lane = 0; lane < LANES; lane++) {
      uint64_t own = walk(g, issues, &random, at[lane], &paths[lane]);
      sum += own;
      most = own > most ? own : most;
    }
    const SrPaths subgroup = {paths, LANES};
    const SrProfile profile = {
        .block_count = count, .issues = issues, .subgroups = &subgroup, .subgroup_count = 1};
    uint64_t together = sr_stack_issues(&arena, &profile, g);
    if (together < most || together > sum)
      fail_msg("seed %d: %d issues, not %d to %d", (int)seed, (int)together, (int)most, (int)sum);
    sr_heap_free_all(&heap);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_diamond), cmocka_unit_test(test_short_circuit),
      cmocka_unit_test(test_loop),    cmocka_unit_test(test_return),
      cmocka_unit_test(test_cut),     cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
