/* SPDX-License-Identifier: Apache-2.0 */
/* The control tree and its copies on graphs without instructions: the figures of tests/cfg, and on
 * random graphs the postconditions of a plan of copies: each node's successors are copies of its
 * block's, every block is there once as itself, and each region has one exit. (tests/equiv tests
 * that structurize's sweep adds tests only for cuts.) */
#include "passes/transform/copy/backward_copy.h"
#include "passes/transform/copy/control_tree.h"
#include "passes/transform/copy/copy_plan.h"
#include "passes/transform/copy/exit_copy.h"
#include "passes/transform/copy/struct_copy.h"
#include "tests/unit/graph_text.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/unit.h"

#include <stdio.h>

typedef struct Bed {
  SrDiag diag;
  SrModule module;
  SrFunction function;
  SrCopyGraph c;
  SrGrowth growth;
  SrBackwardCopies back;
  SrExitCopies exits;
  SrControlTree tree;
} Bed;

/* Every block is one instruction; at most `limit` may be copied. */
static void prepare(Bed *bed, SrArena *arena, const SrGraph *g, uint64_t limit) {
  *bed = (Bed){0};
  bed->module = (SrModule){.arena = arena, .diag = &bed->diag};
  bed->function = (SrFunction){.id = 1, .name = SR_NONE, .block_count = g->count};
  bed->c.old = g;
  bed->c.graph = SR_NEW(arena, SrGraph, 1);
  *bed->c.graph = *g;
  bed->c.size = SR_NEW(arena, uint32_t, g->count);
  bed->c.is_switch = sr_bits_new(arena, g->count);
  for (uint32_t b = 0; b < g->count; b++) {
    SR_PUSH(arena, &bed->c.block, b);
    bed->c.size[b] = 1;
  }
  bed->growth = sr_growth_new(&bed->module, &bed->function, arena, 100, bed->c.size,
                              sr_bits_new(arena, g->count));
  bed->growth.limit = limit;
}

static SrStatus build(Bed *bed, SrArena *arena, SrCopyRule rule) {
  SR_CHECK(sr_backward_copy(arena, &bed->c, &bed->growth, &bed->back));
  if (rule == SR_COPY_FORWARD_FIRST)
    SR_CHECK(sr_exit_copy(arena, &bed->c, &bed->growth, &bed->exits));
  return sr_control_tree_build(&bed->tree, arena, &bed->c, &bed->growth, rule);
}

/* ---- figures ---- */

/* The rule that a fact is about: "", "strict" or "forward-first". */
static SrCopyRule rule_of(const GraphFact *fact) {
  SrStructCopy options = {.rule = SR_COPY_LEAST};
  assert_true(!*fact->subject || sr_struct_copy_read(fact->subject, &options));
  return options.rule;
}

/* "forward 2 backward 0 cuts 0 blocks B3 B4 B5 B5 B5"; of a rule other than the default with the
 * edges to copies, "forward 2 / 6 …" */
static void check_copies(SrArena *arena, const GraphText *t, const GraphFact *fact,
                         const char *file) {
  Bed bed;
  prepare(&bed, arena, t->graph, 1000);
  SrCopyRule rule = rule_of(fact);
  assert_int_equal(build(&bed, arena, rule), SR_OK);
  const SrCopyPlan *plan = sr_copy_plan_new(&bed.tree);
  uint32_t *copies = SR_NEW(arena, uint32_t, plan->graph->count), count = 0;
  for (uint32_t b = 0; b < t->graph->count; b++)
    for (uint32_t n = 0; n < plan->graph->count; n++)
      if (plan->block[n] == b && sr_bit(plan->copy, n))
        copies[count++] = b;
  char text[512], edges[32] = "";
  if (rule != SR_COPY_LEAST)
    snprintf(edges, sizeof edges, " / %u", bed.tree.forward_copy_edges + bed.exits.edges);
  snprintf(text, sizeof text, "forward %u%s backward %u cuts %u blocks%s%s",
           bed.tree.forward_copies + bed.exits.regions, edges, bed.back.entries, bed.tree.cuts,
           count ? " " : "", graph_text_names(arena, t, copies, count));
  if (strcmp(text, fact->value) != 0)
    fail_msg("%s: %s, not %s", file, text, fact->value);
}

