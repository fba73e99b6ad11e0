/* SPDX-License-Identifier: Apache-2.0 */
/* transactions: the cost of a memory instruction: the distinct places that its lanes touch.
 *
 * A place is an aligned piece of 2^segment_shift bytes of a buffer, counted from the buffer's
 * start. The set is a hash table whose slots carry the stamp of the instruction that wrote them, so
 * that beginning a new set is one addition. Consecutive lanes mostly touch one place: the last one
 * is remembered. A place's key is the host address of the buffer plus the place's number: the keys
 * of a buffer lie inside the buffer, so two buffers have none in common, and one that is bound
 * twice is one. */
#ifndef EMU_TRANSACTIONS_H
#define EMU_TRANSACTIONS_H

#include "engine/engine.h"

static inline void emu_seen_begin(EmuLanes *s) {
  s->seen.stamp++;
  s->seen.count = 0;
  s->seen.last = 0; /* no buffer is at address 0 */
}
/* Puts a place into the set; a fault where memory is out. */
void emu_seen_add(EmuLanes *s, uint64_t key);
void emu_seen_free(EmuSeen *seen);

/* Lanes touch bytes from `first` up to `end` (not included, > first) of a bound buffer. */
static inline void emu_seen_add_range(EmuLanes *s, const EmuSegment *segment, uint64_t first,
                                      uint64_t end) {
  uint64_t start = (uintptr_t)segment->bytes;
  uint64_t to = start + ((end - 1) >> s->segment_shift);
  for (uint64_t key = start + (first >> s->segment_shift); key <= to; key++)
    if (key != s->seen.last)
      emu_seen_add(s, key);
}

/* The same, where these bytes are all that the instruction touches: no set is needed. */
static inline void emu_seen_set_range(EmuLanes *s, uint64_t first, uint64_t end) {
  s->seen.count = (uint32_t)(((end - 1) >> s->segment_shift) - (first >> s->segment_shift)) + 1;
}

/* The end of a memory instruction: it counts where a lane's segment does. */
static inline void emu_count_issue(EmuLanes *s, bool counted) {
  if (!counted)
    return;
  s->counts.memory_issues++;
  s->counts.memory_transactions += s->seen.count;
}

#endif
