/* SPDX-License-Identifier: Apache-2.0 */
/* Convergence barriers: their placements as text, and on random programs compared with the policies
 * that reconverge at the same places. */
#include "flow_fixture.h"
#include "flow_gen.h"
#include "flow_run.h"
#include "policy/barrier_place.h"
#include "unit.h"

#include <stdlib.h>

/* ---- random programs ------------------------------------------------------------------------- */

static const uint32_t sizes[] = {1, 3, 4, 8, 32, 64, 65, 130};

static FlowTrace *run_barriers(SrArena *arena, EmuBlockTable *table, FlowRandom *random,
                               uint32_t lanes, EmuBarrierPlacement placement,
                               EmuBarrierScheduling scheduling) {
  const char *why;
  table->barriers = emu_barriers_place(arena, table, placement, scheduling, &why);
  if (!table->barriers)
    fail_msg("%s", why);
  FlowTrace *t = flow_run(arena, table, &emu_policy_barrier, lanes, flow_random_choose, random);
  table->barriers = NULL;
  return t;
}

static int by_step(const void *a, const void *b) {
  const FlowStep *x = a, *y = b;
  if (x->block != y->block)
    return x->block < y->block ? -1 : 1;
  return (x->mask > y->mask) - (x->mask < y->mask);
}

/* The same blocks with the same lanes, in another order. */
static void same_tangles(FlowTrace *a, FlowTrace *b, const char *what, uint64_t seed) {
  qsort(a->steps.at, a->steps.count, sizeof *a->steps.at, by_step);
  qsort(b->steps.at, b->steps.count, sizeof *b->steps.at, by_step);
  for (uint32_t i = 0; i < a->steps.count && i < b->steps.count; i++)
    if (by_step(&a->steps.at[i], &b->steps.at[i]) != 0)
      fail_msg("seed %llu: %s: block %u with %u lanes, %u with %u", (unsigned long long)seed, what,
               a->steps.at[i].block, a->steps.at[i].lanes, b->steps.at[i].block,
               b->steps.at[i].lanes);
  if (a->steps.count != b->steps.count)
    fail_msg("seed %llu: %s: %u blocks, %u", (unsigned long long)seed, what, a->steps.count,
             b->steps.count);
}

static void same_order(const FlowTrace *a, const FlowTrace *b, const char *what, uint64_t seed) {
  for (uint32_t i = 0; i < a->steps.count && i < b->steps.count; i++)
    if (by_step(&a->steps.at[i], &b->steps.at[i]) != 0)
      fail_msg("seed %llu: %s: step %u is block %u with %u lanes, %u with %u",
               (unsigned long long)seed, what, i, a->steps.at[i].block, a->steps.at[i].lanes,
               b->steps.at[i].block, b->steps.at[i].lanes);
  assert_int_equal(a->steps.count, b->steps.count);
}

static void same_paths(const FlowTrace *a, const FlowTrace *b, uint32_t lanes, uint64_t seed) {
  for (uint32_t i = 0; i < lanes; i++)
    if (a->paths[i].blocks.count != b->paths[i].blocks.count ||
        memcmp(a->paths[i].blocks.at, b->paths[i].blocks.at,
               a->paths[i].blocks.count * sizeof(uint32_t)) != 0)
      fail_msg("seed %llu: lane %u has another path", (unsigned long long)seed, i);
}

/* A listing that is read back is the same program. */
static void through_listing(SrArena *arena, EmuBlockTable *table, FlowRandom *random,
                            uint32_t lanes, EmuBarrierPlacement placement, const FlowTrace *t,
                            uint64_t seed) {
  const char *why;
  const EmuBarriers *placed = emu_barriers_place(arena, table, placement, EMU_BARRIER_LIFO, &why);
  SrText first = {.arena = arena}, second = {.arena = arena};
  emu_barriers_print(placed, table, &first);
  table->barriers = emu_barriers_read(arena, table, sr_text_end(&first), &why);
  if (!table->barriers)
    fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, why, first.at);
  emu_barriers_print(table->barriers, table, &second);
  (void)second;
  same_order(t, flow_run(arena, table, &emu_policy_barrier, lanes, flow_random_choose, random),
             "a program and its listing", seed);
  table->barriers = NULL;
}

static uint64_t frontier_issues, stack_issues;

/* All placements and schedulings on one program. */
static void check_program(SrArena *arena, EmuBlockTable *table, uint64_t seed, uint32_t lanes,
                          bool structured) {
  FlowRandom random = flow_random(arena, table, seed, 6);
  FlowTrace *pdom = flow_run(arena, table, &emu_policy_pdom, lanes, flow_random_choose, &random);
  FlowTrace *stack =
      flow_run(arena, table, &emu_policy_tf_stack, lanes, flow_random_choose, &random);
  for (EmuBarrierPlacement at = structured ? EMU_BARRIER_NAK : EMU_BARRIER_IPDOM;
       at <= EMU_BARRIER_FRONTIER; at++) {
    for (EmuBarrierScheduling s = EMU_BARRIER_LIFO; s <= EMU_BARRIER_OLDEST; s++) {
      FlowTrace *t = run_barriers(arena, table, &random, lanes, at, s);
      same_paths(pdom, t, lanes, seed);
      if (s != EMU_BARRIER_LIFO)
        continue;
      through_listing(arena, table, &random, lanes, at, t, seed);
      if (at == EMU_BARRIER_IPDOM) {
        assert_int_equal(pdom->counts.reconvergences, t->counts.reconvergences);
        same_order(pdom, t, "pdom and ipdom", seed);
      } else if (at == EMU_BARRIER_NAK) {
        same_tangles(
            flow_run(arena, table, &emu_policy_structured, lanes, flow_random_choose, &random), t,
            "structured and nak", seed);
      } else {
        frontier_issues += t->issues;
        stack_issues += stack->issues;
      }
    }
  }
}

static void any_graph(void **state) {
  (void)state;
  frontier_issues = stack_issues = 0;
  for (uint64_t seed = 1; seed <= 5000; seed++) {
    Fixture fixture;
    SrArena *arena = set_up(&fixture);
    check_program(arena, flow_gen_any(arena, seed, 3 + (uint32_t)(seed % 30)), seed,
                  sizes[seed % 8], false);
    tear_down(&fixture);
  }
  print_message("frontier issues %.4f of tf-stack\n",
                (double)frontier_issues / (double)stack_issues);
  assert_true((double)frontier_issues < 1.05 * (double)stack_issues);
}

static void structured_programs(void **state) {
  (void)state;
  frontier_issues = stack_issues = 0;
  for (uint64_t seed = 1; seed <= 5000; seed++) {
    Fixture fixture;
    SrArena *arena = set_up(&fixture);
    check_program(arena, flow_gen_structured(arena, seed, 3 + (uint32_t)(seed % 60), NULL), seed,
                  sizes[seed % 8], true);
    tear_down(&fixture);
  }
  print_message("frontier issues %.4f of tf-stack\n",
                (double)frontier_issues / (double)stack_issues);
  assert_true((double)frontier_issues < 1.05 * (double)stack_issues);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(structured_programs),
      cmocka_unit_test(any_graph),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
