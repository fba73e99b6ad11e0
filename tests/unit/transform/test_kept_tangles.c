/* SPDX-License-Identifier: Apache-2.0 */
/* Which programs of reconverge keep the tangles of a function: small graphs before, and after flow
 * blocks were put in. */
#include "passes/transform/reconverge/kept_tangles.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

enum { ENTRY, H, B, C, E, BLOCKS, F = BLOCKS, G }; /* F and G: flow blocks */

typedef struct Rows {
  SrEdge edges[16];
  uint32_t count;
} Rows;

static const Rows loop = {{{ENTRY, H}, {H, B}, {B, C}, {C, H}, {C, E}}, 5};

static const SrGraph *graph(SrArena *arena, const Rows *rows, uint32_t blocks) {
  return sr_graph_new(arena, blocks, rows->edges, rows->count);
}

/* Do the blocks of the set keep their tangles? */
static bool keep(const Rows *before, const Rows *after, SrBits set) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  if (setjmp(heap.out_of_memory))
    abort();
  SrArena arena = sr_arena_new(&heap);
  SrFlowGraph flow = {0};
  for (uint32_t b = 0; b <= G; b++)
    sr_flow_new_block(&arena, &flow, b < BLOCKS ? SR_ROLE_USER : SR_ROLE_GUARD,
                      b < BLOCKS ? b : SR_NONE, 0);
  SrReconverged made = {.flow = &flow, .graph = graph(&arena, after, G + 1)};
  made.nest = sr_nest_build(&arena, made.graph);
  bool kept = sr_kept_tangles(&arena, graph(&arena, before, BLOCKS), &set, &made);
  sr_heap_free_all(&heap);
  return kept;
}

static bool keeps(const Rows *before, const Rows *after, uint32_t block) {
  return keep(before, after, (SrBits)1 << block);
}

static void the_same_graph(void **state) {
  (void)state;
  for (uint32_t x = 0; x < BLOCKS; x++)
    assert_true(keeps(&loop, &loop, x));
}

static void a_flow_block_on_the_back_edge(void **state) {
  (void)state;
  static const Rows after = {{{ENTRY, H}, {H, B}, {B, C}, {C, F}, {F, H}, {F, E}}, 6};
  assert_true(keeps(&loop, &after, B));
}

static void a_flow_block_before_the_header(void **state) {
  (void)state;
  static const Rows after = {{{ENTRY, F}, {F, H}, {H, B}, {B, C}, {C, F}, {C, E}}, 6};
  assert_true(keeps(&loop, &after, B));
}

/* Lanes that only go on to C begin another iteration. */
static void a_header_that_also_leads_to_others(void **state) {
  (void)state;
  static const Rows after = {{{ENTRY, F}, {F, H}, {F, C}, {H, B}, {B, F}, {C, F}, {C, E}}, 7};
  assert_false(keeps(&loop, &after, B));
  assert_true(keeps(&loop, &after, E));
}

static void a_second_entry(void **state) {
  (void)state;
  static const Rows after = {{{ENTRY, F}, {F, C}, {F, H}, {H, B}, {B, C}, {C, H}, {C, E}}, 7};
  assert_false(keeps(&loop, &after, H));
}

static void a_block_that_leaves_the_loop(void **state) {
  (void)state;
  static const Rows after = {{{ENTRY, H}, {H, B}, {B, F}, {F, H}, {F, C}, {C, E}}, 6};
  assert_false(keeps(&loop, &after, H));
  assert_false(keeps(&loop, &after, C));
}

static void another_block_in_its_place(void **state) {
  (void)state;
  static const Rows later = {{{ENTRY, H}, {H, B}, {B, E}, {E, H}, {E, C}}, 5};
  static const Rows before = {{{ENTRY, B}, {B, H}, {H, C}, {C, H}, {C, E}}, 5};
  static const Rows earlier = {{{ENTRY, H}, {H, B}, {B, H}, {H, C}, {C, E}}, 5};
  assert_false(keeps(&loop, &later, H));
  assert_false(keeps(&before, &earlier, H));
}

/* Lanes that stay in the inner loop pass the header of the outer one. */
static void an_inner_loop_that_is_joined(void **state) {
  (void)state;
  static const Rows before = {{{ENTRY, H}, {H, B}, {B, B}, {B, C}, {C, H}, {C, E}}, 6};
  static const Rows after = {
      {{ENTRY, F}, {F, H}, {F, B}, {H, B}, {B, G}, {G, F}, {G, C}, {C, F}, {C, E}}, 9};
  assert_false(keeps(&before, &after, B));
  assert_false(keeps(&before, &after, C));
  assert_true(keeps(&before, &before, B));
}

static void an_inner_loop_that_is_gone(void **state) {
  (void)state;
  static const Rows before = {{{ENTRY, H}, {H, B}, {B, B}, {B, C}, {C, H}, {C, E}}, 6};
  assert_false(keep(&before, &loop, (SrBits)1 << H | (SrBits)1 << B));
  assert_true(keeps(&before, &loop, H));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_graph),
      cmocka_unit_test(a_flow_block_on_the_back_edge),
      cmocka_unit_test(a_flow_block_before_the_header),
      cmocka_unit_test(a_header_that_also_leads_to_others),
      cmocka_unit_test(a_second_entry),
      cmocka_unit_test(a_block_that_leaves_the_loop),
      cmocka_unit_test(another_block_in_its_place),
      cmocka_unit_test(an_inner_loop_that_is_joined),
      cmocka_unit_test(an_inner_loop_that_is_gone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
