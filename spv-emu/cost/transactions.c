/* SPDX-License-Identifier: Apache-2.0 */
/* transactions: the set of places; see transactions.h. Linear probing, at most half full. */
#include "cost/transactions.h"

#include "cost/timeline.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

/* The slot that holds the place, or a free one for it. */
static uint64_t *slot_of(const EmuSeen *seen, uint64_t key) {
  uint32_t i = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32);
  for (;; i++) {
    uint64_t *slot = &seen->at[2 * (size_t)(i & (seen->room - 1))];
    if (slot[1] != seen->stamp || slot[0] == key)
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
  for (uint32_t i = 0; i < old.room; i++)
    if (old.at[2 * (size_t)i + 1] == seen->stamp)
      memcpy(slot_of(seen, old.at[2 * (size_t)i]), &old.at[2 * (size_t)i], 2 * sizeof *old.at);
  free(old.at);
  return true;
}

/* False: it is in the set already, or memory has run out. */
static bool add(EmuLanes *s, uint64_t key) {
  EmuSeen *seen = &s->seen;
  seen->last = key;
  if (2 * seen->count >= seen->room && !grow(seen)) {
    emu_fault(s, 0, "out of memory while counting memory transactions");
    return false;
  }
  uint64_t *slot = slot_of(seen, key);
  if (slot[1] == seen->stamp)
    return false;
  slot[0] = key;
  slot[1] = seen->stamp;
  seen->count++;
  return true;
}

void emu_seen_add(EmuLanes *s, uint64_t key) {
  if (add(s, key) && s->timeline)
    emu_timeline_touch(s->timeline, key, s->seen.count == 1);
}

void emu_seen_add_texel(EmuLanes *s, const uint8_t *image, const uint8_t *texel, uint32_t bytes) {
  uint64_t start = (uintptr_t)image, first = (uint64_t)(texel - image);
  uint64_t to = start + ((first + bytes - 1) >> s->segment_shift);
  for (uint64_t key = start + (first >> s->segment_shift); key <= to; key++)
    if (key != s->seen.last)
      add(s, key);
}

void emu_seen_free(EmuSeen *seen) {
  free(seen->at);
  *seen = (EmuSeen){0};
}
