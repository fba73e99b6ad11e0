/* SPDX-License-Identifier: Apache-2.0 */
/* Latency hiding: one subgroup, exact to the cycle; enough subgroups for no idle cycle; barriers;
 * the cache; and random records compared with a port simulated cycle by cycle. */
#include "spv-emu/exec/latency.h"
#include "spv-emu/exec/segment_cache.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- records by hand ------------------------------------------------------------------------- */

enum { MOST_MOMENTS = 24, MOST_SUBGROUPS = 12, RUNS = 16, SEGMENTS = 3 };

typedef struct Moment {
  EmuMoment kind;
  uint32_t run;   /* cycles of issuing before it */
  uint32_t count; /* of a wait: cycles; of a load: segments */
  uint64_t segment[SEGMENTS];
} Moment;

typedef struct Life {
  Moment moments[MOST_MOMENTS]; /* the last one is the end */
  uint32_t count;
} Life;

typedef struct World {
  SrHeap heap;
  SrArena arena;
  spv_emu_cost model;
} World;

static void open_world(World *w) {
  memset(w, 0, sizeof *w);
  sr_heap_init(&w->heap);
  if (setjmp(w->heap.out_of_memory))
    fail_msg("out of memory");
  w->arena = sr_arena_new(&w->heap);
  assert_true(spv_emu_cost_find("issues", &w->model));
  w->model.subgroups = 1;
}

/* Block n takes n cycles, 0 to RUNS - 1; an instruction is at the end of its block. */
static EmuRecord record(World *w, const Life *life) {
  static uint32_t cycles[RUNS];
  for (uint32_t i = 0; i < RUNS; i++)
    cycles[i] = i;
  const EmuCost cost = {.model = &w->model, .block = cycles, .place = cycles, .added = 1};
  const EmuPolicyCounts counts = {0};
  EmuTimeline t = {.arena = &w->arena, .clock = {.cost = &cost, .counts = &counts}};
  emu_timeline_start(&t);
  for (uint32_t i = 0; i < life->count; i++) {
    const Moment *m = &life->moments[i];
    emu_timeline_block(&t, m->run, NULL);
    if (m->kind == EMU_MOMENT_WAIT)
      emu_timeline_wait(&t, m->count);
    else if (m->kind == EMU_MOMENT_BARRIER)
      emu_timeline_barrier(&t, m->run);
    else if (m->kind == EMU_MOMENT_LOAD) {
      for (uint32_t k = 0; k < m->count; k++)
        emu_timeline_touch(&t, m->segment[k], k == 0);
      emu_timeline_load(&t, m->run, m->count);
    }
  }
  return emu_timeline_end(&t);
}

static EmuLatency play(World *w, const Life *lives, uint32_t count, uint32_t group, bool together) {
  EmuRecord *records = SR_NEW(&w->arena, EmuRecord, count);
  for (uint32_t i = 0; i < count; i++)
    records[i] = record(w, &lives[i]);
  return emu_latency_replay(&w->arena, &w->model, records, count, group, together);
}

static uint32_t issues_of(const Life *life) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < life->count; i++)
    sum += life->moments[i].run;
  return sum;
}

/* ---- hidden latency -------------------------------------------------------------------------- */

static const Life loads_life = {.moments = {{.kind = EMU_MOMENT_LOAD, .run = 3},
                                            {.kind = EMU_MOMENT_LOAD, .run = 5},
                                            {.kind = EMU_MOMENT_END, .run = 10}},
                                .count = 3};

static void one_subgroup_to_the_cycle(void **state) {
  (void)state;
  World w;
  open_world(&w);
  for (uint32_t latency = 0; latency < 1000; latency += 37) {
    w.model.latency = latency;
    EmuLatency l = play(&w, &loads_life, 1, 1, false);
    assert_int_equal(l.loads, 2);
    assert_int_equal(l.misses, 2);
    assert_int_equal(l.cycles, 18 + 2 * latency);
    assert_int_equal(l.idle, 2 * latency);
    assert_int_equal(l.load_cycles, 2 * latency);
  }
  sr_heap_free_all(&w.heap);
}

/* 100 cycles are hidden by others' 3 issues before the first load, 5 before the second and 10 at
 * the end: by 35 subgroups and not by fewer, since (35 - 1) * 3 >= 100. */
