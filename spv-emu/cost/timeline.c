/* SPDX-License-Identifier: Apache-2.0 */
/* timeline: see timeline.h. */
#include "spv-emu/cost/timeline.h"

enum { MOMENT_BITS = 3, MOST_BYTES = 10 }; /* bytes of one number */

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

/* Maps small differences of either sign to small numbers. */
static uint64_t fold(int64_t difference) {
  return (uint64_t)difference << 1 ^ (difference < 0 ? UINT64_MAX : 0);
}

static int64_t unfold(uint64_t folded) {
  return (int64_t)(folded >> 1 ^ -(folded & 1));
}

void emu_timeline_start(EmuTimeline *t) {
  emu_shader_clock_start(&t->clock);
  t->noted = t->last = 0;
  t->record.count = t->touched.count = 0;
  t->strands.count = t->edges.count = t->loads = 0;
  for (uint32_t i = 0; i < t->lanes; i++)
    t->strand[i] = SR_NONE;
}

static uint32_t words(const EmuTimeline *t) {
  return (t->lanes + 63) / 64;
}

/* The lanes of `on` begin a strand, after those that they ran before. */
static void begin_strand(EmuTimeline *t, const EmuMask *on) {
  uint32_t strand = t->strands.count, first = t->edges.count;
  if (strand)
    put_moment(t, t->clock.issued, EMU_MOMENT_PART);
  t->last = 0;
  SR_PUSH(t->arena, &t->strands, ((EmuStrand){.offset = t->record.count, .loads = t->loads}));
  for (EMU_EACH_LANE(lane, on, words(t))) {
    uint32_t from = t->strand[lane];
    t->strand[lane] = strand;
    /* `next` of a strand is not used before the end, so it holds the last strand that it leads
     * to. */
    if (from == SR_NONE || t->strands.at[from].next == strand)
      continue;
    t->strands.at[from].next = strand;
    SR_PUSH(t->arena, &t->edges, ((EmuStrandEdge){from, strand}));
  }
  t->strands.at[strand].before = t->edges.count - first;
  emu_mask_copy(&t->on, on, words(t));
}

void emu_timeline_block(EmuTimeline *t, uint32_t block, const EmuMask *on) {
  if (t->lanes && (!t->strands.count || !emu_mask_equal(&t->on, on, words(t))))
    begin_strand(t, on);
  emu_shader_clock_block(&t->clock, block);
}

void emu_timeline_wait(EmuTimeline *t, uint64_t cycles) {
  put_moment(t, t->clock.issued, EMU_MOMENT_WAIT);
  put(t, cycles);
}

void emu_timeline_load(EmuTimeline *t, SrRef inst, uint32_t segments) {
  uint32_t count = t->clock.cost->model->cache ? segments : 0;
  t->loads++;
  put_moment(t, t->clock.begun + t->clock.cost->place[inst], EMU_MOMENT_LOAD);
  put(t, count);
  for (uint32_t i = 0; i < count; i++) {
    put(t, fold((int64_t)(t->touched.at[i] - t->last)));
    t->last = t->touched.at[i];
  }
}

void emu_timeline_barrier(EmuTimeline *t, SrRef inst) {
  put_moment(t, t->clock.begun + t->clock.cost->place[inst], EMU_MOMENT_BARRIER);
}

/* Copies the strands, and the strands that each leads to, in their order. */
static void add_strands(const EmuTimeline *t, EmuRecord *r) {
  uint32_t count = r->strand_count = t->strands.count;
  EmuStrand *strands = SR_NEW_RAW(t->arena, EmuStrand, count + 1);
  uint32_t *next = SR_NEW_RAW(t->arena, uint32_t, t->edges.count + 1);
  memcpy(strands, t->strands.at, count * sizeof *strands);
  for (uint32_t i = 0; i <= count; i++)
    strands[i].next = 0;
  for (uint32_t i = 0; i < t->edges.count; i++)
    strands[t->edges.at[i].from + 1].next++;
  for (uint32_t i = 0; i < count; i++)
    strands[i + 1].next += strands[i].next;
  for (uint32_t i = 0; i < t->edges.count; i++)
    next[strands[t->edges.at[i].from].next++] = t->edges.at[i].to;
  for (uint32_t i = count; i > 0; i--)
    strands[i].next = strands[i - 1].next;
  strands[0].next = 0;
  r->strands = strands;
  r->next = next;
  r->size += (count + 1) * (uint32_t)sizeof *strands + t->edges.count * (uint32_t)sizeof *next;
}

EmuRecord emu_timeline_end(EmuTimeline *t) {
  emu_shader_clock_add(&t->clock);
  put_moment(t, t->clock.issued, EMU_MOMENT_END);
  const char *copy = sr_strndup(t->arena, (const char *)t->record.at, t->record.count);
  EmuRecord record = {.bytes = (const uint8_t *)copy, .size = t->record.count};
  if (t->strands.count)
    add_strands(t, &record);
  return record;
}

void emu_timeline_touch(EmuTimeline *t, uint64_t segment, bool first) {
  if (first)
    t->touched.count = 0;
  if (t->clock.cost->model->cache)
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
