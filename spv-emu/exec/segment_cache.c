/* SPDX-License-Identifier: Apache-2.0 */
/* segment_cache: see segment_cache.h. A chained hash table of lines, which are also in a list by
 * age, so that a touch takes constant time. */
#include "spv-emu/exec/segment_cache.h"

EmuSegmentCache emu_segment_cache_new(SrArena *arena, uint32_t room) {
  EmuSegmentCache c = {.room = room, .oldest = SR_NONE, .newest = SR_NONE};
  while ((1u << c.bucket_bits) < room)
    c.bucket_bits++;
  c.buckets = sr_new_none(arena, (size_t)1 << c.bucket_bits);
  c.lines = SR_NEW_RAW(arena, EmuSegmentLine, room);
  return c;
}

static uint32_t *bucket_of(const EmuSegmentCache *c, uint64_t segment) {
  uint64_t hash = segment * 0x9e3779b97f4a7c15u;
  return &c->buckets[hash >> 32 & ((1u << c->bucket_bits) - 1)];
}

/* ---- the list by age ------------------------------------------------------------------------- */

static void take_out(EmuSegmentCache *c, uint32_t at) {
  const EmuSegmentLine *line = &c->lines[at];
  *(line->older == SR_NONE ? &c->oldest : &c->lines[line->older].newer) = line->newer;
  *(line->newer == SR_NONE ? &c->newest : &c->lines[line->newer].older) = line->older;
}

static void put_newest(EmuSegmentCache *c, uint32_t at) {
  c->lines[at].older = c->newest;
  c->lines[at].newer = SR_NONE;
  *(c->newest == SR_NONE ? &c->oldest : &c->lines[c->newest].newer) = at;
  c->newest = at;
}

/* ---- touches --------------------------------------------------------------------------------- */

static uint32_t find(const EmuSegmentCache *c, uint64_t segment) {
  uint32_t at = *bucket_of(c, segment);
  while (at != SR_NONE && c->lines[at].segment != segment)
    at = c->lines[at].next;
  return at;
}

/* A free line: one that was never used, else the oldest, which is evicted. */
static uint32_t free_line(EmuSegmentCache *c) {
  if (c->count < c->room)
    return c->count++;
  uint32_t at = c->oldest, *from = bucket_of(c, c->lines[at].segment);
  take_out(c, at);
  while (*from != at)
    from = &c->lines[*from].next;
  *from = c->lines[at].next;
  return at;
}

bool emu_segment_cache_touch(EmuSegmentCache *c, uint64_t segment) {
  uint32_t at = find(c, segment);
  bool held = at != SR_NONE;
  if (held) {
    take_out(c, at);
  } else {
    at = free_line(c);
    uint32_t *bucket = bucket_of(c, segment);
    c->lines[at].segment = segment;
    c->lines[at].next = *bucket;
    *bucket = at;
  }
  put_newest(c, at);
  return held;
}