static void enough_subgroups(void **state) {
  (void)state;
  enum { COUNT = 64, ENOUGH = 35 };
  World w;
  open_world(&w);
  static Life lives[COUNT];
  uint64_t last = 0;
  for (uint32_t i = 0; i < COUNT; i++)
    lives[i] = loads_life;
  w.model.latency = 100;
  for (uint32_t n = 1; n <= COUNT; n++) {
    w.model.subgroups = n;
    EmuLatency l = play(&w, lives, n, 1, false); /* n subgroups, all resident */
    assert_int_equal(l.cycles - l.idle, 18 * n);
    assert_int_equal(l.idle == 0, n >= ENOUGH);
    l = play(&w, lives, COUNT, 1, false); /* 64 subgroups, n at a time */
    assert_true(l.cycles >= 18 * COUNT && l.cycles <= 218 * COUNT);
    assert_int_equal(l.cycles == 218 * COUNT, n == 1);
    last = l.cycles;
  }
  assert_int_equal(last, 18 * COUNT);
  sr_heap_free_all(&w.heap);
}

static void a_hit_waits_as_well(void **state) {
  (void)state;
  World w;
  open_world(&w);
  w.model.miss = 0;
  w.model.hit = 7;
  EmuLatency l = play(&w, &loads_life, 1, 1, false);
  assert_int_equal(l.misses, 0);
  assert_int_equal(l.cycles, 18 + 14);
  sr_heap_free_all(&w.heap);
}

/* Whether a load misses depends on the subgroup and the load, not on what runs concurrently. */
static void chance(void **state) {
  (void)state;
  enum { COUNT = 2000 };
  World w;
  open_world(&w);
  Life *lives = SR_NEW(&w.arena, Life, COUNT);
  for (uint32_t i = 0; i < COUNT; i++)
    lives[i] = loads_life;
  w.model.miss = 0.25;
  w.model.seed = 5;
  EmuLatency alone = play(&w, lives, COUNT, 1, false);
  assert_true(alone.misses > COUNT * 0.45 && alone.misses < COUNT * 0.55); /* of 2 * COUNT */
  assert_int_equal(alone.cycles, 18 * COUNT + 400 * alone.misses);
  w.model.subgroups = 13;
  assert_int_equal(play(&w, lives, COUNT, 1, false).misses, alone.misses);
  w.model.seed = 6;
  assert_int_not_equal(play(&w, lives, COUNT, 1, false).misses, alone.misses);
  sr_heap_free_all(&w.heap);
}

/* ---- barriers and the cache ------------------------------------------------------------------ */

/* Two subgroups at a barrier; the first one's load before it delays both. */
static void barrier(void **state) {
  (void)state;
  static const Life lives[] = {
      {.moments = {{.kind = EMU_MOMENT_LOAD, .run = 2},
                   {.kind = EMU_MOMENT_BARRIER, .run = 1},
                   {.kind = EMU_MOMENT_END, .run = 4}},
       .count = 3},
      {.moments = {{.kind = EMU_MOMENT_BARRIER, .run = 6}, {.kind = EMU_MOMENT_END, .run = 4}},
       .count = 2}};
  World w;
  open_world(&w);
  w.model.latency = 50;
  w.model.subgroups = 2;
  EmuLatency l = play(&w, lives, 2, 2, true);
  assert_int_equal(l.cycles, 2 + 50 + 1 + 4 + 4);
  assert_int_equal(l.idle, 50 - 6);
  sr_heap_free_all(&w.heap);
}

/* Subgroups that wait at a barrier do not wait for one that has ended. */
static void barrier_without_the_ended(void **state) {
  (void)state;
  static const Life lives[] = {
      {.moments = {{.kind = EMU_MOMENT_BARRIER, .run = 2}, {.kind = EMU_MOMENT_END, .run = 4}},
       .count = 2},
      {.moments = {{.kind = EMU_MOMENT_END, .run = 10}}, .count = 1}};
  World w;
  open_world(&w);
  w.model.subgroups = 2;
  EmuLatency l = play(&w, lives, 2, 2, true);
  assert_int_equal(l.cycles, 2 + 10 + 4);
  assert_int_equal(l.idle, 0);
  sr_heap_free_all(&w.heap);
}

/* The record of a subgroup does not depend on the one before it. */
static void one_timeline_for_all(void **state) {
  (void)state;
  World w;
  open_world(&w);
  w.model.cache = 4;
  static const uint32_t cycles[] = {0, 1, 2};
  const EmuCost cost = {.model = &w.model, .block = cycles, .place = cycles, .added = 1};
  const EmuPolicyCounts counts = {0};
  EmuTimeline t = {.arena = &w.arena, .clock = {.cost = &cost, .counts = &counts}};
  EmuRecord records[2];
  for (int i = 0; i < 2; i++) {
    emu_timeline_start(&t);
    emu_timeline_block(&t, 2, NULL);
    emu_timeline_touch(&t, 9, true);
    emu_timeline_load(&t, 2, 1);
    records[i] = emu_timeline_end(&t);
  }
  assert_int_equal(records[0].size, records[1].size);
  assert_memory_equal(records[0].bytes, records[1].bytes, records[0].size);
  sr_heap_free_all(&w.heap);
}

