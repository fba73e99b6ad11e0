/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of whole functions (spvreconv_function). */
#include "passes/driver/graph_stats.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/analysis/graph/dom.h"
#include "passes/analysis/graph/expansion.h"
#include "tests/unit/assembled.h"
#include "tests/unit/random_graph.h"
#include "tests/unit/toy_program.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <time.h>

static const SrOrderChoice lrpo = {.make = sr_order_lrpo};

static spvreconv_graph stats_of(SrArena *arena, const char *text) {
  SrModule *m = assembled(arena, text);
  SrUniform *u = sr_uniform_build(arena, m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
  spvreconv_graph s;
  assert_int_equal(sr_stats_graph(arena, m, &m->functions[0], u, &lrpo, &s), SR_OK);
  return s;
}

/* A loop with a uniform trip count around a divergent selection and a switch on its counter. */
static const char loop[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %1 \"main\" %2\nOpExecutionMode %1 LocalSize 32 1 1\n"
    "OpDecorate %2 BuiltIn LocalInvocationIndex\n"
    "%3 = OpTypeVoid\n%4 = OpTypeFunction %3\n%5 = OpTypeInt 32 0\n%6 = OpTypeBool\n"
    "%7 = OpTypePointer Input %5\n%2 = OpVariable %7 Input\n"
    "%8 = OpConstant %5 0\n%9 = OpConstant %5 1\n%10 = OpConstant %5 10\n"
    "%1 = OpFunction %3 None %4\n"
    "%20 = OpLabel\n%21 = OpLoad %5 %2\n%22 = OpULessThan %6 %21 %10\nOpBranch %30\n"
    "%30 = OpLabel\n%31 = OpPhi %5 %8 %20 %61 %60\n%32 = OpULessThan %6 %31 %10\n"
    "OpLoopMerge %70 %60 None\nOpBranchConditional %32 %40 %70\n"
    "%40 = OpLabel\nOpSelectionMerge %50 None\nOpBranchConditional %22 %41 %50\n"
    "%41 = OpLabel\nOpBranch %50\n"
    "%50 = OpLabel\nOpSelectionMerge %52 None\nOpSwitch %31 %52 3 %51\n"
    "%51 = OpLabel\nOpBranch %52\n%52 = OpLabel\nOpBranch %60\n"
    "%60 = OpLabel\n%61 = OpIAdd %5 %31 %9\nOpBranch %30\n"
    "%70 = OpLabel\nOpReturn\nOpFunctionEnd\n";

static void figures_of_a_structured_loop(void **state) {
  (void)state;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  spvreconv_graph s = stats_of(&arena, loop);
  assert_int_equal(s.blocks, 9);
  assert_int_equal(s.edges, 11);
  assert_int_equal(s.instructions, 13);
  assert_int_equal(s.branches, 3);
  assert_int_equal(s.divergent_branches, 1); /* the loop and the switch on its counter are not */
  assert_int_equal(s.uniform_branches, 2);
  assert_int_equal(s.switches, 1);
  assert_int_equal(s.loops, 1);
  assert_int_equal(s.irreducible_loops, 0);
  assert_int_equal(s.multi_exit_loops, 0);
  assert_true(s.reducible);
  assert_true(s.structured);
  assert_true(s.reconverging);
  assert_int_equal(s.pdom_join_points, 3);
  assert_int_equal(s.expansion_area, 0);
  sr_heap_free_all(&heap);
}

/* By definition: whether edges from the cycle's blocks lead to two blocks or more outside. */
static bool has_many_exits(const SrGraph *g, const SrNest *n, uint32_t cycle) {
  uint32_t exit = SR_NONE;
  for (uint32_t r = n->cycles[cycle].first; r <= n->cycles[cycle].last; r++)
    for (SR_SUCCS(t, g, n->order[r])) {
      if (sr_cycle_has(n, cycle, *t) || *t == exit)
        continue;
      if (exit != SR_NONE)
        return true;
      exit = *t;
    }
  return false;
}

static void exits_of_random_loops(void **state) {
  (void)state;
  uint32_t many = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    spvreconv_graph s = {0};
    const SrModule *m =
        assembled(&arena, toy_program_text(&arena, toy_program_new(&arena, seed, 12)));
    const SrGraph *g = sr_cfg_build(&arena, m, &m->functions[0]);
    const SrNest *n = sr_nest_build(&arena, g);
    uint32_t expected = 0;
    for (uint32_t c = 0; c < n->cycle_count; c++)
      expected += has_many_exits(g, n, c);
    const SrUniform *u = sr_uniform_build(&arena, m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
    assert_int_equal(sr_stats_graph(&arena, m, &m->functions[0], u, &lrpo, &s), SR_OK);
    assert_int_equal(s.loops, n->cycle_count);
    if (s.multi_exit_loops != expected)
      fail_msg("seed %u: %u loops with several exits, not %u", (unsigned)seed, s.multi_exit_loops,
               expected);
    many += expected;
    sr_heap_free_all(&heap);
  }
  assert_in_range(many, 100, 4000);
}

/* Adds what b reaches before `end`. */
static void add_reached(const SrGraph *g, uint32_t b, uint32_t end, SrBits *reached) {
  if (b == end || sr_bit(reached, b))
    return;
  sr_bit_set(reached, b);
  for (SR_SUCCS(t, g, b))
    add_reached(g, *t, end, reached);
}

/* In graphs without cycles: by definition, each join's region by itself. */
static void areas_of_random_graphs(void **state) {
  (void)state;
  enum { COUNT = 14, EDGES = 2 * COUNT };
  uint32_t blocks = 0;
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    uint64_t random = seed * 977;
    SrHeap heap = {0};
    sr_heap_init(&heap);
    SrArena arena = sr_arena_new(&heap);
    SrEdge edges[EDGES];
    uint32_t n = 0;
    for (uint32_t b = 0; b + 1 < COUNT; b++)
      for (int i = 0; i < 2; i++)
        edges[n++] = (SrEdge){b, i ? b + 1 : b + 1 + random_below(&random, COUNT - b - 1)};
    const SrGraph *g = sr_graph_new(&arena, COUNT, edges, n);
    const SrDom *dom = sr_dom_build(&arena, g, 0);
    const SrDom *pdom = sr_dom_build(&arena, sr_graph_reverse_with_exit(&arena, g), COUNT);
    const SrBits *area = sr_expansion_area(&arena, g, sr_nest_build(&arena, g));
    SrBits *expected = sr_bits_new(&arena, COUNT);
    for (uint32_t x = 1; x < COUNT; x++) {
      SrBits *reached = sr_bits_new(&arena, COUNT);
      if (sr_pred_count(g, x) > 1)
        add_reached(g, x, pdom->idom[dom->idom[x]], reached);
      for (uint32_t b = 0; b < COUNT; b++)
        if (sr_bit(reached, b))
          sr_bit_set(expected, b);
    }
    for (uint32_t b = 0; b < COUNT; b++) {
      blocks += sr_bit(expected, b);
      if (sr_bit(area, b) != sr_bit(expected, b))
        fail_msg("seed %u: block %u", (unsigned)seed, b);
    }
    sr_heap_free_all(&heap);
  }
  assert_in_range(blocks, 1000, 10000);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A random, deeply nested, mostly irreducible function; the times are printed, not tested. */
static void figures_of_a_large_function(void **state) {
  (void)state;
  enum { BLOCKS = 30000 };
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  SrModule *m = assembled(&arena, toy_program_text(&arena, toy_program_new(&arena, 3, BLOCKS)));
  double start = seconds();
  SrUniform *u = sr_uniform_build(&arena, m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
  double middle = seconds();
  spvreconv_graph s;
  assert_int_equal(sr_stats_graph(&arena, m, &m->functions[0], u, &lrpo, &s), SR_OK);
  printf("%u blocks: uniformity %.1f ms, figures %.1f ms; %u of %u branches uniform\n", s.blocks,
         1e3 * (middle - start), 1e3 * (seconds() - middle), s.uniform_branches, s.branches);
  assert_int_equal(s.blocks, m->functions[0].block_count);
  assert_int_equal(s.branches, s.uniform_branches + s.divergent_branches);
  assert_in_range(s.uniform_branches, s.branches / 10, s.branches - 1);
  assert_false(s.reducible);
  assert_false(s.structured);
  assert_in_range(s.irreducible_loops, 1, s.loops);
  assert_true(s.frontier_max >= s.frontier_average);
  assert_in_range(s.frontier_join_blocks, 1, s.frontier_join_edges);
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figures_of_a_structured_loop),
      cmocka_unit_test(exits_of_random_loops),
      cmocka_unit_test(areas_of_random_graphs),
      cmocka_unit_test(figures_of_a_large_function),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
