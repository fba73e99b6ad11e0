/* SPDX-License-Identifier: Apache-2.0 */
/* amber_names: see amber_names.h. */
#include "spv-emu/script/amber_names.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static size_t hash(AmberNameKind kind, const char *text, size_t length) {
  uint64_t sum = 0xcbf29ce484222325u ^ (uint64_t)kind;
  for (size_t i = 0; i < length; i++)
    sum = (sum ^ (unsigned char)text[i]) * 0x100000001b3u;
  return (size_t)(sum ^ sum >> 32);
}

static AmberName *slot_of(const AmberNames *names, AmberNameKind kind, const char *text,
                          size_t length) {
  for (size_t i = hash(kind, text, length);; i++) {
    AmberName *slot = &names->slots[i & (names->room - 1)];
    if (!slot->text ||
        (slot->kind == kind && slot->length == length && memcmp(slot->text, text, length) == 0))
      return slot;
  }
}

uint32_t amber_names_find(const AmberNames *names, AmberNameKind kind, const char *text,
                          size_t length) {
  if (!names->room)
    return AMBER_NONE;
  const AmberName *slot = slot_of(names, kind, text, length);
  return slot->text ? slot->index : AMBER_NONE;
}

static bool make_room(AmberNames *names) {
  AmberNames wider = {.room = names->room ? 2 * names->room : 64, .count = names->count};
  wider.slots = calloc(wider.room, sizeof *wider.slots);
  if (!wider.slots)
    return false;
  for (size_t i = 0; i < names->room; i++) {
    const AmberName *old = &names->slots[i];
    if (old->text)
      *slot_of(&wider, old->kind, old->text, old->length) = *old;
  }
  free(names->slots);
  *names = wider;
  return true;
}

bool amber_names_add(AmberNames *names, AmberNameKind kind, const char *text, size_t length,
                     uint32_t index) {
  if (2 * (names->count + 1) > names->room && !make_room(names))
    return false;
  *slot_of(names, kind, text, length) =
      (AmberName){.text = text, .length = length, .kind = kind, .index = index};
  names->count++;
  return true;
}

void amber_names_free(AmberNames *names) {
  free(names->slots);
  *names = (AmberNames){0};
}