/* Subgroups share the cache: with more of them resident, one evicts another's segments. */
static void shared_cache(void **state) {
  (void)state;
  World w;
  open_world(&w);
  Life lives[2] = {{.count = 9}, {.count = 9}};
  for (uint32_t i = 0; i < 8; i++)
    for (uint32_t k = 0; k < 2; k++)
      lives[k].moments[i] =
          (Moment){.kind = EMU_MOMENT_LOAD, .run = 1, .count = 1, .segment = {1000 * k + i % 2}};
  lives[0].moments[8] = lives[1].moments[8] = (Moment){.kind = EMU_MOMENT_END};
  w.model.cache = 2;
  w.model.hit = 1; /* so that they take turns */
  assert_int_equal(play(&w, lives, 2, 1, false).misses, 4);
  w.model.subgroups = 2;
  assert_int_equal(play(&w, lives, 2, 1, false).misses, 16);
  w.model.cache = 4;
  assert_int_equal(play(&w, lives, 2, 1, false).misses, 4);
  sr_heap_free_all(&w.heap);
}

/* Compared with a list in the order of touches. */
static void cache_by_age(void **state) {
  (void)state;
  World w;
  open_world(&w);
  for (uint64_t seed = 1; seed <= 60; seed++) {
    uint64_t random = seed, list[40];
    uint32_t room = 1 + unit_below(&random, 40), count = 0;
    EmuSegmentCache c = emu_segment_cache_new(&w.arena, room);
    for (uint32_t i = 0; i < 500; i++) {
      uint64_t segment = (uint64_t)unit_below(&random, 50) << unit_below(&random, 2) * 32;
      uint32_t at = 0;
      while (at < count && list[at] != segment)
        at++;
      bool held = at < count;
      if (!held && count < room)
        count++;
      memmove(&list[1], list, (held ? at : count - 1) * sizeof *list);
      list[0] = segment;
      if (emu_segment_cache_touch(&c, segment) != held)
        fail_msg("seed %u, touch %u", (unsigned)seed, i);
    }
  }
  sr_heap_free_all(&w.heap);
}

/* ---- cycle by cycle -------------------------------------------------------------------------- */

typedef struct Seat {
  const Life *life;
  uint32_t subgroup, moment, left; /* issues before the moment */
  uint64_t ready;
  bool alive, held; /* at a barrier */
} Seat;

typedef struct Clock {
  const World *w;
  const Life *lives;
  uint32_t count, next, group, seats_count;
  bool together;
  Seat seats[MOST_SUBGROUPS];
  uint64_t now, idle;
  EmuSegmentCache cache; /* tested above */
} Clock;

static void seat_them(Clock *c) {
  uint32_t need = c->together ? c->group : 1, empty = 0;
  for (uint32_t i = 0; i < c->seats_count; i++)
    empty += !c->seats[i].alive;
  for (; empty >= need && c->next < c->count; empty -= need)
    for (uint32_t i = 0, left = need; left; i++)
      if (!c->seats[i].alive) {
        const Life *life = &c->lives[c->next];
        c->seats[i] = (Seat){.life = life,
                             .subgroup = c->next++,
                             .left = life->moments[0].run,
                             .ready = c->now,
                             .alive = true};
        left--;
      }
}

static void open_barrier(Clock *c, uint32_t group) {
  for (uint32_t i = 0; i < c->seats_count; i++)
    if (c->seats[i].alive && c->seats[i].subgroup / c->group == group && !c->seats[i].held)
      return;
  for (uint32_t i = 0; i < c->seats_count; i++)
    if (c->seats[i].alive && c->seats[i].subgroup / c->group == group) {
      c->seats[i].held = false;
      c->seats[i].ready = c->now;
    }
}

