/* SPDX-License-Identifier: Apache-2.0 */
/* amber_near: the word that a misspelt word of a script probably means, for messages.
 *
 * The parser compares a word with those that it could be. It notes these on the way, and compares
 * them again only if a message about that word asks for the nearest. Case does not matter. */
#ifndef AMBER_NEAR_H
#define AMBER_NEAR_H

#include "spv-emu/script/amber_lex.h"

enum { AMBER_NEAR_NOTED = 32 };

typedef struct AmberNear {
  const char *at;                      /* the word's place in the script; NULL: none yet */
  const char *noted[AMBER_NEAR_NOTED]; /* the first words that it could have been */
  uint32_t count;
  const char *best; /* the best of amber_near_try; NULL: none is near */
  size_t distance;
} AmberNear;

/* Notes that the word could have been `known`, which remains owned by the caller and must stay
 * valid. */
void amber_near_note(AmberNear *near, const AmberToken *word, const char *known);
/* The same, but compares at once: for tables, after they were searched without success. */
void amber_near_try(AmberNear *near, const AmberToken *word, const char *known);
/* The nearest; NULL: none is near, or none was noted or tried for this word. */
const char *amber_near_best(AmberNear *near, const AmberToken *word);

#endif
