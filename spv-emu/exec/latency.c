/* SPDX-License-Identifier: Apache-2.0 */
/* latency: see latency.h. The simulation advances from one moment of a record to the next. Cost:
 * the number of moments times the number of places searched for a subgroup that is ready. */
#include "spv-emu/exec/latency.h"

#include "spv-emu/exec/segment_cache.h"
#include "spv-emu/exec/strands.h"

#define NEVER UINT64_MAX

typedef struct Place {
  EmuStrands strands;
  uint64_t subgroup;
  uint64_t ready; /* from this cycle on; NEVER: empty, or at a barrier */
  bool alive, at_barrier;
} Place;

typedef struct Port {
  const spv_emu_cost *model;
  const EmuRecord *records;
  uint64_t count, next; /* subgroups; the next to become resident */
  uint32_t group;
  bool together;
  Place *places;
  uint32_t place_count, empty;
  EmuSegmentCache cache;
  EmuLatency sum;
} Port;

/* ---- becoming resident ----------------------------------------------------------------------- */

static void let_in(Port *p, Place *place) {
  emu_strands_start(&place->strands, &p->records[p->next], p->sum.cycles);
  place->subgroup = p->next++;
  place->ready = p->sum.cycles;
  place->alive = true;
  p->empty--;
}

/* Fills empty places: with one subgroup each, or with whole workgroups. */
static void fill_places(Port *p) {
  uint32_t least = p->together ? p->group : 1;
  while (p->empty >= least && p->next < p->count) {
    uint32_t left = least;
    for (uint32_t i = 0; left && i < p->place_count; i++)
      if (!p->places[i].alive) {
        let_in(p, &p->places[i]);
        left--;
      }
  }
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Lets a workgroup continue if all of its subgroups that have not ended are at a barrier. */
static void leave_barrier(Port *p, uint64_t subgroup) {
  uint64_t group = subgroup / p->group;
  for (uint32_t i = 0; i < p->place_count; i++) {
    const Place *q = &p->places[i];
    if (q->alive && q->subgroup / p->group == group && !q->at_barrier)
      return;
  }
  for (uint32_t i = 0; i < p->place_count; i++) {
    Place *q = &p->places[i];
    if (q->alive && q->subgroup / p->group == group) {
      q->at_barrier = false;
      q->ready = p->sum.cycles;
    }
  }
}

/* splitmix64's mixer (Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, 2014). */
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* Uses 53 bits of the random number, the precision of a double. */
static bool draws_miss(const Port *p, const Place *place, const EmuOpen *o) {
  uint64_t draw = mix(mix(mix(p->model->seed) ^ place->subgroup) ^ o->loads);
  return (double)(draw >> 11) < p->model->miss * (double)((uint64_t)1 << 53);
}

static bool cache_misses(Port *p, EmuOpen *o, uint64_t segments) {
  bool misses = false;
  for (; segments; segments--)
    misses |= !emu_segment_cache_touch(&p->cache, emu_replay_segment(&o->replay));
  return misses;
}

static void load(Port *p, const Place *place, EmuOpen *o, uint64_t segments) {
  bool cached = p->model->cache != 0;
  bool miss = cached ? cache_misses(p, o, segments) : draws_miss(p, place, o);
  uint64_t wait = miss ? p->model->latency : p->model->hit;
  o->loads++;
  o->ready += wait;
  p->sum.loads++;
  p->sum.misses += miss;
  p->sum.load_cycles += wait;
}

/* A strand ends, and with the last one its subgroup. */
static void end(Port *p, Place *place) {
  if (emu_strands_end(&place->strands, p->sum.cycles))
    return;
  place->alive = false;
  place->ready = NEVER;
  p->empty++;
  if (p->together)
    leave_barrier(p, place->subgroup);
  fill_places(p);
}

/* ---- the port -------------------------------------------------------------------------------- */

/* Issues from a place up to the next moment of one of its strands. At a barrier all of its lanes
 * are in one strand. */
static void issue(Port *p, Place *place) {
  uint64_t run, count;
  EmuOpen *o = emu_strands_choose(&place->strands, p->sum.cycles);
  EmuMoment moment = emu_replay_next(&o->replay, &run, &count);
  p->sum.cycles += run;
  o->ready = p->sum.cycles;
  switch (moment) {
  case EMU_MOMENT_WAIT: /* for its stack */
    emu_strands_hold(&place->strands, p->sum.cycles + count);
    break;
  case EMU_MOMENT_LOAD:
    load(p, place, o, count);
    break;
  case EMU_MOMENT_BARRIER:
    place->at_barrier = true;
    place->ready = NEVER;
    leave_barrier(p, place->subgroup);
    return;
  case EMU_MOMENT_PART:
  case EMU_MOMENT_END:
    end(p, place);
    break;
  }
  if (place->alive)
    place->ready = emu_strands_ready(&place->strands);
}

/* The first ready place at or after `at`, round-robin; if none is ready, waits for the one that is
 * ready first. place_count: no subgroup is left. */
static uint32_t choose(Port *p, uint32_t at) {
  uint32_t best = p->place_count;
  uint64_t soonest = NEVER;
  for (uint32_t i = 0; i < p->place_count; i++) {
    uint32_t k = at + i < p->place_count ? at + i : at + i - p->place_count;
    if (p->places[k].ready <= p->sum.cycles)
      return k;
    if (p->places[k].ready < soonest) {
      soonest = p->places[k].ready;
      best = k;
    }
  }
  if (best < p->place_count) {
    p->sum.idle += soonest - p->sum.cycles;
    p->sum.cycles = soonest;
  }
  return best;
}

static uint32_t most_strands(const spv_emu_cost *model) {
  return model->subwarps ? model->subwarps : 1;
}

EmuLatency emu_latency_replay(SrArena *arena, const spv_emu_cost *model, const EmuRecord *records,
                              uint64_t count, uint32_t group, bool together) {
  uint32_t places = count < model->subgroups ? (uint32_t)count : model->subgroups;
  Port p = {.model = model,
            .records = records,
            .count = count,
            .group = group,
            .together = together,
            .places = SR_NEW(arena, Place, places),
            .place_count = places,
            .empty = places};
  if (model->cache)
    p.cache = emu_segment_cache_new(arena, model->cache);
  for (uint32_t i = 0; i < places; i++) {
    p.places[i].ready = NEVER;
    p.places[i].strands = (EmuStrands){.arena = arena, .most = most_strands(model)};
  }
  fill_places(&p);
  /* A subgroup that does not wait keeps the port, since `choose` finds it first. */
  for (uint32_t at = 0; (at = choose(&p, at)) < p.place_count;)
    issue(&p, &p.places[at]);
  return p.sum;
}
