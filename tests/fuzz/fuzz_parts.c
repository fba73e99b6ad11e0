/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_parts: see fuzz.h. */
#include "tests/equiv/gen/emit.h"
#include "tests/fuzz/fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_die(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("FUZZ: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  abort();
}

uint32_t *fuzz_words(const uint8_t *data, size_t size, size_t *count) {
  *count = size / sizeof(uint32_t);
  uint32_t *words = emit_resize(NULL, *count * sizeof *words);
  if (*count)
    memcpy(words, data, *count * sizeof *words);
  return words;
}
