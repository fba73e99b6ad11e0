/* SPDX-License-Identifier: Apache-2.0 */
/* Stack costs: the single loop of Białas (docs/glossary.md) for all M, and random pushes and pops
 * compared with a stack in which a flag of each entry shows whether it is on the chip. */
#include "spv-emu/cost/stack_cost.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

typedef struct Stack {
  EmuPolicyCounts counts;
  EmuStackCost cost;
  spv_emu_cost model;
} Stack;

static void open_stack(Stack *s, const char *name) {
  memset(s, 0, sizeof *s);
  assert_true(spv_emu_cost_find(name, &s->model));
  s->cost.model = &s->model;
  emu_stack_cost_init(&s->cost);
  emu_stack_cost_start(&s->cost);
  s->counts.log = &s->cost.log;
}

/* ---- the single loop (Białas, section IV) ---------------------------------------------------- */

/* SSY pushes, M lanes leave one by one, then the stack is unwound. */
static void run_loop(Stack *s, uint32_t m) {
  emu_count_pushes(&s->counts, 1);
  for (uint32_t i = 0; i < m; i++) {
    emu_log_divergence(&s->counts, 1);
    emu_count_pushes(&s->counts, 1);
  }
  assert_true(s->cost.unwinding == 0); /* pushes are free except for spills */
  for (uint32_t i = 0; i < m + 1; i++)
    emu_count_pops(&s->counts, 1);
  emu_stack_cost_end(&s->cost);
}

static void loop_of(const char *name, uint32_t branch, uint32_t spill, uint32_t both) {
  for (uint32_t m = 0; m < 32; m++) {
    Stack s;
    open_stack(&s, name);
    run_loop(&s, m);
    uint32_t spills = m < 16 ? 0 : (m + 1 - 16 + 3) / 4;
    assert_int_equal(s.counts.pushes, m + 1);
    assert_int_equal(s.counts.pops, m + 1);
    assert_int_equal(s.cost.spills, spills);
    assert_int_equal(s.cost.reloads, spills);
    assert_int_equal(s.cost.branch, spill * spills);
    assert_int_equal(s.cost.branch + s.cost.unwinding, branch * m + both * spills);
    assert_int_equal(s.cost.on_chip + s.cost.below, 0);
  }
}

static void single_loop(void **state) {
  (void)state;
  loop_of("kepler", 32, 40, 84);
  loop_of("maxwell", 26, 84, 176);
}

/* An unbounded stack never spills; a chunk has no more entries than fit on the chip. */
static void sizes(void **state) {
  (void)state;
  Stack s;
  open_stack(&s, "kepler");
  s.model.entries = 0;
  run_loop(&s, 1000);
  assert_int_equal(s.cost.spills, 0);
  open_stack(&s, "kepler");
  s.model.entries = 1;
  run_loop(&s, 10);
  assert_int_equal(s.cost.spills, 10);
  assert_int_equal(s.cost.reloads, 10);
}

/* Branches without a push are charged when the subgroup ends; the last pop is charged for all that
 * are left. */
static void who_pays(void **state) {
  (void)state;
  Stack s;
  open_stack(&s, "kepler");
  emu_log_divergence(&s.counts, 3);
  assert_int_equal(s.cost.unwinding, 0);
  emu_stack_cost_end(&s.cost);
  assert_int_equal(s.cost.unwinding, 3 * 32);
  emu_stack_cost_start(&s.cost);
  emu_count_pushes(&s.counts, 2);
  emu_log_divergence(&s.counts, 3);
  emu_count_pops(&s.counts, 1);
  assert_int_equal(s.cost.unwinding, 4 * 32);
  emu_count_pops(&s.counts, 1);
  assert_int_equal(s.cost.unwinding, 6 * 32);
  emu_stack_cost_end(&s.cost);
  assert_int_equal(s.cost.unwinding, 6 * 32);
}

/* An insertion costs a comparison with each entry that it passes, and at least one. */
static void insertions(void **state) {
  (void)state;
  Stack s;
  open_stack(&s, "issues");
  emu_log_insertion(&s.counts, 3);
  assert_int_equal(s.cost.branch, 0);
  s.model.insertion = 2;
  emu_log_insertion(&s.counts, 3);
  assert_int_equal(s.cost.branch, 6);
  emu_log_insertion(&s.counts, 0);
  assert_int_equal(s.cost.branch, 8);
  assert_int_equal(s.cost.unwinding, 0);
}

/* ---- compared with a stack of flags ---------------------------------------------------------- */

enum { DEEP = 64, STEPS = 400, ROUNDS = 300 };

typedef struct Flags {
  bool on_chip[DEEP];
  uint32_t depth, spills, reloads;
} Flags;

static void flags_push(Flags *f, uint32_t entries, uint32_t chunk) {
  uint32_t held = 0;
  for (uint32_t i = 0; i < f->depth; i++)
    held += f->on_chip[i];
  if (held == entries) {
    f->spills++;
    for (uint32_t i = 0, left = chunk; i < f->depth && left; i++)
      if (f->on_chip[i]) {
        f->on_chip[i] = false;
        left--;
      }
  }
  f->on_chip[f->depth++] = true;
}

static void flags_pop(Flags *f, uint32_t chunk) {
  if (!f->on_chip[f->depth - 1]) {
    f->reloads++;
    for (uint32_t i = f->depth, left = chunk; i-- > 0 && left; left--)
      f->on_chip[i] = true;
  }
  f->depth--;
}

static void random_stacks(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    uint64_t random = seed;
    Stack s;
    Flags f = {0};
    open_stack(&s, "kepler");
    s.model.entries = 1 + unit_below(&random, 9);
    s.model.chunk = 1 + unit_below(&random, s.model.entries);
    for (uint32_t i = 0; i < STEPS; i++) {
      bool push = f.depth == 0 || (f.depth < DEEP && unit_below(&random, 100) < 55);
      if (push) {
        emu_count_pushes(&s.counts, 1);
        flags_push(&f, s.model.entries, s.model.chunk);
      } else {
        emu_count_pops(&s.counts, 1);
        flags_pop(&f, s.model.chunk);
      }
      if (s.cost.spills != f.spills || s.cost.reloads != f.reloads)
        fail_msg("seed %u, step %u", (unsigned)seed, i);
    }
    assert_int_equal(s.cost.branch, 40 * f.spills);
    assert_int_equal(s.cost.unwinding, 44 * f.reloads);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_loop), cmocka_unit_test(sizes),         cmocka_unit_test(who_pays),
      cmocka_unit_test(insertions),  cmocka_unit_test(random_stacks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
