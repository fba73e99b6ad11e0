/* SPDX-License-Identifier: Apache-2.0 */
/* timeline: see timeline.h. */
#include "cost/timeline.h"

enum { MOMENT_BITS = 2, MOST_BYTES = 10 }; /* of a number */

static void put(EmuTimeline *t, uint64_t value) {
  SR_RESERVE(t->arena, &t->record, MOST_BYTES);
  for (; value > 0x7f; value >>= 7)
    t->record.at[t->record.count++] = (uint8_t)(0x80 | value);
  t->record.at[t->record.count++] = (uint8_t)value;
}

/* Records a moment after `until` cycles of issuing. */
static void put_moment(EmuTimeline *t, uint64_t until, EmuMoment moment) {
  put(t, (until - t->noted) << MOMENT_BITS | moment);
  t->noted = until;
}

/* Small differences of either sign become small numbers. */
static uint64_t fold(int64_t difference) {
  return (uint64_t)difference << 1 ^ (difference < 0 ? UINT64_MAX : 0);
}

static int64_t unfold(uint64_t folded) {
  return (int64_t)(folded >> 1 ^ -(folded & 1));
}

void emu_timeline_start(EmuTimeline *t) {
  t->begun = t->issued = t->noted = t->last = 0;
  t->added = t->counts->added - t->counts->carriers * (t->cost->model->divergent != 0);
  t->record.count = t->touched.count = 0;
}

/* Adds what the policy has issued since the last call, except carriers that are part of the cost of
 * a branch. */
static void add_added(EmuTimeline *t) {
  uint64_t now = t->counts->added - t->counts->carriers * (t->cost->model->divergent != 0);
  t->issued += (now - t->added) * t->cost->added;
  t->added = now;
}

void emu_timeline_block(EmuTimeline *t, uint32_t block) {
  add_added(t);
  t->begun = t->issued;
  t->issued += t->cost->block[block];
}

void emu_timeline_wait(EmuTimeline *t, uint64_t cycles) {
  put_moment(t, t->issued, EMU_MOMENT_WAIT);
  put(t, cycles);
}

void emu_timeline_load(EmuTimeline *t, SrRef inst, uint32_t segments) {
  uint32_t count = t->cost->model->cache ? segments : 0;
  put_moment(t, t->begun + t->cost->place[inst], EMU_MOMENT_LOAD);
  put(t, count);
  for (uint32_t i = 0; i < count; i++) {
    put(t, fold((int64_t)(t->touched.at[i] - t->last)));
    t->last = t->touched.at[i];
  }
}

void emu_timeline_barrier(EmuTimeline *t, SrRef inst) {
  put_moment(t, t->begun + t->cost->place[inst], EMU_MOMENT_BARRIER);
}

EmuRecord emu_timeline_end(EmuTimeline *t) {
  add_added(t);
  put_moment(t, t->issued, EMU_MOMENT_END);
  const char *copy = sr_strndup(t->arena, (const char *)t->record.at, t->record.count);
  return (EmuRecord){(const uint8_t *)copy, t->record.count};
}

void emu_timeline_touch(EmuTimeline *t, uint64_t segment, bool first) {
  if (first)
    t->touched.count = 0;
  if (t->cost->model->cache)
    SR_PUSH(t->arena, &t->touched, segment);
}

/* ---- reading a record ------------------------------------------------------------------------ */

static uint64_t get(EmuReplay *r) {
  uint64_t value = 0;
  for (uint32_t shift = 0;; shift += 7) {
    uint8_t byte = *r->at++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
}

EmuMoment emu_replay_next(EmuReplay *r, uint64_t *run, uint64_t *count) {
  uint64_t head = get(r);
  EmuMoment moment = (EmuMoment)(head & ((1 << MOMENT_BITS) - 1));
  *run = head >> MOMENT_BITS;
  *count = moment == EMU_MOMENT_WAIT || moment == EMU_MOMENT_LOAD ? get(r) : 0;
  return moment;
}

uint64_t emu_replay_segment(EmuReplay *r) {
  r->segment += (uint64_t)unfold(get(r));
  return r->segment;
}
