/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of structurize, guard and linearize on graphs without instructions: every user block
 * occurs in the program once, and from each of its edges, whatever the selector's value before, the
 * added blocks lead to the edge's target. Together with the structure check (tests/equiv) these are
 * all postconditions of a sweep. And linearize's order: topological except for back edges; the
 * blocks that a block dominates in its loop are contiguous. */
#include "passes/transform/linear/flow_linear.h"
#include "passes/transform/structurize/sweep.h"
#include "tests/unit/unit.h"

static uint64_t state;

static SrGraph *random_graph(SrArena *arena, uint32_t count, uint32_t most, uint32_t reach,
                             uint32_t back_percent) {
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t b = 0; b + 1 < count; b++) {
    if (b && unit_below(&state, 20) == 0)
      continue; /* a leaf */
    for (uint32_t k = 1 + unit_below(&state, most); k; k--) {
      uint32_t d = unit_below(&state, reach);
      bool back = unit_below(&state, 100) < back_percent && b > 0;
      uint32_t to = back ? (d < b ? b - d : 1) : b + 1 + d;
      SR_PUSH(arena, &edges, (SrEdge){b, to < count ? to : count - 1});
    }
  }
  return sr_graph_new(arena, count, edges.at, edges.count);
}

static bool holds(const SrFlowBlock *b, uint32_t sel) {
  assert_int_not_equal(sel, SR_NONE); /* read before it is set */
  switch (b->test) {
  case SR_TEST_LE:
    return sel <= b->low;
  case SR_TEST_GE:
    return sel >= b->low;
  case SR_TEST_EQ:
    return sel == b->low;
  default:
    return sel < b->low || sel > b->high;
  }
}

/* The user block that an edge leads to. */
static uint32_t follow(const SrFlowGraph *flow, const SrSlot *slot) {
  uint32_t sel = slot->set;
  for (uint32_t steps = 0;; steps++) {
    const SrFlowBlock *b = &flow->block.at[slot->to];
    if (b->user != SR_NONE)
      return b->user;
    assert_true(steps < flow->block.count && b->slot_count > 0);
    bool second = b->test != SR_TEST_NONE && !holds(b, sel);
    slot = &flow->slot.at[b->slot + second];
    if (slot->set != SR_NONE)
      sel = slot->set;
  }
}

static void check_program(SrArena *arena, const SrGraph *g, uint32_t reached,
                          const SrFlowGraph *flow) {
  SrBits *seen = sr_bits_new(arena, g->count);
  uint32_t users = 0;
  for (uint32_t i = 0; i < flow->block.count; i++) {
    const SrFlowBlock *b = &flow->block.at[i];
    if (b->user == SR_NONE)
      continue;
    assert_false(sr_bit(seen, b->user));
    sr_bit_set(seen, b->user);
    users++;
    assert_int_equal(b->slot_count, sr_succ_count(g, b->user));
    for (uint32_t s = 0; s < b->slot_count; s++)
      assert_int_equal(follow(flow, &flow->slot.at[b->slot + s]), g->succ[g->succ_at[b->user] + s]);
  }
  assert_int_equal(users, reached);
}

/* The blocks of each cycle are contiguous, its header first, and every edge except back edges leads
 * to a higher rank. */
static void check_order(const SrGraph *g, const SrNest *n) {
  for (uint32_t c = 0; c < n->cycle_count; c++)
    assert_int_equal(n->order[n->cycles[c].first], n->cycles[c].header);
  for (uint32_t r = 0; r < n->count; r++) {
    uint32_t b = n->order[r];
    assert_int_equal(n->rank[b], r);
    for (uint32_t c = n->inner[b]; c != SR_NONE; c = n->cycles[c].parent)
      assert_true(n->cycles[c].first <= r && r <= n->cycles[c].last);
    for (SR_SUCCS(t, g, b)) {
      uint32_t c = n->inner[*t];
      bool back = c != SR_NONE && n->cycles[c].header == *t && sr_cycle_has(n, c, b);
      assert_true(back || n->rank[*t] > r);
    }
  }
}

/* The blocks that b dominates in its loop follow it directly, if all cycles are reducible. */
static void check_compact(SrArena *arena, const SrGraph *g, const SrNest *n) {
  const SrDom *dom = sr_dom_build(arena, g, 0);
  for (uint32_t c = 0; c < n->cycle_count; c++)
    if (n->cycles[c].entries > 1)
      return;
  for (uint32_t r = 0; r < n->count; r++) {
    uint32_t b = n->order[r], loop = n->inner[b], last = r;
    for (uint32_t q = r; q < n->count; q++)
      if (sr_dominates(dom, b, n->order[q]) &&
          (loop == SR_NONE || sr_cycle_has(n, loop, n->order[q]))) {
        assert_true(q <= last + 1);
        last = q;
      }
  }
}

