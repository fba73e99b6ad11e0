/* SPDX-License-Identifier: Apache-2.0 */
/* spv-graph on random graphs: a graph is the same after writing and reading it, as JSON, in
 * Graphviz' language, and as a kernel: its blocks, edges and, where they are large enough, weights.
 * (tests/graph/graph.sh runs kernels in the emulator.) */
#include "spv-graph/function.h"
#include "spv-graph/graph_dot.h"
#include "spv-graph/graph_json.h"
#include "spv-graph/graph_kernel.h"
#include "spv-graph/graph_walk.h"
#include "tests/unit/assembled.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

enum { HEAVY = 60 }; /* more than any block needs */

/* A random graph; blocks that the entry does not reach stay. */
static Graph *make(SrArena *arena, uint64_t seed) {
  Graph *g = SR_NEW(arena, Graph, 1);
  const SrGraph *shape = random_graph(arena, seed, 1 + (uint32_t)seed % 30);
  uint64_t state = seed;
  g->name = "a \"random\" one";
  g->kernel = "k\xc3\xa9rnel";
  for (uint32_t b = 0; b < shape->count; b++) {
    uint32_t count = sr_succ_count(shape, b);
    GraphBlock block = {.id = b * 3 + 1,
                        .weight = HEAVY + random_below(&state, 20),
                        .calls = random_below(&state, 3),
                        .barrier = random_below(&state, 8) == 0,
                        .term = graph_term_default(count),
                        .taken = count == 2 && b % 3 == 0 ? 0.25 : -1,
                        .succ = g->succ.count,
                        .succ_count = count};
    SR_PUSH(arena, &g->block, block);
    for (SR_SUCCS(s, shape, b))
      SR_PUSH(arena, &g->succ, *s);
  }
  return g;
}

static void same_graph(const Graph *a, const Graph *b) {
  assert_string_equal(a->name, b->name);
  assert_string_equal(a->kernel, b->kernel);
  assert_int_equal(a->block.count, b->block.count);
  assert_int_equal(a->succ.count, b->succ.count);
  for (uint32_t i = 0; i < a->block.count; i++) {
    const GraphBlock *x = &a->block.at[i], *y = &b->block.at[i];
    assert_int_equal(x->id, y->id);
    assert_int_equal(x->weight, y->weight);
    assert_int_equal(x->calls, y->calls);
    assert_int_equal(x->barrier, y->barrier);
    assert_int_equal(x->term, y->term);
    assert_true(x->taken == y->taken);
    assert_int_equal(x->succ_count, y->succ_count);
    assert_memory_equal(&a->succ.at[x->succ], &b->succ.at[y->succ], 4 * x->succ_count);
  }
}

/* ---- graph files ----------------------------------------------------------------------------- */

typedef void Write(const Graph *, FILE *);

static char *written(const Graph *g, Write *write, size_t *size) {
  char *text = NULL;
  FILE *out = open_memstream(&text, size);
  write(g, out);
  fclose(out);
  return text;
}

static void files_keep_graphs(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  for (uint64_t seed = 1; seed <= unit_seeds(300); seed++) {
    SrArena arena = sr_arena_new(&heap);
    const Graph *g = make(&arena, seed);
    size_t size;
    char *json = written(g, graph_json_write, &size);
    const Graph *read = graph_json_read(&arena, "json", json, size);
    assert_non_null(read);
    same_graph(g, read);
    free(json);
#ifdef SPV_GRAPH_HAS_DOT
    char *dot = written(g, graph_dot_write, &size);
    read = graph_dot_read(&arena, "dot", dot);
    assert_non_null(read);
    same_graph(g, read);
    free(dot);
#endif
    sr_arena_free(&arena);
  }
  sr_heap_free_all(&heap);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static Graph *through_kernel(SrArena *arena, const Code *code) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  kernel_write(arena, code, out);
  fclose(out);
  spv_binary binary = assembled_words(SPV_ENV_UNIVERSAL_1_3, text);
  Graph *g = function_graph(arena, "kernel", binary->code, binary->wordCount, NULL, NULL);
  spvBinaryDestroy(binary);
  free(text);
  return g;
}

/* The kernel's blocks are those of the code, in its order. */
static void check_kernel(const Code *code, const Graph *g) {
  assert_non_null(g);
  assert_int_equal(g->block.count, code->block.count);
  for (uint32_t i = 0; i < g->block.count; i++) {
    const CodeBlock *c = &code->block.at[i];
    const GraphBlock *b = &g->block.at[i];
    assert_int_equal(b->succ_count, c->succ_count);
    for (uint32_t k = 0; k < c->succ_count; k++) {
      /* an OpSwitch lists its default, the last one, first */
      uint32_t from = c->succ_count > 2 ? (k + c->succ_count - 1) % c->succ_count : k;
      assert_int_equal(g->succ.at[b->succ + k], code->succ.at[c->succ + from]);
    }
    assert_int_equal(b->barrier, c->barrier);
    if (c->block != SR_NONE)
      assert_int_equal(b->weight, code->graph->block.at[c->block].weight);
  }
}

