/* SPDX-License-Identifier: Apache-2.0 */
/* Interleaved groups of a subgroup (strands.h): cases by hand, and random schedules compared with a
 * port that is simulated cycle by cycle. */
#include "spv-emu/exec/latency.h"
#include "spv-emu/exec/strands.h"
#include "tests/unit/unit.h"

#include <string.h>

enum { LANES = 4, MOST_STEPS = 14, RUNS = 8 };

/* A block that some lanes run: `run` cycles and, if it loads, the load; then `rest` cycles. */
typedef struct Step {
  uint32_t lanes, run, rest;
  bool loads;
} Step;

typedef struct World {
  SrHeap heap;
  SrArena arena;
  spv_emu_cost model;
  uint32_t lanes; /* 0: records have no strands */
} World;

static void open_world(World *w) {
  memset(w, 0, sizeof *w);
  sr_heap_init(&w->heap);
  if (setjmp(w->heap.out_of_memory))
    fail_msg("out of memory");
  w->arena = sr_arena_new(&w->heap);
  assert_true(spv_emu_cost_find("issues", &w->model));
  w->model.subgroups = 1;
  w->lanes = LANES;
}

/* Block n takes n cycles; "instruction" i is i cycles after the start of its block. */
static EmuRecord record(World *w, const Step *steps, uint32_t count) {
  static uint32_t cycles[2 * RUNS];
  for (uint32_t i = 0; i < 2 * RUNS; i++)
    cycles[i] = i;
  const EmuCost cost = {.model = &w->model, .block = cycles, .place = cycles, .added = 1};
  const EmuPolicyCounts counts = {0};
  EmuTimeline t = {
      .arena = &w->arena, .clock = {.cost = &cost, .counts = &counts}, .lanes = w->lanes};
  t.strand = SR_NEW(&w->arena, uint32_t, LANES);
  emu_timeline_start(&t);
  for (uint32_t i = 0; i < count; i++) {
    const EmuMask on = {{steps[i].lanes}};
    emu_timeline_block(&t, steps[i].run + steps[i].rest, &on);
    if (steps[i].loads)
      emu_timeline_load(&t, steps[i].run, 0);
  }
  return emu_timeline_end(&t);
}

