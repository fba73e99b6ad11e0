/* SPDX-License-Identifier: Apache-2.0 */
/* map: from uint32_t keys to uint32_t values, in an arena: open addressing, at most half full. */
#ifndef SR_MAP_H
#define SR_MAP_H

#include "passes/base/arena.h"

typedef struct SrMapSlot {
  uint32_t key, value; /* value SR_NONE: empty */
} SrMapSlot;

/* All zero except the arena: an empty map. */
typedef struct SrMap {
  SrArena *arena;
  SrMapSlot *slots;
  uint32_t room, count; /* room is 0 or a power of two */
} SrMap;

/* The key's value, or SR_NONE. */
uint32_t sr_map_get(const SrMap *map, uint32_t key);
/* Makes it empty, and keeps its memory. */
void sr_map_clear(SrMap *map);
/* Sets the key's value, which must not be SR_NONE. */
void sr_map_set(SrMap *map, uint32_t key, uint32_t value);

#endif