static void copies_of_cfg_files(void **unused) {
  (void)unused;
  assert_true(graph_text_each("copies", check_copies) > 6);
}

/* ---- random graphs ---- */

/* The same graph without back edges. */
static SrGraph *forward_only(SrArena *arena, const SrGraph *g) {
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t b = 0; b < g->count; b++)
    for (SR_SUCCS(t, g, b))
      if (*t > b)
        SR_PUSH(arena, &edges, (SrEdge){b, *t});
  return sr_graph_new(arena, g->count, edges.at, edges.count);
}

static void check_plan(SrArena *arena, const Bed *bed, const SrGraph *g, const SrCopyPlan *p) {
  const SrNest *nest = sr_nest_build(arena, g);
  const SrNest *new = sr_nest_build(arena, p->graph);
  assert_int_equal(p->graph->count, nest->count + p->copies);
  assert_true(bed->growth.copied >= p->copies);
  assert_int_equal(new->count, p->graph->count);
  assert_int_equal(new->cycle_count, p->nest->cycle_count);
  for (uint32_t n = 0; n < p->graph->count; n++) {
    uint32_t b = p->block[n];
    assert_int_equal(sr_succ_count(p->graph, n), sr_succ_count(g, b));
    for (uint32_t k = 0; k < sr_succ_count(g, b); k++)
      assert_int_equal(p->block[p->graph->succ[p->graph->succ_at[n] + k]],
                       g->succ[g->succ_at[b] + k]);
    assert_true(sr_bit(p->copy, n) || p->node[b] == n);
  }
  for (uint32_t c = 0; c < new->cycle_count; c++)
    assert_int_equal(new->cycles[c].entries, 1);
}

/* Is more than that percentage of random graphs copied within the limit of growth? */
static bool most(uint32_t percent, uint64_t graphs, uint32_t blocks, bool cyclic, SrCopyRule rule) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  uint64_t seeds = unit_seeds(graphs), done = 0;
  for (uint32_t seed = 1; seed <= seeds; seed++) {
    SrArena arena = sr_arena_new(&heap);
    const SrGraph *g = random_graph(&arena, seed, 2 + seed % blocks);
    if (!cyclic)
      g = forward_only(&arena, g);
    Bed bed;
    prepare(&bed, &arena, g, 3000);
    if (build(&bed, &arena, rule) == SR_OK) {
      check_plan(&arena, &bed, g, sr_copy_plan_new(&bed.tree));
      done++;
    } else {
      assert_non_null(strstr(bed.diag.text, "--max-growth"));
      assert_true(bed.growth.copied <= 3000);
    }
    sr_arena_free(&arena);
  }
  sr_heap_free_all(&heap);
  return 100 * done > percent * seeds;
}

static void acyclic_plans(void **unused) {
  (void)unused;
  assert_true(most(75, 2000, 30, false, SR_COPY_LEAST));
}

static void cyclic_plans(void **unused) {
  (void)unused;
  assert_true(most(50, 2000, 16, true, SR_COPY_LEAST));
}

static void other_rules(void **unused) {
  (void)unused;
  assert_true(most(60, 1000, 30, false, SR_COPY_STRICT));
  assert_true(most(40, 1000, 12, true, SR_COPY_STRICT));
  assert_true(most(40, 1000, 12, true, SR_COPY_FORWARD_FIRST));
}

typedef struct Copied {
  uint32_t regions;
  uint64_t instructions;
} Copied;

/* What Forward Copy copies in a graph whose blocks have these sizes. */
static Copied copied(const SrEdge *edges, uint32_t edge_count, const uint32_t *sizes,
                     uint32_t count) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  Bed bed;
  prepare(&bed, &arena, sr_graph_new(&arena, count, edges, edge_count), 1000);
  memcpy(bed.c.size, sizes, count * sizeof *sizes);
  assert_int_equal(build(&bed, &arena, SR_COPY_LEAST), SR_OK);
  Copied result = {bed.tree.forward_copies, bed.growth.copied};
  sr_heap_free_all(&heap);
  return result;
}

