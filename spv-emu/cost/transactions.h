/* SPDX-License-Identifier: Apache-2.0 */
/* transactions: the transactions of a memory instruction: the distinct places that its lanes touch.
 *
 * A place is a piece of 2^segment_shift bytes of a buffer, at a multiple of that size from the
 * buffer's start. The set is a hash table; a slot holds the stamp of the instruction that wrote it,
 * so that clearing the set is one addition. Consecutive lanes mostly touch the same place, so the
 * last place is kept. The key of a place is the host address of the buffer plus the number of the
 * place. So a key is an address inside the buffer: two buffers share no keys, and a buffer that is
 * bound twice has the same keys both times.
 *
 * If the lanes of a workgroup are packed into packs that are only counted, not executed together
 * (exec/regroup.h), an instruction runs once for each subgroup that has some of the lanes, and its
 * set is kept over these runs; places then have the stamp of the instruction and the pack. */
#ifndef EMU_TRANSACTIONS_H
#define EMU_TRANSACTIONS_H

#include "spv-emu/engine/engine.h"

static inline void emu_seen_begin(EmuLanes *s) {
  s->seen->count = 0;
  s->seen->last = 0; /* no buffer is at address 0 */
  s->seen->first += s->seen->packs;
  if (s->seen->pack)
    return;
  s->seen->oldest = ++s->seen->stamp;
  s->seen->used = 0;
}
/* The places that follow are touched by this lane. */
static inline void emu_seen_lane(EmuLanes *s, uint32_t lane) {
  if (!s->seen->pack)
    return;
  s->seen->stamp = s->seen->first + s->seen->pack[lane];
  s->seen->last = 0;
}
/* The number of packs of the active lanes for which this instruction has not been counted as issued
 * yet; 1 if lanes are not packed. */
uint32_t emu_seen_issues(EmuLanes *s);
/* Adds a place to the set, by its key. A fault if memory runs out. */
void emu_seen_add(EmuLanes *s, uint64_t key);
/* Frees the memory of the set, which may be NULL. */
void emu_seen_free(EmuSeen *seen);
/* The same for a texel of an image; the latency model does not know images. */
void emu_seen_add_texel(EmuLanes *s, const uint8_t *image, const uint8_t *texel, uint32_t bytes);

/* Lanes touch bytes from `first` up to `end` (not included, > first) of a bound buffer. */
static inline void emu_seen_add_range(EmuLanes *s, const EmuSegment *segment, uint64_t first,
                                      uint64_t end) {
  uint64_t start = (uintptr_t)segment->bytes;
  uint64_t to = start + ((end - 1) >> s->segment_shift);
  for (uint64_t key = start + (first >> s->segment_shift); key <= to; key++)
    if (key != s->seen->last)
      emu_seen_add(s, key);
}

/* The same for an instruction that touches no other bytes, so that it needs no set. */
static inline void emu_seen_set_range(EmuLanes *s, uint64_t first, uint64_t end) {
  s->seen->count = (uint32_t)(((end - 1) >> s->segment_shift) - (first >> s->segment_shift)) + 1;
}

/* The end of a memory instruction. `counted`: a lane accessed a segment with EmuSegment.counted. */
static inline void emu_count_issue(EmuLanes *s, bool counted) {
  if (!counted)
    return;
  s->counts.memory_transactions += s->seen->count;
  s->counts.memory_issues += s->seen->pack ? emu_seen_issues(s) : 1;
}
/* The end of an instruction on images. */
static inline void emu_count_image(EmuLanes *s) {
  s->counts.image_transactions += s->seen->count;
  if (s->seen->count)
    s->counts.image_issues += s->seen->pack ? emu_seen_issues(s) : 1;
}

#endif
