/* SPDX-License-Identifier: Apache-2.0 */
/* text: a growing string in an arena. */
#ifndef SR_TEXT_H
#define SR_TEXT_H

#include "passes/base/compiler.h"
#include "passes/base/vec.h"

typedef struct SrText {
  SrArena *arena;
  char *at;
  uint32_t count, room;
} SrText;

void sr_text_put(SrText *text, const char *chars, size_t count);
void sr_text_add(SrText *text, const char *format, ...) SR_PRINTF(2, 3);
/* A copy of a string, in `arena`. */
char *sr_text_copy(SrArena *arena, const char *string);
/* The string, terminated; it belongs to the arena. */
char *sr_text_end(SrText *text);

#endif