#define COPIED(edges, sizes)                                                                       \
  copied(edges, sizeof(edges) / sizeof *(edges), sizes, sizeof(sizes) / sizeof *(sizes))

/* Diamos et al., figure 5, exception-cond: the condition that may throw (1: to the handler 2, or on
 * to 3) is one of two ways into the rest of the try block (4), which leads to the end (5), as the
 * handler does. The rest of the block or the end is copied, whichever costs less. */
static void cheaper_end(void **unused) {
  (void)unused;
  static const SrEdge edges[] = {{0, 1}, {0, 4}, {1, 2}, {1, 3}, {2, 5}, {3, 4}, {4, 5}};
  static const struct {
    uint32_t rest, end, copied;
  } figures[] = {{400, 1, 1}, {102, 1, 1}, {101, 1, 101}, {400, 299, 299}, {400, 300, 400}};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    const uint32_t sizes[] = {1, 1, 1, 1, figures[i].rest, figures[i].end};
    Copied result = COPIED(edges, sizes);
    assert_int_equal(result.regions, 1);
    assert_int_equal(result.instructions, figures[i].copied);
  }
}

/* The same with a short circuit: 1 leads to the end itself. */
static void short_circuit(void **unused) {
  (void)unused;
  static const SrEdge edges[] = {{0, 1}, {0, 3}, {1, 4}, {1, 2}, {2, 3}, {3, 4}};
  for (uint32_t rest = 390; rest < 410; rest++) {
    const uint32_t sizes[] = {1, 1, 1, rest, 1};
    assert_int_equal(COPIED(edges, sizes).instructions, rest <= 401 ? rest : 1);
  }
}

/* The same as the first with a switch of three cases, of which two lead to the rest: each would
 * need a copy. */
static void cheaper_ends(void **unused) {
  (void)unused;
  static const SrEdge edges[] = {{0, 1}, {0, 5}, {1, 2}, {1, 3}, {1, 4},
                                 {2, 5}, {3, 5}, {4, 6}, {5, 6}};
  for (uint32_t rest = 40; rest < 60; rest++) {
    const uint32_t sizes[] = {1, 1, 1, 1, 1, rest, 2};
    assert_int_equal(COPIED(edges, sizes).instructions, rest <= 51 ? 2 * rest : 2);
  }
}

/* The limit stops copying long before 2^60 copies are created. */
static void limit(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  SR_VEC(SrEdge) edges = {0};
  enum { PAIRS = 60, EXIT = 2 * PAIRS + 1 };
  for (uint32_t i = 0; i < PAIRS; i++) { /* (c1 || c2) && (c3 || c4) && … */
    SR_PUSH(&arena, &edges, (SrEdge){2 * i, 2 * i + 2});
    SR_PUSH(&arena, &edges, (SrEdge){2 * i, 2 * i + 1});
    SR_PUSH(&arena, &edges, (SrEdge){2 * i + 1, 2 * i + 2});
    SR_PUSH(&arena, &edges, (SrEdge){2 * i + 1, EXIT});
  }
  SR_PUSH(&arena, &edges, (SrEdge){2 * PAIRS, EXIT});
  Bed bed;
  prepare(&bed, &arena, sr_graph_new(&arena, EXIT + 1, edges.at, edges.count), 100000);
  bed.c.size[EXIT] = 1000000; /* so that the conditions are copied, not the end */
  assert_int_equal(build(&bed, &arena, SR_COPY_LEAST), SR_BAD_INPUT);
  assert_true(bed.tree.region.count < 200000);
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_of_cfg_files), cmocka_unit_test(acyclic_plans),
      cmocka_unit_test(cyclic_plans),        cmocka_unit_test(other_rules),
      cmocka_unit_test(cheaper_end),         cmocka_unit_test(short_circuit),
      cmocka_unit_test(cheaper_ends),        cmocka_unit_test(limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
