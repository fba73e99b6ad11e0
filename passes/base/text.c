/* SPDX-License-Identifier: Apache-2.0 */
/* text: see text.h. */
#include "passes/base/text.h"

#include <stdarg.h>
#include <stdio.h>

void sr_text_put(SrText *text, const char *chars, size_t count) {
  SR_RESERVE(text->arena, text, count + 1);
  memcpy(text->at + text->count, chars, count);
  text->count += (uint32_t)count;
}

void sr_text_add(SrText *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  size_t need = (size_t)vsnprintf(NULL, 0, format, args) + 1;
  SR_RESERVE(text->arena, text, need);
  vsnprintf(text->at + text->count, need, format, again);
  text->count += (uint32_t)need - 1;
  va_end(again);
  va_end(args);
}

char *sr_text_end(SrText *text) {
  SR_RESERVE(text->arena, text, 1);
  text->at[text->count] = 0;
  return text->at;
}

char *sr_text_copy(SrArena *arena, const char *string) {
  SrText text = {.arena = arena};
  sr_text_put(&text, string, strlen(string));
  return sr_text_end(&text);
}