static void come_to_moment(Clock *c, Seat *s) {
  const Moment *m = &s->life->moments[s->moment++];
  bool miss = c->w->model.miss == 1 && !c->w->model.cache;
  s->ready = c->now;
  if (m->kind != EMU_MOMENT_END)
    s->left = m[1].run;
  if (m->kind == EMU_MOMENT_WAIT) {
    s->ready += m->count;
  } else if (m->kind == EMU_MOMENT_LOAD) {
    for (uint32_t k = 0; c->w->model.cache && k < m->count; k++)
      miss |= !emu_segment_cache_touch(&c->cache, m->segment[k]);
    s->ready += miss ? c->w->model.latency : c->w->model.hit;
  } else if (m->kind == EMU_MOMENT_BARRIER) {
    s->held = true;
    open_barrier(c, s->subgroup / c->group);
  } else {
    s->alive = false;
    if (c->together)
      open_barrier(c, s->subgroup / c->group);
    seat_them(c);
  }
}

/* Simulates at most one cycle. False: nothing is left. */
static bool tick(Clock *c, uint32_t *at) {
  bool any = false;
  for (uint32_t i = 0; i < c->seats_count; i++) {
    Seat *s = &c->seats[(*at + i) % c->seats_count];
    any |= s->alive;
    if (!s->alive || s->held || s->ready > c->now)
      continue;
    *at = (*at + i) % c->seats_count;
    if (s->left) {
      s->left--;
      c->now++;
    }
    if (!s->left)
      come_to_moment(c, s);
    return true;
  }
  c->now += any;
  c->idle += any;
  return any;
}

static Life random_life(uint64_t *random, const uint32_t *barriers) {
  Life life = {.count = 1 + unit_below(random, MOST_MOMENTS - 8)};
  uint32_t left = barriers ? *barriers : 0;
  life.count += left;
  for (uint32_t i = 0; i < life.count; i++) {
    Moment *m = &life.moments[i];
    uint32_t later = life.count - 1 - i;
    bool meet = left && (left == later || unit_below(random, 3) == 0);
    left -= meet;
    m->kind = later == 0 ? EMU_MOMENT_END
              : meet     ? EMU_MOMENT_BARRIER
                         : (EmuMoment)unit_below(random, 2);
    m->run = unit_below(random, RUNS);
    m->count = 1 + unit_below(random, SEGMENTS);
    for (uint32_t k = 0; k < m->count; k++)
      m->segment[k] = unit_below(random, 9);
  }
  return life;
}

static void one_random_world(uint64_t seed) {
  uint64_t random = seed;
  World w;
  Life lives[MOST_SUBGROUPS];
  open_world(&w);
  uint32_t group = 1 + unit_below(&random, 3);
  uint32_t count = group * (1 + unit_below(&random, MOST_SUBGROUPS / 3)), at = 0;
  bool together = unit_below(&random, 2);
  uint32_t meetings = unit_below(&random, 4);
  for (uint32_t i = 0; i < count; i++)
    lives[i] = random_life(&random, together ? &meetings : NULL);
  w.model.subgroups = group + unit_below(&random, MOST_SUBGROUPS);
  w.model.latency = unit_below(&random, 80);
  w.model.hit = unit_below(&random, 3);
  w.model.cache = unit_below(&random, 2) * (1 + unit_below(&random, 8));
  Clock c = {.w = &w, .lives = lives, .count = count, .group = group, .together = together};
  c.seats_count = count < w.model.subgroups ? count : w.model.subgroups;
  if (w.model.cache)
    c.cache = emu_segment_cache_new(&w.arena, w.model.cache);
  seat_them(&c);
  while (tick(&c, &at))
    ;
  EmuLatency l = play(&w, lives, count, group, together);
  uint64_t issues = 0;
  for (uint32_t i = 0; i < count; i++)
    issues += issues_of(&lives[i]);
  if (l.cycles != c.now || l.idle != c.idle || l.cycles - l.idle != issues)
    fail_msg("seed %u: %u cycles, %u idle; cycle by cycle %u and %u", (unsigned)seed,
             (unsigned)l.cycles, (unsigned)l.idle, (unsigned)c.now, (unsigned)c.idle);
  sr_heap_free_all(&w.heap);
}

static void cycle_by_cycle(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= unit_seeds(2000); seed++)
    one_random_world(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_subgroup_to_the_cycle),
      cmocka_unit_test(enough_subgroups),
      cmocka_unit_test(a_hit_waits_as_well),
      cmocka_unit_test(chance),
      cmocka_unit_test(barrier),
      cmocka_unit_test(barrier_without_the_ended),
      cmocka_unit_test(one_timeline_for_all),
      cmocka_unit_test(shared_cache),
      cmocka_unit_test(cache_by_age),
      cmocka_unit_test(cycle_by_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
