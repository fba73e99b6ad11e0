/* SPDX-License-Identifier: Apache-2.0 */
/* transactions: the set of places; see transactions.h. A hash table with linear probing, at most
 * half full. */
#include "spv-emu/cost/transactions.h"

#include "spv-emu/cost/timeline.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

/* The slot that holds the place, or a free one for it. */
static uint64_t *slot_of(const EmuSeen *seen, uint64_t key, uint64_t stamp) {
  uint32_t i = (uint32_t)((key + (stamp - seen->oldest)) * 0x9e3779b97f4a7c15u >> 32);
  for (;; i++) {
    uint64_t *slot = &seen->at[2 * (size_t)(i & (seen->room - 1))];
    if (slot[1] < seen->oldest || (slot[1] == stamp && slot[0] == key))
      return slot;
  }
}

static bool grow(EmuSeen *seen) {
  EmuSeen old = *seen;
  seen->room = old.room ? 2 * old.room : FIRST_ROOM;
  seen->at = calloc(seen->room, 2 * sizeof *seen->at);
  if (!seen->at) {
    *seen = old;
    return false;
  }
  for (uint32_t i = 0; i < old.room; i++) {
    const uint64_t *slot = &old.at[2 * (size_t)i];
    if (slot[1] >= seen->oldest)
      memcpy(slot_of(seen, slot[0], slot[1]), slot, 2 * sizeof *slot);
  }
  free(old.at);
  return true;
}

/* Adds a place. False: it is already in the set, or memory has run out. */
static bool add(EmuLanes *s, uint64_t key) {
  EmuSeen *seen = s->seen;
  seen->last = key;
  if (2 * seen->used >= seen->room && !grow(seen)) {
    emu_fault(s, 0, "out of memory while counting memory transactions");
    return false;
  }
  uint64_t *slot = slot_of(seen, key, seen->stamp);
  if (slot[1] == seen->stamp)
    return false;
  slot[0] = key;
  slot[1] = seen->stamp;
  seen->count++;
  seen->used++;
  return true;
}

void emu_seen_add(EmuLanes *s, uint64_t key) {
  if (add(s, key) && s->timeline)
    emu_timeline_touch(s->timeline, key, s->seen->count == 1);
}

void emu_seen_add_texel(EmuLanes *s, const uint8_t *image, const uint8_t *texel, uint32_t bytes) {
  uint64_t start = (uintptr_t)image, first = (uint64_t)(texel - image);
  uint64_t to = start + ((first + bytes - 1) >> s->segment_shift);
  for (uint64_t key = start + (first >> s->segment_shift); key <= to; key++)
    if (key != s->seen->last)
      add(s, key);
}

enum { ISSUED = 1 }; /* a key at which no buffer is */

uint32_t emu_seen_issues(EmuLanes *s) {
  uint32_t issues = 0;
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    emu_seen_lane(s, lane);
    issues += add(s, ISSUED);
  }
  return issues;
}

void emu_seen_free(EmuSeen *seen) {
  if (!seen)
    return;
  free(seen->at);
  *seen = (EmuSeen){0};
}
