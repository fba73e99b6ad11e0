/* SPDX-License-Identifier: Apache-2.0 */
/* map: see map.h. */
#include "passes/base/map.h"

static SrMapSlot *find(const SrMap *map, uint32_t key) {
  uint32_t i = key * 2654435761u; /* Knuth's multiplicative hash */
  for (i ^= i >> 15;; i++) {
    SrMapSlot *s = &map->slots[i & (map->room - 1)];
    if (s->value == SR_NONE || s->key == key) /* the key of an empty slot is not set */
      return s;
  }
}

uint32_t sr_map_get(const SrMap *map, uint32_t key) {
  return map->room ? find(map, key)->value : SR_NONE;
}

void sr_map_clear(SrMap *map) {
  for (uint32_t i = 0; i < map->room; i++)
    map->slots[i].value = SR_NONE;
  map->count = 0;
}

static void grow(SrMap *map) {
  SrMap old = *map;
  map->room = old.room ? 2 * old.room : 16;
  map->slots = SR_NEW_RAW(map->arena, SrMapSlot, map->room);
  sr_map_clear(map);
  map->count = old.count;
  for (uint32_t i = 0; i < old.room; i++)
    if (old.slots[i].value != SR_NONE)
      *find(map, old.slots[i].key) = old.slots[i];
}

void sr_map_set(SrMap *map, uint32_t key, uint32_t value) {
  if (2 * map->count >= map->room)
    grow(map);
  SrMapSlot *s = find(map, key);
  map->count += s->value == SR_NONE;
  *s = (SrMapSlot){key, value};
}