static void kernels_keep_graphs(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  for (uint64_t seed = 1; seed <= unit_seeds(300); seed++) {
    SrArena arena = sr_arena_new(&heap);
    CodeOptions options = code_options();
    options.seed = seed;
    options.live = 1 + seed % 6;
    options.together = 1u << seed % 4;
    options.barriers = seed % 2;
    const Graph *g = make(&arena, seed);
    const Code *code = code_new(&arena, g, &options);
    uint32_t extra = code->block.count + code->dropped - g->block.count;
    assert_true(extra <= 1);
    assert_int_equal(code->heavier, extra);
    check_kernel(code, through_kernel(&arena, code));
    sr_arena_free(&arena);
  }
  sr_heap_free_all(&heap);
}

/* Blocks that weigh less than they need have that many instructions, and the surplus is counted. */
static void light_blocks(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  for (uint64_t seed = 1; seed <= unit_seeds(100); seed++) {
    SrArena arena = sr_arena_new(&heap);
    CodeOptions options = code_options();
    Graph *g = make(&arena, seed);
    uint64_t asked = 0, got = 0;
    for (uint32_t i = 0; i < g->block.count; i++)
      g->block.at[i].weight = 1 + (uint32_t)(seed + i) % 12;
    const Code *code = code_new(&arena, g, &options);
    const Graph *read = through_kernel(&arena, code);
    for (uint32_t i = 0; i < code->block.count; i++) {
      uint32_t b = code->block.at[i].block;
      asked += b == SR_NONE ? 0 : g->block.at[b].weight;
      got += read->block.at[i].weight;
    }
    assert_int_equal(got - asked, code->surplus);
    sr_arena_free(&arena);
  }
  sr_heap_free_all(&heap);
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static const uint32_t *results(SrArena *arena, const Graph *g, double taken, uint32_t together) {
  CodeOptions options = code_options();
  options.groups = 1000;
  options.together = together;
  options.taken = taken;
  return walk(arena, code_new(arena, g, &options));
}

/* The share of 64,000 lanes that take the first way is the one asked for, and neighbours take the
 * same way where that is asked for. A lane's way is known from its result. */
static void shares(void **unused) {
  (void)unused;
  enum { LANES = 64000 };
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  Graph g = {.name = "fork", .kernel = "fork"};
  for (uint32_t b = 0; b < 3; b++)
    SR_PUSH(&arena, &g.block,
            (GraphBlock){.id = b,
                         .weight = 20,
                         .taken = -1,
                         .succ_count = b ? 0 : 2,
                         .term = b ? GRAPH_EXIT : GRAPH_CONDITIONAL});
  SR_PUSH(&arena, &g.succ, 1);
  SR_PUSH(&arena, &g.succ, 2);
  for (uint32_t percent = 10; percent < 100; percent += 10) {
    uint32_t together = percent % 20 ? 8 : 1, first = 0;
    const uint32_t *all = results(&arena, &g, 1, together),
                   *none = results(&arena, &g, 0, together);
    const uint32_t *some = results(&arena, &g, percent / 100.0, together);
    for (uint32_t i = 0; i < LANES; i++) {
      uint32_t leader = i / together * together;
      assert_true(some[i] == all[i] || some[i] == none[i]);
      assert_true((some[i] == all[i]) == (some[leader] == all[leader]));
      first += some[i] == all[i];
    }
    assert_in_range(first, LANES / 100 * (percent - 2), LANES / 100 * (percent + 2));
  }
  sr_heap_free_all(&heap);
}

/* A loop of one block: the mean of its turns, told by how often it adds 1. */
static void turns(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  Graph g = {.name = "loop", .kernel = "loop"};
  SR_PUSH(&arena, &g.block,
          (GraphBlock){.id = 0, .taken = -1, .succ_count = 1, .term = GRAPH_BRANCH});
  SR_PUSH(
      &arena, &g.block,
      (GraphBlock){.id = 1, .taken = -1, .succ = 1, .succ_count = 2, .term = GRAPH_CONDITIONAL});
  SR_PUSH(&arena, &g.block, (GraphBlock){.id = 2, .taken = -1, .term = GRAPH_EXIT});
  SR_PUSH(&arena, &g.succ, 1);
  SR_PUSH(&arena, &g.succ, 1);
  SR_PUSH(&arena, &g.succ, 2);
  CodeOptions options = code_options();
  options.groups = 1000;
  options.live = 2;
  for (uint32_t most = 4; most <= 64; most *= 4) {
    options.iterations = most;
    for (options.budget = 4096; options.budget; options.budget = options.budget > 2 ? 2 : 0) {
      Code *code = code_new(&arena, &g, &options);
      SR_PUSH(&arena, &code->step, (CodeStep){CODE_ADD, 1, SR_NONE, 1});
      SR_PUSH(&arena, &code->step, (CodeStep){CODE_MULTIPLY, 0, SR_NONE, 0});
      code->block.at[1].step = code->step.count - 2;
      code->block.at[1].step_count = 2;
      const uint32_t *counts = walk(&arena, code);
      uint64_t sum = 0;
      for (uint32_t i = 0; i < 64000; i++) {
        sum += counts[i] - 1; /* value 1 begins with 1 */
        assert_true(counts[i] - 1 <= options.budget + 1);
      }
      if (options.budget > 2)
        assert_in_range(sum, 64000ull * most * 9 / 10, 64000ull * most * 11 / 10);
    }
  }
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_keep_graphs),
      cmocka_unit_test(kernels_keep_graphs),
      cmocka_unit_test(light_blocks),
      cmocka_unit_test(shares),
      cmocka_unit_test(turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
