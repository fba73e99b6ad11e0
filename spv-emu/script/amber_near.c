/* SPDX-License-Identifier: Apache-2.0 */
/* amber_near: see amber_near.h. */
#include "spv-emu/script/amber_near.h"

#include "passes/names/nearest.h"

#include <ctype.h>

/* Forgets what was noted for an earlier word. */
static void start(AmberNear *near, const AmberToken *word) {
  if (near->at == word->text)
    return;
  near->at = word->text;
  near->count = 0;
  near->best = NULL;
}

static void lower(const char *text, size_t length, char *lowered) {
  for (size_t i = 0; i < length; i++)
    lowered[i] = (char)tolower((unsigned char)text[i]);
  lowered[length] = '\0';
}

void amber_near_note(AmberNear *near, const AmberToken *word, const char *known) {
  start(near, word);
  if (near->count < AMBER_NEAR_NOTED)
    near->noted[near->count++] = known;
}

void amber_near_try(AmberNear *near, const AmberToken *word, const char *known) {
  char ours[SR_NEAREST_LONGEST + 1], theirs[SR_NEAREST_LONGEST + 1];
  size_t length = strlen(known);
  start(near, word);
  if (word->length < 2 || word->length > SR_NEAREST_LONGEST || length > SR_NEAREST_LONGEST)
    return;
  lower(word->text, word->length, ours);
  lower(known, length, theirs);
  const char *best = near->best;
  sr_nearest_try(ours, word->length, theirs, &best, &near->distance);
  if (best == theirs)
    near->best = known;
  if (near->best || word->length < 3 || strncmp(theirs, ours, word->length) != 0)
    return;
  near->best = known; /* an abbreviation is taken only if no word is near */
  near->distance = SR_NEAREST_LONGEST;
}

const char *amber_near_best(AmberNear *near, const AmberToken *word) {
  if (near->at != word->text)
    return NULL;
  for (uint32_t i = 0; i < near->count; i++)
    amber_near_try(near, word, near->noted[i]);
  return near->best;
}