/* guard: at most one guard for each block, and for each cycle. */
static void check_guards(SrArena *arena, const SrNest *nest, const SrFlowGraph *flow) {
  SrBits *checked = sr_bits_new(arena, nest->count);
  uint32_t cycles = 0;
  for (uint32_t i = 0; i < flow->block.count; i++) {
    const SrFlowBlock *b = &flow->block.at[i];
    if (b->role != SR_ROLE_GUARD)
      continue;
    cycles += b->test != SR_TEST_EQ;
    if (b->test != SR_TEST_EQ)
      continue;
    assert_false(sr_bit(checked, b->low));
    sr_bit_set(checked, b->low);
  }
  assert_true(cycles <= nest->cycle_count);
}

/* A uniform branch is kept unless each side is shared and stays in the loop. */
static void check_kept(const SrGraph *g, const SrNest *nest, const SrBits *is_switch,
                       const SrKeptArms *arms, const SrFlowGraph *flow) {
  for (uint32_t i = 0; i < flow->block.count; i++) {
    const SrFlowBlock *b = &flow->block.at[i];
    if (b->user == SR_NONE || b->slot_count != 2 || !sr_bit(arms->keep, b->user) ||
        sr_bit(is_switch, b->user) || flow->slot.at[b->slot].to != flow->slot.at[b->slot + 1].to)
      continue;
    uint32_t loop = nest->inner[b->user];
    for (SR_SUCCS(t, g, b->user)) {
      assert_true(arms->last[*t] == SR_NONE || nest->rank[*t] <= nest->rank[b->user]);
      assert_true(loop == SR_NONE ||
                  (sr_cycle_has(nest, loop, *t) && nest->cycles[loop].header != *t));
    }
  }
}

static void check_linear(SrArena *arena, const SrGraph *g, const SrNest *nest,
                         const SrBits *is_switch) {
  for (int portable = 0; portable < 2; portable++) {
    const SrFlowGraph *guards =
        sr_flow_linear(arena, g, nest, is_switch, &(SrLinearForm){.portable = portable});
    check_program(arena, g, nest->count, guards);
    check_guards(arena, nest, guards);
  }
  SrBits *keep = sr_bits_new(arena, g->count);
  uint32_t percent = 25 * unit_below(&state, 5);
  for (uint32_t b = 0; b < g->count; b++)
    if (unit_below(&state, 100) < percent)
      sr_bit_set(keep, b);
  SrKeptArms arms;
  const SrNest *order = sr_linear_order(arena, g, nest, keep, &arms);
  check_order(g, order);
  if (g->count < 100)
    check_compact(arena, g, order);
  uint32_t limit = unit_below(&state, 4) ? 900 : 3;
  const SrLinearForm form = {&arms, limit, unit_below(&state, 2)};
  const SrFlowGraph *flow = sr_flow_linear(arena, g, order, is_switch, &form);
  check_program(arena, g, nest->count, flow);
  if (limit == 900)
    check_kept(g, order, is_switch, &arms, flow);
}

static void check(SrArena *arena, const SrGraph *g) {
  const SrNest *nest = sr_nest_build(arena, g);
  SrBits *is_switch = sr_bits_new(arena, g->count);
  for (uint32_t b = 0; b < g->count; b++)
    if (sr_succ_count(g, b) > 2 || (sr_succ_count(g, b) == 2 && unit_below(&state, 8) == 0))
      sr_bit_set(is_switch, b);
  const SrSweepOptions options[] = {{.depth_limit = 900},
                                    {.depth_limit = 900, .goal = SR_GOAL_ISSUES},
                                    {.depth_limit = 900, .portable = true},
                                    {.depth_limit = 20, .portable = true}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    check_program(arena, g, nest->count, sr_sweep_build(arena, g, nest, is_switch, &options[i]));
  check_linear(arena, g, nest, is_switch);
}

static void run(uint32_t seeds, uint32_t blocks, uint32_t most, uint32_t reach, uint32_t back) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  for (uint32_t seed = 1; seed <= seeds; seed++) {
    state = seed;
    SrArena arena = sr_arena_new(&heap);
    uint32_t count = 2 + unit_below(&state, blocks);
    check(&arena, random_graph(&arena, count, most, reach, back));
    sr_arena_free(&arena);
  }
  sr_heap_free_all(&heap);
}

static void acyclic(void **unused) {
  (void)unused;
  run(1000, 60, 2, 10, 0);
}

static void cyclic(void **unused) {
  (void)unused;
  run(1000, 60, 2, 10, 25);
}

static void switches(void **unused) {
  (void)unused;
  run(2000, 40, 6, 12, 15);
}

static void large(void **unused) {
  (void)unused;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  state = 1;
  check(&arena, random_graph(&arena, 100000, 3, 6, 10));
  sr_heap_free_all(&heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(acyclic),
      cmocka_unit_test(cyclic),
      cmocka_unit_test(switches),
      cmocka_unit_test(large),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