static EmuLatency play(World *w, const Step *steps, uint32_t count, uint32_t subwarps) {
  EmuRecord r = record(w, steps, count);
  w->model.subwarps = subwarps;
  return emu_latency_replay(&w->arena, &w->model, &r, 1, 1, false);
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* Cycle 3: A has been issued. B to 5, waits to 105; C to 10, waits to 110; B to 109; C from 110 to
 * 111; D to 113. */
static void two_sides_of_a_branch(void **state) {
  (void)state;
  static const Step steps[] = {
      {0xf, 3, 0, false}, {0x3, 2, 4, true}, {0xc, 5, 1, true}, {0xf, 2, 0, false}};
  World w;
  open_world(&w);
  w.model.latency = 100;
  EmuLatency l = play(&w, steps, 4, 1);
  assert_int_equal(l.cycles, 3 + 106 + 106 + 2);
  assert_int_equal(l.idle, 200);
  l = play(&w, steps, 4, 2);
  assert_int_equal(l.cycles, 113);
  assert_int_equal(l.idle, 113 - 17);
  assert_int_equal(l.loads, 2);
  assert_int_equal(l.load_cycles, 200);
  sr_heap_free_all(&w.heap);
}

/* With two under way, the third side begins when the first two have ended, at 14. */
static void at_most_so_many(void **state) {
  (void)state;
  static const Step steps[] = {{0x7, 1, 0, false},
                               {0x1, 1, 1, true},
                               {0x2, 1, 1, true},
                               {0x4, 1, 1, true},
                               {0x7, 1, 0, false}};
  World w;
  open_world(&w);
  w.model.latency = 10;
  assert_int_equal(play(&w, steps, 5, 1).cycles, 1 + 3 * 12 + 1);
  assert_int_equal(play(&w, steps, 5, 2).cycles, 14 + 12 + 1);
  assert_int_equal(play(&w, steps, 5, 3).cycles, 16);
  assert_int_equal(play(&w, steps, 5, 9).cycles, 16);
  sr_heap_free_all(&w.heap);
}

/* Lanes that stay together are one strand, and wait for their own loads. */
static void no_divergence(void **state) {
  (void)state;
  static const Step steps[] = {{0xf, 1, 1, true}, {0xf, 1, 1, true}, {0xf, 1, 1, true}};
  World w;
  open_world(&w);
  w.model.latency = 10;
  assert_int_equal(record(&w, steps, 3).strand_count, 1);
  assert_int_equal(play(&w, steps, 3, 4).cycles, 36);
  sr_heap_free_all(&w.heap);
}

/* Which loads miss does not depend on the interleaving. */
static void the_same_loads_miss(void **state) {
  (void)state;
  static const Step steps[] = {{0xf, 1, 0, true}, {0x1, 1, 1, true}, {0x2, 1, 1, true},
                               {0x4, 1, 1, true}, {0x8, 1, 1, true}, {0xf, 1, 0, true}};
  World w;
  open_world(&w);
  w.model.miss = 0.5;
  for (w.model.seed = 0; w.model.seed < 50; w.model.seed++) {
    w.lanes = 0;
    uint64_t misses = play(&w, steps, 6, 1).misses;
    w.lanes = LANES;
    assert_int_equal(play(&w, steps, 6, 1).misses, misses);
    assert_int_equal(play(&w, steps, 6, 4).misses, misses);
  }
  sr_heap_free_all(&w.heap);
}

/* Both sides load segment 7: the second one finds it in the cache. */
static void one_cache_for_all(void **state) {
  (void)state;
  World w;
  open_world(&w);
  w.model.latency = 100;
  w.model.cache = 2;
  w.model.subwarps = 2;
  static const uint32_t cycles[] = {0, 1, 2};
  static const uint64_t sides[] = {0x3, 0xc};
  const EmuCost cost = {.model = &w.model, .block = cycles, .place = cycles, .added = 1};
  const EmuPolicyCounts counts = {0};
  EmuTimeline t = {.arena = &w.arena, .clock = {.cost = &cost, .counts = &counts}, .lanes = LANES};
  t.strand = SR_NEW(&w.arena, uint32_t, LANES);
  emu_timeline_start(&t);
  emu_timeline_block(&t, 1, &(EmuMask){{0xf}});
  for (uint32_t i = 0; i < 2; i++) {
    emu_timeline_block(&t, 2, &(EmuMask){{sides[i]}});
    emu_timeline_touch(&t, 7, true);
    emu_timeline_load(&t, 1, 1);
  }
  EmuRecord r = emu_timeline_end(&t);
  EmuLatency l = emu_latency_replay(&w.arena, &w.model, &r, 1, 1, false);
  assert_int_equal(l.misses, 1);
  assert_int_equal(l.cycles, 1 + 1 + 100 + 1); /* the second side ends in the meantime */
  sr_heap_free_all(&w.heap);
}

/* A strand issues until it waits, although one that comes before it has become ready; then that one
 * continues. */
static void the_last_one_continues(void **state) {
  (void)state;
  static const uint8_t bytes[2] = {0};
  static const EmuStrand sides[3] = {{.offset = 0}, {.offset = 1}, {0}};
  const EmuRecord r = {.bytes = bytes, .strands = sides, .strand_count = 2};
  World w;
  open_world(&w);
  EmuStrands s = {.arena = &w.arena, .most = 2};
  emu_strands_start(&s, &r, 0);
  EmuOpen *first = emu_strands_choose(&s, 0);
  assert_int_equal(first->strand, 0);
  assert_ptr_equal(emu_strands_choose(&s, 3), first);
  first->ready = 6;
  EmuOpen *second = emu_strands_choose(&s, 4);
  assert_int_equal(second->strand, 1);
  assert_ptr_equal(emu_strands_choose(&s, 7), second);
  second->ready = 20;
  assert_int_equal(emu_strands_ready(&s), 6);
  assert_ptr_equal(emu_strands_choose(&s, 8), first);
  first->ready = 21;
  assert_ptr_equal(emu_strands_choose(&s, 20), second);
  sr_heap_free_all(&w.heap);
}

/* ---- cycle by cycle -------------------------------------------------------------------------- */

typedef struct Group { /* steps of the same lanes, one after the other */
  uint32_t first, end; /* steps */
  uint32_t at, done;   /* the step, and cycles of it */
  uint64_t ready;
  bool begun, ended, waited; /* waited: for the load of the step */
} Group;

typedef struct Clock {
  const Step *steps;
  Group groups[MOST_STEPS];
  uint32_t count, latency, most, last;
  uint64_t now;
} Clock;

static void find_groups(Clock *c, uint32_t steps) {
  for (uint32_t i = 0; i < steps; i++) {
    if (i && c->steps[i].lanes == c->steps[i - 1].lanes)
      c->groups[c->count - 1].end = i + 1;
    else
      c->groups[c->count++] = (Group){.first = i, .end = i + 1, .at = i};
  }
}

/* Has a group before it that shares a lane with it not ended? */
static bool is_held(const Clock *c, uint32_t g) {
  for (uint32_t i = 0; i < g; i++)
    if (!c->groups[i].ended &&
        c->steps[c->groups[i].first].lanes & c->steps[c->groups[g].first].lanes)
      return true;
  return false;
}

/* Moves a group past all that takes no time: loads begin, steps and the group end. */
static void advance(Clock *c, Group *g) {
  while (g->at < g->end && g->ready <= c->now) {
    const Step *s = &c->steps[g->at];
    if (s->loads && !g->waited && g->done == s->run) {
      g->waited = true;
      g->ready = c->now + c->latency;
    } else if (g->done == s->run + s->rest) {
      g->at++;
      g->done = 0;
      g->waited = false;
    } else {
      return;
    }
  }
  g->ended = g->at == g->end;
}

/* The group that issues in this cycle; `count`: none. Groups whose next event takes no time have it
 * when they are chosen, as the port does. */
static uint32_t choose(Clock *c) {
  for (;;) {
    uint32_t under_way = 0, best = c->count;
    for (uint32_t i = 0; i < c->count; i++)
      under_way += c->groups[i].begun && !c->groups[i].ended;
    for (uint32_t i = 0; i < c->count; i++) {
      const Group *g = &c->groups[i];
      if (g->ended || is_held(c, i) || g->ready > c->now || (!g->begun && under_way >= c->most))
        continue;
      if (best == c->count || i == c->last)
        best = i;
    }
    if (best == c->count)
      return best;
    Group *g = &c->groups[best];
    g->begun = true;
    c->last = best;
    advance(c, g);
    if (!g->ended && g->ready <= c->now)
      return best;
  }
}

static bool is_left(const Clock *c) {
  for (uint32_t i = 0; i < c->count; i++)
    if (!c->groups[i].ended)
      return true;
  return false;
}

static uint64_t simulate(Clock *c, uint32_t steps) {
  find_groups(c, steps);
  c->last = MOST_STEPS;
  while (is_left(c)) {
    uint32_t g = choose(c);
    if (g == c->count && !is_left(c))
      break;
    c->now++;
    if (g < c->count) {
      c->groups[g].done++;
      c->groups[g].ready = c->now;
      advance(c, &c->groups[g]);
    }
  }
  return c->now;
}

static void cycle_by_cycle(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= unit_seeds(3000); seed++) {
    uint64_t random = seed, serial = 0;
    World w;
    open_world(&w);
    Step steps[MOST_STEPS];
    uint32_t count = 1 + unit_below(&random, MOST_STEPS);
    w.model.latency = unit_below(&random, 30);
    for (uint32_t i = 0; i < count; i++) {
      steps[i] = (Step){.lanes = 1 + unit_below(&random, (1 << LANES) - 1),
                        .run = 1 + unit_below(&random, RUNS - 1),
                        .rest = unit_below(&random, RUNS),
                        .loads = unit_below(&random, 2)};
      serial += steps[i].run + steps[i].rest + (steps[i].loads ? w.model.latency : 0);
    }
    for (uint32_t most = 1; most <= LANES; most++) {
      Clock c = {.steps = steps, .latency = w.model.latency, .most = most};
      uint64_t expected = simulate(&c, count), got = play(&w, steps, count, most).cycles;
      if (got != expected || got > serial || (most == 1 && got != serial))
        fail_msg("seed %u, %u under way: %u cycles, cycle by cycle %u, one by one %u",
                 (unsigned)seed, (unsigned)most, (unsigned)got, (unsigned)expected,
                 (unsigned)serial);
    }
    sr_heap_free_all(&w.heap);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_sides_of_a_branch), cmocka_unit_test(at_most_so_many),
      cmocka_unit_test(no_divergence),         cmocka_unit_test(the_same_loads_miss),
      cmocka_unit_test(one_cache_for_all),     cmocka_unit_test(the_last_one_continues),
      cmocka_unit_test(cycle_by_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
