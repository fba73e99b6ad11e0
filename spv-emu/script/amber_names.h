/* SPDX-License-Identifier: Apache-2.0 */
/* amber_names: maps names to indices, in one table for all kinds. A hash table with linear probing,
 * at most half full; it is on the heap while parsing. */
#ifndef AMBER_NAMES_H
#define AMBER_NAMES_H

#include "spv-emu/script/script.h"

typedef enum AmberNameKind {
  AMBER_NAME_SHADER,
  AMBER_NAME_BUFFER,
  AMBER_NAME_SAMPLER,
  AMBER_NAME_PIPELINE,
  AMBER_NAME_STRUCT,
  AMBER_NAME_FILE,
} AmberNameKind;

typedef struct AmberName {
  const char *text; /* NULL: a free slot; owned by the pool */
  size_t length;
  AmberNameKind kind;
  uint32_t index;
} AmberName;

typedef struct AmberNames {
  AmberName *slots;
  size_t room, count; /* room: 0 or a power of two */
} AmberNames;

/* The index of a name; AMBER_NONE: there is no such name. */
uint32_t amber_names_find(const AmberNames *names, AmberNameKind kind, const char *text,
                          size_t length);
/* Adds a name, which must be new. False: out of memory. */
bool amber_names_add(AmberNames *names, AmberNameKind kind, const char *text, size_t length,
                     uint32_t index);
void amber_names_free(AmberNames *names);

#endif
